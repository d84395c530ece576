"""Killed at random moments, nothing confirmed is lost; at length: `python -m tests.companion.games.kill 500`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.companion.fingers import own_place
from tests.companion.games.kill import Lost, Reaper

pytestmark = pytest.mark.long

KILLS = 16


def test_nothing_that_was_confirmed_is_lost() -> None:
    command = [sys.executable, "-m", "tests.companion.games.kill", str(KILLS), "--seed", "3"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    counted = {what: int(number) for number, what in (line.split(maxsplit=1) for line in run.stdout.splitlines())}
    assert counted["killed"] == counted["ended at a call"] + counted["ended from outside"] == KILLS
    assert counted["fresh interpreters"] == 1
    assert min(counted["ended at a call"], counted["ended from outside"], counted["games"]) > 1
    assert counted["confirmed"] > 4 * KILLS


@pytest.fixture
def reaper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reaper:
    """After one confirmed game of three steps that was given a name, and a choice in the settings."""
    for name in ("GUNBAI_DATA", "XDG_CONFIG_HOME", "GUNBAI_SETTINGS"):
        monkeypatch.setenv(name, "")
    own_place(tmp_path)
    games = tmp_path / "data" / "games"
    games.mkdir(parents=True)
    request = '{"do": "new", "board": "sengoku-rivers", "initiative": "red", "bonuses": {"sun": "barracks"}}\n'
    (games / "game.jsonl").write_text(request + '{"pass": true}\n' * 3)
    (games / "labels.json").write_text('{"game.jsonl": "Friday"}')
    (tmp_path / "config" / "gunbai").mkdir(parents=True)
    (tmp_path / "config" / "gunbai" / "chosen.toml").write_text("screen.text_scale = 1.25\n")
    reaper = Reaper(tmp_path, seed=1)
    for about in (
        {"new": "game.jsonl"},
        {"game": "game.jsonl", "keep": 0, "add": [{"pass": True}] * 3, "whole": True},
        {"named": "game.jsonl", "label": "Friday"},
        {"chosen": {"text_scale": 1.25}},
    ):
        reaper.hear(about)
        reaper.hear({"shown": True})
    return reaper


def test_what_is_there_is_found(reaper: Reaper) -> None:
    reaper.look()
    assert reaper.count["confirmed"] == 4


def test_a_step_that_is_gone_is_noticed(reaper: Reaper) -> None:
    game = reaper.folder / "data" / "games" / "game.jsonl"
    game.write_text(game.read_text().removesuffix('{"pass": true}\n'))
    with pytest.raises(Lost, match=r"game\.jsonl: 2 steps on the disk, 3 confirmed"):
        reaper.look()
    with pytest.raises(Lost, match="opened with 2 steps"):
        reaper.hear({"opened": "game.jsonl", "steps": 2, "notice": None})


def test_a_step_too_many_is_noticed_unless_it_was_under_way(reaper: Reaper) -> None:
    game = reaper.folder / "data" / "games" / "game.jsonl"
    game.write_text(game.read_text() + '{"pass": true}\n')
    reaper.hear({"game": "game.jsonl", "keep": 3, "add": [{"pass": True}], "whole": True})
    reaper.look()
    game.write_text(game.read_text() + '{"pass": true}\n')
    reaper.hear({"opened": "game.jsonl", "steps": 4, "notice": None})
    with pytest.raises(Lost, match="5 steps on the disk, 4 confirmed"):
        reaper.look()


def test_a_broken_line_is_noticed(reaper: Reaper) -> None:
    game = reaper.folder / "data" / "games" / "game.jsonl"
    game.write_text(game.read_text() + '{"roll": [1]}\n')
    reaper.hear({"opened": "game.jsonl", "steps": 3, "notice": None})
    with pytest.raises(Lost, match="line 5 isn't a step"):
        reaper.look()


def test_a_name_or_a_choice_that_is_gone_is_noticed(reaper: Reaper) -> None:
    chosen = reaper.folder / "config" / "gunbai" / "chosen.toml"
    chosen.write_text("screen.text_scale = 1.0\n")
    with pytest.raises(Lost, match="chosen was"):
        reaper.look()
    reaper.hear({"chosen": {"text_scale": 1.0}})
    (reaper.folder / "data" / "games" / "labels.json").write_text("{}")
    with pytest.raises(Lost, match="is called None, not 'Friday'"):
        reaper.look()
