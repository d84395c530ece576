"""A table seen from elsewhere than on its photos: how far height moves things, worked out anew.

Where the board was turned or the camera set up anew, pieces lean another way in the board image. What the network made
of the empty board, and all that goes by how pieces lean, is made again for where the camera stands now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Camera, board_corners_mm, camera_of, up_field
from vision.reading.network import PieceNetwork
from vision.reading.once import once_for
from vision.reading.piece_sets import PieceSet
from vision.reading.second_look import turned_views
from vision.reading.setting import PreparedTable
from vision.registration.register import Registration
from vision.table import Table

SAME_UP = 0.06
"""A camera from which things seem to move by no more than this, in mm per mm of height, is where it was: half a
millimetre for a disc's top.
"""


@dataclass(slots=True)
class LastPose:
    """A table's setting for the last place at which the camera stood elsewhere; None before that."""

    camera: Camera | None = None
    setting: PreparedTable | None = None


@once_for
def last_pose(setting: PreparedTable) -> LastPose:
    """Return what a table's setting was worked out to be for a camera that stood elsewhere, nothing at first."""
    return LastPose()


def seen_from(
    setting: PreparedTable, table: Table, found: Registration, network: Callable[[PieceSet], PieceNetwork]
) -> PreparedTable:
    """Return a table's setting for where the camera stands in a registered frame.

    network: gives the network that knows a set of pieces.
    """
    camera = None if found.still else camera_elsewhere(table, found)
    if camera is None:
        return setting
    last = last_pose(setting)
    if last.setting is None or last.camera is None or is_elsewhere(camera, last.camera, table.plan.size_mm):
        last.camera, last.setting = camera, _leaning(setting, camera, network)
    return last.setting


def camera_elsewhere(table: Table, found: Registration) -> Camera | None:
    """Return where the camera stands in a registered frame; None where that is where it took the table's photos."""
    first = table.board_from_reference
    now = first @ found.reference_from_frame
    was, camera = camera_of(first, table.picture_size, now), camera_of(now, table.picture_size, first)
    return camera if is_elsewhere(camera, was, table.plan.size_mm) else None


def is_elsewhere(one: Camera, other: Camera, size_mm: tuple[float, float]) -> bool:
    """Return whether pieces lean clearly another way before one camera than before another."""
    corners = board_corners_mm(size_mm)
    return float(np.linalg.norm(one.up(corners) - other.up(corners), axis=1).max()) > SAME_UP


def _leaning(setting: PreparedTable, camera: Camera, network: Callable[[PieceSet], PieceNetwork]) -> PreparedTable:
    """Return the setting with all that goes by how pieces lean before a camera; single pieces look as they did."""
    before, known = setting.printed, network(setting.known)
    height = up_field(camera, before.grid)
    printed = known.printed(before.image_bgr, height, before.grid, before.window)
    again = turned_views(before.image_bgr, height, before.grid, before.window, known)
    pairs = zip(again.views, setting.again.views, strict=True)
    views = tuple(replace(view, looks=as_known.looks) for view, as_known in pairs)
    ground = replace(setting.ground, up_field=height)
    second = None if setting.second is None else _leaning(setting.second, camera, network)
    return replace(setting, printed=printed, again=replace(again, views=views), ground=ground, second=second)
