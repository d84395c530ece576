"""From the contacts of a button to a step in the journal, and games by the buttons alone without a touch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from companion.app.app import App
from companion.desk.in_use import DeskInUse
from companion.view.window.ambience import Ambience
from companion.view.window.input import DESK
from companion.view.window.window import Window
from engine.orders.steps import Deploy, Pass
from hardware.desk import Desk, DeskPlan, open_desk
from hardware.events import Event
from hardware.pins import PinDevice
from hardware.simulated_pins import SimulatedPins
from tests.companion.desk.presses import pressed
from tests.companion.driver import WHOLE
from tests.companion.equip import equip
from tests.companion.gallery.gallery import unpainted
from tests.companion.touching import Hand

LOOK_S = 0.01
SETTLED_S = 0.1  # longer than a contact has to be the same until it counts


class Fingers:
    """Fingers on simulated contacts, with a clock of their own; what the desk tells goes to the window."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.desk: Desk | None = None
        equip(app.stage, devices=DeskInUse(self._opened))
        app.stage.settings = replace(app.stage.settings, desk_pins=True)
        self.around = Ambience(app)
        self.window = Window(app, pygame.display.set_mode((800, 480)), self.around)
        app.stage.desk.devices.begin(app.stage.settings, lambda event: None)
        self.now_s = 0.0
        self.wait(1.0)

    def _opened(self, plan: DeskPlan) -> Desk:
        self.desk = open_desk(replace(plan, pins="simulated"))
        self.desk.start = lambda put: None  # type: ignore[method-assign]
        return self.desk

    @property
    def pins(self) -> SimulatedPins:
        assert self.desk is not None
        device = self.desk.devices[0]
        assert isinstance(device, PinDevice)
        assert isinstance(device.pins, SimulatedPins)
        return device.pins

    def wait(self, for_s: float = SETTLED_S) -> None:
        """Let time pass: the desk is looked at, and the window goes around its loop."""
        assert self.desk is not None
        for _look in range(round(for_s / LOOK_S)):
            self.now_s += LOOK_S
            for event in self.desk.poll(self.now_s):
                self._told(event)
            self.around.attend(self.now_s)

    def _told(self, event: Event) -> None:
        touch = self.window.reader.read(pygame.event.Event(DESK, told=event))
        assert touch is not None
        self.window.handle(touch)
        self.window.refresh()

    def press(self, *controls: str, for_s: float = SETTLED_S) -> None:
        """Press buttons together and let them go."""
        for control in controls:
            self.pins.press(control)
        self.wait(for_s)
        for control in controls:
            self.pins.release(control)
        self.wait(1.0)

    def turn(self, clicks: int) -> None:
        """Turn the knob."""
        self.pins.turn(clicks)
        self.wait()


@pytest.fixture
def fingers(app: App) -> Iterator[Fingers]:
    Hand(app).start("red")
    pygame.display.init()
    fingers = Fingers(app)
    yield fingers
    pins = fingers.pins
    fingers.around.close()
    assert pins.lit() == frozenset(), "dark after a clean stop"
    pygame.display.quit()


def test_a_turn_from_the_contacts_to_the_journal(fingers: Fingers) -> None:
    assert fingers.app.table is not None
    match = fingers.app.table.match
    assert "turn_red" in fingers.pins.lit()
    assert not fingers.pins.lit() & {"turn_green", "turn_blue"}
    fingers.pins.bounce(2)
    fingers.turn(1)
    fingers.press("choose")
    fingers.press("confirm-one")
    assert [type(step) for step in match.steps] == [Deploy]
    assert fingers.pins.lit() >= {"turn_red", "turn_green", "turn_blue"}, "black's light is white"
    fingers.press("pass-two", for_s=1.5)
    assert [type(step) for step in match.steps] == [Deploy, Pass]
    fingers.press("undo-one")
    assert [type(step) for step in match.steps] == [Deploy]


def test_a_stuck_button_is_told_and_the_others_go_on(fingers: Fingers) -> None:
    assert fingers.app.table is not None
    fingers.pins.stick("pass-two")
    fingers.wait(12.0)
    assert "Pass, side two is stuck" in fingers.app.screen().banner
    fingers.press("pass-one", for_s=1.5)
    assert [type(step) for step in fingers.app.table.match.steps] == [Pass]


BEGUN = 25
"""Steps of a game that is not played to its end: a round is over by then."""
TABLES = (
    ("sengoku-rivers", "one", BEGUN),
    ("sengoku-fortress", "one", WHOLE),
    ("wwii-alpine", "two", WHOLE),
    ("wwii-island", "one", BEGUN),
)
FAR = 20  # clicks of the knob at once that nobody wants to make


@pytest.mark.long
@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("board", "layout", "most"), TABLES)
def test_a_game_is_played_by_the_desk(board: str, layout: str, most: int) -> None:
    with unpainted():
        driver = pressed(board, layout, seed=1, most=most)
    assert (driver.match.position.winner_name is not None) is (most == WHOLE)
    assert driver.fingers.longest <= FAR
    assert driver.fingers.clicks <= 25 * len(driver.told)
