"""How much is written: exact calls for each thing that people do, and no file but the games and the settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.app.app import App
from companion.core import storage
from companion.evidence import pictures as evidence
from companion.evidence.pictures import Name, folder_of
from companion.games.clock import SAVE_EVERY_S, GameClock
from companion.games.match import Match
from companion.games.saved import shelf
from companion.settings.layers import Choices, Settings
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, played
from vision.frame import jpeg_of

STEPS = played()[0]
COUNTED = ("write", "fsync", "replace", "ftruncate")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the system is called to change the disk."""
    counted: Counter[str] = Counter()

    def counting(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return real(*given, **named)

        return call

    for name in COUNTED:
        monkeypatch.setattr(os, name, counting(name, getattr(os, name)))
    return counted


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    match.offer(STEPS[0])
    match.offer(STEPS[1])
    yield match
    match.close()


def test_a_step_is_one_write_and_one_sync(match: Match, calls: Counter[str]) -> None:
    for n, step in enumerate(STEPS[2:12], 1):
        match.offer(step)
        assert calls == {"write": n, "fsync": n}


def test_taking_back_is_two_files_and_doing_again_one_line(match: Match, calls: Counter[str]) -> None:
    match.undo()
    assert calls == {"write": 2, "fsync": 4, "replace": 1}, "the list and its new name, the game and its new name"
    calls.clear()
    match.redo()
    assert calls == {"write": 1, "fsync": 1}
    match.undo()
    assert calls == {"write": 3, "fsync": 4, "replace": 1}, "the list is there already"


def test_beginning_and_opening(tmp_path: Path, calls: Counter[str]) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    assert calls == {"write": 1, "fsync": 2}
    match.close()
    calls.clear()
    match = Match.open(match.path)
    match.close()
    assert calls == {}, "a game that is looked at is not written"


def test_many_steps_that_waited_are_one_write(
    match: Match, calls: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refusing())
        for step in STEPS[2:12]:
            match.offer(step)
    calls.clear()
    assert match.save()
    assert calls == {"write": 1, "fsync": 1}


def test_a_picture_is_not_synced_and_a_choice_is(match: Match, tmp_path: Path, calls: Counter[str]) -> None:
    picture = jpeg_of(np.zeros((48, 64, 3), np.uint8))
    evidence.keep(folder_of(match.path), Name("turn", 2, match.mark(2)), picture, {"areas": {}})
    assert calls == {"write": 1, "replace": 1}
    calls.clear()
    Choices(tmp_path / "chosen.toml").keep(Settings(theme="light"), ["theme"])
    assert calls == {"write": 1, "fsync": 2, "replace": 1}


def test_an_hour_at_the_table_writes_nothing_but_the_clock(match: Match, calls: Counter[str]) -> None:
    app = App(match=match)
    for second in range(3600):
        app.tick(float(second))
    assert calls == {}
    app.stage.change(clock_minutes=90)
    app.stage.services.clock.go_on()
    for second in range(3600, 7200):
        app.tick(float(second))
    minutes = 3600 / SAVE_EVERY_S
    assert minutes - 1 <= calls["write"] <= minutes
    assert calls == {"write": calls["write"], "fsync": calls["write"], "replace": calls["write"]}
    assert isinstance(app.stage.services.clock, GameClock)


def test_looking_at_the_shelf_writes_its_index_once(
    tmp_path: Path, calls: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    Match.start(storage.games_dir() / "one.jsonl", BOARD, "red", BONUSES).close()
    calls.clear()
    for _look in range(20):
        shelf.saved_games()
    assert calls == {"write": 1, "fsync": 1, "replace": 1}


# ---- nothing else -----------------------------------------------------------------------------------

SESSION = """
import json, os, sys
from pathlib import Path

written = set()

def heed(event, given):
    if event == "open":
        path, mode, flags = given
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and not isinstance(path, int):
            written.add(os.fspath(path))
    elif event in ("os.mkdir", "os.rename", "os.link", "os.symlink", "sqlite3.connect"):
        written.add(str(given[1] if event == "os.rename" else given[0]))

sys.addaudithook(heed)
import argparse

import pygame

from companion.demo.player import DemoPlayer
from companion.bootstrap import play
from companion.ui.screen import Intent
from companion.view.window.window import Window
from tests.companion.touching import Hand

def show(app, size_px):
    pygame.display.init()
    hand = Hand(app)
    window = Window(app, pygame.display.set_mode((800, 480)))
    hand.press("New game", "Quick start")
    match = app.table.match
    player = DemoPlayer(3, 4)
    now_s = 0.0
    while player.act(match):
        now_s += 61.0
        app.tick(now_s)
        window.refresh()
    app.stage.change(theme="light")
    match.undo()
    app.touch(Intent("menu"))
    hand.press("Home", "Saved games", "Back", "Statistics", "Back")
    app.tick(now_s + 61.0)
    window.refresh()
    return 0

status = play(argparse.Namespace(size=None, game=None, demo=True, table=None, camera=None), show)
print(json.dumps([status, sorted(written)]))
"""


@pytest.mark.long
def test_a_session_writes_games_and_settings_and_nothing_else(tmp_path: Path) -> None:
    """Logs go to standard error alone, which the journal of systemd has."""
    home = tmp_path / "home"
    home.mkdir()
    own = {"GUNBAI_DATA": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"), "HOME": str(home)}
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONDONTWRITEBYTECODE": "1"}
    environment = os.environ | own | quiet
    environment.pop("GUNBAI_SETTINGS", None)
    command = [sys.executable, "-c", SESSION]
    place = Path(__file__).parents[3]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=place, env=environment)
    assert done.returncode == 0, done.stderr
    status, written = json.loads(done.stdout.splitlines()[-1])
    assert status == 0
    system = ("/dev/", "/proc/")
    paths = [Path(path) for path in written if not path.startswith(system)]
    assert all(path.is_relative_to(home) for path in paths), paths
    places = {str(path.relative_to(home).parent) for path in paths}
    pictures = {place for place in places if place.startswith("data/games/") and place.endswith(".jsonl.evidence")}
    assert places - pictures <= {".", "data", "data/games", "config", "config/gunbai"}
    names = {path.name.partition(".new-")[0] for path in paths}
    assert "chosen.toml" in names
    assert "index.json" in names
    assert not any("log" in name.split(".") for name in names)
