"""Bases on a marked table, measured: where each stands, which way it faces, and how sure that is.

The corner markers give the camera (`marked_camera`). With it the table is laid out flat at the height of the bases'
tops, where every marker has one known size. There they are looked for, and fitted as whole patterns (`marked_fit`). A
marker whose pattern is not all to be seen is not taken: what is partly hidden counts as not seen, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import atan2, degrees

import cv2
import numpy as np

from vision.geometry import Picture
from vision.marked_camera import TableCamera, fit_camera
from vision.marked_fit import Field, Laid, lay, upright, warp_of
from vision.marked_flat import Flat
from vision.marked_search import Candidates, candidates, corner_candidates
from vision.marked_table import CELLS, CORNERS, MarkedTable, Points, corner_places, placed
from vision.markers import Grey

CELL_PX = 6.0
"""How large a base marker's cell is in the flat picture."""
LIKE = 0.8
"""How well a pattern has to fit the picture to be taken (correlation)."""
LIKE_ALONE, AHEAD = 0.88, 0.04
"""The same where not every bit came out, and how much better it has to fit than any other marker."""
FEWEST = 2
"""Corner markers without which nothing is measured."""
DOUBTFUL = 0.1
"""An error, in base widths, from which on a place is doubtful."""
SPREADS = 2.0
"""Standard deviations of the error that is told: about 95 % of places are nearer."""
MISFIT_PX = 0.3
"""How badly four corner markers may fit together before one of them is asked whether it lies astray."""
ASTRAY = 0.15
"""How far, in base widths, it has to lie astray to be left out; where several lie less astray, errors grow instead."""
STILL = 0.08
"""How far corner markers may seem to have moved for a camera to count as the one that it was."""
FLOOR = 0.006
"""What an error is never smaller than: paper that is not quite where it should be."""
RIPPLE = 3.0
"""How much more a pattern's fit strays than independent noise would make it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A base: its marker's number, its middle in base widths, its facing in degrees clockwise from the far edge.

    error, error_deg: 95 % of places and facings are nearer than that.
    """

    number: int
    x: float
    y: float
    facing_deg: float
    error: float = 0.0
    error_deg: float = 0.0

    @property
    def doubtful(self) -> bool:
        """Whether it may stand further from there than a tenth of a base."""
        return self.error > DOUBTFUL


@dataclass(frozen=True, slots=True)
class Measured:
    """What a frame shows: the bases by number, markers of the table's corners that are missing, and the camera.

    Where too few corner markers are seen there is no camera, and no base. misplaced: how far corner markers lie from
    their places, in base widths; one alone that does is not used. twice: numbers that more than one marker has; none
    of them is taken.
    """

    standing: Mapping[int, Standing] = field(hash=False)
    missing: tuple[int, ...] = ()
    camera: TableCamera | None = None
    misplaced: Mapping[int, float] = field(default_factory=dict, hash=False)
    twice: tuple[int, ...] = ()


def measure(frame_bgr: Picture, table: MarkedTable, before: TableCamera | None = None) -> Measured:
    """The bases on a marked table in (H, W, 3) uint8 BGR.

    before: the camera of an earlier frame. It is used where corner markers are hidden and what is seen still fits.
    """
    grey = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    corners = find_corners(grey)
    missing = tuple(number for number in CORNERS if number not in corners)
    if missing and before is not None and _stands_still(before, corners, table, grey):
        return _on(grey, table, before, missing)
    if len(corners) < FEWEST:
        return Measured({}, missing)
    camera, misplaced = _camera(grey, corners, table)
    return replace(_on(grey, table, camera, missing), misplaced=misplaced)


def _stands_still(before: TableCamera, corners: Mapping[int, Points], table: MarkedTable, grey: Grey) -> bool:
    """Whether an earlier camera sees those corner markers that are seen now in their places, one at least."""
    same = before.size_px == (grey.shape[1], grey.shape[0])
    return same and bool(corners) and max(_strays(before, corners, table).values()) < STILL


def find_corners(grey: Grey) -> dict[int, Points]:
    """The corner markers in (H, W) uint8: their corners (4, 2) in px; one that is seen twice is left out."""
    found: dict[int, list[Points]] = {}
    seen = corner_candidates(grey)
    bright = grey.astype(np.float32)
    likely = _likeliest(seen.likely, lambda number, quad: lay(bright, number, warp_of(quad), 1.0, rigid=False))
    for number, quad in [*seen.sure, *((number, laid.corners) for number, laid in likely)]:
        several = found.setdefault(number, [])
        if all(np.abs(one.mean(axis=0) - quad.mean(axis=0)).max() > max(grey.shape) / 100 for one in several):
            several.append(quad)
    return {number: several[0] for number, several in found.items() if len(several) == 1}


def _camera(grey: Grey, corners: Mapping[int, Points], table: MarkedTable) -> tuple[TableCamera, dict[int, float]]:
    """The camera by the corner markers, and how far the one lies astray without which the others fit far better."""
    camera = _fitted(grey, corners, table)
    if camera.misfit_px < MISFIT_PX or len(corners) < len(CORNERS):
        return camera, {}
    threes = [{n: quad for n, quad in corners.items() if n != number} for number in corners]
    fits = [_fitted(grey, three, table) for three in threes]
    number, best = min(zip(corners, fits, strict=True), key=lambda one: one[1].misfit_px)
    astray = _strays(best, {number: corners[number]}, table)
    return (best, astray) if best.misfit_px < camera.misfit_px / 3 and astray[number] > ASTRAY else (camera, {})


def _strays(camera: TableCamera, corners: Mapping[int, Points], table: MarkedTable) -> dict[int, float]:
    """How far each corner marker is seen from its place, in base widths."""
    places = corner_places(table)
    off = {number: camera.table(quad) - places[number] for number, quad in corners.items()}
    return {number: float(np.linalg.norm(one, axis=1).max()) for number, one in off.items()}


def _fitted(grey: Grey, corners: Mapping[int, Points], table: MarkedTable) -> TableCamera:
    """The camera by these corner markers, then once more by their whole patterns."""
    places = corner_places(table)
    there = np.concatenate([places[number] for number in corners])
    camera = fit_camera(there, np.concatenate(list(corners.values())), (grey.shape[1], grey.shape[0]))
    for _ in range(2):
        here = np.concatenate([_finer(grey, camera, number, table, quad) for number, quad in corners.items()])
        camera = fit_camera(there, here, camera.size_px, camera.values)
    return camera


def _finer(grey: Grey, camera: TableCamera, number: int, table: MarkedTable, quad: Points) -> Points:
    """(4, 2) px of a corner marker's corners by its whole pattern; as they were where that does not fit."""
    flat = Flat(camera, 0.0, CELLS * CELL_PX * 1.25 / table.corner_side, _box(corner_places(table)[number], 0.6))
    picture = flat.of(grey)
    start = warp_of(flat.px(camera.table(quad)))
    laid = lay(picture, number, start, flat.blur_px, rigid=False)
    if laid is None or laid.like < LIKE:
        return quad
    return camera.px(flat.places(laid.corners))


def _box(points: Points, beyond: float) -> tuple[float, float, float, float]:
    (left, near), (right, far) = points.min(axis=0) - beyond, points.max(axis=0) + beyond
    return float(left), float(near), float(right), float(far)


def _on(grey: Grey, table: MarkedTable, camera: TableCamera, missing: tuple[int, ...]) -> Measured:
    """What stands on the table that this camera sees."""
    cell = table.base_side / CELLS
    flat = Flat(camera, table.base_height, CELL_PX / cell, (-0.2, -0.2, table.width + 0.2, table.height + 0.2))
    picture = flat.of(grey)
    found: dict[int, list[Laid]] = {}
    seen = candidates(picture, CELL_PX)
    for number, quad in seen.sure:
        laid = _laid(picture, flat, number, quad)
        if laid is not None and laid.like >= LIKE:
            _keep(found.setdefault(number, []), laid)
    for number, laid in _likeliest(seen.likely, lambda number, quad: _laid(picture, flat, number, quad)):
        _keep(found.setdefault(number, []), laid)
    twice = tuple(sorted(number for number, several in found.items() if len(several) > 1))
    standing = {n: _standing(n, laid, flat, table) for n, (laid, *more) in sorted(found.items()) if not more}
    return Measured(standing, missing, camera, twice=twice)


def _laid(picture: Field, flat: Flat, number: int, quad: Points) -> Laid | None:
    blur = 0.75 * flat.enlarged(flat.places(quad.mean(axis=0)[None]))
    return lay(picture, number, upright(warp_of(quad), CELL_PX), blur)


def _likeliest(likely: list[Candidates], fit: Callable[[int, Points], Laid | None]) -> Iterator[tuple[int, Laid]]:
    """Of each quadrilateral the one marker that fits it well, and clearly better than any other."""
    for several in likely:
        laid = [(number, fit(number, quad)) for number, quad in several]
        fits = sorted(((one.like, n, one) for n, one in laid if one is not None), key=lambda fit: -fit[0])
        others = [fit for fit in fits if fit[1] != fits[0][1]]
        if fits and fits[0][0] >= LIKE_ALONE and (not others or fits[0][0] - others[0][0] >= AHEAD):
            yield fits[0][1], fits[0][2]


def _keep(several: list[Laid], laid: Laid) -> None:
    """One more place of a number, unless it is there already."""
    if all(np.hypot(*(one.middle - laid.middle)) > CELL_PX for one in several):
        several.append(laid)


def _standing(number: int, laid: Laid, flat: Flat, table: MarkedTable) -> Standing:
    """Where the base of a marker stands."""
    at = flat.places(laid.middle[None])[0]
    ahead = -laid.warp[:, 1] * (1.0, -1.0)  # the marker's up, y towards the far edge
    facing = degrees(atan2(ahead[0], ahead[1])) % 360.0
    base = placed([(0.0, -table.ahead)], (float(at[0]), float(at[1])), facing)[0]
    cell = table.base_side / CELLS
    shift = RIPPLE * cell * float(laid.spread[0, 0] + laid.spread[1, 1]) ** 0.5
    turn = RIPPLE * float(laid.spread[2, 2]) ** 0.5
    strayed = float(flat.camera.strayed(at[None], flat.up)[0])
    error = float(np.hypot(np.hypot(shift, strayed), FLOOR) + abs(table.ahead) * turn)
    return Standing(number, float(base[0]), float(base[1]), facing, SPREADS * error, SPREADS * degrees(turn + 0.003))
