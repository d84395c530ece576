"""A known board's drawing laid on a print that differs from it a little.

Points along the plan's outlines look sideways for the print's nearest line, and one smooth small shift (cubic over the
board) that brings most of them there is given to everything of the plan. It is taken only where the outlines then lie
on the print better than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Matrix, Picture
from vision.plan import BoardPlan
from vision.registration.align import log_lab
from vision.tracing.fit import (
    MARGIN_MM,
    PX_PER_MM,
    SAMPLES,
    SHARP_MM,
    Sides,
    energies_along,
    offsets_of,
    sample_across,
    share_on_lines,
    solve_reweighted,
)
from vision.tracing.sheet import TERMS, Point, open_sheet, terms_at

EVERY_MM = 3.0
STAGES = ((4.0, 1.4, 1.5), (2.2, 1.0, 0.8), (1.5, 0.8, 0.45))  # reach, blur, near, in mm
USUAL_MM = (2.5, 2.0, 2.0, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.4)  # how large each term of a shift usually is
# A shift is taken where nothing moves further than this, and so much more of the outlines lies on print than before.
MOST_MM = 8.0
BETTER = 0.01
# Agreement that says nothing, and that which is as sure as can be.
SHARE_BY_CHANCE, SHARE_SURE = 0.3, 0.62
# Sides are grouped by direction in steps of 5 degrees: each group needs the picture filtered once.
DIRECTION_RAD = np.pi / 36


@dataclass(frozen=True, slots=True)
class NudgedPlan:
    """Outlines and middles of spaces in board mm after the nudge; the largest shift; agreement before and after.

    taken is False where nothing better was found: then everything is as it was given.
    """

    areas: Mapping[str, tuple[Point, ...]]
    spaces: Mapping[str, Point]
    moved_mm: float
    before: float
    after: float
    confidence: float
    taken: bool


def nudge(picture_bgr: Picture, corners_px: npt.ArrayLike, plan: BoardPlan) -> NudgedPlan:
    """Move a plan's outlines and spaces smoothly onto the print of a calibrated photo, never worse than before.

    corners_px: TL, TR, BR, BL (4, 2) of the board in the picture; CornersError where they make no sense.
    """
    sheet = open_sheet(picture_bgr, corners_px, plan.size_mm)
    lab = log_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
    drawn = _outlines(plan)
    shift = np.zeros((TERMS, 2))
    for stage in STAGES:
        shift = shift + _more(lab, _shift_points(drawn, shift, plan.size_mm), plan.size_mm, stage, shift)
    before, after = _share(lab, drawn), _share(lab, _shift_points(drawn, shift, plan.size_mm))
    moved = float(np.linalg.norm(terms_at(drawn.points, plan.size_mm) @ shift, axis=1).max())
    taken = after > before + BETTER and moved < MOST_MM
    if not taken:
        shift, moved, after = np.zeros((TERMS, 2)), 0.0, before
    sure = float(np.clip((after - SHARE_BY_CHANCE) / (SHARE_SURE - SHARE_BY_CHANCE), 0.0, 0.99))
    areas = {area.name: _at(area.polygon_mm, shift, plan.size_mm) for area in plan.areas}
    spaces = {space.name: _at((space.at_mm,), shift, plan.size_mm)[0] for space in plan.spaces}
    return NudgedPlan(areas, spaces, moved, before, after, sure, taken)


def _at(points: tuple[Point, ...], shift: Matrix, size_mm: Point) -> tuple[Point, ...]:
    moved = np.asarray(points, np.float64) + terms_at(points, size_mm) @ shift
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in moved)


def _outlines(plan: BoardPlan) -> Sides:
    """Return points along every side of the plan's areas, each side once, grouped by direction."""
    seen: dict[tuple[int, ...], Matrix] = {}
    for area in plan.areas:
        outline = np.asarray(area.polygon_mm, np.float64)
        for ends in np.stack([outline, np.roll(outline, -1, axis=0)], axis=1):
            seen.setdefault(tuple(np.round(ends.mean(axis=0)).astype(int).tolist()), ends)
    points, normals, numbers = [], [], []
    for number, (start, end) in enumerate(seen.values()):
        length = float(np.linalg.norm(end - start))
        parts = np.linspace(0.14, 0.86, max(2, round(length / EVERY_MM)))[:, None]
        points.append(start + (end - start) * parts)
        normal = np.array([end[1] - start[1], start[0] - end[0]]) / max(length, 1e-6)
        normals.append(np.tile(normal, (len(parts), 1)))
        numbers.append(np.full(len(parts), number))
    every = np.concatenate(normals)
    ways = np.round(np.arctan2(every[:, 1], every[:, 0]) % np.pi / DIRECTION_RAD).astype(int) % round(
        np.pi / DIRECTION_RAD
    )
    return Sides(np.concatenate(points), every, np.unique(ways, return_inverse=True)[1], np.concatenate(numbers))


def _shift_points(drawn: Sides, shift: Matrix, size_mm: Point) -> Sides:
    return drawn._replace(points=drawn.points + terms_at(drawn.points, size_mm) @ shift)


def _energies(lab: Floats, where: Sides, blur_mm: float) -> list[Floats]:
    """Return the energy of lines in each direction that the plan's sides have."""
    normals = (where.normals[where.ways == way][0] for way in range(int(where.ways.max()) + 1))
    return energies_along(lab, normals, blur_mm)


def _more(lab: Floats, where: Sides, size_mm: Point, stage: tuple[float, float, float], so_far: Matrix) -> Matrix:
    """Return (10, 2): what is to be added to the shift so far."""
    reach, blur, near = stage
    tried = np.linspace(-reach, reach, SAMPLES)
    offsets, clear = offsets_of(sample_across(_energies(lab, where, blur), where, tried), tried)
    terms = terms_at(where.points, size_mm)
    rows = np.hstack([where.normals[:, :1] * terms, where.normals[:, 1:] * terms])
    held = np.diag(1 / np.array(USUAL_MM * 2))
    found = solve_reweighted((rows, offsets, clear), (held, -held @ so_far.T.ravel()), near)
    return found.reshape(2, TERMS).T


def _share(lab: Floats, where: Sides) -> float:
    return share_on_lines(_energies(lab, where, SHARP_MM), where)
