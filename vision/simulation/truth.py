"""What a simulated picture shows, in the form of recorded tables' truth: counts, bases and corners, what is covered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.plan import BoardPlan
from vision.simulation.camera import SimulatedCamera
from vision.simulation.draw import Mask
from vision.simulation.placing import PlacedPiece
from vision.simulation.solids import PieceLook, piece_height

Floats = npt.NDArray[np.float64]

COVERED = 0.15


class View(Protocol):
    """Where points of a board are in a picture."""

    @property
    def camera(self) -> SimulatedCamera:
        """The camera that took the picture."""

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 2) points on the board."""


def truth_of(
    plan: BoardPlan, pieces: Sequence[PlacedPiece], setting: View, seen: tuple[Mask, PieceLook]
) -> dict[str, Any]:
    """Return what a picture shows, in the form of recorded tables' truth."""
    covered, look = seen
    width, height = plan.size_mm
    rows = [_piece_truth(piece, setting, covered, look) for piece in pieces]
    shares = {area.name: _share(covered, setting.px(area.polygon_mm)) for area in plan.areas}
    hidden = {row["area"] for row in rows if row.get("hidden") and row["kind"] != "commander"}
    corners = setting.px(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    return {
        "units": _count_units(pieces),
        "commanders": {piece.space: piece.faction for piece in pieces if piece.kind == "commander"},
        "occluded": sorted(hidden | {name for name, share in shares.items() if share > COVERED}),
        "corners_px": np.round(corners, 2).tolist(),
        "pieces": rows,
        "coverage": {name: round(share, 3) for name, share in shares.items() if share > 0.004},
    }


def _count_units(pieces: Sequence[PlacedPiece]) -> dict[str, dict[str, dict[str, int]]]:
    units: dict[str, dict[str, dict[str, int]]] = {}
    for piece in pieces:
        if piece.kind != "commander":
            counts = units.setdefault(piece.area, {}).setdefault(piece.faction, {})
            counts[piece.kind] = counts.get(piece.kind, 0) + 1
    return units


def _piece_truth(piece: PlacedPiece, setting: View, covered: Mask, look: PieceLook) -> dict[str, Any]:
    x, y = (round(float(v), 1) for v in setting.px(piece.at_mm))
    row: dict[str, Any] = {"area": piece.area, "faction": piece.faction, "kind": piece.kind, "px": [x, y]}
    if piece.level:
        row["stacked"] = True
    ring = [[piece.at_mm[0] + 5 * c, piece.at_mm[1] + 5 * s] for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    high = np.column_stack([np.array(ring), np.full(4, piece_height(piece.kind, look) * (piece.level + 0.7))])
    if covered.any() and _share(covered, setting.camera.px(high)) > 0.5:
        row["hidden"] = True
    return row


def _share(covered: Mask, polygon_px: Floats) -> float:
    """Return the share of a polygon that is covered."""
    if not covered.any():
        return 0.0
    inside = np.zeros_like(covered)
    cv2.fillPoly(inside, [np.round(polygon_px * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    total = cv2.countNonZero(inside)
    return cv2.countNonZero(cv2.bitwise_and(inside, cv2.threshold(covered, 127, 255, cv2.THRESH_BINARY)[1])) / max(
        1, total
    )
