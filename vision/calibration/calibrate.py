"""Calibrating a table: where the board lies in the reference picture, and a picture of how pieces look on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.errors import PictureError
from vision.frame import checked_picture, fit_to_size, shrink_to_work
from vision.geometry import Picture, checked_corners
from vision.plan import BoardPlan, check_size
from vision.reading.piece_sets import learnt_sets
from vision.registration.align import align_corners
from vision.registration.find_board import find_corners
from vision.registration.register import anchors_of, register
from vision.table import Support, Table, with_support


def calibrate(
    reference_bgr: Picture,
    plan: BoardPlan,
    corners_px: npt.ArrayLike | None = None,
    start_bgr: Picture | None = None,
    support_px: Support = (),
) -> Table:
    """Calibrate a table by pictures (H, W, 3) BGR of the empty board and, better, of the starting position too.

    corners_px: the board's own corners TL, TR, BR, BL in the reference; without them the board is looked for
    (BoardNotFound where it is not seen). A reference larger than 1920 px is kept smaller, its corners with it.
    support_px: the spaces of the support board beside the map with their middles in the reference, where it shows them.
    CornersError, PictureError and TableError say what else is wrong, UnknownPieces that the eye has not learnt the
    board's pieces.
    """
    learnt_sets(plan)
    check_size(plan)
    given = checked_picture(reference_bgr, "the reference picture")
    reference, scale = shrink_to_work(given)
    found = find_corners(given, plan) if corners_px is None else corners_px
    touched = checked_corners(found, (given.shape[1], given.shape[0]))
    del given, reference_bgr  # a large photo takes much of the memory
    corners = align_corners(reference, np.asarray(touched * scale, np.float64), plan)
    points = tuple((float(x), float(y)) for x, y in corners)
    support = tuple((name, (x * scale, y * scale)) for name, (x, y) in support_px)
    table = with_support(Table(plan, reference, points), support)
    return table if start_bgr is None else with_start(table, start_bgr)


def with_start(table: Table, start_bgr: Picture) -> Table:
    """Add a picture of the starting position to a table; PictureError if it shows the board from elsewhere."""
    start = fit_to_size(start_bgr, table.picture_size, "the picture of the starting position")
    found = register(anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64)), start)
    if found is None or not found.good:
        raise PictureError("the photo of the starting position doesn't show the board from about the same place")
    return replace(table, start_bgr=start)
