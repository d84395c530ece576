"""What confirmed turns are worth: `python -m benchmarks.learning FOLDER --plan BOARD.json [--turns 10]`.

FOLDER holds tables as `benchmarks.eye_evaluate` reads them. At each table the first frames are turns that people
confirm; the rest is read without and with what they taught. Prints, a line each: areas right, expected calibration
error, silent errors (wrong at 0.9 or more), the share that is sure; last, the tables where silent errors grew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.eye_evaluate import calibration_error, plan_of_facts
from vision.calibration.calibrate import calibrate
from vision.frame import load_picture
from vision.plan import BoardPlan
from vision.reading.count import SURE
from vision.reading.experience import Experience
from vision.reading.read import Reading, read

Answers = list[tuple[float, bool]]


def readings(folder: Path, plan: BoardPlan) -> Iterator[tuple[Reading, Mapping[str, Any]]]:
    """Each frame of a table as the eye reads it, with its truth."""
    truth = json.loads((folder / "truth.json").read_text())
    corners = json.loads((folder / "table.json").read_text())["corners_px"]
    pictures = (load_picture(folder / f"{name}.jpg") for name in ("reference", "start"))
    table = calibrate(next(pictures), plan, corners, next(pictures))
    for name in sorted(set(truth) - {"start"}):
        yield read(table, load_picture(folder / f"{name}.jpg")), truth[name]


def answers(reading: Reading, truth: Mapping[str, Any]) -> Answers:
    """(confidence, right) for each area that can be seen."""
    hidden = {*truth.get("occluded", []), *reading.unreadable}
    return [
        (sure, (reading.units.get(area) or {}) == (truth["units"].get(area) or {}))
        for area, sure in reading.confidence.items()
        if area not in hidden
    ]


def silent(found: Answers) -> int:
    """How many are wrong and sure."""
    return sum(sure >= SURE and not right for sure, right in found)


def row(name: str, found: Answers) -> str:
    """The figures as a line."""
    sure, right = np.array([one[0] for one in found]), np.array([one[1] for one in found])
    return (
        f"{name:8} areas {100 * right.mean():6.2f}% of {len(found)}  calibration error {calibration_error(found):.4f}  "
        f"silent {silent(found):3}  sure {100 * (sure >= SURE).mean():.1f}%"
    )


def session(frames: Sequence[tuple[Reading, Mapping[str, Any]]], turns: int) -> tuple[Answers, Answers]:
    """The answers after so many confirmed turns: without and with what they taught."""
    known = Experience()
    for reading, truth in frames[:turns]:
        known = known.learned(reading, truth["units"])
    rest = frames[turns:]
    plain = [one for reading, truth in rest for one in answers(reading, truth)]
    return plain, [one for reading, truth in rest for one in answers(known.refined(reading), truth)]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=10)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    plan = plan_of_facts(json.loads(options.plan.read_text()))
    before, after, worse = Answers(), Answers(), list[str]()
    truths = sorted(options.folder.glob("**/truth.json"))
    if not truths:
        parser.error(f"{options.folder}: no truth.json in it")
    for truth in truths:
        plain, learned = session(list(readings(truth.parent, plan)), options.turns)
        before, after = before + plain, after + learned
        if silent(learned) > silent(plain):
            worse.append(truth.parent.name)
    print(row("before", before))
    print(row("after", after))
    print("silent errors grew at:", ", ".join(worse) or "no table")
    return 0


if __name__ == "__main__":
    sys.exit(main())
