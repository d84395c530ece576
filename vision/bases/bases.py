"""Bases on a marked table, measured: where each stands, which way it faces, and how sure that is.

The corner markers give the camera. All of them are believed where together they fit the field. Else those are left out
without which the rest fits, as long as it is clear which these are: a paper that was pushed, turned, or laid in another
corner. Where that is not clear, nobody's word is taken.

With the camera the table is laid out flat at the height of the bases' tops, where every marker has one known size.
There they are looked for, and fitted as whole patterns (`search`). A marker whose pattern is not all to be seen is not
taken: what is partly hidden counts as not seen, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import atan2, degrees

import cv2
import numpy as np

from vision.bases.camera import Flat, TableCamera, fit_camera
from vision.bases.markers import CELLS, CORNERS, Grey, MarkedTable, Points, corner_places, turn_and_move
from vision.bases.search import (
    PatternFit,
    base_candidates,
    corner_candidates,
    fit_pattern,
    likeliest,
    warp_of,
    without_shear,
)
from vision.geometry import Floats, Picture

FINE_PX = 7.5
"""How large a corner marker's cell is in the flat picture that its pattern is fitted in."""
LIKE = 0.8
"""How well its pattern has to fit there to count (correlation)."""
MISFIT_PX = 0.3
"""How badly corner markers may fit together before one of them is asked whether it lies astray."""
USUAL_PX = 0.05
"""How badly they fit together at best."""
CLEARER = 3.0
"""How much better the others have to fit without it, and than without another."""
ASTRAY = 0.15
"""How far, in base widths, it has to lie astray to be left out; where several lie less astray, errors grow instead."""
FAR_ASTRAY = 0.5
"""The same for corners as they were first found, whose noise is in it."""
TURNED_DEG = 5.0
"""From when on a marker counts as turned."""
FEWEST = 2
"""Corner markers without which there is no camera."""
Quads = Mapping[int, Points]


@dataclass(frozen=True, slots=True)
class MisplacedCorner:
    """A corner marker that isn't in its place: how far off its middle is, in base widths, and how far it is turned.

    Degrees are clockwise. at: the number of the corner that it lies in instead of its own, if any.
    """

    off: float
    turned_deg: float = 0.0
    at: int | None = None

    @property
    def turned(self) -> bool:
        """Whether the marker is turned by more than careless laying explains."""
        return abs(self.turned_deg) > TURNED_DEG


@dataclass(frozen=True, slots=True)
class Corners:
    """The camera fitted to the corner markers that agree; None if they don't.

    misplaced: those that were left out. clashing: where nobody can tell which lie astray, those that fit worst.
    """

    camera: TableCamera | None
    misplaced: Mapping[int, MisplacedCorner] = field(default_factory=dict, hash=False)
    clashing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CornerSubset:
    """Some of the corner markers, the camera fitted to them, and how far off its place the worst of them is."""

    camera: TableCamera
    used: Quads
    worst: float


def find_corner_markers(grey: Grey) -> dict[int, Points]:
    """Find the corner markers in (H, W) uint8: {number: its corners (4, 2) px}; those seen twice are left out."""
    found: dict[int, list[Points]] = {}
    seen = corner_candidates(grey)
    bright = grey.astype(np.float32)
    likely = likeliest(seen.likely, lambda number, quad: fit_pattern(bright, number, warp_of(quad), 1.0, rigid=False))
    for number, quad in [*seen.sure, *((number, laid.corners) for number, laid in likely)]:
        several = found.setdefault(number, [])
        if all(np.abs(rival.mean(axis=0) - quad.mean(axis=0)).max() > max(grey.shape) / 100 for rival in several):
            several.append(quad)
    return {number: several[0] for number, several in found.items() if len(several) == 1}


def camera_by(grey: Grey, corners: Quads, table: MarkedTable) -> Corners:
    """Fit the camera to the corner markers, two to four, in (H, W) uint8; those that clearly don't fit are left out."""
    found = _camera_by_those_that_fit(grey, corners, table)
    if found.camera is None:
        return found
    used = {number: quad for number, quad in corners.items() if number not in found.misplaced}
    return replace(found, camera=replace(found.camera, rival=_rival_camera(grey, used, table, found.camera)))


def _rival_camera(grey: Grey, used: Quads, table: MarkedTable, camera: TableCamera) -> TableCamera | None:
    """Return the best-fitting camera by all of these markers but one; None of so few that this would tell nothing."""
    if len(used) <= FEWEST:
        return None
    places = corner_places(table)
    finer = {number: _refined_corners(grey, camera, number, table, quad) for number, quad in used.items()}
    parts = [[number for number in used if number != left] for left in used]
    fits = [
        fit_camera(
            np.concatenate([places[number] for number in part]),
            np.concatenate([finer[number] for number in part]),
            camera.size_px,
            camera.values,
        )
        for part in parts
    ]
    return min(fits, key=lambda fit: fit.misfit_px)


def _camera_by_those_that_fit(grey: Grey, corners: Quads, table: MarkedTable) -> Corners:
    """Fit the camera to all of the markers, or to those that fit together."""
    whole = _subset(grey, corners, table)
    if whole is None or whole.worst > FAR_ASTRAY:
        return _camera_by_most(grey, corners, table)
    found = None
    if whole.camera.misfit_px >= MISFIT_PX and len(corners) == len(CORNERS):
        found = _without_one(grey, corners, table, whole.camera)
    if found is None and whole.worst > ASTRAY:
        return Corners(None, clashing=_clashing_markers(grey, corners, table))
    return found or Corners(whole.camera)


def distances_off(camera: TableCamera, corners: Quads, table: MarkedTable) -> dict[int, float]:
    """Return how far each corner marker is seen from its place, at its worst corner, in base widths."""
    places = corner_places(table)
    off = {number: camera.table(quad) - places[number] for number, quad in corners.items()}
    return {number: float(np.linalg.norm(gaps, axis=1).max()) for number, gaps in off.items()}


def _worst(camera: TableCamera, corners: Quads, table: MarkedTable) -> float:
    far = max(distances_off(camera, corners, table).values())
    return far if np.isfinite(far) else np.inf


# ---- which of them lie astray ------------------------------------------------------------------


def _without_one(grey: Grey, corners: Quads, table: MarkedTable, whole: TableCamera) -> Corners | None:
    """Return the camera without the one marker that lies astray, if the others fit far better without it; else None."""
    parts = _subsets(grey, corners, table, len(corners) - 1)
    clear = bool(parts) and parts[0].camera.misfit_px < whole.misfit_px / CLEARER
    return _left_out(parts[0], corners, table) if clear else None


def _camera_by_most(grey: Grey, corners: Quads, table: MarkedTable) -> Corners:
    """Fit the camera to the most markers that fit together, where it is clear which these are."""
    for count in range(len(corners) - 1, FEWEST - 1, -1):
        parts = [subset for subset in _subsets(grey, corners, table, count) if subset.worst <= ASTRAY]
        if not parts:
            continue
        clear = len(parts) == 1 or parts[1].camera.misfit_px > CLEARER * max(parts[0].camera.misfit_px, USUAL_PX)
        found = _left_out(parts[0], corners, table) if clear else None
        if found is not None:
            return found
        break
    return Corners(None, clashing=_clashing_markers(grey, corners, table))


def _subsets(grey: Grey, corners: Quads, table: MarkedTable, count: int) -> list[CornerSubset]:
    """Return every choice of `count` markers with the camera by them, those that fit best first."""
    found = []
    for numbers in combinations(corners, count):
        part = _subset(grey, {number: corners[number] for number in numbers}, table)
        found += [part] if part is not None else []
    return sorted(found, key=lambda subset: subset.camera.misfit_px)


def _subset(grey: Grey, used: Quads, table: MarkedTable) -> CornerSubset | None:
    """Fit the camera to these markers, by their whole patterns where they fit at all; None without a camera."""
    camera = _rough_camera(grey, used, table)
    if camera is None:
        return None
    worst = _worst(camera, used, table)
    if worst > FAR_ASTRAY:
        return CornerSubset(camera, used, worst)
    camera = _refined_camera(grey, used, table, camera)
    finer = {number: _refined_corners(grey, camera, number, table, quad) for number, quad in used.items()}
    return CornerSubset(camera, finer, _worst(camera, finer, table))


def _left_out(part: CornerSubset, corners: Quads, table: MarkedTable) -> Corners | None:
    """Report on the markers that were not used; None if one of them does not lie astray, or the rest fits badly."""
    camera = part.camera
    others = {number: quad for number, quad in corners.items() if number not in part.used}
    how = {number: _misplacement(camera, number, quad, table) for number, quad in others.items()}
    astray = all(misplacement.off > ASTRAY or misplacement.turned for misplacement in how.values())
    return Corners(camera, how) if astray and camera.misfit_px <= CLEARER * MISFIT_PX else None


def _misplacement(camera: TableCamera, number: int, quad: Points, table: MarkedTable) -> MisplacedCorner:
    places, seen = corner_places(table), camera.table(quad)
    across = seen[1] + seen[2] - seen[0] - seen[3]
    away = {n: float(np.linalg.norm(seen.mean(axis=0) - place.mean(axis=0))) for n, place in places.items()}
    nearest = min(away, key=lambda n: away[n])
    elsewhere = nearest != number and away[nearest] < table.corner_side
    return MisplacedCorner(away[number], -degrees(atan2(across[1], across[0])), nearest if elsewhere else None)


def _clashing_markers(grey: Grey, corners: Quads, table: MarkedTable) -> tuple[int, ...]:
    """Return the marker without which the others come nearest to fitting; all of them where that is not clear."""
    parts = _subsets(grey, corners, table, len(corners) - 1) if len(corners) > FEWEST else []
    if len(parts) > 1 and parts[1].camera.misfit_px > 2 * parts[0].camera.misfit_px:
        return tuple(number for number in corners if number not in parts[0].used)
    return tuple(sorted(corners))


# ---- the camera --------------------------------------------------------------------------------


def _rough_camera(grey: Grey, corners: Quads, table: MarkedTable) -> TableCamera | None:
    """Fit the camera to the markers' corners as they were found; None if no camera over the table sees them so."""
    places = corner_places(table)
    there = np.concatenate([places[number] for number in corners])
    try:
        camera = fit_camera(there, np.concatenate(list(corners.values())), (grey.shape[1], grey.shape[0]))
    except np.linalg.LinAlgError:
        return None
    return camera if np.isfinite(camera.values).all() and camera.centre[2] > 0 else None


def _refined_camera(grey: Grey, corners: Quads, table: MarkedTable, camera: TableCamera) -> TableCamera:
    """Refine a first camera by these corner markers' whole patterns."""
    places = corner_places(table)
    there = np.concatenate([places[number] for number in corners])
    for _ in range(2):
        here = np.concatenate([_refined_corners(grey, camera, number, table, quad) for number, quad in corners.items()])
        camera = fit_camera(there, here, camera.size_px, camera.values)
    return camera


def _refined_corners(grey: Grey, camera: TableCamera, number: int, table: MarkedTable, quad: Points) -> Points:
    """Return (4, 2) px of a corner marker's corners by its whole pattern; as they were where that does not fit."""
    place = corner_places(table)[number]
    (left, near), (right, far) = (place.min(axis=0) - 0.6).tolist(), (place.max(axis=0) + 0.6).tolist()
    flat = Flat(camera, 0.0, CELLS * FINE_PX / table.corner_side, (left, near, right, far))
    laid = fit_pattern(flat.rectify(grey), number, warp_of(flat.px(camera.table(quad))), flat.blur_px, rigid=False)
    if laid is None or laid.like < LIKE:
        return quad
    return camera.px(flat.places(laid.corners))


CELL_PX = 6.0
"""How large a base marker's cell is in the flat picture."""
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

    error, error_deg: 95 % of bases are nearer than that to what is measured, if the table's `base_height` is right.
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
    """What a frame shows: the bases by number, which corner markers are missing, and the camera.

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
    """Measure where bases stand on a marked table, and which way they face, in a frame (H, W, 3) uint8 BGR.

    before: the camera of an earlier frame. It is used where corner markers are hidden and what is seen still fits.
    """
    grey = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    del frame_bgr  # a large photo takes much of the memory
    corners = find_corner_markers(grey)
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
    picture = flat.rectify(grey)
    found: dict[int, list[PatternFit]] = {}
    seen = base_candidates(picture, CELL_PX)
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
    return fit_pattern(picture, number, without_shear(warp_of(quad), CELL_PX), blur)


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
