"""A double tap does one thing: the second tap saw nothing yet of what the first one brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.app.app import App
from companion.games.match import AnyMatch
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.review.log import MomentScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.table.game_menu import MenuScene
from companion.text.people import People
from companion.ui.screen import Button, Buttons, Intent, Screen
from engine.generals.steps import Deploy as DeployCard
from engine.orders.steps import Deploy, Pass
from hardware.events import Press
from tests.companion.gallery.rooms.generals import duel
from tests.companion.other_games import SYSTEMS, begun
from tests.companion.sample_games import BOARD
from tests.companion.tapping import CALM_S, DOUBLE_S, HELD_S, Tapping, key, tap, told
from tests.companion.touching import Hand, steppers

ORDERS = {"do": "new", "board": BOARD, "initiative": "red"}


@pytest.fixture(autouse=True)
def display() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.display.quit()


@pytest.fixture
def at(app: App) -> Tapping:
    """Return a game of General Orders that has just begun."""
    Hand(app).start()
    return Tapping(app)


def match_of(at: Tapping) -> AnyMatch:
    assert at.app.table is not None
    return at.app.table.match


def other_table(tmp_path: Path, system: str, steps: int = 2) -> Tapping:
    """Return a game of another system after its first steps, none of them chance."""
    return Tapping(App(match=begun(tmp_path / "game.jsonl", system, steps=steps)))


def put(at: Tapping, scene: Any) -> None:
    """Put a scene on the glass."""
    at.app.scene = scene
    at.app.version += 1
    at.window.refresh()


def consent(at: Tapping, done: list[str]) -> ConsentScene:
    """Ask both players, and note when they have agreed."""
    assert at.app.table is not None
    scene = ConsentScene(("?", "?"), People(("red", "black")), lambda: done.append("done"), at.app.table)
    put(at, scene)
    return scene


# ---- General Orders ---------------------------------------------------------------------------


def test_pass_tapped_twice_passes_once(at: Tapping) -> None:
    at.tap(at.place(Intent("pass")), 2)
    assert match_of(at).steps == (Pass(),)
    at.drawing_s = 0.8
    at.tap(at.place(Intent("pass")), 3)
    assert match_of(at).steps == (Pass(), Pass()), "all before a slow picture"


def test_deploying_twice_deploys_once_and_what_comes_next_waits(at: Tapping) -> None:
    at.tap(at.place(Intent("space", "reinforce:1")))
    at.tap(at.place(Intent("confirm")), 2)
    [step] = match_of(at).steps
    assert isinstance(step, Deploy)
    assert match_of(at).position.to_move_name == "black"


def test_undo_tapped_or_struck_twice_takes_one_step_back(at: Tapping) -> None:
    for _n in range(3):
        at.tap(at.place(Intent("pass")))
    at.tap(at.place(Intent("undo")), 2)
    assert len(match_of(at).steps) == 2
    presses(at, "undo-one", 0, DOUBLE_S)
    assert len(match_of(at).steps) == 1


def test_a_step_further_on_each_screen_takes_a_look_at_each(app: App) -> None:
    at = Tapping(app)
    at.tap(at.place(Intent("new")), 2)
    assert isinstance(app.scene, SetupScene)
    first = app.screen().title
    at.tap(at.place(Intent("next")), 2)
    second = app.screen().title
    assert second != first
    at.tap((1, 1))
    assert app.screen().title == second
    at.app.version += 1
    presses(at, "undo-one", 0, DOUBLE_S)
    assert isinstance(app.scene, SetupScene), "one screen back, not home"
    assert app.screen().title == first


# ---- every system -----------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_menu_tapped_twice_is_open_and_nothing_of_it_is_touched(tmp_path: Path, system: str) -> None:
    at = other_table(tmp_path, system)
    place = at.place(Intent("menu"))
    at.tap(place, 4)
    assert type(at.app.scene) is MenuScene
    at.tap(at.place(Intent("lock")), 2)
    assert isinstance(at.app.scene, LockScene)


@pytest.mark.parametrize("system", SYSTEMS)
def test_both_have_to_say_yes_for_themselves(tmp_path: Path, system: str) -> None:
    at, done = other_table(tmp_path, system), list[str]()
    scene = consent(at, done)
    at.tap(at.place(Intent("agree", "red")), 2)
    assert (scene.agreed_sides, done) == ({"red"}, []), "agreed once, and not taken back"
    at.tap(at.place(Intent("agree", "black")), 2)
    assert done == ["done"]
    assert at.app.scene is at.app.table


@pytest.mark.parametrize("system", SYSTEMS)
def test_undo_from_the_list_takes_one_thing_back(tmp_path: Path, system: str) -> None:
    at = other_table(tmp_path, system)
    at.tap(at.place(Intent("menu")))
    at.tap(at.place(Intent("undo-list")))
    intent = next(t.intent for _one, t in at.targets() if t.intent.verb == "undo-to")
    at.tap(at.place(intent), 2)
    assert len(match_of(at).steps) == intent.n


@pytest.mark.parametrize(
    ("system", "before", "touched"),
    [
        ("generals", (), Intent("end")),
        ("sonae", (), Intent("mode", "encamped")),  # the other general was not read yet
        ("sonae", (Intent("messenger", "maru-ni"),), Intent("sixes", "", 1)),
    ],
)
def test_what_is_one_touch_is_done_once(
    tmp_path: Path, system: str, before: tuple[Intent, ...], touched: Intent
) -> None:
    at = other_table(tmp_path, system, steps=0)
    for intent in before:
        at.tap(at.place(intent))
    at.tap(at.place(touched), 2)
    assert len(match_of(at).steps) == len(before) + 1


def test_a_card_deployed_twice_leaves_the_turn_open_and_can_be_undone(app: App) -> None:
    duel(Hand(app), ())
    at = Tapping(app)
    at.tap(at.place(Intent("deploy")), 2)
    place = at.place(Intent("card", "crane_captain"))
    at.tap(place, 2)
    assert match_of(at).steps == (DeployCard("crane_captain"),)
    assert at.meaning(place) != Intent("end"), "the turn is not ended where a card is chosen"
    at.tap(at.place(Intent("undo")), 2)
    assert match_of(at).steps == ()


# ---- what is made to be touched fast ------------------------------------------------------------


def numbers(at: Tapping) -> dict[str, int]:
    """Return what the steppers say, by what they count."""
    return {stepper.what: stepper.value for stepper in steppers(at.app.screen().blocks)}


def test_more_and_less_and_the_area_itself_count_every_tap(at: Tapping) -> None:
    at.tap(at.place(Intent("space", "reinforce:1")))
    at.tap(at.place(Intent("area", "e1")), 3, apart_s=0.2)
    assert numbers(at)["e1/troop"] == 3
    stepper = steppers(at.app.screen().blocks)[0]
    at.tap(at.place(Intent(stepper.verb, stepper.what, -1)), stepper.value)
    assert numbers(at)[stepper.what] == 0
    at.tap(at.place(Intent(stepper.verb, stepper.what, 1)), 2)
    assert numbers(at)[stepper.what] == 2


def test_an_area_that_begins_to_count_waits_for_a_look(at: Tapping) -> None:
    start = at.now_s + CALM_S
    place = at.place(Intent("area", "e1"))
    at.send(*tap(start, at.place(Intent("space", "reinforce:1"))), *tap(start + DOUBLE_S, place))
    before = numbers(at)
    at.tap(place)
    assert numbers(at) != before


def test_letters_come_as_fast_as_they_are_typed(at: Tapping) -> None:
    texts: list[str] = []

    def done(text: str) -> Scene | None:
        texts.append(text)
        return at.app.table

    put(at, TypingScene(Ask("Name", names=True), done, at.app.scene))
    places = {letter: at.place(Intent("type", letter.upper())) for letter in "ana"}
    start = at.now_s + CALM_S
    at.send(*(event for n, letter in enumerate("anna") for event in tap(start + n * DOUBLE_S, places[letter])))
    at.tap(at.place(Intent("done")), 2)
    assert texts == ["Anna"], "capitals become small letters under the fingers"


def test_moments_are_leafed_through(at: Tapping) -> None:
    for _n in range(4):
        at.tap(at.place(Intent("pass")))
    at.app.show_scene("", at.app.table.moment(4, at.app.table))  # type: ignore[union-attr]
    at.window.refresh()
    at.tap(at.place(Intent("step", "", -1)), 3)
    assert isinstance(at.app.scene, MomentScene)
    assert at.app.scene.number == 1


def test_what_stood_there_all_the_time_can_be_touched_at_once(at: Tapping) -> None:
    start = at.now_s + CALM_S
    at.send(*tap(start, at.place(Intent("pass"))), *tap(start + 0.3, at.place(Intent("menu"))))
    assert isinstance(at.app.scene, MenuScene)


# ---- whose touch it is --------------------------------------------------------------------------


def test_both_players_touch_their_own_halves_at_the_same_time(at: Tapping) -> None:
    at.app.stage.settings = replace(at.app.stage.settings, layout="two")
    done: list[str] = []
    consent(at, done)
    red, black = at.place(Intent("agree", "red"), "red"), at.place(Intent("agree", "black"), "black")
    start = at.now_s + CALM_S
    at.send(*tap(start, red, 1), *tap(start + 0.05, black, 2))
    assert done == ["done"]


def test_two_fingers_on_one_button_are_one_touch(at: Tapping) -> None:
    place = at.place(Intent("pass"))
    start = at.now_s + CALM_S
    (down, up), (other_down, other_up) = tap(start, place, 1), tap(start, place, 2)
    at.send(down, other_down, up, replace(other_up, at_s=start + 2 * HELD_S))
    assert match_of(at).steps == (Pass(),)


class Changing:
    """A scene whose button changes its sense by itself, as an offer of the camera does."""

    def __init__(self) -> None:
        self.panel = object()
        self.told: list[object] = []

    def show(self) -> Screen:
        return Screen(blocks=(Buttons((Button("Yes", Intent("yes")),), 1),))

    def touch(self, intent: Intent) -> Scene | None:
        self.told.append(self.panel)
        return None


@pytest.mark.parametrize("down_s", [0.1, -0.01])
def test_what_changed_under_the_finger_by_itself_was_not_meant(
    app: App, monkeypatch: pytest.MonkeyPatch, down_s: float
) -> None:
    at = Tapping(app)
    scene = Changing()
    put(at, scene)
    place = at.place(Intent("yes"))
    start = at.now_s + CALM_S

    def changes(now_s: float) -> None:
        if start <= now_s and len(seen) == 1:
            scene.panel = object()
            seen.append(scene.panel)
            app.version += 1

    seen = [scene.panel]
    monkeypatch.setattr(app, "tick", changes)
    nothing = pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=(0, 0, 0))
    events = [replace(tap(start, place)[0], event=nothing), *tap(start + down_s, place)]
    at.send(*sorted(events, key=lambda event: event.at_s))
    assert scene.told == []
    at.tap(place)
    assert scene.told == [seen[1]]


# ---- keys, and buttons beside the board ---------------------------------------------------------


def test_a_key_struck_twice_is_struck_once(at: Tapping) -> None:
    at.window.keyboard.at = next(spot for spot in at.window.keyboard.spots() if spot.target.intent == Intent("pass"))
    start = at.now_s + CALM_S
    at.send(key(start, pygame.K_RETURN), key(start + DOUBLE_S, pygame.K_RETURN))
    assert match_of(at).steps == (Pass(),)


def presses(at: Tapping, control: str, *after_s: float) -> None:
    """Press a button of the desk at these moments."""
    start = at.now_s + CALM_S
    at.send(*(told(start + later_s, Press(control, "short", start + later_s)) for later_s in after_s))


def test_the_pass_button_struck_twice_asks_and_waits(at: Tapping) -> None:
    presses(at, "pass-one", 0, DOUBLE_S)
    assert match_of(at).steps == (), "the question was not read yet"
    presses(at, "pass-one", 0, DOUBLE_S)
    assert match_of(at).steps == (Pass(),)
    presses(at, "pass-one", 0, DOUBLE_S, 1.0, 2.0)
    assert match_of(at).steps == (Pass(),), "nobody passes for the other side"


def test_the_confirm_button_struck_twice_agrees_and_does_not_take_it_back(at: Tapping) -> None:
    scene = consent(at, [])
    presses(at, "confirm-one", 0, DOUBLE_S)
    assert scene.agreed_sides == {"red"}
