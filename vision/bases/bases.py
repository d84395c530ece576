"""Bases on a marked table, measured: where each stands, which way it faces, and how sure that is.

The corner markers give the camera (`corners`). With it the table is laid out flat at the height of the bases'
tops, where every marker has one known size. There they are looked for, and fitted as whole patterns (`fit`). A
marker whose pattern is not all to be seen is not taken: what is partly hidden counts as not seen, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import atan2, degrees

import cv2
import numpy as np

from vision.bases.camera import Flat, TableCamera
from vision.bases.corners import FEWEST, MisplacedCorner, camera_by, distances_off, find_corners
from vision.bases.fit import PatternFit, fit_pattern, upright, warp_of
from vision.bases.markers import Grey
from vision.bases.search import candidates, likeliest
from vision.bases.table import CELLS, CORNERS, MarkedTable, Points, turn_and_move
from vision.geometry import Floats, Picture

CELL_PX = 6.0
"""How large a base marker's cell is in the flat picture."""
LIKE = 0.8
"""How well a pattern has to fit the picture to be taken (correlation)."""
DOUBTFUL = 0.1
"""An error, in base widths, from which on a place is doubtful."""
SPREADS = 2.0
"""Standard deviations of the error that is told: about 95 % of places are nearer."""
STILL = 0.08
"""How far corner markers may seem to have moved for a camera to count as the one that it was."""
FLOOR = 0.006
"""What an error is never smaller than: paper that is not quite where it should be."""
RIPPLE = 3.0
"""How much more a pattern's fit strays than independent noise would make it."""


@dataclass(frozen=True, slots=True)
class BasePose:
    """A base: its marker's number, its middle in base widths, its facing in degrees clockwise from the far edge.

    error, error_deg: 95 % of places and facings are nearer than that, as long as its top lies as high as was said.
    """

    number: int
    x: float
    y: float
    facing_deg: float
    error: float = 0.0
    error_deg: float = 0.0

    @property
    def doubtful(self) -> bool:
        """Whether the base may stand further from its measured place than a tenth of a base."""
        return self.error > DOUBTFUL


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a frame shows: the bases by number, markers of the table's corners that are missing, and the camera.

    Where too few corner markers are seen, or they do not fit together, there is no camera, and no base. misplaced:
    corner markers that lie elsewhere, and were not used. clashing: where nobody can tell which do, those that fit
    worst. twice: numbers that more than one marker has; none of them is taken.
    """

    standing: Mapping[int, BasePose] = field(hash=False)
    missing: tuple[int, ...] = ()
    camera: TableCamera | None = None
    misplaced: Mapping[int, MisplacedCorner] = field(default_factory=dict, hash=False)
    clashing: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()


def measure(frame_bgr: Picture, table: MarkedTable, before: TableCamera | None = None) -> Measurement:
    """Measure the bases on a marked table in (H, W, 3) uint8 BGR.

    before: the camera of an earlier frame. It is used where corner markers are hidden and what is seen still fits.
    """
    grey = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    del frame_bgr  # a large photo takes much of the memory
    corners = find_corners(grey)
    missing = tuple(number for number in CORNERS if number not in corners)
    if missing and before is not None and _stands_still(before, corners, table, grey):
        return _bases_seen_by(grey, table, before, missing)
    if len(corners) < FEWEST:
        return Measurement({}, missing)
    fit = camera_by(grey, corners, table)
    if fit.camera is None:
        return Measurement({}, missing, clashing=fit.clashing)
    return replace(_bases_seen_by(grey, table, fit.camera, missing), misplaced=fit.misplaced)


def _stands_still(before: TableCamera, corners: Mapping[int, Points], table: MarkedTable, grey: Grey) -> bool:
    """Return whether an earlier camera sees the corner markers of this frame in their places, at least one of them."""
    same = before.size_px == (grey.shape[1], grey.shape[0])
    return same and bool(corners) and max(distances_off(before, corners, table).values()) < STILL


def _bases_seen_by(grey: Grey, table: MarkedTable, camera: TableCamera, missing: tuple[int, ...]) -> Measurement:
    """Find and measure the bases on the table that this camera sees."""
    cell = table.base_side / CELLS
    flat = Flat(camera, table.base_height, CELL_PX / cell, (-0.2, -0.2, table.width + 0.2, table.height + 0.2))
    picture = flat.of(grey)
    found: dict[int, list[PatternFit]] = {}
    seen = candidates(picture, CELL_PX)
    for number, quad in seen.sure:
        laid = _fit_marker(picture, flat, number, quad)
        if laid is not None and laid.like >= LIKE:
            _add_unless_there(found.setdefault(number, []), laid)
    for number, laid in likeliest(seen.likely, lambda number, quad: _fit_marker(picture, flat, number, quad)):
        _add_unless_there(found.setdefault(number, []), laid)
    twice = tuple(sorted(number for number, several in found.items() if len(several) > 1))
    standing = {n: _base_of(n, laid, flat, table) for n, (laid, *more) in sorted(found.items()) if not more}
    return Measurement(standing, missing, camera, twice=twice)


def _fit_marker(picture: Floats, flat: Flat, number: int, quad: Points) -> PatternFit | None:
    blur = 0.75 * flat.magnification(flat.places(quad.mean(axis=0)[None]))
    return fit_pattern(picture, number, upright(warp_of(quad), CELL_PX), blur)


def _add_unless_there(several: list[PatternFit], laid: PatternFit) -> None:
    """Add one more place of a number, unless it is there already."""
    if all(np.hypot(*(fit.middle - laid.middle)) > CELL_PX for fit in several):
        several.append(laid)


def _base_of(number: int, laid: PatternFit, flat: Flat, table: MarkedTable) -> BasePose:
    """Return where the base under a fitted marker stands and which way it faces."""
    at = flat.places(laid.middle[None])[0]
    ahead = -laid.warp[:, 1] * (1.0, -1.0)  # the marker's up, y towards the far edge
    facing = degrees(atan2(ahead[0], ahead[1])) % 360.0
    base = turn_and_move([(0.0, -table.ahead)], (float(at[0]), float(at[1])), facing)[0]
    cell = table.base_side / CELLS
    shift = RIPPLE * cell * float(laid.spread[0, 0] + laid.spread[1, 1]) ** 0.5
    turn = RIPPLE * float(laid.spread[2, 2]) ** 0.5
    strayed = float(flat.camera.standard_error(at[None], flat.up)[0])
    error = float(np.hypot(np.hypot(shift, strayed), FLOOR) + abs(table.ahead) * turn)
    higher = table.height_within * float(flat.camera.parallax(at[None], flat.up)[0])
    disputed = float(flat.camera.rival_distance(at[None], flat.up)[0])
    within, within_deg = SPREADS * error + higher + disputed, SPREADS * degrees(turn + 0.003)
    return BasePose(number, float(base[0]), float(base[1]), facing, within, within_deg)
