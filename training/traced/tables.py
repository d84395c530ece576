"""Render path-traced tables of a real board: `python -m training.traced.tables OUT sengoku-rivers --first 960001`.

Each is a folder as `vision.simulation.tables.make_table` writes it, to measure the eye with; with `--held` it is drawn
from ranges that training never draws from. `--light FOLDER` has its empty board and its start written there as well, as
seen in another light, for `benchmarks.eye.other_light`. Needs `mitsuba` and `pyoidn`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.eye.boards import marks_for
from companion.perception.adapters import plan_of
from engine.orders.board import Board, load_board
from training.traced.lifelike import Captures, in_other_light, lifelike
from training.traced.looks import random_setup
from training.traced.studio import Plate, TracedStudio
from training.traced.tracer import decoded_exr
from vision.simulation.tables import TableShots, save_calibration, save_table

PLATE = Plate((1120, 840), 8)


@dataclass(frozen=True, slots=True)
class Kind:
    """How many frames tables have, whether they are held back, where captures are, where another light goes."""

    frames: int
    held: bool = False
    captured: Path | None = None
    light: Path | None = None


def make_traced(seed: int, board: Board, folder: Path, kind: Kind) -> None:
    """Write one table to a folder, and its empty board and its start in another light where that is wanted."""
    plan, marks = plan_of(board), marks_for(board, seed)
    setup, held = random_setup(seed, plan, kind.held), kind.held
    captures = None if kind.captured is None else Captures(kind.captured, decoded_exr, held)
    if captures is not None:
        setup = lifelike(setup, plan, captures, held)
    studio = TracedStudio(plan, setup, marks, PLATE)
    shots = TableShots(studio, setup.manner, seed, tuple(marks.slots.values()))
    if kind.light is not None:
        other = studio.in_light_of(in_other_light(setup, np.random.default_rng([seed, 51]), captures, held))
        save_calibration(replace(shots, studio=other), kind.light / folder.name)
    save_table(shots, folder, f"path traced, seed {seed}", kind.frames)


def main() -> None:
    """Render the tables that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("board", type=load_board, help="a board's name, such as sengoku-rivers")
    parser.add_argument("--first", type=int, default=960001)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--held", action="store_true", help="draw from ranges that training never draws from")
    parser.add_argument("--captured", type=Path, help="a folder of captures: tables nearer to photographs")
    parser.add_argument("--light", type=Path, help="where the empty boards and the starts in another light go")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    for seed in range(wanted.first, wanted.first + wanted.tables):
        folder = wanted.out / f"{wanted.board.name}-t{seed}"
        if not (folder / "truth.json").exists():
            make_traced(seed, wanted.board, folder, Kind(wanted.frames, wanted.held, wanted.captured, wanted.light))


if __name__ == "__main__":
    main()
