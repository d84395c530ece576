"""What confirmed turns are worth: `python -m benchmarks.eye.learning FOLDER [--turns 10]`.

FOLDER holds tables as `gunbai bench` reads them. At each table the first frames are turns that people
confirm; the rest is read without and with what they taught. Prints, a line each: areas right, expected calibration
error, silent errors (wrong at 0.9 or more), the share that is sure; last, the tables where silent errors grew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from benchmarks.eye.evaluate import calibration_error
from companion.terminal.bench import open_source, sources_in
from vision.reading.count import SURE
from vision.reading.experience import Experience
from vision.reading.read import Reading
from vision.scoring import Truth

Answers = list[tuple[float, bool]]


def readings(source: Path) -> list[tuple[Reading, Truth]]:
    """Read each frame of a table; return the readings with their truths."""
    return [(reading, frame.truth) for frame, reading in open_source(source).readings()]


def answers(reading: Reading, truth: Truth) -> Answers:
    """Return (confidence, right) for each area that can be seen."""
    hidden = {*truth.covered, *reading.unreadable}
    return [
        (sure, (reading.units.get(area) or {}) == (truth.units.get(area) or {}))
        for area, sure in reading.confidence.items()
        if area not in hidden
    ]


def silent(found: Answers) -> int:
    """Count the answers that are wrong and sure."""
    return sum(sure >= SURE and not right for sure, right in found)


def row(name: str, found: Answers) -> str:
    """Format the figures as one line."""
    sure, right = np.array([sure for sure, _ in found]), np.array([right for _, right in found])
    return (
        f"{name:8} areas {100 * right.mean():6.2f}% of {len(found)}  calibration error {calibration_error(found):.4f}  "
        f"silent {silent(found):3}  sure {100 * (sure >= SURE).mean():.1f}%"
    )


def session(frames: Sequence[tuple[Reading, Truth]], turns: int) -> tuple[Answers, Answers]:
    """Return the answers after so many confirmed turns: without and with what those turns taught."""
    known = Experience()
    for reading, truth in frames[:turns]:
        known = known.learned(reading, truth.units)
    rest = frames[turns:]
    plain = [answer for reading, truth in rest for answer in answers(reading, truth)]
    return plain, [answer for reading, truth in rest for answer in answers(known.refined(reading), truth)]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.learning")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=10)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    before, after, worse = Answers(), Answers(), list[str]()
    for source in sources_in(options.folder):
        plain, learned = session(readings(source), options.turns)
        before, after = before + plain, after + learned
        if silent(learned) > silent(plain):
            worse.append(source.name)
    print(row("before", before))
    print(row("after", after))
    print("silent errors grew at:", ", ".join(worse) or "no table")
    return 0


if __name__ == "__main__":
    sys.exit(main())
