"""Pictures of the screen as PNG files, without a display."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pygame

from companion.scenes.screen import Screen
from companion.view.canvas import draw

SIZE_PX = (1280, 720)


class Showing(Protocol):
    """Whatever has a screen to show: the app."""

    def screen(self) -> Screen:
        """What to show."""
        ...


def save_screen(showing: Showing, path: Path, size_px: tuple[int, int] = SIZE_PX) -> None:
    """Write what is shown now as a PNG of that size (width, height). OSError where the file cannot be written."""
    surface = draw(showing.screen(), size_px).surface
    with path.open("wb") as file:
        pygame.image.save(surface, file, "screen.png")
