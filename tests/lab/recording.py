"""A whole game of Rivers by fingers on a screen that isn't there: what is touched, and what the screen shows then.

python -m tests.lab.recording SETTINGS FOLDER WIDTHxHEIGHT writes FOLDER/taps.jsonl, a line for each touch;
FOLDER/N.png, the display after touch N (0: before the first); and FOLDER/game.jsonl, the saved game. The app is the
appliance's with this file of settings, before its first game. Where the screen is shared, the finger of the other
player comes down in the other half at the same time, where there is nothing to touch.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame

from companion import bootstrap
from companion.app.app import App
from companion.scenes.table.board_table import BoardTable
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown
from tests.companion.driver import Driver
from tests.companion.fingers import LATER_S, Fingers, own_place
from tests.companion.sample_games import BOARD

SEED = 7  # one of the shortest games: some hundred touches
GRID = 12

Place = tuple[float, float]


class Recording(Fingers):
    """Fingers that keep what they touch and what they see after it."""

    def __init__(self, app: App, size_px: tuple[int, int], folder: Path) -> None:
        self._folder = folder
        super().__init__(app, size_px, looks=False)
        self._taps = (folder / "taps.jsonl").open("w", encoding="utf-8")
        self._keep_picture()

    def _touch(self, one: Shown, target: Target) -> None:
        places = [self._on_display(self._place(one, target))]
        places += [self._on_display(place) for place in self._idle_places(one)][:1]
        self.window.now_s += LATER_S
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            for finger, (x, y) in enumerate(places):
                touch = self.window.reader.read(pygame.event.Event(kind, x=x, y=y, finger_id=finger))
                assert touch is not None
                self.window.handle(touch)
        self.touches += 1
        self.window.refresh()
        table = self.app.table
        steps = len(table.match.steps) if isinstance(table, BoardTable) else 0
        self._taps.write(json.dumps({"fingers": places, "steps": steps}) + "\n")
        self._keep_picture()

    def _idle_places(self, touched: Shown) -> Iterator[Place]:
        """Places of another player's half where nothing can be touched."""
        for one in self.window.shown:
            if not one.pane.seat or one.pane.seat == touched.pane.seat or not touched.pane.seat:
                continue
            box = one.pane.rect_px
            for step in range(GRID * GRID):
                down, across = divmod(step, GRID)
                place = box.x + box.w * (across + 0.5) / GRID, box.y + box.h * (down + 0.5) / GRID
                if one.target_at(place) is None:
                    yield place

    def _keep_picture(self) -> None:
        pygame.image.save(self.window.display, self._folder / f"{self.touches}.png")

    def close(self) -> None:
        """End the list."""
        self._taps.close()


def record(folder: Path, size_px: tuple[int, int]) -> None:
    """Play the game."""

    def show(app: App, wished_px: tuple[int, int] | None) -> int:
        del wished_px
        fingers = Recording(app, size_px, folder)
        driver = Driver(fingers, SEED)
        driver.begin(BOARD)
        match = driver.match
        driver.play()
        match.close()
        fingers.close()
        shutil.copyfile(match.path, folder / "game.jsonl")
        return 0

    bootstrap.play(argparse.Namespace(table=None, camera=None, size=None, game=None, demo=False), show)


def main() -> None:
    """Record into an empty folder."""
    settings, folder, size = sys.argv[1:]
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", GUNBAI_APPLIANCE="1")
    place = Path(folder)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    own_place(place / "own")
    os.environ["GUNBAI_SETTINGS"] = settings
    width, height = size.split("x")
    record(place, (int(width), int(height)))


if __name__ == "__main__":
    main()
