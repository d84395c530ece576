"""The corner markers: found, taken for the camera, and asked whether they lie where they should.

All of them are believed where together they fit the field. Else those are left out without which the rest fits, as long
as it is clear which these are: a paper that was pushed, turned, or laid in another corner. Where that is not clear,
nobody's word is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import atan2, degrees

import numpy as np

from vision.bases.camera import Flat, TableCamera, fit_camera
from vision.bases.fit import fit_pattern, warp_of
from vision.bases.markers import Grey
from vision.bases.search import corner_candidates, likeliest
from vision.bases.table import CELLS, CORNERS, MarkedTable, Points, corner_places

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
    """How a corner marker lies that is not in its place: its middle so far off, in base widths, turned clockwise.

    at: the number of the corner that it lies in instead of its own, if any.
    """

    off: float
    turned_deg: float = 0.0
    at: int | None = None

    @property
    def turned(self) -> bool:
        """Whether the marker is turned further than by a hand's carelessness."""
        return abs(self.turned_deg) > TURNED_DEG


@dataclass(frozen=True, slots=True)
class Corners:
    """The camera by the corner markers that fit together; None where they do not.

    misplaced: those that were left out. clashing: where nobody can tell which lie astray, those that fit worst.
    """

    camera: TableCamera | None
    misplaced: Mapping[int, MisplacedCorner] = field(default_factory=dict, hash=False)
    clashing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CornerSubset:
    """Some of the corner markers, the camera by them, and how far the worst of them is off its place."""

    camera: TableCamera
    used: Quads
    worst: float


def find_corners(grey: Grey) -> dict[int, Points]:
    """Find the corner markers in (H, W) uint8: their corners (4, 2) in px. One that is seen twice is left out."""
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
    """Fit the camera to two to four corner markers in (H, W) uint8, as far as they fit together."""
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
    """Return how far each corner marker is seen from its place, in base widths."""
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
    laid = fit_pattern(flat.of(grey), number, warp_of(flat.px(camera.table(quad))), flat.blur_px, rigid=False)
    if laid is None or laid.like < LIKE:
        return quad
    return camera.px(flat.places(laid.corners))
