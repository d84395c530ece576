"""What a soak has instead of hardware: a desk of simulated devices, hands at it, and what the camera sees."""

from __future__ import annotations

import random
from collections.abc import Callable

import pygame

from companion.demo.player import SimulatedEye
from companion.games.match import Match
from companion.perception.sync.status import TableView
from engine.orders.position import Position
from hardware.card_reader import CardReader
from hardware.controller import TableController
from hardware.desk import Desk
from hardware.device import Health
from hardware.events import Chord, Event, Press, Turned
from hardware.lights import Buzz, Lights
from hardware.pins import PinDevice
from hardware.simulated_pins import SimulatedPins
from hardware.simulated_ports import Cable, SimulatedController, SimulatedTags
from hardware.wiring import Wiring
from tests.companion.desk.presses import Presses
from tests.companion.perception.seeing import reading_of
from vision.errors import UnknownPieces
from vision.frame import jpeg_of

REAL_EVERY = 500  # readings, of which one is the real eye's
PICTURE_EVERY = 5  # readings, of which one brings a picture of the board, which is cut up and kept
POLL_S = 0.01
TAG = "0F00A1B2C3"


class SteppedDesk:
    """A desk of simulated devices that is polled by the soak's own clock rather than by its thread."""

    def __init__(self, seed: int) -> None:
        self.now_s = 0.0
        self.made: list[SimulatedPins] = []
        self.tags, self.box = SimulatedTags(), SimulatedController()
        clock = lambda: self.now_s  # noqa: E731
        self.cables = [Cable(self.tags, clock, seed), Cable(self.box, clock, seed)]
        devices = (
            PinDevice(Wiring(), self._pins),
            CardReader("reader", self.cables[0].open),
            TableController("controller", self.cables[1].open),
        )
        self.desk = Desk(devices, clock)
        self._put: Callable[[Event], None] = lambda event: None

    def _pins(self, wiring: Wiring) -> SimulatedPins:
        self.made.append(SimulatedPins(wiring))
        return self.made[-1]

    @property
    def pins(self) -> SimulatedPins:
        return self.made[-1]

    def start(self, put: Callable[[Event], None]) -> None:
        self._put = put

    def show(self, lights: Lights) -> None:
        self.desk.show(lights)

    def buzz(self, pattern: Buzz) -> None:
        self.desk.buzz(pattern)

    def health(self) -> tuple[Health, ...]:
        return self.desk.health()

    def close(self) -> None:
        self.desk.close()

    def run(self, seconds: float) -> None:
        """Let this time pass."""
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.now_s += POLL_S
            for event in self.desk.poll(self.now_s):
                self._put(event)

    def shake(self, rng: random.Random) -> None:
        """Shake things up between two games: pull and plug in a cable, lay a strange card on the reader."""
        cable = rng.choice(self.cables)
        cable.unplug()
        self.run(1.0)
        cable.plug()
        self.tags.lay(TAG)
        self.run(3.0)
        self.tags.lift()
        self.run(1.0)


class DeskHands(Presses):
    """Presses that go through contacts, debounce and the queue of pygame before they mean anything."""

    desk: SteppedDesk

    def send(self, event: Event) -> None:
        self.desk.run(1.0)
        if isinstance(event, Turned):
            self.desk.pins.turn(event.steps)
            self.desk.run(0.2 + 0.05 * abs(event.steps))
        elif isinstance(event, Press | Chord):
            controls = event.controls if isinstance(event, Chord) else (event.control,)
            for control in controls:
                self.desk.pins.press(control)
            self.desk.run(1.0 if isinstance(event, Chord) or event.kind == "long" else 0.1)
            for control in controls:
                self.desk.pins.release(control)
            self.desk.run(0.2)
        self.drain()

    def drain(self) -> None:
        """Hand over all that waits in the queue."""
        for waiting in pygame.event.get():
            touch = self.window.reader.read(waiting)
            if touch:
                self.window.handle(touch)
                self.window.refresh()


class SoakCamera:
    """What is laid on the table, read: from the position, and now and then by the real eye from a picture."""

    def __init__(self, seed: int) -> None:
        self.on_table: Position | None = None
        self.read = 0
        self.seen = 0
        self._eye = SimulatedEye(seed)
        self._last: tuple[Position, TableView] | None = None

    def glimpse(self, match: Match) -> TableView:
        """Return what the camera sees of the match's table."""
        position = self.on_table or match.position
        if self._last is None or self._last[0] is not position:
            self._last = (position, self._look(position))
        return self._last[1]

    def _look(self, position: Position) -> TableView:
        self.read += 1
        if self.read % REAL_EVERY == 0:
            try:
                look = self._eye.look(position)
            except UnknownPieces:
                return TableView("settled", reading_of(position))
            self.seen += 1
            return TableView("settled", look.reading, frame=jpeg_of(look.picture, 90), dice=look.dice)
        return TableView("settled", reading_of(position, picture=self.read % PICTURE_EVERY == 0))
