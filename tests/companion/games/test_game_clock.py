"""The game clock: for whom it runs, when it stands still, and that it outlives a restart and another time of day."""

from __future__ import annotations

import ast
import json
import os
from datetime import datetime
from pathlib import Path

import pytest

from companion.app.app import App
from companion.core import storage
from companion.games.clock import GameClock, clock_path, clock_text
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.games.saved import shelf
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.text.saved_games import when
from companion.ui.screen import Intent
from engine.orders.game import new_game
from engine.orders.steps import Pass
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.situations import of, stands
from tests.companion.touching import Hand

START = new_game(BOARD, "red", BONUSES)


def clock_of(minutes: int = 10) -> GameClock:
    clock = GameClock()
    clock.minutes, clock.warn_s = minutes, 120
    return clock


def running(game: Path, minutes: int = 10) -> GameClock:
    """Return a clock that has been started at 0 s."""
    clock = clock_of(minutes)
    clock.tick(stands(START, game), 0.0)
    clock.go_on()
    clock.tick(stands(START, game), 0.0)
    return clock


def test_it_runs_for_whom_the_table_waits_for(tmp_path: Path) -> None:
    clock = running(tmp_path / "game.jsonl")
    assert clock.tick(stands(START, tmp_path / "game.jsonl"), 1.0)
    assert clock.face() == {"red": ("9:59", False, True), "black": ("10:00", False, False)}
    _steps, positions = played()
    other = next(position for position in positions if stands(position).runs_for == "black")
    clock.tick(stands(other, tmp_path / "game.jsonl"), 3.0)  # what has passed is red's
    clock.tick(stands(other, tmp_path / "game.jsonl"), 10.0)
    assert clock.spent_s == {"red": 3.0, "black": 7.0}
    clock.tick(stands(positions[-1], tmp_path / "game.jsonl"), 11.0)
    assert clock.running is None  # the game is over


def test_a_picture_is_needed_once_a_second_and_only_while_it_runs(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    clock = running(game)
    changes = sum(clock.tick(stands(START, game), second / 10) for second in range(1, 51))
    assert changes == 5
    clock.pause()
    clock.tick(stands(START, game), 5.0)
    assert not any(clock.tick(stands(START, game), 5 + second / 10) for second in range(1, 51))
    assert clock.spent_s["red"] == pytest.approx(5.0)


def test_without_a_clock_nothing_is_counted_shown_or_written(tmp_path: Path) -> None:
    clock = running(tmp_path / "game.jsonl", minutes=0)
    assert not clock.tick(stands(START, tmp_path / "game.jsonl"), 100.0)
    assert clock.face() == {}
    clock.leave()
    assert list(tmp_path.iterdir()) == []


def test_it_waits_for_the_first_step(match: Match) -> None:
    clock = clock_of()
    clock.tick(of(match), 0.0)
    clock.tick(of(match), 60.0)
    assert clock.paused
    match.offer(Pass())
    clock.tick(of(match), 70.0)
    clock.tick(of(match), 80.0)
    assert not clock.paused
    assert clock.spent_s == {"black": 10.0}


def test_it_stands_still_while_it_is_held(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    clock = running(game)
    clock.hold("dispute")
    clock.tick(stands(START, game), 1.0)
    clock.tick(stands(START, game), 60.0)
    assert clock.is_held
    clock.release("dispute")
    clock.release("dispute")
    clock.tick(stands(START, game), 61.0)
    clock.tick(stands(START, game), 62.0)
    assert clock.spent_s == {"red": 2.0}


def test_it_warns_and_goes_on_below_nothing(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    clock = running(game, minutes=3)
    clock.tick(stands(START, game), 60.0)
    assert clock.is_low("red")
    assert not clock.is_low("black")
    clock.tick(stands(START, game), 200.0)
    assert clock.face()["red"] == ("−0:20", True, True)


def test_what_was_used_outlives_the_program(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    clock = running(game)
    clock.tick(stands(START, game), 65.0)  # written by itself, now and then
    assert json.loads(clock_path(game).read_bytes()) == {"spent_s": {"red": 65.0}}
    again = clock_of()
    again.tick(stands(START, game), 7.0)  # another start: another clock of the machine
    assert again.left_s("red") == 535.0
    assert again.paused
    again.go_on()
    again.tick(stands(START, tmp_path / "other.jsonl"), 9.0)
    assert again.left_s("red") == 600.0


def test_what_another_gunbai_keeps_in_the_file_stays(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    clock_path(game).write_text('{"bonus_s": 30, "spent_s": {"black": 7}}')
    running(game).tick(stands(START, game), 65.0)
    assert json.loads(clock_path(game).read_bytes()) == {"bonus_s": 30, "spent_s": {"black": 7.0, "red": 65.0}}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"spent_s": 3}', '{"spent_s": null}', f'{{"spent_s": {"[" * 3000}', f"{' ' * 10_000}{{}}"),
        *(f'{{"spent_s": {{"red": {used}}}}}' for used in ('"x"', "-1", "1e400", "9" * 400, "1e9", "NaN", "true")),
    ],
)
def test_a_broken_file_means_that_nobody_used_any_time(tmp_path: Path, text: str) -> None:
    game = tmp_path / "game.jsonl"
    clock_path(game).write_text(text)
    clock = clock_of()
    clock.tick(stands(START, game), 0.0)
    assert clock.left_s("red") == 600.0


def test_a_disk_that_refuses_stops_no_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "game.jsonl"
    clock = running(game)
    monkeypatch.setattr(storage, "atomic_write", refusing())
    clock.tick(stands(START, game), 70.0)
    assert "No space left" in str(clock.fault)
    monkeypatch.undo()
    clock.pause()
    assert clock.fault is None


@pytest.mark.parametrize(
    ("left_s", "told"), [(600, "10:00"), (59.2, "1:00"), (0.4, "0:01"), (0, "0:00"), (-0.4, "0:00"), (-61.5, "−1:01")]
)
def test_times_in_words(left_s: float, told: str) -> None:
    assert clock_text(left_s) == told


def test_the_table_shows_it_and_a_touch_pauses_it(match: Match) -> None:
    app = App(match=match)
    app.tick(0.0)
    status = app.screen().status
    assert status is not None
    assert (status.clock, status.sides[0].clock) == ("", "")
    app.stage.change(clock_minutes=20)
    app.touch(Intent("clock"))
    version = app.version
    app.tick(1.0)
    app.tick(4.0)
    status = app.screen().status
    assert status is not None
    assert (status.clock, [side.clock for side in status.sides]) == ("runs", ["19:57", "20:00"])
    assert status.sides[0].clock_runs
    assert app.version > version
    app.touch(Intent("clock"))
    assert app.stage.services.clock.paused
    app.stage.change(layout="two")
    for face in app.faces().faces:
        assert face.screen.status is not None
        assert face.screen.status.clock == "paused"
    assert isinstance(app.scene, BoardTable)
    app.touch(Intent("menu"))
    app.touch(Intent("home"))
    assert clock_path(match.path).exists()


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
    "companion/games/reviews.py",  # the day on which a turn is asked again
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
