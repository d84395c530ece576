"""What is played here first, on a screen that isn't there, and then in the machine by the same touches.

python -m tests.lab.plays WHAT SETTINGS FOLDER WIDTHxHEIGHT writes into FOLDER what its fingers keep, and
game.jsonl, the saved game. The app is the appliance's with this file of settings. WHAT is one of:

- whole: a whole game of Rivers, the first that is played here.
- alone: a turn against Gunbai and the one that it takes then, in a game that was saved before: begun.jsonl.
- seen: in a game that was saved before, a turn that a camera sees and a touch confirms. lab.table is the table's file,
  seen/0.png what the camera sees at first, seen/1.png after the turn.

In the folder: taps.jsonl, a line for each touch, and N.png, the display after touch N (0: before the first). Where the
screen is shared, the finger of the other player comes down in the other half at the same time, where there is nothing
to touch.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import pygame

from companion import bootstrap
from companion.app.app import App
from companion.core.storage import games_dir
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.table.board_table import BoardTable
from companion.thinking.thought import InlineThinking
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Deploy
from tests.companion.driver import Driver
from tests.companion.equip import equip
from tests.companion.fingers import LATER_S, Fingers, own_place
from tests.companion.orders.solo.playing import SoloDriver, request
from tests.companion.sample_games import BOARD, BONUSES
from tests.lab.trial import BEGUN

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


SEED = 7  # one of the shortest games: some hundred touches
GUNBAIS = "black"  # red begins
TURN = Deploy("advance:c5", moves=(("d5", "troop", 2),))
AFTER = "after.png"


class Sight(NamedTuple):
    """What the app is started with: a camera, and the file of the table that it sees."""

    camera: str | None = None
    table: str | None = None


class Play(NamedTuple):
    """How the folder is filled before the app starts, and what is done then."""

    prepare: Callable[[Path], Sight]
    act: Callable[[Recording, Path], Match]


def play_whole(fingers: Recording, _folder: Path) -> Match:
    """Both players, from the first touch to the last."""
    driver = Driver(fingers, SEED)
    driver.begin(BOARD)
    match = driver.match
    driver.play()
    return match


def begin_alone(folder: Path) -> Sight:
    """Put a game against Gunbai among the saved ones."""
    Match.begin(folder / BEGUN, request(GUNBAIS)).close()
    return Sight()


def play_alone(fingers: Recording, _folder: Path) -> Match:
    """Play a turn of one's own and the one that Gunbai then takes."""
    equip(fingers.app.stage, thinking=InlineThinking())
    fingers.press("Continue last game")
    driver = SoloDriver(fingers, SEED, GUNBAIS)
    while not driver.app_turns:
        driver.play(1)
    return driver.match


def begin_seen(folder: Path) -> Sight:
    """Save a game of two, and lay its start on a table that the eye knows."""
    match = Match.start(folder / BEGUN, BOARD, "red", BONUSES)
    match.close()
    table = SimulatedTable(load_board(BOARD), SEED)
    table.calibrated().save(str(folder / "lab.table"))
    (folder / "seen").mkdir()
    for number, position in enumerate((match.position, game.apply(match.position, TURN))):
        table.lay(position)
        cv2.imwrite(str(folder / f"{AFTER if number else 'seen/0.png'}"), table.photo())
    return Sight(str(folder / "seen"), str(folder / "lab.table"))


def play_seen(fingers: Recording, folder: Path) -> Match:
    """See the start, then a turn on the table, confirm the turn by a touch, and see that the table agrees."""
    stage = fingers.app.stage
    fingers.press("Continue last game")
    table = fingers.app.table
    assert isinstance(table, BoardTable)
    fingers.wait_for(lambda: stage.sense.sign == "sync")
    (folder / AFTER).rename(folder / "seen" / "1.png")
    fingers.wait_for(lambda: isinstance(table.panel, ProposalPanel))
    fingers.tap("take")
    fingers.wait_for(lambda: stage.sense.sign == "sync")
    return table.match


PLAYS = {
    "whole": Play(lambda _folder: Sight(), play_whole),
    "alone": Play(begin_alone, play_alone),
    "seen": Play(begin_seen, play_seen),
}


def record(play: Play, folder: Path, size_px: tuple[int, int]) -> None:
    """Play it."""
    sight = play.prepare(folder)
    if (folder / BEGUN).exists():
        shutil.copyfile(folder / BEGUN, games_dir() / BEGUN)

    def show(app: App, _wished_px: tuple[int, int] | None) -> int:
        fingers = Recording(app, size_px, folder)
        match = play.act(fingers, folder)
        match.close()
        fingers.close()
        shutil.copyfile(match.path, folder / "game.jsonl")
        return 0

    bootstrap.play(argparse.Namespace(size=None, game=None, demo=False, **sight._asdict()), show)


def main() -> None:
    """Record into an empty folder."""
    what, settings, folder, size = sys.argv[1:]
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", GUNBAI_APPLIANCE="1")
    place = Path(folder)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    own_place(place / "own")
    os.environ["GUNBAI_SETTINGS"] = settings
    width, height = size.split("x")
    record(PLAYS[what], place, (int(width), int(height)))


if __name__ == "__main__":
    main()
