"""Fit the logistic models of `vision/reading/pieces.py`: `python -m training.fit_scores PLAN OUT FOLDER [FOLDER ...]`.

Folders hold tables as `vision.simulation.tables.make_table` writes them, PLAN is a board's facts file or its plan (a
table's own `plan.json` goes before it), OUT the weights. All tables are of one set of pieces.
Tables that the network was trained on, or that are to measure the eye with, must not be among them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from training.board_facts import plan_of_file
from vision.calibration.calibrate import calibrate
from vision.frame import load_picture
from vision.geometry import apply
from vision.plan import BoardPlan
from vision.reading.count import beliefs, doubt_in, units_of
from vision.reading.piece_sets import DISC, LEADER, set_of
from vision.reading.pieces import Candidate, Piece, log_odds, pieces_of
from vision.reading.read import board_image, candidates_in, prepare_table
from vision.registration.register import register

NEAR_MM = 5.5
RIDGE = 1e-2
Rows = dict[str, list[tuple[tuple[float, ...], bool]]]


class Seen:
    """What was measured on tables: rows for the models of pieces, and whole frames for the model of counts."""

    def __init__(self, plan: BoardPlan) -> None:
        self.plan = plan
        self.rows: Rows = {kind: [] for kind in (DISC, *set_of(plan).figures, LEADER, "upper")}
        self.frames: list[tuple[list[Candidate], Mapping[str, Any], BoardPlan]] = []

    def gather(self, folder: Path) -> None:
        """Add what was measured of every candidate of one table, and whether it is true."""
        truth = json.loads((folder / "truth.json").read_text())
        own = folder / "plan.json"
        plan = plan_of_file(own) if own.exists() else self.plan
        corners = json.loads((folder / "table.json").read_text())["corners_px"]
        pictures = (load_picture(folder / f"{name}.jpg") for name in ("reference", "start"))
        table = calibrate(next(pictures), plan, corners, next(pictures))
        setting = prepare_table(table)
        for name, told in truth.items():
            frame = load_picture(folder / f"{name}.jpg")
            found = register(setting.anchors, frame)
            if name == "start" or found is None or not found.good:
                continue
            seen = candidates_in(setting, board_image(table, frame, found))
            back = table.board_from_reference @ found.reference_from_frame
            pieces = [{**piece, "mm": apply(back, [piece["px"]])[0]} for piece in told["pieces"]]
            self.frames.append((seen, told, plan))
            self.label(seen, pieces, set(told["occluded"]))

    def label(self, found: Sequence[Candidate], pieces: Sequence[Mapping[str, Any]], hidden: set[str]) -> None:
        """Match candidates to true pieces, the likelier first, each piece once."""
        left = [piece for piece in pieces if not piece.get("stacked")]
        for one in sorted(found, key=lambda one: -one.features[1]):
            same = [p for p in left if p["faction"] == one.faction and p["kind"] == one.kind]
            near = [p for p in same if np.hypot(*(p["mm"] - one.at_mm)) < NEAR_MM]
            if near:
                left.remove(near[0])
            if one.place.split(":")[-1] in hidden:
                continue
            self.rows[one.kind].append((one.features, bool(near)))
            if near and one.upper is not None:
                upper = any(p.get("stacked") and np.hypot(*(p["mm"] - one.at_mm)) < NEAR_MM for p in pieces)
                self.rows["upper"].append((one.upper, upper))

    def counts(self, weights: Mapping[str, Sequence[float]]) -> list[tuple[tuple[float, ...], bool]]:
        """For each clear area: 1, log odds of the likeliest count, doubt of the board; and if that count is right."""
        rows: list[tuple[tuple[float, ...], bool]] = []
        for found, told, plan in self.frames:
            pieces: list[Piece] = pieces_of(found, weights)
            plain = beliefs(pieces, plan)
            units, doubt = units_of(plain), doubt_in(plain)
            for area, count in plain.items():
                if area not in told["occluded"]:
                    rows.append(
                        ((1.0, log_odds(count.confidence), doubt), units.get(area, {}) == told["units"].get(area, {}))
                    )
        return rows


def fit_logistic(rows: Sequence[tuple[tuple[float, ...], bool]]) -> npt.NDArray[np.float64]:
    """Logistic regression with a small ridge, by Newton's method."""
    x = np.array([features for features, _ in rows], np.float64)
    y = np.array([true for _, true in rows], np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - RIDGE * len(x) / 100 * weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + (RIDGE * len(x) / 100 + 1e-6) * np.eye(x.shape[1])
        weights += np.linalg.solve(bend, slope)
    return weights


def main(argv: Sequence[str]) -> int:
    """Fit and write the weights."""
    cv2.setNumThreads(1)
    plan_path, out, folders = Path(argv[0]), Path(argv[1]), [Path(name) for name in argv[2:]]
    seen = Seen(plan_of_file(plan_path))
    for truth in sorted(truth for folder in folders for truth in folder.glob("*/truth.json")):
        seen.gather(truth.parent)
        told = {kind: (len(rows), sum(true for _, true in rows)) for kind, rows in seen.rows.items()}
        print(truth.parent.name, told, flush=True)
    weights = {kind: [round(float(w), 3) for w in fit_logistic(rows)] for kind, rows in seen.rows.items()}
    weights["stacked"] = [round(float(np.mean([upper for _, upper in seen.rows["upper"]])), 4)]
    weights["area"] = [round(float(w), 3) for w in fit_logistic(seen.counts(weights))]
    out.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    print(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
