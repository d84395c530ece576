"""What is played here first, on a screen that isn't there, and then in the machine by the same touches.

python -m tests.lab.plays WHAT SETTINGS FOLDER WIDTHxHEIGHT writes into FOLDER what `tests.lab.recording` keeps, and
game.jsonl, the saved game. The app is the appliance's with this file of settings. WHAT is one of:

- whole: a whole game of Rivers, the first that is played here.
- alone: a turn against Gunbai and the one that it takes then, in a game that was saved before: begun.jsonl.
- seen: in a game that was saved before, a turn that a camera sees and a touch confirms. lab.table is the table's file,
  seen/0.png what the camera sees at first, seen/1.png after the turn.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2

from companion import bootstrap
from companion.app.app import App
from companion.core.storage import games_dir
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.table.board_table import BoardTable
from companion.thinking.thought import InlineThinking
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Deploy
from tests.companion.driver import Driver
from tests.companion.equip import equip
from tests.companion.fingers import own_place
from tests.companion.orders.solo.playing import SoloDriver, request
from tests.companion.sample_games import BOARD, BONUSES
from tests.lab.recording import Recording
from tests.lab.trial import BEGUN

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
