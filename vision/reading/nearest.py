"""Which of a board's tables, photographed in several lights, is the nearest to a frame's light."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.frame import fit_to_size
from vision.geometry import Picture, rectify
from vision.reading.light import LightField, light_between
from vision.reading.tone import with_tone_of
from vision.registration.register import anchors_of, register
from vision.table import Table


def nearest_in_light(tables: Sequence[Table], frame_bgr: Picture) -> Table:
    """Return the one of a board's tables whose empty board was photographed in the light nearest to a frame's.

    The first one where none of them finds the board. PictureError where the frame's size doesn't fit.
    """
    if len(tables) < 2:
        return tables[0]
    lights = [light_of(table, frame_bgr) for table in tables]
    changes = [math.inf if light is None else light.change for light in lights]
    return tables[changes.index(min(changes))]


def light_of(table: Table, frame_bgr: Picture) -> LightField | None:
    """Return how a frame's light differs from that of the empty board's photo; None where the board isn't found.

    PictureError where the frame's size doesn't fit.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    found = register(anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64)), frame)
    if found is None or not found.good:
        return None
    empty = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    now = rectify(frame, table.board_from_reference @ found.reference_from_frame, table.grid)
    return light_between(with_tone_of(now, empty), empty)
