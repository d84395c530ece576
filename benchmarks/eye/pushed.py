"""A board that is pushed, or its camera knocked: how long what was read before still stands, until it is read anew.

    python -m benchmarks.eye.pushed [--mm 12] [--tables 8] [--seed 501] [--size 1280x960]

Simulated tables of any kind with a game's pieces on them, frames at the camera's own pace. Each table is pushed at once
by so much, in a direction of its own, and slid there within a second.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, sin, tau
from statistics import median

import cv2

from benchmarks.measuring import BOARDS, size_px
from benchmarks.whole_games.hands import SEEDS_FROM
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import set_up
from companion.demo.table import SimulatedTable
from companion.perception.adapters import compare, plan_of
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.position import Position
from vision.geometry import Picture
from vision.live.camera_process import PAUSE_S, TableEye
from vision.live.watcher import TableWatcher
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import Moment
from vision.simulation.tables import random_manner

STEPS, SLIDE_S, LONGEST_S, SETTLE_S = 25, 1.0, 15.0, 6.0


@dataclass(frozen=True, slots=True)
class Push:
    """What came of a push: seconds until the old reading no longer stood, and until a new one did; None: never.

    wrong: areas that the reading which stands then is sure of and has wrong; areas: how many it has.
    """

    noticed_s: float | None
    anew_s: float | None
    state: str
    wrong: int
    areas: int


def mid_game_position(board_name: str, seed: int) -> Position:
    """Return a position in the middle of a game, nothing owed."""
    initiative, bonuses = set_up(load_board(board_name), seed)
    player, position = Autoplayer(seed), new_game(board_name, initiative, bonuses)
    steps = 0
    while steps < STEPS or position.turn is not None:
        position, steps = game.apply(position, player.step(position)), steps + 1
    return position


class PushedTable:
    """A table that can be pushed under its camera."""

    def __init__(self, number: int, mm: float, size: tuple[int, int]) -> None:
        name = BOARDS[(number - 1) % len(BOARDS)]
        board, seed = load_board(name), SEEDS_FROM + number
        scene = random_scene(seed, plan_of(board), size)
        self.name, self.position = f"{name}-{number}", mid_game_position(name, number)
        self._simulated = SimulatedTable(board, seed, False, scene, random_manner(seed, scene.look).habits)
        self.table = self._simulated.calibrated()
        self._simulated.lay(self.position)
        self._way = mm * cos(tau * number / 8 + 0.3), mm * sin(tau * number / 8 + 0.3)
        self._seed = seed

    def picture(self, part: float) -> Picture:
        """Return the picture once the camera is so far on its way, 0 to 1."""
        x, y = self._way
        moment = Moment(seed=self._seed, shift_mm=(x * part, y * part))
        return self._simulated.studio.shoot(self._simulated.pieces, moment).picture

    def push(self, slide_s: float) -> Push:
        """Push it within this time, and watch until it is read anew."""
        watcher = TableWatcher(self.table, TableEye(self.table))
        before, reading = self.picture(0.0), None
        for frame in range(round(SETTLE_S / PAUSE_S)):
            update = watcher.see(before, frame * PAUSE_S)
            reading = update.settled.reading if update.settled is not None else reading
        now_s = began_s = SETTLE_S
        noticed_s = anew_s = None
        for picture in self._slide(slide_s):
            now_s += PAUSE_S
            update = watcher.see(picture, now_s)
            if noticed_s is None and (update.state != "settled" or update.settled is not None):
                noticed_s = now_s - began_s
            reading = update.settled.reading if update.settled is not None else reading
            if noticed_s is not None and update.state == "settled" and now_s - began_s > slide_s:
                anew_s = now_s - began_s - slide_s
                break
        differences = () if reading is None else compare(self.position, reading)
        found = [difference for difference in differences if ":" not in difference.area]
        return Push(
            noticed_s, anew_s, watcher.state, sum(difference.state == "differs" for difference in found), len(found)
        )

    def _slide(self, slide_s: float) -> Iterator[Picture]:
        frames = round(slide_s / PAUSE_S)
        for frame in range(1, frames):
            yield self.picture(frame / frames)
        end = self.picture(1.0)
        for _frame in range(round(LONGEST_S / PAUSE_S)):
            yield end


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mm", type=float, default=12.0)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=501)
    parser.add_argument("--size", default="1280x960")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for how, slide_s in (("at once", 0.0), ("slid in a second", SLIDE_S)):
        pushes = list[Push]()
        for number in range(options.seed, options.seed + options.tables):
            table = PushedTable(number, options.mm, size_px(options.size))
            push = table.push(slide_s)
            pushes.append(push)
            told = f"noticed {push.noticed_s} s, anew {push.anew_s} s, {push.state}"
            print(f"{table.name:22} {how:18} {told}, {push.wrong} of {push.areas} areas surely wrong", flush=True)
        for name, times in (
            ("noticed", [push.noticed_s for push in pushes]),
            ("read anew", [push.anew_s for push in pushes]),
        ):
            known = sorted(time for time in times if time is not None)
            mean = f"median {median(known):.2f} s, worst {known[-1]:.2f} s" if known else "never"
            print(f"{options.mm:g} mm {how}: {name} {len(known)} of {len(times)}, {mean}")


if __name__ == "__main__":
    main()
