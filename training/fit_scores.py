"""Fit the logistic models of `vision/pieces_both.py`: `python -m training.fit_scores FOLDER PLAN OUT`.

FOLDER holds tables as `vision.simulate_tables.make_table` writes them, PLAN is a board's facts file, OUT the weights.
Tables that are to measure the eye with must not be among them.
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

from vision.calibrate import calibrate
from vision.evaluate import plan_of_facts
from vision.evidence import evidence_of
from vision.frame import load_picture
from vision.geometry import apply, rectify
from vision.pieces import Setting
from vision.pieces_both import Candidate, candidates
from vision.pieces_network import NetworkFinder, placed
from vision.plan import BoardPlan
from vision.read import prepared
from vision.register import register

NEAR_MM = 5.5
RIDGE = 1e-2
Rows = dict[str, list[tuple[tuple[float, ...], bool]]]


def gather(folder: Path, plan: BoardPlan, network: NetworkFinder, rows: Rows) -> None:
    """Add what was measured of every candidate of one table, and whether it is true."""
    truth = json.loads((folder / "truth.json").read_text())
    corners = json.loads((folder / "table.json").read_text())["corners_px"]
    table = calibrate(load_picture(folder / "reference.jpg"), plan, corners, load_picture(folder / "start.jpg"))
    setting, anchors = prepared(table)
    for name, told in truth.items():
        frame = load_picture(folder / f"{name}.jpg")
        found = register(anchors, frame)
        if name == "start" or found is None or not found.good:
            continue
        back = table.board_from_reference @ found.reference_from_frame
        board = rectify(frame, back, table.grid)
        evidence, finds = evidence_of(board, setting.printed), placed(network.finds(board, setting), setting.places)
        pieces = [{**piece, "mm": apply(back, [piece["px"]])[0]} for piece in told["pieces"]]
        label(candidates(evidence, finds, setting), pieces, set(told["occluded"]), (setting, rows))


def label(
    found: Sequence[Candidate], pieces: Sequence[Mapping[str, Any]], hidden: set[str], where: tuple[Setting, Rows]
) -> None:
    """Match candidates to true pieces, the likelier first, each piece once."""
    setting, rows = where
    base = [piece for piece in pieces if not piece.get("stacked")]
    left = list(base)
    for one in sorted(found, key=lambda one: -(one.features[1] + one.features[2])):
        at = setting.grid.mm([one.piece.at_px])[0]
        same = [p for p in left if p["faction"] == one.piece.faction and p["kind"] == one.piece.shape.unit]
        near = [p for p in same if np.hypot(*(p["mm"] - at)) < NEAR_MM]
        area = one.piece.place.split(":")[-1]
        if near:
            left.remove(near[0])
        if area in hidden:
            continue
        rows[one.piece.shape.unit].append((one.features, bool(near)))
        if near and one.upper is not None:
            upper = any(p.get("stacked") and np.hypot(*(p["mm"] - at)) < NEAR_MM for p in pieces)
            rows["upper"].append(((1.0, *one.upper), upper))


def fitted(rows: Sequence[tuple[tuple[float, ...], bool]]) -> npt.NDArray[np.float64]:
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
    folder, plan_path, out = Path(argv[0]), Path(argv[1]), Path(argv[2])
    plan, network = plan_of_facts(json.loads(plan_path.read_text())), NetworkFinder()
    rows: Rows = {"troop": [], "ship": [], "commander": [], "upper": []}
    for table in sorted(path.parent for path in folder.glob("*/truth.json")):
        gather(table, plan, network, rows)
        print(
            table.name, {kind: (len(found), sum(true for _, true in found)) for kind, found in rows.items()}, flush=True
        )
    weights = {kind: [round(float(w), 3) for w in fitted(found)] for kind, found in rows.items()}
    out.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    print(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
