"""Ways out of a game: the one that a page gets, and a game that the disk refuses, its sign, questions and a crash."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.app.app import App
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.scenes.base.unsaved import LeavingScene, UnsavedScene, unsaved_reason, unsaved_text
from companion.scenes.base.way_back import BACK, TABLE, with_way_back
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from companion.ui.screen import Button, Intent, Screen, back_button, cancel_button
from engine.orders.steps import Pass
from tests.companion.sample_games import BOARD, BONUSES, game_file, played
from tests.companion.touching import Hand

HOME, PAGE = cast(Any, object()), cast(Any, object())
AT_TABLE = cast(Any, SimpleNamespace(home=HOME))
NEXT = Button("Next", Intent("next"))
SCREEN = Screen("Page", actions=(NEXT,))
OWN = (back_button(), cancel_button(), *(Button("No", Intent(verb)) for verb in sorted(BACK)))


def test_a_page_without_a_way_of_its_own_gets_one_before_all_else() -> None:
    assert with_way_back(SCREEN, PAGE, AT_TABLE).actions == (back_button(verb=TABLE.verb), NEXT)


@pytest.mark.parametrize(
    ("screen", "scene", "table"),
    [
        (SCREEN, AT_TABLE, AT_TABLE),
        (SCREEN, HOME, AT_TABLE),
        (SCREEN, PAGE, None),
        (SCREEN, LeavingScene.__new__(LeavingScene), AT_TABLE),  # it asks whether to leave, with its own answers
        (Screen("Page"), PAGE, AT_TABLE),
        *((Screen("Page", actions=(NEXT, own)), PAGE, AT_TABLE) for own in OWN),
    ],
)
def test_neither_the_table_nor_home_nor_a_page_that_has_its_own_or_no_game_gets_one(
    screen: Screen, scene: Any, table: Any
) -> None:
    assert with_way_back(screen, scene, table) is screen


STEPS = played()[0]
Refuse = Callable[[int], None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Let the disk refuse whatever is written from now on; 0: it takes everything again."""
    real = os.write

    def refusing(number: int) -> None:
        def write(*_given: object) -> int:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "write", write if number else real)

    return refusing


@pytest.fixture
def hand(tmp_path: Path, refuse: Refuse) -> Iterator[Hand]:
    """At a table whose last step is 1 step is unsaved."""
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    hand = Hand(App(match=match))
    refuse(errno.ENOSPC)
    hand.press("Pass")
    hand.app.tick(0.0)
    yield hand
    match.close()


@pytest.fixture
def over(tmp_path: Path, refuse: Refuse) -> Iterator[Hand]:
    """At the end of the recorded game, whose last step the disk refuses."""
    match = Match.open(game_file(tmp_path, steps=len(STEPS) - 1))
    hand = Hand(App(match=match))
    refuse(errno.EROFS)
    match.offer(STEPS[-1])
    hand.app.touch(Intent("score"))
    yield hand
    match.close()


def match_of(hand: Hand) -> Match:
    assert isinstance(hand.app.table, BoardTable)
    return hand.app.table.match


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EIO, "the disk is failing"),
        (errno.ENOENT, "the games folder is missing"),
        (errno.EACCES, "no permission to write to the games folder"),
        (errno.EFBIG, "File too large"),
    ],
)
def test_why_nothing_is_written_is_said_in_words(number: int, told: str) -> None:
    assert unsaved_reason(OSError(number, os.strerror(number))) == told
    assert unsaved_reason(OSError("no number")) == "no number"


def test_a_saved_game_is_left_at_once(tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    hand = Hand(App(match=match))
    hand.app.touch(Intent("menu"))
    assert hand.button("Home").note == "the game is saved"
    assert unsaved_text(match) == ""
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)


def test_the_way_home_tries_once_more_by_itself(hand: Hand, refuse: Refuse) -> None:
    refuse(0)
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)


def test_nobody_leaves_a_game_in_memory_unasked(hand: Hand, refuse: Refuse) -> None:
    hand.app.touch(Intent("menu"))
    assert hand.button("Home").note == "the game is not saved"
    menu = hand.screen
    hand.press("Home")
    assert (hand.screen.title, hand.screen.blocks) == (menu.title, menu.blocks), "asked on the page itself"
    assert hand.screen.banner == "Not saved: the disk is full. You can keep playing; 1 step is unsaved."
    assert [action.label for action in hand.screen.actions[-3:]] == ["Leave anyway", "Try again", "Stay in the game"]
    hand.press("Try again")
    assert hand.screen.banner.startswith("Still couldn't save.")
    hand.press("Stay in the game")
    assert isinstance(hand.app.scene, MenuScene)
    hand.press("Home")
    match = match_of(hand)
    refuse(0)
    hand.press("Try again")
    assert isinstance(hand.app.scene, HomeScene), "it is saved now: nobody has to say again that they leave"
    assert read_journal(match.path).steps == (Pass(),)


def test_leaving_gunbai_is_asked_about_too_and_who_touches_anything_else_stays(hand: Hand) -> None:
    hand.app.touch(Intent("menu"))
    hand.press("Home", "More")
    assert (hand.screen.title, hand.screen.banner) == ("More", "")
    assert "1 step is unsaved" in hand.text()
    hand.press("Quit Gunbai")
    assert isinstance(hand.app.scene, LeavingScene)
    hand.app.touch(Intent("nothing"))
    assert hand.screen.title == "More"
    assert isinstance(hand.app.scene, MoreMenuScene)
    assert hand.app.running
    hand.press("Quit Gunbai", "Leave anyway")
    assert not hand.app.running


def test_the_end_of_a_game_is_not_left_unasked_by_either_half(over: Hand) -> None:
    over.press("Home")
    assert isinstance(over.app.scene, LeavingScene)
    over.press("Stay in the game")
    assert isinstance(over.app.scene, EndScene)
    over.app.stage.change(layout="two")
    over.app.touch(Intent("home", seat="red"))
    faces = over.app.faces().faces
    assert [face.screen.actions[-1].label for face in faces] == ["Stay in the game"] * 2
    assert all("read-only" in face.screen.banner for face in faces)


def test_a_game_in_memory_may_be_given_up(
    hand: Hand, refuse: Refuse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    hand.app.touch(Intent("menu"))
    match = match_of(hand)
    hand.press("Home", "Leave anyway")
    assert isinstance(hand.app.scene, HomeScene)
    assert read_journal(match.path).steps == ()
    refuse(0)
    hand.press("New game", "Quick start")
    hand.app.tick(30.0)
    assert hand.screen.banner == "", "nothing is said of touch to change"


def test_the_sign_leads_to_what_is_wrong_and_back(hand: Hand, refuse: Refuse) -> None:
    hand.app.stage.change(layout="two")
    signs = [face.screen.status.unsaved for face in hand.app.faces().faces if face.screen.status is not None]
    assert signs == ["1 step", "1 step"]
    hand.app.stage.change(layout="one")
    hand.app.touch(Intent("unsaved"))
    assert isinstance(hand.app.scene, UnsavedScene)
    assert {button.label for button in hand.all_buttons()} == {"Try again", "Stay in the game"}
    assert "The disk is 1 step behind. A power cut now would lose it." in hand.text()
    assert "Still couldn't save." not in hand.text()
    hand.press("Try again")
    assert "Still couldn't save." in hand.text()
    refuse(0)
    hand.press("Try again")
    hand.press("Stay in the game")
    assert isinstance(hand.app.scene, BoardTable)
    hand.app.tick(1.0)
    assert hand.screen.banner == "Everything is saved again."


def test_a_fault_of_our_own_does_not_cost_what_is_in_memory(hand: Hand, refuse: Refuse) -> None:
    match = match_of(hand)
    hand.app.show_crash(RuntimeError("our own"))
    assert isinstance(hand.app.scene, CrashScene)
    assert "Not saved: the disk is full. You can keep playing; 1 step is unsaved." in hand.text()
    assert "every step that you confirmed is on the disk" not in hand.text()
    hand.press("Home")
    assert isinstance(hand.app.scene, LeavingScene)
    hand.press("Stay in the game")
    assert isinstance(hand.app.scene, CrashScene)
    hand.press("Continue")
    assert match_of(hand) is match
    assert match.steps == (Pass(),)
    refuse(0)
    hand.app.tick(10.0)
    hand.app.tick(20.0)
    assert read_journal(match.path).steps == (Pass(),)
