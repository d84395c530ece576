"""Pictures of the screen as PNG files, without a display."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Protocol

import pygame

from companion.core.errors import CompanionError
from companion.core.outputs import write_output
from companion.core.storage import atomic_write, data_dir
from companion.grounds.store import FOLDER, NO_GROUNDS, Grounds, WaitingGrounds
from companion.ui.screen import Screen
from companion.view.kit.glass import Glass
from companion.view.page.canvas import draw

SIZE_PX = (1280, 720)


class PrivateScreenError(CompanionError):
    """A screen that shows a player's own hand was to be kept as a picture."""


class Showing(Protocol):
    """Whatever has a screen to show: the app."""

    def screen(self) -> Screen:
        """Return the screen to show."""


def painted_grounds() -> WaitingGrounds:
    """Return the grounds that the app keeps, for a picture that is kept itself."""
    return WaitingGrounds(data_dir() / FOLDER)


def save_screen(
    showing: Showing, path: Path, size_px: tuple[int, int] = SIZE_PX, grounds: Grounds = NO_GROUNDS
) -> None:
    """Write what is shown now as a PNG of that size (width, height), its map on these grounds.

    OutputError where the file cannot be written, PrivateScreenError where a player's own hand is shown.
    """
    surface = draw(_shareable(showing.screen()), size_px, Glass(grounds=grounds)).paint()
    data = io.BytesIO()
    pygame.image.save(surface, data, "screen.png")
    write_output(path, data.getvalue())


def save_card(screen: Screen, path: Path) -> None:
    """Write a screen as a PNG to pass on, light as on paper, whatever the app's own look. Errors as above."""
    data = io.BytesIO()
    pygame.image.save(_card(screen, SIZE_PX), data, "card.png")
    atomic_write(path, data.getvalue())


def card_pixels(screen: Screen, size_px: tuple[int, int], grounds: Grounds = NO_GROUNDS, era: str = "") -> bytes:
    """Draw the screen as bytes: rows from the top, three bytes for each pixel (RGB).

    size_px: the picture's width and height. era: of the game that it shows. PrivateScreenError where a player's own
    hand is shown.
    """
    return pygame.image.tobytes(_card(screen, size_px, grounds, era), "RGB")


def _card(screen: Screen, size_px: tuple[int, int], grounds: Grounds = NO_GROUNDS, era: str = "") -> pygame.Surface:
    return draw(_shareable(screen), size_px, Glass(theme="light", era=era, grounds=grounds)).paint()


def _shareable(screen: Screen) -> Screen:
    if screen.private:
        raise PrivateScreenError("a player's own hand is on the screen: no picture of it is kept")
    return screen
