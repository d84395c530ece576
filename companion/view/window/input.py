"""Fingers, mouse and keys as touches, the turned screen set right once. Only the window reads pygame's events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import pygame

from hardware.events import Event, Turned

Kind = Literal["down", "move", "up", "key", "char", "wheel", "quit", "redraw", "desk"]

DESK = pygame.event.custom_type()
MOUSE_FINGER = -1
LEFT_BUTTON = 1
KEYS = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_TAB: "next",
    pygame.K_RETURN: "enter",
    pygame.K_KP_ENTER: "enter",
    pygame.K_SPACE: "space",
    pygame.K_ESCAPE: "escape",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_PAGEUP: "page-up",
    pygame.K_PAGEDOWN: "page-down",
}
FINGERS: dict[int, Kind] = {pygame.FINGERDOWN: "down", pygame.FINGERMOTION: "move", pygame.FINGERUP: "up"}
MOUSE: dict[int, Kind] = {pygame.MOUSEBUTTONDOWN: "down", pygame.MOUSEMOTION: "move", pygame.MOUSEBUTTONUP: "up"}


@dataclass(frozen=True, slots=True)
class InputEvent:
    """A finger or the mouse at a place of the upright screen, in pixels; a key, a typed character, or a call to draw.

    key: which of KEYS was pressed, "previous" for Tab with Shift; of a "char", the character. finger: which finger it
    is, MOUSE_FINGER for the mouse. steps: how far the wheel was turned, up is positive. event: of a "desk", what
    happened beside the board.
    """

    kind: Kind
    at_px: tuple[float, float] = (0.0, 0.0)
    key: str = ""
    finger: int = MOUSE_FINGER
    steps: int = 0
    event: Event | None = None


def post(event: Event) -> None:
    """Put an event of the desk into the queue of touches, from any thread; it is dropped if there is no queue."""
    with suppress(pygame.error):
        pygame.event.post(pygame.event.Event(DESK, told=event))


def merge_turns(events: Iterable[pygame.event.Event]) -> Iterator[pygame.event.Event]:
    """Yield the events, successive turns of the knob merged into one so that drawing keeps up."""
    turned: Turned | None = None
    for event in events:
        told = event.told if event.type == DESK else None
        if isinstance(told, Turned):
            turned = told if turned is None else Turned(turned.steps + told.steps, told.at_s)
            continue
        if turned is not None:
            yield pygame.event.Event(DESK, told=turned)
            turned = None
        yield event
    if turned is not None:
        yield pygame.event.Event(DESK, told=turned)


class Reader:
    """Turns pygame's events into touches for a display of `size_px` turned clockwise by `rotation` degrees."""

    def __init__(self, size_px: tuple[int, int], rotation: int) -> None:
        self.size_px = size_px
        self.rotation = rotation

    def read(self, event: pygame.event.Event) -> InputEvent | None:
        """Return the touch in a pygame event; None if it has none, or is a mouse event that SDL made of a finger."""
        if event.type == pygame.QUIT:
            return InputEvent("quit")
        if event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
            return InputEvent("redraw")
        if event.type == DESK:
            return InputEvent("desk", event=event.told)
        if event.type == pygame.KEYDOWN:
            key = KEYS.get(event.key)
            if key == "next" and getattr(event, "mod", 0) & pygame.KMOD_SHIFT:
                key = "previous"
            return InputEvent("key", key=key) if key else None
        if event.type == pygame.TEXTINPUT:
            return InputEvent("char", key=event.text)
        if event.type in FINGERS:
            place = event.x * self.size_px[0], event.y * self.size_px[1]
            return InputEvent(FINGERS[event.type], self.upright(place), finger=event.finger_id)
        return None if getattr(event, "touch", False) else self._mouse(event)

    def _mouse(self, event: pygame.event.Event) -> InputEvent | None:
        if event.type == pygame.MOUSEWHEEL:
            return InputEvent("wheel", self.upright(pygame.mouse.get_pos()), steps=event.y)
        if event.type in MOUSE and _is_left(event):
            return InputEvent(MOUSE[event.type], self.upright(event.pos))
        return None

    def upright(self, place_px: tuple[float, float]) -> tuple[float, float]:
        """Turn a place of the display into a place of the upright screen."""
        (x, y), (width, height) = place_px, self.size_px
        turned = {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}
        return turned[self.rotation]

    def on_display(self, box_px: pygame.Rect) -> pygame.Rect:
        """Turn a rectangle of the upright screen into one of the display."""
        (x, y, wide, high), (width, height) = box_px, self.size_px
        turned = {
            0: (x, y, wide, high),
            90: (width - y - high, x, high, wide),
            180: (width - x - wide, height - y - high, wide, high),
            270: (y, height - x - wide, high, wide),
        }
        return pygame.Rect(turned[self.rotation])

    def upright_size(self) -> tuple[int, int]:
        """Return the size of the upright screen."""
        width, height = self.size_px
        return (height, width) if self.rotation in (90, 270) else (width, height)


def _is_left(event: pygame.event.Event) -> bool:
    """Return whether an event of the mouse is about its left button, or a movement while that is held."""
    if event.type == pygame.MOUSEMOTION:
        return bool(event.buttons[0])
    return bool(event.button == LEFT_BUTTON)
