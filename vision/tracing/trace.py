"""Tracing a board from a straight photo of it: its hex grid, borders, kinds of areas and action spaces, as proposals.

    sheet = open_sheet(picture_bgr, corners_px, size_mm)
    found = find_grid(sheet)
    proposal = propose(found)
    spaces = find_spaces(found)

Everything here says how sure it is, knows no rules, and is the finger's to change: `refit_grid` and `grid_by_touches`
take what a finger has moved, `snap` what it has touched.

`nudge` lays a known plan on a print that differs from it a little. Points along the plan's outlines look sideways for
the print's nearest line, and one smooth small shift (cubic over the board) that brings most of them there is given to
everything of the plan. It is taken only where the outlines then lie on the print better than before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Matrix, Picture
from vision.plan import BoardPlan
from vision.registration.align import log_lab
from vision.tracing.cells import Proposal, chances_on_map, propose_areas
from vision.tracing.fit import (
    MARGIN_MM,
    PX_PER_MM,
    SAMPLES,
    SHARP_MM,
    GridFit,
    Sides,
    energies_along,
    offsets_of,
    sample_across,
    settle,
    settle_with_rim,
    share_on_lines,
    solve_reweighted,
)
from vision.tracing.rim import on_rim, rim_of
from vision.tracing.search import search
from vision.tracing.sheet import TERMS, Cell, HexGrid, Pair, Point, Sheet, open_sheet, regular_grid, terms_at
from vision.tracing.spaces import FoundSpace, snap, spaces_of

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

    taken: False if nothing better was found near enough; then nothing was moved.
    """

    areas: Mapping[str, tuple[Point, ...]]
    spaces: Mapping[str, Point]
    moved_mm: float
    before: float
    after: float
    confidence: float
    taken: bool


def nudge(picture_bgr: Picture, corners_px: npt.ArrayLike, plan: BoardPlan) -> NudgedPlan:
    """Move a plan's outlines and spaces smoothly onto a calibrated photo's print, if that is better and near enough.

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


__all__ = [
    "FoundGrid",
    "FoundSpace",
    "HexGrid",
    "NudgedPlan",
    "Pair",
    "Proposal",
    "Sheet",
    "find_grid",
    "find_spaces",
    "grid_by_touches",
    "nudge",
    "open_sheet",
    "propose",
    "refit_grid",
    "snap",
]
# So many of the likeliest grids are settled, unless the first leads by CLEAR_LEAD: settling is what takes time.
TRIED = 2
CLEAR_LEAD = 1.25
# Reach, blur and near (mm), as `fit.STAGES`, for a grid that a finger has laid: no far reach, or it would jump a line.
NEAR = ((2.5, 1.1, 1.0), (1.8, 0.8, 0.5))
# A score of the search below this means that nothing like a grid is there.
LEAST_SCORE = 0.05
# Edges and grid settle each other: where the edges run shows once the grid is laid, and the grid's bend by the edges.
RIM_ROUNDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class FoundGrid:
    """A grid on the print, the sheet straightened by it, how sure it is, and how likely each cell is on the map."""

    sheet: Sheet
    grid: HexGrid
    confidence: float
    on_map: Mapping[Cell, float]


def find_grid(sheet: Sheet) -> FoundGrid | None:
    """Find the hex grid of a board without help; None if nothing like one is seen."""
    guesses = [guess for guess in search(sheet) if guess.score > LEAST_SCORE]
    if not guesses:
        return None
    rivals = [guess for guess in guesses[:TRIED] if guess.score * CLEAR_LEAD > guesses[0].score]
    best = max((settle(sheet, guess.grid) for guess in rivals), key=lambda settled: settled.share)
    return _found_grid(best)


def refit_grid(sheet: Sheet, grid: HexGrid) -> FoundGrid:
    """Settle a grid that somebody has laid nearly right on the nearest lines of the print."""
    return _found_grid(settle(sheet, grid, NEAR))


def grid_by_touches(sheet: Sheet, middles_mm: Sequence[Point]) -> FoundGrid | None:
    """Find the grid whose hexes have their middles at these places, of which at least two have to be neighbours.

    None for fewer than two places.
    """
    if len(middles_mm) < 2:
        return None
    best = max((settle(sheet, _through(middles_mm, flat)) for flat in (True, False)), key=lambda settled: settled.share)
    return _found_grid(best)


def _through(middles_mm: Sequence[Point], flat: bool) -> HexGrid:
    """Return a regular grid by the two nearest of the touched middles, fitted to all of them."""
    points = np.asarray(middles_mm, np.float64)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(len(points)) * 1e9
    first = int(gaps.min(axis=1).argmin())
    step = float(gaps[first].min())
    grid = regular_grid((float(points[first, 0]), float(points[first, 1])), step / math.sqrt(3.0), flat)
    for _ in range(2):
        nearest = grid.centres([grid.cell_at((float(x), float(y))) for x, y in points])
        held = nearest - nearest.mean(axis=0)
        spread = float((held**2).sum())
        scale = float((held * (points - points.mean(axis=0))).sum()) / spread if spread else 1.0
        origin = points.mean(axis=0) + scale * (np.array(grid.origin_mm) - nearest.mean(axis=0))
        grid = regular_grid((float(origin[0]), float(origin[1])), grid.side_mm * scale, flat)
    return grid


def _found_grid(settled: GridFit) -> FoundGrid:
    sheet, grid = on_rim(settled.sheet, settled.grid)
    for _ in range(RIM_ROUNDS):
        rim = rim_of(sheet)
        if len(rim.points):
            sheet, grid = settle_with_rim(sheet, grid, rim)
    sure = (settled.share - SHARE_BY_CHANCE) / (SHARE_SURE - SHARE_BY_CHANCE)
    return FoundGrid(sheet, grid, float(np.clip(sure, 0.0, 0.99)), chances_on_map(sheet, grid))


def propose(found: FoundGrid) -> Proposal:
    """Propose borders, kinds and areas for the cells of a grid, as the print shows them."""
    return propose_areas(found.sheet, found.grid, found.on_map)


def find_spaces(found: FoundGrid, least: float = 0.5) -> tuple[FoundSpace, ...]:
    """Find what looks like action spaces on the map, at least `least` sure, the surest first.

    With `least` 0, discs and doubtful ones are among them, for `snap`.
    """
    every = spaces_of(found.sheet, found.grid, found.on_map)
    return tuple(space for space in every if space.confidence >= least)
