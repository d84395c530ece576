"""What readings of a table share from frame to frame: its setting, and the networks with the packaged weights.

Where the board was turned or the camera set up anew, pieces lean another way in the board image. What the network made
of the empty board, and all that goes by how pieces lean, is made again for where the camera stands now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from vision.geometry import Camera, Floats, board_corners_mm, camera_of, up_field
from vision.reading.network import PieceNetwork, Printed
from vision.reading.once import once_for
from vision.reading.piece_sets import SHIPS, PieceSet
from vision.reading.places import Places
from vision.reading.second_look import TurnedViews, turned_views
from vision.reading.stacks import StackContext, StackNetwork
from vision.reading.start import NO_START, Start
from vision.registration.register import Anchors, Registration
from vision.table import Table

SAME_UP = 0.06
"""A camera from which things seem to move by no more than this, in mm per mm of height, is where it was: half a
millimetre for a disc's top.
"""


@lru_cache(maxsize=2)
def network(known: PieceSet = SHIPS) -> PieceNetwork:
    """Return the network with the packaged weights of a set of pieces.

    Those of the set in use are kept, one for each eye.
    """
    return PieceNetwork(known=known)


@cache
def stack_network() -> StackNetwork:
    """Return the network that looks again at discs, loaded once."""
    return StackNetwork()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PreparedTable:
    """What stays the same of a table from frame to frame, worked out once.

    It holds places, what the network made of the empty board, looks, the same turned for looking again, the ground of
    the closer look at stacks, points to track, the colours of each side's pieces.

    second: the same for the second eye; support: the support board as a table of its own, where the photos show it, and
    the same of that.
    """

    places: Places
    printed: Printed
    looks: Floats
    again: TurnedViews
    ground: StackContext
    anchors: Anchors
    known: PieceSet = SHIPS
    start: Start = NO_START
    second: PreparedTable | None = None
    support: tuple[Table, PreparedTable] | None = None

    @property
    def eyes(self) -> tuple[PreparedTable, ...]:
        """The settings of all eyes that look at the table, this one first."""
        return (self,) if self.second is None else (self, self.second)


@dataclass(slots=True)
class LastPose:
    """A table's setting for the last place at which the camera stood elsewhere; None before that."""

    camera: Camera | None = None
    setting: PreparedTable | None = None


@once_for
def last_pose(setting: PreparedTable) -> LastPose:
    """Return what a table's setting was worked out to be for a camera that stood elsewhere, nothing at first."""
    return LastPose()


def seen_from(setting: PreparedTable, table: Table, found: Registration) -> PreparedTable:
    """Return a table's setting for where the camera stands in a registered frame."""
    camera = None if found.still else camera_elsewhere(table, found)
    if camera is None:
        return setting
    last = last_pose(setting)
    if last.setting is None or last.camera is None or is_elsewhere(camera, last.camera, table.plan.size_mm):
        last.camera, last.setting = camera, _leaning(setting, camera)
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


def _leaning(setting: PreparedTable, camera: Camera) -> PreparedTable:
    """Return the setting with all that goes by how pieces lean before a camera; single pieces look as they did."""
    before, known = setting.printed, network(setting.known)
    height = up_field(camera, before.grid)
    printed = known.printed(before.image_bgr, height, before.grid, before.window)
    again = turned_views(before.image_bgr, height, before.grid, before.window, known)
    pairs = zip(again.views, setting.again.views, strict=True)
    views = tuple(replace(view, looks=as_known.looks) for view, as_known in pairs)
    ground = replace(setting.ground, up_field=height)
    second = None if setting.second is None else _leaning(setting.second, camera)
    return replace(setting, printed=printed, again=replace(again, views=views), ground=ground, second=second)
