"""A board that nobody has measured: where it lies in its photo, and how wide it is for its height.

A board whose plan is known is found by its print (`registration.find_board`). A copy that is like none that is known
has nothing but its outline, and its proportions are those that a usual camera saw so.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import FALLBACK_FOCAL, Matrix, Picture, board_corners_mm, checked_corners
from vision.plan import BoardPlan
from vision.registration.find_board import by_outline, find_outlines

# How full a board's outline is, 0 to 1, and the least of the picture that it takes.
LEAST_FULL, LEAST_SHARE = 0.95, 0.15
# How far inside a picture a board's outline lies, of the picture's shorter side: what runs along its edge is none.
INSIDE = 0.02


def find_known(picture_bgr: Picture, plan: BoardPlan) -> Matrix | None:
    """Return the corners TL, TR, BR, BL (4, 2) px of a board whose print agrees with a plan; None if it doesn't."""
    return by_outline(picture_bgr, plan)


def find_outline(picture_bgr: Picture) -> Matrix:
    """Return the corners (4, 2) px of the largest four-sided thing in a picture, clockwise from its top left.

    Where nothing stands out they are the picture's own: a scan that was cut along the board's edge shows nothing else.
    """
    height, width = picture_bgr.shape[:2]
    size, least = np.array([width, height]), INSIDE * min(width, height)
    standing_out = [
        outline
        for full, outline in find_outlines(picture_bgr)
        if full >= LEAST_FULL
        and _area(outline) > LEAST_SHARE * width * height
        and min(outline.min(), (size - outline).min()) > least
    ]
    return max(standing_out, key=_area, default=board_corners_mm((float(width), float(height))))


def _area(outline: Matrix) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def proportion_of(corners_px: npt.ArrayLike, picture_size: tuple[int, int]) -> float:
    """Return the width of a board by its height, from its corners TL, TR, BR, BL in a picture of (width, height) px.

    The camera is taken for a usual one that looks at the picture's middle; a flat scan has no perspective to undo.
    CornersError where the corners make no sense.
    """
    width, height = picture_size
    middle, focal = np.array([width / 2, height / 2]), FALLBACK_FOCAL * width
    seen = ((checked_corners(corners_px, picture_size) - middle) / focal).astype(np.float32)
    square = board_corners_mm((1.0, 1.0)).astype(np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(square, seen), np.float64)
    across, down = np.linalg.norm(to_picture[:, :2], axis=0)
    return float(across / down)
