"""The figures of `gunbai bench`, and how far confidence can be trusted: `python -m benchmarks.eye.evaluate FOLDER`.

FOLDER holds tables as `gunbai bench` reads them. Prints its figures and, over all tables, how often areas are right by
how sure the eye was, and how far the board's corners were missed; `--readings FILE` keeps the readings as JSON lines,
`--list` names every wrong area, `--diagram FILE` draws how far confidence can be trusted. `--expect N` weighs each
reading with the expectation of a game that stood N areas apart from the truth, as before a turn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.errors import CompanionError
from companion.perception.adapters import reading_json
from companion.terminal.bench import Frame, KnownTable, miss_text, open_source, sources_in, tally_text
from engine.errors import EngineError
from vision.errors import VisionError
from vision.frame import fit_to_size, picture_of
from vision.geometry import Matrix, Picture, apply
from vision.plan import BoardPlan
from vision.reading.experience import with_expectation
from vision.reading.setting import prepare_table
from vision.registration.register import register
from vision.scoring import Tally, score_frame
from vision.table import Table

STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)
SIDE_PX, EDGE_PX = 480, 60
INK, FAINT, LINE = (60, 50, 40), (215, 210, 205), (60, 70, 190)
FONT = cv2.FONT_HERSHEY_SIMPLEX

Pairs = Sequence[tuple[float, bool]]


def corner_error_mm(known: KnownTable, frame: Frame) -> float | None:
    """Return how far, in mm, a frame's true corners are from where the start's picture has them; None if unknown.

    Infinitely far where the board is not found in one of them.
    """
    if known.start is None or known.start.truth.corners_px is None or frame.truth.corners_px is None:
        return None
    first, now = (_corners_mm(known.table, source.data(), source.truth.corners_px) for source in (known.start, frame))
    return float(np.linalg.norm(now - first, axis=1).max())


def _corners_mm(table: Table, data: bytes, corners_px: Matrix | None) -> Matrix:
    """Return where a picture's true corners are on the board, (4, 2); infinitely far if the board isn't found."""
    picture = picture_of(data, "the frame")
    found = register(prepare_table(table).anchors, fit_to_size(picture, table.picture_size, "the frame"))
    if found is None or corners_px is None:
        return np.full((4, 2), np.inf)
    corners = corners_px * (table.picture_size[0] / picture.shape[1])
    return apply(table.board_from_reference @ found.reference_from_frame, corners)


def units_before_turn(units: Mapping[str, Any], plan: BoardPlan, apart: int, seed: int) -> dict[str, Any]:
    """Return units as they may have stood before a turn: `apart` areas have a unit more or fewer."""
    rng = np.random.default_rng(seed)
    found: dict[str, Any] = {area: {f: dict(kinds) for f, kinds in held.items()} for area, held in units.items()}
    areas = [area for area in plan.areas if plan.unit_kinds(area)]
    for index in rng.permutation(len(areas))[:apart]:
        area = areas[int(index)]
        held = found.setdefault(area.name, {})
        faction = next(iter(held), str(rng.choice(plan.factions)))
        kind = plan.unit_kinds(area)[0]
        count = held.get(faction, {}).get(kind, 0)
        now = count + 1 if count == 0 or rng.random() < 0.5 else count - 1
        held[faction] = {**held.get(faction, {}), kind: now}
    return found


def measure(known: KnownTable, lines: list[str], apart: int | None = None) -> tuple[Tally, list[float]]:
    """Measure a table; return its tally and the errors of its corners, and append each reading's JSON to `lines`.

    apart: weigh readings with the expectation of a game that many areas apart from the truth.
    """
    tally, plan, corner_mm = Tally(), known.table.plan, list[float]()
    for frame, reading in known.readings():
        weighed = reading
        if apart is not None:
            weighed = with_expectation(reading, units_before_turn(frame.truth.units, plan, apart, len(lines)))
        tally.add(score_frame(weighed, frame.truth, plan, frame.name))
        error = corner_error_mm(known, frame)
        corner_mm += [] if error is None else [error]
        lines.append(json.dumps(reading_json(str(frame.picture), weighed)))
    return tally, corner_mm


def reliability(tally: Tally) -> list[str]:
    """Return lines that tell how often areas are right by how sure the eye was, and last the mean error."""
    lines = [
        f"sure {step.low:.2f} to {step.high:.2f}: {step.areas:5} areas, said {step.said:.3f}, right {step.right:.3f}"
        for step in steps_of(tally.answers)
    ]
    return [*lines, f"expected calibration error {calibration_error(tally.answers):.4f}"]


# ---- how far confidence can be trusted ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """The areas whose confidence lies between `low` and `high`: how many, how sure on average, what share was right."""

    low: float
    high: float
    areas: int
    said: float
    right: float


def steps_of(pairs: Pairs) -> list[Step]:
    """Gather (confidence, right) pairs into steps, leaving out empty ones."""
    found = []
    for low, high in pairwise(STEPS):
        within = [pair for pair in pairs if low <= pair[0] < high]
        if within:
            said, right = (float(np.mean([pair[k] for pair in within])) for k in (0, 1))
            found.append(Step(low, min(high, 1.0), len(within), said, right))
    return found


def calibration_error(pairs: Pairs) -> float:
    """Return the expected calibration error over the steps of `steps_of` (Naeini et al., 2015)."""
    return sum(abs(step.said - step.right) * step.areas for step in steps_of(pairs)) / max(len(pairs), 1)


def _px(x: float, y: float) -> tuple[int, int]:
    return round(EDGE_PX + x * SIDE_PX), round(EDGE_PX + (1 - y) * SIDE_PX)


def diagram(pairs: Pairs) -> Picture:
    """Draw a reliability diagram, (600, 600, 3) BGR: a point for each step, with its number of areas."""
    picture = np.full((SIDE_PX + 2 * EDGE_PX, SIDE_PX + 2 * EDGE_PX, 3), 255, np.uint8)
    for tenth in range(0, 11, 2):
        share = tenth / 10
        cv2.line(picture, _px(share, 0), _px(share, 1), FAINT, 1)
        cv2.line(picture, _px(0, share), _px(1, share), FAINT, 1)
        for at, shift in ((_px(share, 0), (-12, 22)), (_px(0, share), (-38, 5))):
            place = (at[0] + shift[0], at[1] + shift[1])
            cv2.putText(picture, f"{share:.1f}", place, FONT, 0.45, INK, 1, cv2.LINE_AA)
    cv2.line(picture, _px(0, 0), _px(1, 1), LINE, 2, cv2.LINE_AA)
    for step in steps_of(pairs):
        radius = round(4 + 1.6 * np.log(step.areas))
        cv2.circle(picture, _px(step.said, step.right), radius, INK, -1, cv2.LINE_AA)
        place = (_px(step.said, step.right)[0] - radius - 40, _px(step.said, step.right)[1] + 18)
        cv2.putText(picture, str(step.areas), place, FONT, 0.4, INK, 1, cv2.LINE_AA)
    cv2.putText(picture, "said", _px(0.46, -0.1), FONT, 0.55, INK, 1, cv2.LINE_AA)
    cv2.putText(picture, "right", (8, _px(0, 1.06)[1]), FONT, 0.55, INK, 1, cv2.LINE_AA)
    return picture


# ---- the command --------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return 0, or 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.evaluate")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readings", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--diagram", type=Path, help="a picture of how far confidence can be trusted")
    parser.add_argument("--expect", type=int, metavar="N")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    total, lines, corner_mm = Tally(), list[str](), list[float]()
    try:
        for source in sources_in(options.folder):
            tally, errors = measure(open_source(source), lines, options.expect)
            print(tally_text(source.name, tally), flush=True)
            if options.list:
                print(*(miss_text(source.name, miss) for miss in tally.wrong), sep="\n", flush=True)
            total.add(tally)
            corner_mm += errors
    except (OSError, CompanionError, EngineError, VisionError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    print(tally_text("all tables", total))
    print("\n".join(reliability(total)))
    if corner_mm:
        print(f"corners within {max(corner_mm):.2f} mm, {np.mean(corner_mm):.2f} mm on average")
    if options.diagram:
        cv2.imwrite(str(options.diagram), diagram(total.answers))
    if options.readings:
        options.readings.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
