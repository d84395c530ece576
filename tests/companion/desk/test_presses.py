"""What a press beside the board means: the ring, the bright button, no, one back, two together, the other's turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from companion.app.app import App, SavedGames
from companion.core.storage import games_dir
from companion.games.match import Match
from companion.perception.sync_monitor import SyncMonitor
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene, Senses, Services, Stage
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.review.log import UndoScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Button, Buttons, Intent, Screen
from companion.view.window.ambience import Ambience
from companion.view.window.input import DESK, Reader, merge_turns, post
from companion.view.window.knob_order import plain, ring
from engine.orders import game
from engine.orders.steps import Deploy, Pass, Roll
from hardware.events import Plugged, Press, Turned
from tests.companion.desk.presses import Presses
from tests.companion.perception.seeing import Exact, Eye
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.touching import Hand

TOKENS = tuple(f"{slot}/{token}" for slot, token in BONUSES.items())


@pytest.fixture
def at(app: App) -> Iterator[Presses]:
    """Somebody at the desk of a game that begins, red to move, on one screen for both."""
    Hand(app).start("red", TOKENS)
    pygame.display.init()
    yield Presses(app, (800, 480), looks=False)
    pygame.display.quit()


def table(at: Presses) -> BoardTable:
    assert isinstance(at.app.table, BoardTable)
    return at.app.table


def ringed(at: Presses) -> Intent | None:
    spot = at.window.keyboard.at
    return plain(spot.target.intent) if spot else None


def said(at: Presses) -> str:
    return at.screens()[0].banner


def to_the_roll(at: Presses) -> Roll:
    """The recorded game up to its first roll, which is owed; the roll that was made then."""
    match = table(at).match
    for step in played()[0]:
        if isinstance(step, Roll):
            at.seat = step.by
            at.app.version += 1
            at.window.refresh()
            return step
        assert match.offer(step).legal
    raise AssertionError("nobody rolled")


class Dumb:
    """A scene that answers nothing."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def show(self) -> Screen:
        return self.screen

    def touch(self, intent: Intent) -> Scene | None:
        del intent
        return None


def show(at: Presses, screen: Screen) -> None:
    """Put a screen on stage that belongs to no game."""
    at.app.table, at.app.scene = None, Dumb(screen)
    at.app.version += 1
    at.window.refresh()


def two_sided(at: Presses) -> None:
    at.app.stage.apply(replace(at.app.stage.settings, layout="two"))
    at.app.version += 1
    at.window.refresh()


# ---- the queue ------------------------------------------------------------------------------------


def test_events_of_the_desk_come_through_the_queue_of_touches(at: Presses) -> None:
    pygame.event.clear()
    post(Press("choose", "short", 1.0))
    found = [event for event in pygame.event.get() if event.type == DESK]
    touch = Reader((800, 480), 0).read(found[0])
    assert touch is not None
    assert (touch.kind, touch.event) == ("desk", Press("choose", "short", 1.0))
    at.window.run(lambda: [pygame.event.Event(DESK, told=Turned(1, 1.0)), pygame.event.Event(pygame.QUIT)], lambda: 1.0)
    assert ringed(at) is not None


def test_neighbouring_turns_of_the_knob_are_one() -> None:
    told = [Turned(1, 1.0), Turned(2, 2.0), Press("choose", "short", 3.0), Turned(1, 4.0), Turned(-1, 5.0)]
    events = [pygame.event.Event(DESK, told=one) for one in told]
    events.insert(3, pygame.event.Event(pygame.USEREVENT))
    found = [getattr(event, "told", None) for event in merge_turns(events)]
    assert found == [Turned(3, 2.0), Press("choose", "short", 3.0), None, Turned(0, 5.0)]


def test_without_a_queue_an_event_is_lost_and_nobody_falls() -> None:
    pygame.display.quit()
    post(Press("choose", "short", 1.0))


def test_a_press_wakes_the_screen_and_is_done_as_well(at: Presses) -> None:
    around = Ambience(at.app)
    around.idle.after_s = 1
    at.window.attendant = around
    around.wake(0.0)
    at.window.now_s = 100.0
    assert around.brightness(100.0) == 0.0
    at.button("pass-one", "long")
    assert [type(step) for step in table(at).match.steps] == [Pass]
    assert around.brightness(100.0) == 1.0


def test_a_cable_that_is_pulled_does_not_wake_the_screen(at: Presses) -> None:
    around = Ambience(at.app)
    around.idle.after_s = 1
    at.window.attendant = around
    around.wake(0.0)
    at.window.now_s = 100.0
    at.send(Plugged("pins", False, 100.0))
    assert around.brightness(100.0) == 0.0


def test_where_only_a_finger_helps_that_is_said(at: Presses) -> None:
    show(at, Screen(title="Turn the camera by hand"))
    at.button("confirm-one")
    assert said(at) == "Use the touchscreen here."


# ---- the ring -------------------------------------------------------------------------------------


def test_the_first_click_shows_the_ring_on_the_first_useful_thing(at: Presses) -> None:
    assert ringed(at) is None
    at.turn(1)
    assert ringed(at) == Intent("space", "reinforce:1")
    at.turn(-1)
    assert ringed(at) == Intent("dispute"), "one click back are the buttons of the lower edge"
    at.turn(-1)
    assert ringed(at) == Intent("pass")


def test_the_knob_leads_through_the_panel_then_area_by_area(at: Presses) -> None:
    at.turn(1)
    seen = []
    for _click in range(200):
        found = ringed(at)
        if found in seen or found is None:
            break
        seen.append(found)
        at.turn(1)
    everything = {plain(spot.target.intent) for spot in at.window.keyboard.spots()}
    assert set(seen) == everything, "nothing is out of reach"
    live = table(at).show().map
    assert live is not None
    open_to = {space.name.partition(":")[2] for space in live.spaces if space.live}
    areas = [one.what for one in seen if one.verb == "area"]
    assert areas[: len(open_to)] == sorted(open_to), "where something can be done comes first, area by area"
    assert set(areas[len(open_to) :]).isdisjoint(open_to)
    assert seen.index(Intent("menu")) > seen.index(Intent("area", max(open_to)))


def test_a_finger_takes_the_ring_away_and_a_key_makes_it_the_keyboard_s(at: Presses) -> None:
    at.turn(1)
    touch = at.window.reader.read(pygame.event.Event(pygame.FINGERDOWN, x=0.01, y=0.99, finger_id=1))
    assert touch is not None
    at.window.handle(touch)
    assert at.window.keyboard.at is None
    assert not at.window.desk_presses.leads


def test_the_ring_goes_to_what_can_be_confirmed_now(at: Presses) -> None:
    at.tap("space", "reinforce:1")
    assert ringed(at) == Intent("confirm"), "a form is filled in: deploying is what it proposes"
    at.button("confirm-one")
    assert isinstance(table(at).match.steps[-1], Deploy)


def test_a_second_strike_on_the_same_button_is_not_meant_for_the_next_screen(at: Presses) -> None:
    at.tap("space", "reinforce:1")
    at.send(Press("confirm-one", "short", at.at_s + 1.0))
    before = len(table(at).match.steps)
    scene = table(at).panel
    at.send(Press("confirm-one", "short", at.at_s + 1.2))
    assert (len(table(at).match.steps), table(at).panel) == (before, scene)


def test_held_arrows_turn_pages_and_a_held_knob_leads_back(at: Presses) -> None:
    at.app.scene = SettingsScene(at.app.stage, at.app.scene)
    at.app.version += 1
    at.window.refresh()
    at.button("choose", "long")
    assert isinstance(at.app.scene, BoardTable)
    at.button("next")
    first = ringed(at)
    at.button("next")
    assert ringed(at) != first
    at.button("previous")
    assert ringed(at) == first
    at.button("next", "long")
    assert ringed(at) == first, "one page only"


def test_both_arrows_are_the_push_of_the_knob(at: Presses) -> None:
    at.chord("previous", "next")
    assert ringed(at) is not None
    at.chord("previous", "next")
    assert ringed(at) == Intent("confirm")


# ---- confirm, pass, undo ----------------------------------------------------------------------------


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
    dead = next(one.intent for one in at.buttons() if one.look == "off")
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


# ---- two buttons together ---------------------------------------------------------------------------


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
    assert app.scene.agreed == {"black"}
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


# ---- face to face -----------------------------------------------------------------------------------


def test_each_half_is_its_own_side_s(at: Presses) -> None:
    two_sided(at)
    at.turn(1)
    assert ringed(at) == Intent("space", "reinforce:1")
    at.button("confirm-two")
    assert said(at) == "" or "waits" in at.app.faces().faces[1].screen.banner
    at.button("pass-one", "long")
    assert len(table(at).match.steps) == 1
    spot = at.window.keyboard.at
    assert spot is not None
    assert at.window.shown[spot.pane].pane.seat == "black", "the ring goes over to the other half"
    at.button("confirm-two")
    assert ringed(at) == Intent("confirm")
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
    assert len(table(at).match.steps) == 2


def test_on_the_whole_glass_every_button_counts(at: Presses) -> None:
    two_sided(at)
    at.chord("undo-one", "undo-two")
    at.seat = ""
    at.tap("settings")
    assert len(at.window.shown) == 1
    at.button("confirm-two")
    assert len(at.window.shown) > 1, "its bright button is everybody's"


# ---- the camera -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "taken", "left"),
    [("confirm-one", True, TurnPanel), ("pass-one", False, TurnPanel), ("pass-two", False, ProposalPanel)],
)
def test_a_turn_that_was_seen_is_taken_by_confirm_and_refused_by_pass(
    app: App, control: str, taken: bool, left: type[object]
) -> None:
    eye, match = Eye(), Match.start(games_dir() / "seen.jsonl", BOARD, "red", BONUSES)
    watched = App(Stage(Services(SavedGames()), Senses(SyncMonitor(Exact()))), watcher=eye.glimpse, match=match)
    del app
    turn = Deploy("advance:c4", moves=(("d5", "troop", 2),))
    watched.tick(1.0)
    eye.lay(game.apply(match.position, turn))
    for now_s in (2.0, 3.0, 63.0):
        watched.tick(now_s)
    pygame.display.init()
    at = Presses(watched, (800, 480), looks=False)
    assert isinstance(table(at).panel, ProposalPanel)
    at.button(control)
    assert match.steps == ((turn,) if taken else ())
    assert isinstance(table(at).panel, left)
    pygame.display.quit()


def test_on_a_large_screen_the_spaces_themselves_are_led_through(app: App) -> None:
    Hand(app).start("red", TOKENS)
    app.stage.apply(replace(app.stage.settings, diagonal_inches=15.6))
    pygame.display.init()
    at = Presses(app, (1280, 720), looks=False)
    at.turn(1)
    order = [plain(spot.target.intent) for spot in ring(at.window.shown, at.window.keyboard.spots(), 0)]
    asked = [one.what for one in order[: order.index(Intent("round"))]]
    on_map = [name for name in asked if name[-1].isdigit() and ":" in name and table(at).match.board.space(name).area]
    assert on_map
    assert asked[-len(on_map) :] == on_map, "no area stands among them"
    pygame.display.quit()
