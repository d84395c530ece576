"""Fingers and mouse as touches, the turned screen set right once. The only reader of pygame's events is the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pygame

Kind = Literal["down", "up", "quit", "redraw"]

LEFT_BUTTON = 1


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger or the mouse at a place of the upright screen, in pixels; "quit" and "redraw" have none."""

    kind: Kind
    at_px: tuple[float, float] = (0.0, 0.0)


class Reader:
    """Turns pygame's events into touches for a display of `size_px` turned clockwise by `rotation` degrees."""

    def __init__(self, size_px: tuple[int, int], rotation: int) -> None:
        self.size_px = size_px
        self.rotation = rotation

    def read(self, event: pygame.event.Event) -> Touch | None:
        """The touch in an event, or None. The mouse events that SDL makes of fingers are left out."""
        if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
            return Touch("quit")
        if event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
            return Touch("redraw")
        if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
            kind: Kind = "down" if event.type == pygame.FINGERDOWN else "up"
            return Touch(kind, self.upright((event.x * self.size_px[0], event.y * self.size_px[1])))
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == LEFT_BUTTON:
            if getattr(event, "touch", False):
                return None
            kind = "down" if event.type == pygame.MOUSEBUTTONDOWN else "up"
            return Touch(kind, self.upright(event.pos))
        return None

    def upright(self, place_px: tuple[float, float]) -> tuple[float, float]:
        """A place of the display as a place of the upright screen."""
        (x, y), (width, height) = place_px, self.size_px
        turned = {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}
        return turned[self.rotation]

    def upright_size(self) -> tuple[int, int]:
        """The size of the upright screen."""
        width, height = self.size_px
        return (height, width) if self.rotation in (90, 270) else (width, height)
