"""Fingers on a screen that isn't there, which keep what they touch and what the screen shows then.

In a folder: taps.jsonl, a line for each touch, and N.png, the display after touch N (0: before the first). Where the
screen is shared, the finger of the other player comes down in the other half at the same time, where there is nothing
to touch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame

from companion.app.app import App
from companion.scenes.table.board_table import BoardTable
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown
from tests.companion.fingers import LATER_S, Fingers

GRID = 12
LOOK_S, SEEN_S = 0.05, 600.0

Place = tuple[float, float]


class Recording(Fingers):
    """Fingers that write into a folder."""

    def __init__(self, app: App, size_px: tuple[int, int], folder: Path) -> None:
        self._folder = folder
        super().__init__(app, size_px, looks=False)
        self._taps = (folder / "taps.jsonl").open("w", encoding="utf-8")
        self._keep_picture()

    def _touch(self, shown_pane: Shown, target: Target) -> None:
        places = [self._on_display(self._place(shown_pane, target))]
        places += [self._on_display(place) for place in self._idle_places(shown_pane)][:1]
        self.window.now_s += LATER_S
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            for finger, (x, y) in enumerate(places):
                touch = self.window.reader.read(pygame.event.Event(kind, x=x, y=y, finger_id=finger))
                assert touch is not None
                self.window.handle(touch)
        self._keep(places)

    def wait_for(self, shown: Callable[[], bool]) -> None:
        """Let time go by until this is shown: a touch without a finger."""
        until_s = time.monotonic() + SEEN_S
        while not shown():
            assert time.monotonic() < until_s, "it is never shown"
            time.sleep(LOOK_S)
            self.window.now_s += LOOK_S
            self.app.tick(self.window.now_s)
            self.window.refresh()
        self._keep([])

    def _idle_places(self, touched: Shown) -> Iterator[Place]:
        """Places of another player's half where nothing can be touched."""
        for shown_pane in self.window.shown:
            if not shown_pane.pane.seat or shown_pane.pane.seat == touched.pane.seat or not touched.pane.seat:
                continue
            box = shown_pane.pane.rect_px
            for step in range(GRID * GRID):
                down, across = divmod(step, GRID)
                place = box.x + box.w * (across + 0.5) / GRID, box.y + box.h * (down + 0.5) / GRID
                if shown_pane.target_at(place) is None:
                    yield place

    def _keep(self, places: list[Place]) -> None:
        self.touches += 1
        self.window.refresh()
        table = self.app.table
        steps = len(table.match.steps) if isinstance(table, BoardTable) else 0
        self._taps.write(json.dumps({"fingers": places, "steps": steps}) + "\n")
        self._keep_picture()

    def _keep_picture(self) -> None:
        pygame.image.save(self.window.display, self._folder / f"{self.touches}.png")

    def close(self) -> None:
        """End the list."""
        self._taps.close()
