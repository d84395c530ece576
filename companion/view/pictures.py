"""Pictures of the screen as PNG files, without a display."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Protocol

import pygame

from companion.scenes.screen import Screen
from companion.storage import atomic_write
from companion.view.canvas import draw
from companion.view.glass import Glass

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


def save_card(screen: Screen, path: Path) -> None:
    """Write a screen as a PNG to pass on, light as on paper, whatever the app's own look. OSError as above."""
    data = io.BytesIO()
    pygame.image.save(draw(screen, SIZE_PX, Glass(theme="light")).surface, data, "card.png")
    atomic_write(path, data.getvalue())
