"""Render path-traced tables of a real board: `python -m training.traced.tables OUT sengoku-rivers --first 960001`.

Each is a folder as `vision.simulation.tables.make_table` writes it, to measure the eye with; with `--held` it is drawn
from ranges that training never draws from. Needs `mitsuba` and `pyoidn`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from benchmarks.eye.boards import marks_for
from companion.perception.adapters import plan_of
from engine.orders.board import Board, load_board
from training.traced.captured import Captures
from training.traced.lifelike import lifelike
from training.traced.looks import random_setup
from training.traced.studio import Plate, TracedStudio
from training.traced.tracer import decoded_exr
from vision.simulation.tables import TableShots, save_table

PLATE = Plate((1120, 840), 8)


def make_traced(seed: int, board: Board, folder: Path, how: tuple[int, bool, Path | None]) -> Path:
    """One table in a folder; `how` is the number of frames, whether it is held back, and the folder of captures."""
    frames, held, captured = how
    plan, marks = plan_of(board), marks_for(board, seed)
    setup = random_setup(seed, plan, held)
    if captured is not None:
        setup = lifelike(setup, plan, Captures(captured, decoded_exr, held), held)
    studio = TracedStudio(plan, setup, marks, PLATE)
    shots = TableShots(studio, setup.manner, seed, tuple(marks.slots.values()))
    return save_table(shots, folder, f"path traced, seed {seed}", frames)


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
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    for seed in range(wanted.first, wanted.first + wanted.tables):
        folder = wanted.out / f"{wanted.board.name}-t{seed}"
        if not (folder / "truth.json").exists():
            make_traced(seed, wanted.board, folder, (wanted.frames, wanted.held, wanted.captured))


if __name__ == "__main__":
    main()
