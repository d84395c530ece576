"""A fault of our own: a calm screen, the game kept, a report without anything private. And the lock."""

from __future__ import annotations

import os
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.core import storage
from companion.crash.report import STRUCK, Crash, crash_of, report, strike_words, write_report
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.table.board_table import BoardTable
from companion.settings.layers import Settings
from companion.ui.screen import Hold, Intent
from companion.view.window.window import Window
from engine.orders.steps import Pass
from engine.orders.wire import step_from_json
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, played, saved
from tests.companion.touching import Hand


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """Return an app with a game of one step at the table."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    match = Match.start(storage.games_dir() / "game.jsonl", BOARD, "red", BONUSES, {"red": "Mali", "black": "Bo"})
    match.offer(Pass())
    return App(match=match)


def raised(error: Exception) -> Exception:
    """Raise the exception and return it, so that it has a place in the code."""
    try:
        raise error
    except type(error) as caught:
        return caught


def test_the_game_is_kept_and_goes_on(app: App) -> None:
    app.show_crash(raised(KeyError("oh")))
    hand = Hand(app)
    assert isinstance(app.scene, CrashScene)
    assert "KeyError" not in hand.text()
    assert "Your game is safe" in hand.text()
    assert "KeyError\ntest_crash.py:" in hand.press("Details").text()
    hand.press("Back")
    hand.press("Continue")
    assert isinstance(app.scene, BoardTable)
    assert app.scene.match.steps == (Pass(),)
    assert app.table is app.scene
    hand.press("Pass")
    assert len(read_journal(app.scene.match.path).steps) == 2


def test_home_is_reached_too(app: App) -> None:
    app.show_crash(raised(KeyError("oh")))
    Hand(app).press("Home")
    assert isinstance(app.scene, HomeScene)


def test_without_a_game_there_is_nothing_to_go_on_with() -> None:
    app = App()
    app.show_crash(raised(KeyError("oh")))
    hand = Hand(app)
    assert [button.label for button in hand.all_buttons()] == ["Details", "Save a report", "Home"]
    app.touch(Intent("go-on"))
    assert isinstance(app.scene, CrashScene)


def test_a_game_that_is_gone_meanwhile_is_told(app: App) -> None:
    assert isinstance(app.table, BoardTable)
    path = app.table.match.path
    app.show_crash(raised(KeyError("oh")))
    path.unlink()
    hand = Hand(app).press("Continue")
    assert isinstance(app.scene, CrashScene)
    assert "can't be opened" in hand.screen.banner


def test_a_fault_of_the_calm_screen_itself_is_raised(app: App) -> None:
    app.show_crash(raised(KeyError("oh")))
    with pytest.raises(ZeroDivisionError):
        app.show_crash(ZeroDivisionError())


# ---- the report -----------------------------------------------------------------------------------


def test_a_report_is_saved_and_told(app: App, tmp_path: Path) -> None:
    app.show_crash(raised(KeyError("oh")))
    hand = Hand(app).press("Save a report")
    text = (tmp_path / "reports" / "report-1.txt").read_text()
    assert "The report is saved." in hand.text()
    assert "KeyError at test_crash.py:" in text
    assert "on stage: BoardTable" in text
    assert '{"pass": true}' in text
    assert "theme = 'dark'" in text
    assert "Save a report" not in [button.label for button in hand.all_buttons()]


def test_drawn_cards_and_notes_are_not_told(match: Match) -> None:
    match.offer(step_from_json({"deploy": "plan:1", "draw": ["ambush"]}))
    if match.steps:
        assert "ambush" not in report(Crash("E", "p", "trace", "s", match.path), Settings())
    assert '"draw": 1' in report(Crash("E", "p", "trace", "s", match.path), Settings())


def test_a_damaged_game_is_told_as_far_as_it_is_good(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(saved(steps=3)[:-9])
    assert '{"broken": 4}' in report(Crash("E", "p", "trace", "s", path), Settings())
    path.write_bytes(b"")
    assert "MatchError" in report(Crash("E", "p", "trace", "s", path), Settings())
    assert len(played()[0]) > 3


def test_struck_words_go_however_they_are_written() -> None:
    assert strike_words("Ana met ANA and anna", {"ana", ""}) == f"{STRUCK} met {STRUCK} and anna"
    assert strike_words("as it is", ()) == "as it is"


def test_reports_are_counted_up(tmp_path: Path) -> None:
    crash = crash_of(KeyError("x"), "S")
    assert crash.place == "?"
    assert [write_report(crash, Settings(), tmp_path / "r").name for _ in range(2)] == ["report-1.txt", "report-2.txt"]


def test_a_full_disk_is_told_on_the_calm_screen(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.show_crash(raised(KeyError("oh")))
    monkeypatch.setattr(os, "write", refusing())
    hand = Hand(app).press("Save a report")
    assert hand.screen.banner == "Couldn't save the report: No space left on device"


# ---- the boundary -----------------------------------------------------------------------------------


class Broken:
    """A scene that fails when it is touched, shown or ticked."""

    def __init__(self, table: BoardTable, where: str) -> None:
        self.table = table
        self.where = where

    def show(self) -> object:
        if self.where == "show":
            raise IndexError("show")
        return self.table.show()

    def touch(self, intent: Intent) -> None:
        if self.where == "touch":
            raise IndexError("touch")

    def tick(self, now_s: float) -> None:
        if self.where == "tick":
            raise IndexError("tick")


@pytest.mark.parametrize("where", ["show", "touch", "tick"])
def test_wherever_it_fails_the_window_goes_on(app: App, display: pygame.Surface, where: str) -> None:
    window = Window(app, display)
    assert isinstance(app.table, BoardTable)
    app.scene = Broken(app.table, where)  # type: ignore[assignment]
    app.version += 1
    x, y = 3, 470
    press = {"pos": (x, y), "button": 1, "touch": False}
    rounds = [
        [pygame.event.Event(pygame.MOUSEBUTTONDOWN, press), pygame.event.Event(pygame.MOUSEBUTTONUP, press)],
        [],
        [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="\t")],
    ]

    def events() -> list[pygame.event.Event]:
        if not rounds:
            app.running = False
            return []
        if where == "touch" and len(rounds) == 3:
            window.app.touch(Intent("anything"))
        return rounds.pop(0)

    clock = iter(range(100))
    window.run(events, lambda: float(next(clock)))
    assert isinstance(app.scene, CrashScene)
    assert "IndexError" in Hand(app).press("Details").text()


def test_a_first_picture_that_fails_is_survived(app: App, display: pygame.Surface) -> None:
    assert isinstance(app.table, BoardTable)
    app.scene = Broken(app.table, "show")  # type: ignore[assignment]
    window = Window(app, display)
    assert isinstance(app.scene, CrashScene)
    assert window.shown


def test_a_calm_screen_that_cannot_be_drawn_ends_the_program(
    app: App, display: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(app, display)

    def broken(_scene: object) -> None:
        raise IndexError("no screen at all")

    monkeypatch.setattr(CrashScene, "show", broken)
    app.show_crash(raised(KeyError("oh")))
    with pytest.raises(IndexError):
        window.run(list, lambda: 0.0)


# ---- the lock ---------------------------------------------------------------------------------------


def test_a_locked_table_takes_no_touch_until_the_ring_is_held(app: App) -> None:
    app.touch(Intent("lock"))
    assert isinstance(app.scene, LockScene)
    app.touch(Intent("lock"))
    app.touch(Intent("pass"))
    app.touch(Intent("menu"))
    assert isinstance(app.scene, LockScene)
    assert app.scene.table.match.steps == (Pass(),)
    app.tick(0.0)
    app.touch(Intent("unlock", n=0))
    app.tick(1.0)
    app.tick(2.0)
    app.touch(Intent("unlock", n=1))
    app.touch(Intent("unlock", n=2))  # let go too early
    app.tick(5.0)
    assert isinstance(app.scene, LockScene)
    app.touch(Intent("unlock", n=0))
    app.tick(6.0)
    app.tick(7.0)
    ring = next(block for block in Hand(app).screen.blocks if isinstance(block, Hold))
    assert 0.6 < ring.part < 0.7
    app.tick(7.6)
    assert isinstance(app.scene, BoardTable)


def test_the_lock_locks_both_halves_and_leads_back_to_the_table(app: App) -> None:
    app.stage.change(layout="two")
    app.touch(Intent("menu", seat="black"))
    app.touch(Intent("lock", seat="black"))
    for face in app.faces().faces:
        assert any(isinstance(block, Hold) for block in face.screen.blocks)
    app.touch(Intent("pass", seat="red"))
    app.touch(Intent("unlock", n=0, seat="red"))
    app.tick(0.0)
    app.tick(2.0)
    assert isinstance(app.scene, BoardTable)
    assert [face.seat for face in app.faces().faces] == ["red", "black"]


def test_a_page_that_was_locked_is_shown_again(app: App) -> None:
    app.touch(Intent("dispute"))
    locked = app.scene
    app.touch(Intent("lock"))
    app.touch(Intent("unlock"))
    app.tick(0.0)
    app.tick(2.0)
    assert app.scene is locked


def test_without_a_game_nothing_is_locked() -> None:
    app = App()
    app.touch(Intent("lock"))
    assert isinstance(app.scene, HomeScene)
