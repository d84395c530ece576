"""An app with a desk."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from companion.app.app import App
from tests.companion.desk.presses import Presses
from tests.companion.touching import Hand


@pytest.fixture
def at(app: App) -> Iterator[Presses]:
    """Somebody at the desk of a game that begins, red to move, on one screen for both."""
    Hand(app).start()
    pygame.display.init()
    yield Presses(app, (800, 480), looks=False)
    pygame.display.quit()
