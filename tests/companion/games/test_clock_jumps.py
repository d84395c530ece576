"""The machine's clock jumps by years while a game is played: logic has a clock of its own, the time is a label."""

from __future__ import annotations

import ast
import os
from datetime import datetime
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.journal import read_journal
from companion.games.saved import shelf
from companion.scenes.home.home import HomeScene
from companion.text.saved_games import when
from companion.ui.screen import Intent
from tests.companion.sample_games import played
from tests.companion.touching import Hand

ROOT = Path(__file__).parents[3]
YEARS_S = 40 * 365 * 86_400.0
LABELS = {
    "companion/app/app.py",  # the name of a new game's file
    "companion/appliance/backing_up.py",  # the name of a copy
    "companion/appliance/packing.py",
    "companion/appliance/cards/preparing.py",  # the day of an update, on the files of an archive
    "companion/checks/machine.py",  # the clock is looked at
    "companion/drill/shims.py",  # makes the clock jump
    "companion/text/saved_games.py",  # when a game was played, in words
    "companion/games/sharing.py",  # when a game was played, for BG Stats, and the day on a shared score
    "companion/games/exercises.py",  # the day on which a turn is asked again
    "companion/games/saved/shelf.py",
}
"""Where the wall's time may be asked for: as a label."""


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))


@pytest.mark.parametrize("jump_s", [-YEARS_S, YEARS_S])
def test_a_game_goes_on_over_a_jump_and_is_offered_again(jump_s: float) -> None:
    hand = Hand(App())
    hand.app.stage.change(clock_minutes=30)
    hand.start()
    assert hand.app.table is not None
    match = hand.app.table.match
    for n, step in enumerate(played()[0][:6]):
        assert match.offer(step).legal
        hand.app.tick(100.0 + n)
        os.utime(match.path, (1.79e9 + n + jump_s * (n > 2),) * 2)
    used_s = sum(hand.app.stage.services.clock.spent_s.values())
    assert 0 <= used_s < 10, "thinking time is counted by the steady clock"
    steps = match.steps
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)
    [game] = shelf.saved_games()
    assert when(game.written, datetime(2026, 9, 1))
    hand.press("Continue last game")
    assert read_journal(match.path).steps == steps


def test_the_newest_game_is_offered_after_a_jump_back() -> None:
    hand = Hand(App())
    first = _begun(hand, 1.79e9)
    second = _begun(hand, 1.79e9 - YEARS_S)
    assert first != second
    last = shelf.last_running(shelf.saved_games())
    assert last is not None
    assert last.path == second
    hand.press("Continue last game")
    assert hand.app.table is not None
    assert hand.app.table.match.path == second


def _begun(hand: Hand, wall_s: float) -> Path:
    """Begin a new game with a step, then go home; the game's file bears that time."""
    hand.press("New game", "Quick start", "Pass")
    assert hand.app.table is not None
    path = hand.app.table.match.path
    os.utime(path, (wall_s, wall_s))
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    return path


@pytest.mark.long
def test_the_wall_s_time_is_asked_for_labels_alone() -> None:
    """`time.time`, `datetime.now` and the like stand nowhere else: logic gets a monotonic clock handed in."""
    found = set()
    for room in ("companion", "vision", "hardware", "engine", "intake"):
        for path in (ROOT / room).rglob("*.py"):
            if _asks_the_wall(path):
                found.add(path.relative_to(ROOT).as_posix())
    assert found <= LABELS, found - LABELS


WALL = {("time", "time"), ("time", "time_ns"), ("time", "localtime"), ("time", "gmtime"), ("datetime", "now")}
WALL |= {("datetime", "today"), ("date", "today"), ("datetime", "utcnow"), ("datetime", "fromtimestamp")}
WALL |= {("date", "fromtimestamp")}


def _asks_the_wall(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            value = node.value
            owner = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else ""
            if (owner, node.attr) in WALL:
                return True
    return False
