"""Calibrating a table: where the board lies in the reference picture, and a picture of how pieces look on it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.align import aligned
from vision.errors import PictureError
from vision.find_board import find_corners
from vision.frame import checked_picture, fitted, shrunk
from vision.geometry import Matrix, Picture, checked_corners
from vision.plan import BoardPlan
from vision.register import anchors_of, register
from vision.sets import learnt_set
from vision.table import Table


def calibrate(
    reference_bgr: Picture,
    plan: BoardPlan,
    corners_px: npt.ArrayLike | None = None,
    start_bgr: Picture | None = None,
) -> Table:
    """A table from a picture of the empty board and, better, one of the starting position, both (H, W, 3) BGR.

    corners_px: the board's own corners TL, TR, BR, BL in the reference; without them the board is looked for
    (BoardNotFound where it is not seen). A reference larger than 1920 px is kept smaller, its corners with it.
    CornersError and PictureError say what else is wrong, UnknownPieces that the eye has not learnt the board's pieces.
    """
    learnt_set(plan)
    given = checked_picture(reference_bgr, "the reference picture")
    reference, scale = shrunk(given)
    found = find_corners(given, plan) if corners_px is None else corners_px
    touched = checked_corners(found, (given.shape[1], given.shape[0]))
    height, width = reference.shape[:2]
    corners = aligned(reference, np.asarray(touched * scale, np.float64), plan)
    points = tuple((float(x), float(y)) for x, y in corners)
    start = None if start_bgr is None else fitted(start_bgr, (width, height), "the picture of the starting position")
    if start is not None and not _same_place(reference, corners, start):
        raise PictureError(
            "the picture of the starting position does not show the reference's board from near the same place"
        )
    return Table(plan, reference, points, start)


def _same_place(reference_bgr: Picture, corners_px: Matrix, start_bgr: Picture) -> bool:
    found = register(anchors_of(reference_bgr, corners_px), start_bgr)
    return found is not None and found.good
