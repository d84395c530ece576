"""Render path-traced training tables to a folder: `python -m training.traced.render OUT --first 100000 --tables 900`.

The files are those of `training.render`, so that `training.train` can mix both. Needs `mitsuba` and `pyoidn`.
`--captured FOLDER` makes tables nearer to photographs, with the captures of that folder (`training/README.md`).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from training.boards import random_board
from training.render import LIGHTS, game_of, main, photograph
from training.traced.lifelike import Captures, in_other_light, lifelike
from training.traced.looks import random_setup
from training.traced.studio import Plate, TracedStudio
from training.traced.tracer import decoded_exr
from vision.simulation.tables import TableShots

PLATES = tuple(Plate(size, 6, board_only=True) for size in ((960, 720), (1200, 900)))


def render_table(seed: int, frames: int, captured: Path | None = None) -> dict[str, Any]:
    """Render one training table, nearer to photographs with a folder of captures; return its arrays by name."""
    plan, marks = random_board(seed, game_of(seed))
    setup = random_setup(seed, plan)
    captures = None if captured is None else Captures(captured, decoded_exr)
    if captures is not None:
        setup = lifelike(setup, plan, captures)
    studio = TracedStudio(plan, setup, marks, PLATES[seed % len(PLATES)])
    shots = TableShots(studio, setup.manner, seed, tuple(marks.slots.values()))
    rng = np.random.default_rng([seed, 51])
    others = [studio.in_light_of(in_other_light(setup, rng, captures)) for _ in range(LIGHTS - 1)]
    return photograph(shots, others, seed, frames)


if __name__ == "__main__":
    option = argparse.ArgumentParser(add_help=False)
    option.add_argument("--captured", type=Path)
    known, sys.argv[1:] = option.parse_known_args()
    main(partial(render_table, captured=known.captured), __doc__)
