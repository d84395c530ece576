"""A finger that taps through the window's own loop, by a touchscreen's events, at moments of the test's own clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pygame

from companion.app.app import App
from companion.ui.screen import Intent
from companion.view.kit.sheet import Target
from companion.view.window.input import DESK
from companion.view.window.panes import Shown
from companion.view.window.taps import plain
from companion.view.window.window import Window
from hardware.events import Event
from tests.companion.fingers import NotThere

DOUBLE_S = 0.1  # between the two taps of a double tap
CALM_S = 5.0  # before a finger that has looked
HELD_S = 0.02

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class At:
    """An event, and when it comes."""

    at_s: float
    event: pygame.event.Event


class Tapping:
    """A window with a clock of the test's own. `drawing_s`: how long a picture takes."""

    def __init__(self, app: App, size_px: tuple[int, int] = (800, 480)) -> None:
        self.app = app
        self.now_s = 0.0
        self.drawing_s = 0.0
        self.window = Window(app, pygame.display.set_mode(size_px))
        self._slow()

    def _slow(self) -> None:
        """Let drawing take its time."""
        renew = self.window.keyboard.renew

        def renewed() -> None:
            self.now_s += self.drawing_s
            renew()

        self.window.keyboard.renew = renewed  # type: ignore[method-assign]

    # ---- to see -------------------------------------------------------------------------------

    def targets(self, seat: str = "") -> Iterator[tuple[Shown, Target]]:
        """All that a finger reaches, in one half where a seat is given."""
        for shown_pane in self.window.shown:
            if not seat or shown_pane.pane.seat == seat:
                for sheet in shown_pane.canvas.sheet.layers():
                    yield from ((shown_pane, target) for target in sheet.targets)

    def place(self, wanted: Intent, seat: str = "") -> Place:
        """Return the middle of the target that means this."""
        for shown_pane, target in self.targets(seat):
            if plain(target.intent) == wanted:
                return shown_pane.box_px(target).center
        raise NotThere(f"{wanted} is not among {[target.intent for _one, target in self.targets(seat)]}")

    def meaning(self, place: Place) -> Intent | None:
        """Return what a touch there means now."""
        found = (
            shown_pane.target_at(place)
            for shown_pane in self.window.shown
            if shown_pane.pane.rect_px.collidepoint(place)
        )
        target = next(found, None)
        return target.intent if target else None

    # ---- to do --------------------------------------------------------------------------------

    def tap(
        self, place: Place, times: int = 1, apart_s: float = DOUBLE_S, finger: int = 1, *, after_s: float = CALM_S
    ) -> None:
        """Look, then tap there so many times."""
        self.send(*(event for n in range(times) for event in tap(self.now_s + after_s + n * apart_s, place, finger)))

    def send(self, *events: At) -> None:
        """Let these events come when they come; what comes while the window is busy waits until it is not."""
        waiting = list(events)

        def coming() -> list[pygame.event.Event]:
            if not waiting:
                return [pygame.event.Event(pygame.QUIT)]
            self.now_s = max(self.now_s, waiting[0].at_s)
            batch = []
            while waiting and waiting[0].at_s <= self.now_s:
                batch.append(self._placed(waiting.pop(0).event))
            return batch

        self.window.run(coming, lambda: self.now_s)
        self.app.running = True

    def _placed(self, event: pygame.event.Event) -> pygame.event.Event:
        """Return the event with a finger's place as parts of the display."""
        if event.type not in (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP):
            return event
        width, height = self.window.reader.size_px
        return pygame.event.Event(event.type, x=event.x / width, y=event.y / height, finger_id=event.finger_id)


def touch(kind: int, at_s: float, place: Place, finger: int = 1) -> At:
    """Return what a finger does at a place of the upright screen: pygame.FINGERDOWN, FINGERMOTION or FINGERUP."""
    return At(at_s, pygame.event.Event(kind, x=place[0], y=place[1], finger_id=finger))


def tap(at_s: float, place: Place, finger: int = 1) -> tuple[At, At]:
    """Return the events of a finger that comes down and leaves."""
    return touch(pygame.FINGERDOWN, at_s, place, finger), touch(pygame.FINGERUP, at_s + HELD_S, place, finger)


def key(at_s: float, which: int) -> At:
    """Return the press of a key of a keyboard."""
    return At(at_s, pygame.event.Event(pygame.KEYDOWN, key=which))


def told(at_s: float, event: Event) -> At:
    """Something beside the board."""
    return At(at_s, pygame.event.Event(DESK, told=event))
