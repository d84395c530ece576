"""Measure the eye on tables whose truth is known: `python -m benchmarks.eye_evaluate FOLDER --plan BOARD.json`.

Each table is a folder with reference.jpg, start.jpg, frame-*.jpg, table.json (corners) and truth.json. BOARD.json is a
board's facts or its plan (`vision.plan.plan_text`); a table's own `plan.json` goes before it. Prints, per table, areas
right, frames right, silent errors, refusals, commanders, time, how far the board's corners were missed;
`--readings FILE` keeps the readings as JSON lines, `--list` names every wrong area, `--diagram FILE` draws how far
confidence can be trusted. `--expect N` weighs each reading with the expectation of a game that stood N areas apart from
the truth, as before a turn.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import MOST_BYTES, parse_object
from vision.calibration.calibrate import calibrate
from vision.errors import TableError, VisionError
from vision.frame import fit_to_size, load_picture
from vision.geometry import Matrix, Picture, apply
from vision.plan import BoardPlan, plan_from_data
from vision.reading.count import SURE
from vision.reading.prior import with_expectation
from vision.reading.read import Reading, prepare_table, read
from vision.registration.register import register
from vision.table import Table

STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)
SIDE_PX, EDGE_PX = 480, 60
INK, FAINT, LINE = (60, 50, 40), (215, 210, 205), (60, 70, 190)
FONT = cv2.FONT_HERSHEY_SIMPLEX

Pairs = Sequence[tuple[float, bool]]


@dataclass
class Tally:
    """Sums over frames."""

    frames: int = 0
    frames_right: int = 0
    areas: int = 0
    right: int = 0
    silent: int = 0
    refused_clear: int = 0
    hidden: int = 0
    refused_hidden: int = 0
    commanders: list[int] = field(default_factory=lambda: [0, 0, 0])
    ms: list[float] = field(default_factory=list)
    corner_mm: list[float] = field(default_factory=list)
    confidence: list[tuple[float, bool]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally's sums."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(
                self, name, [a + b for a, b in zip(mine, value, strict=True)] if name == "commanders" else mine + value
            )


def plan_of_file(path: Path) -> BoardPlan:
    """A board's plan from its JSON file: a plan as `vision.plan.plan_text` writes it, or a facts file.

    OSError, TableError where it cannot be read or is none.
    """
    data = _object(path)
    return plan_of_facts(data) if "action_spaces" in data else plan_from_data(data)


def _object(path: Path) -> dict[str, Any]:
    """The object in a JSON file. OSError, TableError."""
    try:
        return parse_object(read_file(path, MOST_BYTES))
    except Unreadable as error:
        raise TableError(f"{path}: {error}") from error


def plan_of_facts(facts: Mapping[str, Any]) -> BoardPlan:
    """A board's plan from a facts file: areas with polygons, action spaces, starting units. TableError."""
    try:
        return plan_from_data(_plan_data(facts))
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError(f"no facts of a board ({error!r})") from error


def _plan_data(facts: Mapping[str, Any]) -> dict[str, Any]:
    areas = [
        {
            "name": area["id"],
            "kind": area["kind"],
            "polygon_mm": area["polygon_mm"],
            "centres_mm": area["hex_centres_mm"],
        }
        for area in facts["areas"]
    ]
    start = [
        (area["id"], area["start"]["faction"], unit, n)
        for area in facts["areas"]
        if area["start"]
        for unit, n in area["start"].items()
        if unit != "faction"
    ]
    return {
        "board": facts["board"],
        "size_mm": facts["size_mm"],
        "areas": areas,
        "spaces": [
            {"name": name, "area": space["area"], "at_mm": space["at_mm"]}
            for name, space in facts["action_spaces"].items()
            if "at_mm" in space
        ],
        "space_side_mm": facts["action_space_hex_side_mm"],
        "factions": sorted({faction for _, faction, _, _ in start}, reverse=True),
        "units": [("land", ["troop"]), ("water", ["ship"])],
        "start": start,
        "most": [("land", 5), ("water", 3)],
        "shared": False,
    }


def _flat(units: Mapping[str, Mapping[str, int]] | None) -> dict[tuple[str, str], int]:
    return {(f, u): n for f, us in (units or {}).items() for u, n in us.items() if n}


def judge_frame(reading: Reading, truth: Mapping[str, Any], areas: Sequence[str], name: str) -> Tally:
    """One frame's tally against its truth."""
    tally, whole = Tally(frames=1, areas=len(areas), ms=[reading.ms]), True
    hidden = set(truth.get("occluded", []))
    for area in areas:
        want, got = _flat(truth["units"].get(area)), _flat(reading.units.get(area))
        refused = area in reading.unreadable
        right = refused if area in hidden and refused else want == got and not refused
        tally.right += right
        tally.hidden += area in hidden
        tally.refused_hidden += area in hidden and refused
        tally.refused_clear += area not in hidden and refused
        tally.silent += not right and not refused and reading.confidence[area] >= SURE
        whole = whole and (right or area in hidden)
        if not refused:
            tally.confidence.append((reading.confidence[area], bool(right)))
        if not right:
            tally.wrong.append(
                f"{name} {area}: want {want} got {'unreadable' if refused else got} {reading.confidence[area]}"
            )
    tally.frames_right += whole
    _judge_commanders(tally, reading, truth, name)
    return tally


def _judge_commanders(tally: Tally, reading: Reading, truth: Mapping[str, Any], name: str) -> None:
    hidden = set(truth.get("occluded", []))
    want = {pair for pair in truth["commanders"].items() if pair[0].split(":")[-1] not in hidden}
    got = {pair for pair in reading.commanders.items() if pair[0].split(":")[-1] not in hidden}
    tally.commanders = [len(want & got), len(got), len(want)]
    tally.wrong += [f"{name} missed commander {pair}" for pair in sorted(want - got)]
    tally.wrong += [f"{name} false commander {pair}" for pair in sorted(got - want)]


def corner_error_mm(table: Table, frame: Picture, truth: Mapping[str, Any], first: Matrix) -> float:
    """How far, in mm, the true corners of a frame land from where those of the starting picture landed."""
    return float(np.linalg.norm(_corners_mm(table, frame, truth) - first, axis=1).max())


def _corners_mm(table: Table, frame: Picture, truth: Mapping[str, Any]) -> Matrix:
    """(4, 2) where a frame's true corners land on the board; infinitely far where the board is not found in it."""
    found = register(prepare_table(table).anchors, fit_to_size(frame, table.picture_size, "the frame"))
    if found is None:
        return np.full((4, 2), np.inf)
    corners = np.asarray(truth["corners_px"], np.float64) * (table.picture_size[0] / frame.shape[1])
    return apply(table.board_from_reference @ found.reference_from_frame, corners)


def units_before_turn(units: Mapping[str, Any], plan: BoardPlan, apart: int, seed: int) -> dict[str, Any]:
    """Units as they may have stood before a turn: `apart` areas have a unit more or less."""
    rng = np.random.default_rng(seed)
    found: dict[str, Any] = {area: {f: dict(kinds) for f, kinds in held.items()} for area, held in units.items()}
    areas = [area for area in plan.areas if plan.units_of(area)]
    for index in rng.permutation(len(areas))[:apart]:
        area = areas[int(index)]
        held = found.setdefault(area.name, {})
        faction = next(iter(held), str(rng.choice(plan.factions)))
        kind = plan.units_of(area)[0]
        count = held.get(faction, {}).get(kind, 0)
        now = count + 1 if count == 0 or rng.random() < 0.5 else count - 1
        held[faction] = {**held.get(faction, {}), kind: now}
    return found


def measure(folder: Path, plan: BoardPlan, out: list[str], apart: int | None = None) -> Tally:
    """Calibrate one table and read all its frames."""
    truth, corners = _object(folder / "truth.json"), _object(folder / "table.json")["corners_px"]
    start = load_picture(folder / "start.jpg")
    table = calibrate(load_picture(folder / "reference.jpg"), plan, corners, start)
    first = _corners_mm(table, start, truth["start"])
    tally = Tally()
    for name in sorted(set(truth) - {"start"}):
        path = folder / f"{name}.jpg"
        frame = load_picture(path)
        reading = read(table, frame)
        if apart is not None:
            reading = with_expectation(reading, units_before_turn(truth[name]["units"], plan, apart, len(out)))
        tally.add(judge_frame(reading, truth[name], [area.name for area in plan.areas], f"{folder.name}/{name}"))
        tally.corner_mm.append(corner_error_mm(table, frame, truth[name], first))
        out.append(json.dumps(line_of(str(path), reading)))
    return tally


def line_of(path: str, reading: Reading) -> dict[str, Any]:
    """A reading as the object of one JSON line."""
    names = ("units", "commanders", "confidence", "unreadable", "ms")
    return {"frame": path, **{name: getattr(reading, name) for name in names}}


def summary_line(name: str, tally: Tally) -> str:
    """A table's figures as one line of text."""
    hit, said, true = tally.commanders
    right = 100 * tally.right / max(tally.areas, 1)
    return (
        f"{name:10} areas {right:6.2f}%  frames {tally.frames_right:3}/{tally.frames:<3} "
        f"silent {tally.silent:3}  refused clear {tally.refused_clear:3} hidden {tally.refused_hidden}/{tally.hidden}  "
        f"commanders P {100 * hit / max(said, 1):5.1f} R {100 * hit / max(true, 1):5.1f}  "
        f"ms {statistics.median(tally.ms or [0]):4.0f}  corners {max(tally.corner_mm or [0]):.2f} mm"
    )


def reliability(tally: Tally) -> list[str]:
    """How often areas are right by how sure the eye was of them, a line for each step; then the mean error."""
    lines = [
        f"sure {step.low:.2f} to {step.high:.2f}: {step.areas:5} areas, said {step.said:.3f}, right {step.right:.3f}"
        for step in steps_of(tally.confidence)
    ]
    return [*lines, f"expected calibration error {calibration_error(tally.confidence):.4f}"]


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
    """(confidence, right) pairs gathered in steps; empty ones are left out."""
    found = []
    for low, high in pairwise(STEPS):
        within = [pair for pair in pairs if low <= pair[0] < high]
        if within:
            said, right = (float(np.mean([pair[k] for pair in within])) for k in (0, 1))
            found.append(Step(low, min(high, 1.0), len(within), said, right))
    return found


def calibration_error(pairs: Pairs) -> float:
    """Expected calibration error over those steps (Naeini et al., 2015)."""
    return sum(abs(step.said - step.right) * step.areas for step in steps_of(pairs)) / max(len(pairs), 1)


def _px(x: float, y: float) -> tuple[int, int]:
    return round(EDGE_PX + x * SIDE_PX), round(EDGE_PX + (1 - y) * SIDE_PX)


def diagram(pairs: Pairs) -> Picture:
    """(600, 600, 3) BGR: a point for each step, with how many areas it has; the line is what should be."""
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
    """Measure; exit 0 when it could, 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye_evaluate")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--readings", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--diagram", type=Path, help="a picture of how far confidence can be trusted")
    parser.add_argument("--expect", type=int, metavar="N")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    total, out = Tally(), list[str]()
    try:
        plan = plan_of_file(options.plan)
        truths = sorted(options.folder.glob("**/truth.json"))
        if not truths:
            raise ValueError(f"{options.folder}: no truth.json in it")
        for truth in truths:
            own = truth.parent / "plan.json"
            tally = measure(truth.parent, plan_of_file(own) if own.exists() else plan, out, options.expect)
            print(summary_line(truth.parent.name, tally), flush=True)
            total.add(tally)
    except (OSError, KeyError, ValueError, VisionError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    print(summary_line("overall", total))
    print("\n".join(reliability(total)))
    if options.list:
        print("\n".join(total.wrong))
    if options.diagram:
        cv2.imwrite(str(options.diagram), diagram(total.confidence))
    if options.readings:
        options.readings.write_text("\n".join(out) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
