"""Tracing a board from a straight photo of it: its hex grid, borders, kinds of areas and action spaces, as proposals.

    sheet = open_sheet(picture_bgr, corners_px, size_mm)
    found = find_grid(sheet)
    proposal = propose(found)
    spaces = find_spaces(found)

Everything here says how sure it is, knows no rules, and is the finger's to change: `refit_grid` and `grid_by_touches`
take what a finger has moved, `snap` what it has touched. `nudge` lays a known plan on a print that differs from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.tracing.cells import Proposal, chances_on_map, propose_areas
from vision.tracing.fit import GridFit, settle, settle_with_rim
from vision.tracing.nudge import NudgedPlan, nudge
from vision.tracing.rim import on_rim, rim_of
from vision.tracing.search import search
from vision.tracing.sheet import Cell, HexGrid, Pair, Point, Sheet, open_sheet, regular
from vision.tracing.spaces import FoundSpace, snap, spaces_of

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
# Of the search, below which nothing like a grid is there.
LEAST_SCORE = 0.05
# Edges and grid settle each other: where the edges run shows once the grid is laid, and the grid's bend by the edges.
RIM_ROUNDS = 2
# Of the grid's points, the part that lies on print: by chance, and where it is as sure as can be.
SHARE_BY_CHANCE, SHARE_SURE = 0.3, 0.62


@dataclass(frozen=True, slots=True, eq=False)
class FoundGrid:
    """A grid on the print, the sheet straightened by it, how sure it is, and each cell's chance to be on the map."""

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
    """Settle a grid that a finger has laid nearly right on the nearest lines of the print."""
    return _found_grid(settle(sheet, grid, NEAR))


def grid_by_touches(sheet: Sheet, middles_mm: Sequence[Point]) -> FoundGrid | None:
    """Find the grid whose hexes have their middles at these places, two of them neighbours.

    None with fewer than two places.
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
    grid = regular((float(points[first, 0]), float(points[first, 1])), step / math.sqrt(3.0), flat)
    for _ in range(2):
        nearest = grid.centres([grid.cell_at((float(x), float(y))) for x, y in points])
        held = nearest - nearest.mean(axis=0)
        spread = float((held**2).sum())
        scale = float((held * (points - points.mean(axis=0))).sum()) / spread if spread else 1.0
        origin = points.mean(axis=0) + scale * (np.array(grid.origin_mm) - nearest.mean(axis=0))
        grid = regular((float(origin[0]), float(origin[1])), grid.side_mm * scale, flat)
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
    """Propose borders, kinds and areas that the print shows on a grid."""
    return propose_areas(found.sheet, found.grid, found.on_map)


def find_spaces(found: FoundGrid, least: float = 0.5) -> tuple[FoundSpace, ...]:
    """Find small hexes printed on the map that look like action spaces, at least so sure, surest first.

    With `least` 0 discs and doubtful ones are among them: for `snap`.
    """
    every = spaces_of(found.sheet, found.grid, found.on_map)
    return tuple(space for space in every if space.confidence >= least)
