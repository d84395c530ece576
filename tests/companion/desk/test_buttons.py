"""Confirm, pass, undo and two buttons together, on one screen and on a half for each, and where the camera proposes."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.app.app import App, SavedGames
from companion.core.storage import games_dir
from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene, Senses, Services, Stage
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.review.log import UndoScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Button, Buttons, Intent, Screen
from companion.view.window.keyboard import ring_order
from companion.view.window.taps import plain
from engine.orders import game
from engine.orders.steps import Deploy, Roll
from hardware.events import Press
from tests.companion.desk.presses import Presses
from tests.companion.perception.seeing import Exact, Eye
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.touching import Hand


class Dumb:
    """A scene that belongs to no game and answers nothing."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def show(self) -> Screen:
        return self.screen

    def touch(self, _intent: Intent) -> Scene | None:
        return None


def show(at: Presses, screen: Screen) -> None:
    at.app.table, at.app.scene = None, Dumb(screen)
    at.redraw()


def to_the_roll(at: Presses) -> Roll:
    """Play the recorded game up to its first roll, which is owed; return the roll that was made then."""
    match = at.table.match
    for step in played()[0]:
        if isinstance(step, Roll):
            at.seat = step.by
            at.redraw()
            return step
        assert match.offer(step).legal
    raise AssertionError("nobody rolled")


def test_confirm_without_anything_bright_shows_where_to_choose(at: Presses) -> None:
    at.button("confirm-one")
    assert at.banner == "Choose with the knob or the arrows first."
    assert at.ringed == Intent("space", "reinforce:1")
    at.button("confirm-one", "long")
    assert at.ringed == Intent("confirm"), "a slow press is a press"


def test_a_pass_is_asked_once_more_unless_the_button_is_held(at: Presses) -> None:
    at.button("pass-one")
    assert at.table.match.steps == ()
    assert (at.banner, at.ringed) == ("Pass? Press again.", Intent("pass"))
    at.turn(1)
    at.button("pass-one")
    at.button("pass-one")
    assert len(at.table.match.steps) == 1
    at.button("pass-two", "long")
    assert len(at.table.match.steps) == 2


def test_a_pass_that_was_asked_for_can_be_confirmed_and_is_forgotten_with_the_screen(at: Presses) -> None:
    at.button("pass-one")
    at.button("confirm-one")
    assert len(at.table.match.steps) == 1
    assert at.ringed != Intent("pass"), "the other side's ring begins anew"
    at.button("pass-two")
    at.button("undo-two", "long")
    at.button("undo-two")
    at.button("pass-two")
    assert len(at.table.match.steps) == 1, "asked again after another screen"


def test_undo_closes_what_is_open_then_takes_back(at: Presses) -> None:
    at.button("pass-one", "long")
    at.seat = "black"
    at.tap("space", "reinforce:1")
    at.button("undo-two")
    assert at.ringed == Intent("did"), "the hands' list is what can be confirmed"
    assert len(at.table.match.steps) == 1
    at.button("confirm-two")
    assert at.ringed == Intent("space", "reinforce:1")
    at.button("undo-one")
    assert not at.table.match.steps
    at.button("undo-one")
    assert at.banner == "Nothing to undo."


def test_undo_takes_the_last_die_back_first(at: Presses) -> None:
    steps = to_the_roll(at)
    side, other = at.side, "two" if at.side == "one" else "one"
    before = len(at.table.match.steps)
    at.tap("die", "", steps.dice[0])
    at.button(f"undo-{other}")
    assert "Waiting for" in at.banner, "dice are taken back by whoever rolled them"
    at.button(f"undo-{side}")
    panel = at.table.panel
    assert isinstance(panel, RollPanel)
    assert panel.faces == []
    for face in steps.dice:
        at.tap("die", "", face)
    assert at.ringed == Intent("confirm")
    at.button(f"confirm-{side}")
    assert at.table.match.steps[before] == steps
    at.button("undo-one")
    assert isinstance(at.app.scene, ConsentScene), "both are asked before dice are taken back"
    at.chord("confirm-one", "confirm-two")
    assert len(at.table.match.steps) == before


def test_held_undo_opens_the_list(at: Presses) -> None:
    at.button("undo-one", "long")
    assert isinstance(at.app.scene, UndoScene)
    at.button("undo-one", "long")
    assert isinstance(at.app.scene, BoardTable), "elsewhere it is the way back"


def test_buttons_of_the_side_that_waits_are_told_so(at: Presses) -> None:
    for control in ("confirm-two", "pass-two"):
        at.button(control)
        assert at.banner == "Waiting for Red."
    at.button("pass-two", "long")
    assert at.table.match.steps == ()
    at.turn(1)
    at.button("confirm-two")
    assert at.banner == "Waiting for Red.", "the ring is on red's panel"


def test_a_dead_button_explains_itself(at: Presses) -> None:
    at.tap("area", "b5")
    dead = next(button.intent for button in at.buttons() if button.look == "off")
    at.tap(dead.verb, dead.what)
    assert isinstance(at.app.scene, RulingScene)
    at.button("undo-one")
    assert isinstance(at.app.scene, BoardTable)


def test_where_only_a_finger_helps_that_is_said(at: Presses) -> None:
    show(at, Screen(title="Turn the camera by hand"))
    at.button("confirm-one")
    assert at.banner == "Use the touchscreen here."


def test_what_comes_to_nothing_is_said(at: Presses) -> None:
    show(at, Screen(blocks=(Buttons((Button("dumb", Intent("dumb")),)),)))
    for control, answer in (
        ("choose", ""),
        ("choose", "That does nothing here."),
        ("pass-one", "You can't pass here."),
        ("undo-one", "You can't go back from here."),
    ):
        at.button(control)
        assert at.banner == answer
    for controls, answer in (
        (("undo-one", "undo-two"), "That only works during a game."),
        (("confirm-one", "undo-two"), "Those buttons do nothing together."),
        (("confirm-one", "confirm-two"), "Press both together only to agree on something."),
    ):
        at.chord(*controls)
        assert at.banner == answer


@pytest.mark.parametrize("layout", ["one", "two"])
def test_both_confirms_are_both_players_word(at: Presses, layout: str) -> None:
    if layout == "two":
        at.two_sided()
    done: list[str] = []
    app = at.app
    asked = ("Sure?", "It is done then.")

    def ask() -> None:
        home = at.table
        app.scene = ConsentScene(asked, home.people, lambda: done.append("done"), home)
        at.redraw()

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
        at.two_sided()
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
    assert at.banner == "Locked: both Confirm buttons together unlock."
    at.chord("confirm-one", "confirm-two")
    assert isinstance(at.app.scene, BoardTable)
    assert at.table.match.steps == ()


def test_each_half_is_its_own_side_s(at: Presses) -> None:
    at.two_sided()
    at.turn(1)
    assert at.ringed == Intent("space", "reinforce:1")
    at.button("confirm-two")
    assert at.banner == "" or "waits" in at.app.faces().faces[1].screen.banner
    at.button("pass-one", "long")
    assert len(at.table.match.steps) == 1
    spot = at.window.keyboard.at
    assert spot is not None
    assert at.window.shown[spot.pane].pane.seat == "black", "the ring goes over to the other half"
    at.button("confirm-two")
    assert at.ringed == Intent("confirm")
    at.button("undo-two")
    at.button("undo-one", "long")
    assert "red" in at.app.seats.own
    assert at.window.shown[at.window.desk_presses.first()].pane.seat == "red", (
        "the knob goes where something was opened"
    )
    at.turn(1)
    spot = at.window.keyboard.at
    assert spot is not None
    assert at.window.shown[spot.pane].pane.seat == "red"
    at.button("undo-one")
    assert at.app.seats.own == {}
    assert at.window.shown[at.window.desk_presses.first()].pane.seat == "black"


def test_the_other_side_is_not_kept_waiting_by_a_button_struck_twice(at: Presses) -> None:
    at.send(Press("pass-one", "long", 1.0))
    at.send(Press("pass-one", "long", 1.1))
    at.send(Press("pass-two", "long", 1.2))
    assert len(at.table.match.steps) == 2


def test_on_the_whole_glass_every_button_counts(at: Presses) -> None:
    at.two_sided()
    at.chord("undo-one", "undo-two")
    at.seat = ""
    at.tap("settings")
    assert len(at.window.shown) == 1
    at.button("confirm-two")
    assert len(at.window.shown) > 1, "its bright button is everybody's"


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("control", "taken", "left"),
    [("confirm-one", True, TurnPanel), ("pass-one", False, TurnPanel), ("pass-two", False, ProposalPanel)],
)
def test_a_turn_that_was_seen_is_taken_by_confirm_and_refused_by_pass(
    control: str, taken: bool, left: type[object]
) -> None:
    eye, match = Eye(), Match.start(games_dir() / "seen.jsonl", BOARD, "red", BONUSES)
    watched = App(Stage(Services(SavedGames()), Senses(SyncMonitor(Exact()))), watcher=eye.glimpse, match=match)
    turn = Deploy("advance:c4", moves=(("d5", "troop", 2),))
    watched.tick(1.0)
    eye.lay(game.apply(match.position, turn))
    for now_s in (2.0, 3.0, 63.0):
        watched.tick(now_s)
    pygame.display.init()
    at = Presses(watched, (800, 480), looks=False)
    assert isinstance(at.table.panel, ProposalPanel)
    at.button(control)
    assert match.steps == ((turn,) if taken else ())
    assert isinstance(at.table.panel, left)
    pygame.display.quit()


def test_on_a_large_screen_the_spaces_themselves_are_led_through(app: App) -> None:
    Hand(app).start()
    app.stage.apply(replace(app.stage.settings, diagonal_inches=15.6))
    pygame.display.init()
    at = Presses(app, (1280, 720), looks=False)
    at.turn(1)
    order = [plain(spot.target.intent) for spot in ring_order(at.window.shown, at.window.keyboard.spots(), 0)]
    asked = [intent.what for intent in order[: order.index(Intent("round"))]]
    on_map = [name for name in asked if name[-1].isdigit() and ":" in name and at.table.match.board.space(name).area]
    assert on_map
    assert asked[-len(on_map) :] == on_map, "no area stands among them"
    pygame.display.quit()
