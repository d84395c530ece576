"""What the eye makes of chips in colours that the board doesn't have: `python -m benchmarks.eye.strange [--tables 8]`.

Drawn tables of the Rivers board, two frames each, with discs of other colours in empty areas. A chip may be told as
something of neither side, asked about, or overlooked; counted as a side's for sure is what must never happen.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.eye.boards import marks_for
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.calibration.calibrate import calibrate
from vision.reading.count import SURE
from vision.reading.read import Reading, read
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import Moment, PlacedPiece, Studio
from vision.simulation.tables import TableShots, random_manner, random_pieces

FIRST, FRAMES, CHIPS = 940_001, 2, 5
COLOURS_BGR = {
    "green": (50.0, 130.0, 45.0),
    "white": (225.0, 230.0, 230.0),
    "blue": (170.0, 90.0, 40.0),
    "yellow": (40.0, 190.0, 225.0),
    "violet": (150.0, 60.0, 120.0),
}


def fate_of(area: str, reading: Reading) -> str:
    """Name what became of the one chip in an area that is empty but for it."""
    sure = area not in reading.unreadable and reading.confidence[area] >= SURE
    if area in reading.strange:
        return "told as of neither side"
    if sure:
        return "counted as a side's, for sure" if reading.units.get(area) else "overlooked"
    return "asked about"


def main() -> None:
    """Draw, read, and print what became of the chips."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--first", type=int, default=FIRST)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    board = load_board("sengoku-rivers")
    plan, fates = plan_of(board), {colour: Counter[str]() for colour in COLOURS_BGR}
    for seed in range(wanted.first, wanted.first + wanted.tables):
        scene, rng = random_scene(seed, plan), np.random.default_rng([seed, 1])
        manner = random_manner(seed, scene.look)
        look = replace(scene.look, bgr=(*scene.look.bgr, *COLOURS_BGR.items()))
        studio = Studio(plan, replace(scene, look=look), marks_for(board, seed))
        shots = TableShots(studio, manner, seed)
        empty = shots.reference()
        table = calibrate(empty.picture, plan, empty.truth["corners_px"], shots.start().picture)
        for frame in range(FRAMES):
            pieces = random_pieces(plan, rng, manner.habits)
            full = {piece.area for piece in pieces}
            free = [area for area in plan.areas if area.name not in full]
            some = rng.permutation(len(free))[:CHIPS]
            chips = {free[int(index)].name: str(rng.choice(list(COLOURS_BGR))) for index in some}
            placed = [
                PlacedPiece("troop", colour, area, plan.area(area).centres_mm[0]) for area, colour in chips.items()
            ]
            reading = read(table, studio.shoot([*pieces, *placed], Moment(seed=seed + frame)).picture)
            for area, colour in chips.items():
                fates[colour][fate_of(area, reading)] += 1
    for colour, counts in fates.items():
        print(
            f"{colour:7} {sum(counts.values()):3} chips: "
            + ", ".join(f"{n} {fate}" for fate, n in counts.most_common())
        )


if __name__ == "__main__":
    main()
