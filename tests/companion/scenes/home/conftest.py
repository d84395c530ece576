"""An app at home, and what the tests of home and of a new game look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.chance import Thrown
from companion.games.match import Match
from companion.scenes.table.board_table import BoardTable
from tests.companion.equip import equip
from tests.companion.touching import Hand


@pytest.fixture
def hand(hand: Hand) -> Hand:
    equip(hand.app.stage, chance=Thrown(1))
    return hand


def scene(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.scene, BoardTable)
    return hand.app.scene


def labels(hand: Hand) -> list[str]:
    return [button.label for button in hand.all_buttons()]


def played(folder: Path, name: str, red: str, black: str) -> Path:
    """Write an earlier game of two people to the disk."""
    path = folder / "games" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    tokens = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
    Match.start(path, "sengoku-rivers", "red", tokens, {"red": red, "black": black}).close()
    return path
