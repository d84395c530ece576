"""Which of a board's tables, photographed in several lights, is the nearest to a frame's light."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.frame import fit_to_size
from vision.geometry import Matrix, Picture, rectify
from vision.reading.light import LightField, light_between
from vision.reading.tone import with_tone_of
from vision.registration.register import Registration, anchors_of, register, register_at
from vision.table import Table


def nearest_in_light(tables: Sequence[Table], frame_bgr: Picture, shown_px: Matrix | None = None) -> Table:
    """Return the one of a board's tables whose empty board was photographed in the light nearest to a frame's.

    shown_px: the board's corners (4, 2) in the frame, where somebody has shown them. The first table where none of them
    finds the board. PictureError where the frame's size doesn't fit.
    """
    if len(tables) < 2:
        return tables[0]
    lights = [light_of(table, frame_bgr, shown_px) for table in tables]
    changes = [math.inf if light is None else light.change for light in lights]
    return tables[changes.index(min(changes))]


def registered_where_shown(table: Table, frame_bgr: Picture, shown_px: Matrix) -> Registration | None:
    """Return how the board lies where somebody has shown its corners (4, 2) in a frame; None unless its print agrees.

    The corners go clockwise from any of them. PictureError where the frame's size doesn't fit.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    scale = table.picture_size[0] / frame_bgr.shape[1]
    anchors = anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))
    return register_at(anchors, frame, np.asarray(shown_px, np.float64) * scale)


def light_of(table: Table, frame_bgr: Picture, shown_px: Matrix | None = None) -> LightField | None:
    """Return how a frame's light differs from that of the empty board's photo; None where the board isn't found.

    shown_px: its corners, as `nearest_in_light` takes them. PictureError where the frame's size doesn't fit.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    if shown_px is not None:
        found = registered_where_shown(table, frame_bgr, shown_px)
    else:
        found = register(anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64)), frame)
    if found is None or not found.good:
        return None
    empty = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    now = rectify(frame, table.board_from_reference @ found.reference_from_frame, table.grid)
    return light_between(with_tone_of(now, empty), empty)
