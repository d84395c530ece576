"""Render path-traced training tables to a folder: `python -m training.traced.render OUT --first 100000 --tables 900`.

The files are those of `training.render`, so that `training.train` can mix both. Needs `mitsuba` and `pyoidn`.
"""

from __future__ import annotations

from typing import Any

from training.boards import random_board
from training.render import game_of, main, photograph
from training.traced.looks import random_setup
from training.traced.studio import Plate, TracedStudio
from vision.simulation.tables import TableShots

PLATES = tuple(Plate(size, 6, board_only=True) for size in ((960, 720), (1200, 900)))


def render_table(seed: int, frames: int) -> dict[str, Any]:
    """The arrays of one training table."""
    plan, marks = random_board(seed, game_of(seed))
    setup = random_setup(seed, plan)
    studio = TracedStudio(plan, setup, marks, PLATES[seed % len(PLATES)])
    shots = TableShots(studio, setup.manner, seed, tuple(marks.slots.values()))
    return photograph(shots, seed, frames)


if __name__ == "__main__":
    main(render_table, __doc__)
