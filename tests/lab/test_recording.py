"""The game that the lab's fingers play is a whole one, with both players on the glass at once."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from companion.games.journal import read_journal
from engine.orders.game import fold, new_game
from tests.lab.machine import read_picture, run_here

SIZE_PX = (800, 480)


@pytest.mark.long
def test_a_whole_game_is_recorded_with_a_picture_after_each_touch(tmp_path: Path) -> None:
    settings, folder = tmp_path / "settings.toml", tmp_path / "recording"
    settings.write_text('[screen]\nlayout = "two"\nmotion = false\nrotation = 90\n')
    run_here(sys.executable, "-m", "tests.lab.recording", str(settings), str(folder), "{}x{}".format(*SIZE_PX))
    taps = [json.loads(line) for line in (folder / "taps.jsonl").read_text().splitlines()]
    journal = read_journal(folder / "game.jsonl")
    assert len(journal.steps) == taps[-1]["steps"] > 20
    start = new_game(journal.request["board"], journal.request["initiative"], journal.request["bonuses"])
    assert fold(start, journal.steps).winner_name is not None
    assert sum(len(tap["fingers"]) == 2 for tap in taps) > len(taps) / 2
    assert all(0 < part < 1 for tap in taps for place in tap["fingers"] for part in place)
    for number in (0, len(taps)):
        assert read_picture(folder / f"{number}.png").shape == (*SIZE_PX[::-1], 3)
