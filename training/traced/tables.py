"""Render path-traced tables of a real board: `python -m training.traced.tables OUT PLAN --first 960001 --tables 6`.

Each is a folder as `vision.simulation.tables.make_table` writes it: to fit scores with, or (`--held`, drawn from ranges
of their own) never to be trained on. PLAN is the board's facts file. Needs `mitsuba` and `pyoidn`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.board_facts import plan_of_facts
from training.traced.captured import Captures
from training.traced.lifelike import lifelike
from training.traced.looks import random_setup
from training.traced.studio import Plate, TracedStudio
from training.traced.tracer import decoded_exr
from vision.simulation.board_art import BoardMarks
from vision.simulation.tables import TableShots, save_table

PLATE = Plate((1120, 840), 8)


def marks_of_facts(facts: Mapping[str, Any], seed: int) -> BoardMarks:
    """What a board prints besides areas and spaces, from its facts; bonus slots lie elsewhere each time."""
    areas = facts["areas"]
    shift = np.random.default_rng([seed, 45]).uniform([-12, 8], [12, 16])
    slots = {area["bonus_slot"]: np.array(area["hex_centres_mm"][0]) + shift for area in areas if area["bonus_slot"]}
    return BoardMarks(
        points={area["id"]: area["vp"] for area in areas if area["vp"]},
        headquarters={area["id"]: area["hq"] for area in areas if area["hq"]},
        ports={area["id"]: tuple(area["ports"]) for area in areas if area["ports"]},
        slots={name: (float(at[0]), float(at[1])) for name, at in slots.items()},
    )


def make_traced(seed: int, facts: Mapping[str, Any], folder: Path, how: tuple[int, bool, Path | None]) -> Path:
    """One table in a folder; `how` is the number of frames, whether it is held back, and the folder of captures."""
    frames, held, captured = how
    plan, marks = plan_of_facts(facts), marks_of_facts(facts, seed)
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
    parser.add_argument("plan", type=Path)
    parser.add_argument("--first", type=int, default=960001)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--held", action="store_true", help="draw from ranges that training never draws from")
    parser.add_argument("--captured", type=Path, help="a folder of captures: tables nearer to photographs")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    facts = json.loads(wanted.plan.read_text())
    for seed in range(wanted.first, wanted.first + wanted.tables):
        folder = wanted.out / f"traced-{seed}"
        if not (folder / "truth.json").exists():
            make_traced(seed, facts, folder, (wanted.frames, wanted.held, wanted.captured))


if __name__ == "__main__":
    main()
