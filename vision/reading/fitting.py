"""How exactly a registered frame lies on the empty board round each area: by the points of the print that were tracked.

Most of a small error moves an area's lines under its pieces, and nothing else would tell: what is read there can't be
sure. A board that is bowed, or a camera of another kind, puts parts of the board where no homography has them.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Matrix, apply
from vision.plan import BoardPlan
from vision.registration.register import Registration

ROUND_MM = 20.0
"""So far from an area's corners the print still says where the area lies."""
LEAST_POINTS = 4
MOST_MM = 0.8
"""On drawn tables set up anew, bowed ones included, the print was never further off than 0.6 mm."""


def misplaced_areas(plan: BoardPlan, board_from_reference: Matrix, found: Registration) -> set[str]:
    """Return the areas round which the print isn't where the registration has it, or too little of it agrees to tell.

    None where the camera stood still: then every picture is the empty board's own.
    """
    if not len(found.gaps):
        return set()
    at_px, gaps_px = found.gaps[:, :2], found.gaps[:, 2:]
    at_mm = apply(board_from_reference, at_px)
    gaps_mm = apply(board_from_reference, at_px + gaps_px) - at_mm
    return {area.name for area in plan.areas if _is_off(np.asarray(area.polygon_mm, np.float64), at_mm, gaps_mm)}


def _is_off(outline_mm: Matrix, at_mm: Matrix, gaps_mm: Matrix) -> bool:
    """Return whether the print round an outline (N, 2) is off, or can't be told to be right."""
    middle = outline_mm.mean(axis=0)
    reach = float(np.linalg.norm(outline_mm - middle, axis=1).max()) + ROUND_MM
    near = np.linalg.norm(at_mm - middle, axis=1) < reach
    if int(near.sum()) < LEAST_POINTS:
        return True
    return float(np.hypot(*np.median(gaps_mm[near], axis=0))) > MOST_MM
