"""Calibrating a table: where the board lies in the reference picture, and how the pieces look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.align import aligned
from vision.errors import PictureError
from vision.find_board import find_corners
from vision.frame import checked_picture, fitted, shrunk
from vision.geometry import Picture, board_from_image, camera_of, checked_corners, rectify
from vision.learn import learn, usual_looks
from vision.places import places_of
from vision.plan import BoardPlan
from vision.register import anchors_of, register
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
    CornersError and PictureError say what else is wrong.
    """
    given = checked_picture(reference_bgr, "the reference picture")
    reference, scale = shrunk(given)
    found = find_corners(given, plan) if corners_px is None else corners_px
    touched = checked_corners(found, (given.shape[1], given.shape[0]))
    height, width = reference.shape[:2]
    corners = aligned(reference, np.asarray(touched * scale, np.float64), plan)
    points = tuple((float(x), float(y)) for x, y in corners)
    looks = usual_looks(plan.factions)
    table = Table(plan, reference, points, looks)
    if start_bgr is None:
        return table
    start = fitted(start_bgr, (width, height), "the picture of the starting position")
    return _learned(table, start)


def _learned(table: Table, start: Picture) -> Table:
    registration = register(anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64)), start)
    if registration is None or not registration.good:
        raise PictureError(
            "the picture of the starting position does not show the reference's board from near the same place"
        )
    from_image = board_from_image(table.corners_px, table.plan.size_mm)
    board = rectify(start, from_image @ registration.reference_from_frame, table.grid)
    empty = rectify(table.reference_bgr, from_image, table.grid)
    looks, dressed = learn(empty, board, places_of(table.plan, table.grid), camera_of(from_image, table.picture_size))
    return replace(table, looks=looks, dressed_bgr=dressed)
