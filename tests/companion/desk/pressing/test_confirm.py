"""Confirm, pass and undo, and two buttons together."""

from __future__ import annotations

import pytest

from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.review.log import UndoScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Button, Buttons, Intent, Screen
from engine.orders.steps import Roll
from tests.companion.desk.presses import Presses
from tests.companion.desk.pressing.hardware import ringed, said, show, table, two_sided
from tests.companion.sample_games import played


def to_the_roll(at: Presses) -> Roll:
    """Play the recorded game up to its first roll, which is owed; return the roll that was made then."""
    match = table(at).match
    for step in played()[0]:
        if isinstance(step, Roll):
            at.seat = step.by
            at.app.version += 1
            at.window.refresh()
            return step
        assert match.offer(step).legal
    raise AssertionError("nobody rolled")


def test_confirm_without_anything_bright_shows_where_to_choose(at: Presses) -> None:
    at.button("confirm-one")
    assert said(at) == "Choose with the knob or the arrows first."
    assert ringed(at) == Intent("space", "reinforce:1")
    at.button("confirm-one", "long")
    assert ringed(at) == Intent("confirm"), "a slow press is a press"


def test_a_pass_is_asked_once_more_unless_the_button_is_held(at: Presses) -> None:
    at.button("pass-one")
    assert table(at).match.steps == ()
    assert (said(at), ringed(at)) == ("Pass? Press again.", Intent("pass"))
    at.turn(1)
    at.button("pass-one")
    at.button("pass-one")
    assert len(table(at).match.steps) == 1
    at.button("pass-two", "long")
    assert len(table(at).match.steps) == 2


def test_a_pass_that_was_asked_for_can_be_confirmed_and_is_forgotten_with_the_screen(at: Presses) -> None:
    at.button("pass-one")
    at.button("confirm-one")
    assert len(table(at).match.steps) == 1
    assert ringed(at) != Intent("pass"), "the other side's ring begins anew"
    at.button("pass-two")
    at.button("undo-two", "long")
    at.button("undo-two")
    at.button("pass-two")
    assert len(table(at).match.steps) == 1, "asked again after another screen"


def test_undo_closes_what_is_open_then_takes_back(at: Presses) -> None:
    at.button("pass-one", "long")
    at.seat = "black"
    at.tap("space", "reinforce:1")
    at.button("undo-two")
    assert ringed(at) == Intent("did"), "the hands' list is what can be confirmed"
    assert len(table(at).match.steps) == 1
    at.button("confirm-two")
    assert ringed(at) == Intent("space", "reinforce:1")
    at.button("undo-one")
    assert table(at).match.steps == ()
    at.button("undo-one")
    assert said(at) == "Nothing to undo."


def test_undo_takes_the_last_die_back_first(at: Presses) -> None:
    steps = to_the_roll(at)
    side, other = at.side, "two" if at.side == "one" else "one"
    before = len(table(at).match.steps)
    at.tap("die", "", steps.dice[0])
    at.button(f"undo-{other}")
    assert "Waiting for" in said(at), "dice are taken back by whoever rolled them"
    at.button(f"undo-{side}")
    panel = table(at).panel
    assert isinstance(panel, RollPanel)
    assert panel.faces == []
    for face in steps.dice:
        at.tap("die", "", face)
    assert ringed(at) == Intent("confirm")
    at.button(f"confirm-{side}")
    assert table(at).match.steps[before] == steps
    at.button("undo-one")
    assert isinstance(at.app.scene, ConsentScene), "both are asked before dice are taken back"
    at.chord("confirm-one", "confirm-two")
    assert len(table(at).match.steps) == before


def test_held_undo_opens_the_list(at: Presses) -> None:
    at.button("undo-one", "long")
    assert isinstance(at.app.scene, UndoScene)
    at.button("undo-one", "long")
    assert isinstance(at.app.scene, BoardTable), "elsewhere it is the way back"


def test_buttons_of_the_side_that_waits_are_told_so(at: Presses) -> None:
    for control in ("confirm-two", "pass-two"):
        at.button(control)
        assert said(at) == "Waiting for Red."
    at.button("pass-two", "long")
    assert table(at).match.steps == ()
    at.turn(1)
    at.button("confirm-two")
    assert said(at) == "Waiting for Red.", "the ring is on red's panel"


def test_a_dead_button_explains_itself(at: Presses) -> None:
    at.tap("area", "b5")
    dead = next(button.intent for button in at.buttons() if button.look == "off")
    at.tap(dead.verb, dead.what)
    assert isinstance(at.app.scene, RulingScene)
    at.button("undo-one")
    assert isinstance(at.app.scene, BoardTable)


def test_what_comes_to_nothing_is_said(at: Presses) -> None:
    show(at, Screen(blocks=(Buttons((Button("dumb", Intent("dumb")),)),)))
    for control, answer in (
        ("choose", ""),
        ("choose", "That does nothing here."),
        ("pass-one", "You can't pass here."),
        ("undo-one", "You can't go back from here."),
    ):
        at.button(control)
        assert said(at) == answer
    for controls, answer in (
        (("undo-one", "undo-two"), "That only works during a game."),
        (("confirm-one", "undo-two"), "Those buttons do nothing together."),
        (("confirm-one", "confirm-two"), "Press both together only to agree on something."),
    ):
        at.chord(*controls)
        assert said(at) == answer


@pytest.mark.parametrize("layout", ["one", "two"])
def test_both_confirms_are_both_players_word(at: Presses, layout: str) -> None:
    if layout == "two":
        two_sided(at)
    done: list[str] = []
    app = at.app
    asked = ("Sure?", "It is done then.")

    def ask() -> None:
        home = table(at)
        app.scene = ConsentScene(asked, home.people, lambda: done.append("done"), home)
        app.version += 1
        at.window.refresh()

    ask()
    at.button("confirm-two")
    assert isinstance(app.scene, ConsentScene)
    assert app.scene.agreed_sides == {"black"}
    at.button("confirm-one")
    assert done == ["done"]
    ask()
    at.chord("confirm-one", "confirm-two")
    assert done == ["done", "done"]
    assert isinstance(app.scene, BoardTable)
    ask()
    at.button("pass-two")
    assert isinstance(app.scene, BoardTable), "no from one side is no"


def test_both_undos_are_the_menu_and_both_passes_an_argument(at: Presses) -> None:
    at.chord("undo-one", "undo-two")
    assert isinstance(at.app.scene, MenuScene)
    at.button("undo-one")
    at.chord("pass-one", "pass-two")
    assert isinstance(at.app.scene, DisputeScene)


@pytest.mark.parametrize("layout", ["one", "two"])
def test_a_locked_screen_is_unlocked_by_both_together_and_by_nothing_else(at: Presses, layout: str) -> None:
    if layout == "two":
        two_sided(at)
    at.app.touch(Intent("menu"))
    at.app.touch(Intent("lock"))
    at.window.refresh()
    for control in ("confirm-one", "choose", "undo-two"):
        at.button(control)
        assert isinstance(at.app.scene, LockScene)
    at.button("pass-one", "long")
    at.turn(3)
    at.chord("undo-one", "undo-two")
    assert isinstance(at.app.scene, LockScene)
    assert said(at) == "Locked: both Confirm buttons together unlock."
    at.chord("confirm-one", "confirm-two")
    assert isinstance(at.app.scene, BoardTable)
    assert table(at).match.steps == ()
