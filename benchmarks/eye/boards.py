"""How well the eye reads other boards: `python -m benchmarks.eye.boards OUT --board wwii-island --tables 3`.

Draws tables of a board that comes with the engine, of seeds that nothing was trained or fitted on, into OUT, and
measures the eye on them as `gunbai bench` does. Tables that are there already are not drawn again.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.eye.evaluate import reliability
from companion.demo.table import marks_of
from companion.perception.adapters import plan_of
from companion.terminal.bench import miss_text, open_source, tally_of, tally_text
from engine.orders.board import Board, load_board
from vision.scoring import Tally
from vision.simulation.board_art import BoardMarks
from vision.simulation.tables import make_table

FIRST, FRAMES = 910_001, 8


def marks_for(board: Board, seed: int) -> BoardMarks:
    """Return what the board prints; its bonus slots lie a little elsewhere on each table."""
    marks, rng = marks_of(board), np.random.default_rng([seed, 45])
    aside = {name: rng.uniform([-12, 8], [12, 16]) for name in marks.slots}
    slots = {name: (float(at[0] + aside[name][0]), float(at[1] + aside[name][1])) for name, at in marks.slots.items()}
    return replace(marks, slots=slots)


def main() -> None:
    """Draw and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--board", required=True)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--list", action="store_true", help="name every wrong area")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    board = load_board(wanted.board)
    plan, total = plan_of(board), Tally()
    for seed in range(wanted.first, wanted.first + wanted.tables):
        folder = wanted.out / f"{board.name}-d{seed}"
        if not (folder / "truth.json").exists():
            make_table(seed, plan, folder, marks_for(board, seed), FRAMES)
        tally = tally_of(open_source(folder))
        print(tally_text(f"{seed}", tally), flush=True)
        if wanted.list:
            print(*(miss_text(f"{seed}", miss) for miss in tally.wrong), sep="\n", flush=True)
        total.add(tally)
    print(tally_text("all tables", total))
    print("\n".join(reliability(total)))


if __name__ == "__main__":
    main()
