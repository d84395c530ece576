"""What benchmarks of the app share: a place of their own, a hand at its window, and the lines of their tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pygame

from benchmarks.measuring import Timed, time_work
from companion.app.app import App
from companion.ui.screen import Intent
from companion.view.window.window import Window
from tests.companion.fingers import own_place


@contextmanager
def separate_place() -> Iterator[Path]:
    """Let this process keep its games and settings in an empty folder meanwhile, without a real screen or sound."""
    with patch.dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy"), TemporaryDirectory() as name:
        own_place(Path(name))
        yield Path(name)


class Hand:
    """A window of the app on pygame's display, and a hand that touches what is on it."""

    def __init__(self, app: App, window_px: tuple[int, int]) -> None:
        self.app = app
        self.window = Window(app, pygame.display.set_mode(window_px))

    def touch(self, verb: str, what: str = "", n: int = 0) -> Timed:
        """Time a touch until its picture is shown."""

        def work() -> None:
            self.window.now_s += 1.0
            self.window.hand(Intent(verb, what, n))
            self.window.refresh()

        return time_work(work)


def print_row(what: str, figures: str, wanted: str = "") -> None:
    """Print a line of a table: what was measured, what came out, and what it should be."""
    print(f"{what:44} {figures:56} {wanted}", flush=True)
