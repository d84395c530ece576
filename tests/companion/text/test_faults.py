"""Faults on the screen: in words, with what to do, and nothing lost. And what each switch of the settings reaches."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion import bootstrap
from companion.app.app import App
from companion.core.errors import MatchError, SettingsError
from companion.core.language import speaking
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.perception.sync.status import SyncStatus, TableView
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.text.devices import ailing, standing
from companion.text.faults import camera_words, fault_words, short_path, table_fault_words
from companion.ui.screen import Intent, Status
from companion.view.kit import kept, lettering
from companion.view.page import marks
from companion.view.page.canvas import save_screen
from companion.view.page.marks import Sprites
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Pass
from hardware.device import Health
from hardware.events import Ailing
from tests.companion.equip import equip
from tests.companion.perception.seeing import say
from tests.companion.sample_games import game_file, played
from tests.companion.touching import Hand


def caused(error: Exception, number: int) -> Exception:
    """Return the error as one that the disk caused."""
    error.__cause__ = OSError(number, os.strerror(number))
    return error


# ---- in words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "full: free some space"), (errno.EROFS, "read-only"), (errno.EIO, "back up your games")],
)
def test_a_disk_s_fault_says_what_to_do(number: int, words: str) -> None:
    assert words in table_fault_words(caused(MatchError("x"), number))
    assert words in table_fault_words(OSError(number, "x"))
    assert table_fault_words(caused(SettingsError("x"), number)).endswith("Your choice lasts until you quit Gunbai.")


def test_any_other_fault_speaks_for_itself() -> None:
    assert table_fault_words(MatchError("no game")) == "no game"
    assert table_fault_words(caused(MatchError("no game"), errno.ENOENT)) == "no game"


def test_a_fault_of_the_systems_has_no_number() -> None:
    assert fault_words(OSError(errno.ENOENT, os.strerror(errno.ENOENT), "/x")) == "/x: No such file or directory"
    assert fault_words(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) == "No space left on device"
    with speaking("pt_BR"):
        told = fault_words(caused(MatchError("/x: can't be written (No space left on device)"), errno.ENOSPC))
    assert told == "/x: não pode ser gravado (sem espaço livre)"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "stick is full"),
        (errno.EROFS, "stick is write-protected"),
        (errno.EIO, "stick was pulled out"),
        (errno.ENOENT, "stick was pulled out"),
        (errno.EMFILE, "can't be written"),
    ],
)
def test_a_stick_s_fault_says_that_it_is_the_stick(number: int, words: str) -> None:
    told = f"/media/gunbai/sda1/one.jsonl: can't be written ({os.strerror(number)})"
    assert words in fault_words(caused(MatchError(told), number))
    assert "stick" not in fault_words(caused(MatchError(told.removeprefix("/media")), number))


# ---- at the desk ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            Ailing("pins", "stuck", "confirm-one", 1.0),
            "The buttons: Confirm, side one is stuck and is ignored until it's released.",
        ),
        (
            Ailing("pins", "noise", "choose", 1.0),
            "The buttons: Knob push flickers and is ignored until it settles: check its wires.",
        ),
        (
            Ailing("/dev/reader", "noise", "/dev/reader", 1.0),
            "reader sends garbled data: check its cable.",
        ),
        (Ailing("desk", "broken", "it has stopped", 1.0), "Buttons and readers: it has stopped"),
    ],
)
def test_an_ailment_names_what_is_wrong(event: Ailing, told: str) -> None:
    assert ailing(event) == told


def test_a_control_that_is_left_out_makes_its_device_bad() -> None:
    health = Health("pins", "pins", "present", "LGPIOFactory", counts={"events": 7}, ails=("undo-two",))
    assert standing(health) == (
        "bad",
        "LGPIOFactory, Undo, side two is ignored: it sticks or flickers, 7 presses and turns",
    )
    assert standing(Health("pins", "pins", "present", "LGPIOFactory")) == ("ok", "LGPIOFactory")


# ---- at the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_what_the_disk_refuses_is_played_in_memory_and_saved_when_it_can_be(
    match: Match, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    hand = Hand(App(match=match))

    def refused(*_args: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "write", refused)
    hand.press("Pass")
    hand.app.tick(0.0)
    assert hand.screen.banner.startswith("Not saved: the disk ")
    assert hand.screen.banner.endswith("You can keep playing; 1 step is unsaved.")
    assert match.steps == (Pass(),)
    assert not read_journal(match.path).steps
    hand.app.touch(Intent("hush"))
    hand.app.tick(4.9)
    hand.app.tick(5.1)
    assert (hand.screen.banner, status_of(hand).unsaved) == ("", "1 step")
    monkeypatch.undo()
    hand.app.tick(10.0)
    assert not match.is_saved
    hand.app.tick(10.2)
    assert (hand.screen.banner, status_of(hand).unsaved) == ("Everything is saved again.", "")
    assert read_journal(match.path).steps == match.steps


def status_of(hand: Hand) -> Status:
    """Return what is always visible at the table."""
    assert hand.screen.status is not None
    return hand.screen.status


def test_a_damaged_game_opens_up_to_its_last_good_step_and_says_so(tmp_path: Path) -> None:
    path = game_file(tmp_path, steps=6)
    path.write_bytes(path.read_bytes()[:-9])
    match = Match.open(path)
    hand = Hand(App(match=match))
    assert len(match.steps) == 5
    assert "opened up to step 5" in hand.screen.banner
    match.close()


def forget_letters() -> None:
    """Keep nothing that was measured or drawn in the letters in use."""
    for name, module in list(sys.modules.items()):
        if name.startswith("companion.view."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
    kept._PARTS.clear()
    marks._SPRITES = Sprites(marks.KEPT_BYTES)


def test_without_our_letters_the_screen_is_plain_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "FONTS", tmp_path)
    monkeypatch.setattr("companion.view.window.display.fonts.__defaults__", (tmp_path,))
    forget_letters()
    try:
        save_screen(App(), tmp_path / "home.png", (800, 480))
        assert pygame.image.load(tmp_path / "home.png").get_size() == (800, 480)
        assert "missing: AtkinsonHyperlegible-Regular.ttf" in bootstrap._missing_letters()
    finally:
        forget_letters()
    monkeypatch.undo()
    assert bootstrap._missing_letters() == ""


# ---- what each switch reaches -------------------------------------------------------------------------


@dataclass
class Counter:
    """Stands for whoever keeps pictures, and whoever learns."""

    asked: list[str] = field(default_factory=list)

    def see(self, *_args: Any) -> None:
        self.asked.append("see")

    def refine(self, reading: Any) -> Any:
        self.asked.append("refine")
        return reading

    def learn(self, _position: Position) -> bool:
        self.asked.append("learn")
        return True


class Reading:
    """A reading that nobody reads."""


def test_pictures_and_learning_are_switched(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    glimpse = TableView("settled", Reading())  # type: ignore[arg-type]
    app = App(match=match, watcher=lambda _match: glimpse)
    monkeypatch.setattr(type(app.stage.senses.monitor), "update", lambda *_args: False)
    counter = Counter()
    equip(app.stage, recorder=counter, learner=counter)
    app.stage.change(evidence=False, learning=False)
    app.tick(0.0)
    app.stage.confirm(match.position)
    assert counter.asked == []
    app.stage.change(evidence=True)
    app.tick(1.0)
    assert counter.asked == ["see"]
    app.stage.change(learning=True)
    app.tick(2.0)
    app.stage.confirm(match.position)
    assert counter.asked == ["see", "refine", "learn"]


def test_turns_that_were_seen_are_offered_only_where_that_is_wanted(match: Match) -> None:
    app = App(match=match)
    seen = SyncStatus("proposal", explanations=(Explanation((), match.position, "", 0.9),))
    say(app.stage.senses.monitor, seen)
    assert app.stage.sense == seen
    app.stage.change(propose_turns=False)
    assert app.stage.sense == SyncStatus("turn")
    say(app.stage.senses.monitor, SyncStatus("out"))
    assert app.stage.sense == SyncStatus("out")  # a fault is not an offer


@pytest.mark.parametrize("wanted", [True, False])
def test_the_score_opens_by_itself_where_that_is_wanted(tmp_path: Path, wanted: bool) -> None:
    steps, _positions = played()
    match = Match.open(game_file(tmp_path, steps=len(steps) - 1))
    app = App(match=match)
    app.stage.change(score_at_end=wanted)

    class Last:
        system = "orders"
        pause_s = 0.0

        def act(self, playing_match: Match) -> bool:
            playing_match.offer(steps[-1])
            return False

    app._autoplay = Last()
    app.stage.demo_on = True
    app.tick(0.0)
    assert isinstance(app.scene, EndScene if wanted else BoardTable)
    match.close()


@pytest.mark.parametrize(
    "fault",
    [
        "/dev/video0: the camera gave no picture",
        "0: the camera gave no picture",
        "hall.jpg: the camera gave no picture",
    ],
)
def test_players_are_told_what_is_wrong_with_the_camera_and_not_which_device_it_is(fault: str) -> None:
    assert camera_words(fault) == "the camera gave no picture"


def test_a_file_is_told_with_its_own_folder_alone() -> None:
    assert short_path(Path("/home/pi/.local/share/gunbai/exports/evening.jsonl")) == "exports/evening.jsonl"
