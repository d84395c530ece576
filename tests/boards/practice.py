"""The made-up boards of this folder, each with a mode of its own made from that of Rivers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from engine.orders.board import Board, board_from, load_board
from engine.orders.mode import ActionKind, Bonus, Mode, Support, UnitKind, load_mode

_FOLDER = Path(__file__).parent


def board_data(name: str) -> dict[str, Any]:
    """The data of one of these boards, as plain values."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _practice_mode(name: str, **changes: Any) -> Mode:
    return replace(load_mode("sengoku-rivers"), name=name, title=name, known="practice", **changes)


@cache
def castle() -> Board:
    """Siege weapons, a fortified area and the Armoury."""
    armoury = Bonus("armoury", "Armoury", "Siege: 1 more die.", "siege", "more", 1)
    support: Mapping[str, Support] = {
        "reinforce:1": Support(6, siege=2),
        "reinforce:2": Support(5, siege=1),
        "embark:1": Support(3),
        "embark:2": Support(2),
        "plan:1": Support(1, initiative=True),
        "plan:2": Support(2),
    }
    mode = load_mode("sengoku-rivers")
    siege = ActionKind("siege", "shoot", "land", target="land", dice_per="siege")
    return board_from(
        board_data("castle"),
        _practice_mode(
            "practice-castle",
            commanders=6,
            units=(*mode.units, UnitKind("siege", len(mode.units), 5, "land")),
            actions={**mode.actions, "siege": siege},
            support=support,
            bonuses={**mode.bonuses, "armoury": armoury},
        ),
    )


@cache
def strip() -> Board:
    """Five areas in a row, two commanders, small reserves and one short round."""
    support = {"reinforce:1": Support(2), "embark:1": Support(1), "plan:1": Support(1, initiative=True)}
    units = (UnitKind("troop", 0, 5, "land"), UnitKind("ship", 1, 2, "water"))
    caps = {"land": 3, "water": 2}
    return board_from(
        board_data("strip"),
        _practice_mode("practice-strip", rounds=2, commanders=2, units=units, caps=caps, support=support),
    )


BOARDS: dict[str, Callable[[], Board]] = {
    "rivers": partial(load_board, "sengoku-rivers"),
    "castle": castle,
    "strip": strip,
}
"""Every board that tests play on, by a short name."""
