"""What the lab's fingers play: a whole game with both players on the glass at once; a turn against Gunbai."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.games.journal import OrdersJournal, read_journal
from engine.orders.game import fold, new_game
from tests.lab.machine import read_picture, run_here

SIZE_PX = (800, 480)


def play(what: str, settings: str, folder: Path) -> tuple[list[dict[str, Any]], OrdersJournal]:
    """Play one of the lab's plays and return its touches and its saved game."""
    owners, place = folder / "settings.toml", folder / "played"
    owners.write_text(settings)
    run_here(sys.executable, "-m", "tests.lab.plays", what, str(owners), str(place), "{}x{}".format(*SIZE_PX))
    taps = [json.loads(line) for line in (place / "taps.jsonl").read_text().splitlines()]
    for number in (0, len(taps)):
        assert read_picture(place / f"{number}.png").shape == (*SIZE_PX[::-1], 3)
    return taps, read_journal(place / "game.jsonl")


@pytest.mark.long
def test_a_whole_game_is_recorded_with_a_picture_after_each_touch(tmp_path: Path) -> None:
    taps, journal = play("whole", '[screen]\nlayout = "two"\nmotion = false\nrotation = 90\n', tmp_path)
    assert len(journal.steps) == taps[-1]["steps"] > 20
    start = new_game(journal.request["board"], journal.request["initiative"], journal.request["bonuses"])
    assert fold(start, journal.steps).winner_name is not None
    assert sum(len(tap["fingers"]) == 2 for tap in taps) > len(taps) / 2
    assert all(0 < part < 1 for tap in taps for place in tap["fingers"] for part in place)


@pytest.mark.long
def test_gunbai_takes_its_turn_where_it_was_touched_for(tmp_path: Path) -> None:
    taps, journal = play("alone", "[screen]\nmotion = false\n", tmp_path)
    assert journal.request["opponent"]["side"] == "black"
    assert [tap["steps"] for tap in taps][-2:] == [1, 2] == [len(journal.steps) - 1, len(journal.steps)]
