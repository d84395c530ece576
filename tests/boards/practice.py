"""The made-up boards of this folder, each with a mode of its own made from one of the engine's."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from engine.orders.board import Board, board_from, load_board
from engine.orders.mode import Mode, Support, UnitKind, load_mode

_FOLDER = Path(__file__).parent


def board_data(name: str) -> dict[str, Any]:
    """Return the data of one of these boards as plain values."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _practice_mode(name: str, like: str = "sengoku-rivers", **changes: Any) -> Mode:
    return replace(load_mode(like), name=name, title=name, known="practice", **changes)


@cache
def castle() -> Board:
    """Fortress on seven areas: siege weapons, a fortified one and the Armoury."""
    return board_from(board_data("castle"), _practice_mode("practice-castle", "sengoku-fortress"))


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


@cache
def valley() -> Board:
    """Alpine on nine areas: Paradrop, Barrage, Town Centre, and areas that nothing drops into."""
    return board_from(board_data("valley"))


@cache
def atoll() -> Board:
    """Island on eight areas under three air zones: Fly, Bomb, Take-off."""
    return board_from(board_data("atoll"))


BOARDS: dict[str, Callable[[], Board]] = {
    "rivers": partial(load_board, "sengoku-rivers"),
    "fortress": partial(load_board, "sengoku-fortress"),
    "alpine": partial(load_board, "wwii-alpine"),
    "island": partial(load_board, "wwii-island"),
    "castle": castle,
    "strip": strip,
    "valley": valley,
    "atoll": atoll,
}
"""Every board that tests play on, by a short name."""
