"""A drawn hex board for tests of tracing: known hexes, one area of two, photographed by a plain homography."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.geometry import Matrix, Picture
from vision.plan import AreaPlan, BoardPlan, Point, SpacePlan
from vision.simulation.art_sheet import ArtStyle
from vision.simulation.board_art import draw_board
from vision.tracing.hexes import Cell, HexGrid, regular
from vision.tracing.trace import FoundGrid, Sheet, find_grid, open_sheet

SIZE_MM = (180.0, 190.0)
SIDE_MM = 22.0
JOINED: tuple[Cell, Cell] = ((1, 2), (1, 3))
OFF_MAP: frozenset[Cell] = frozenset({(0, 3), (3, 3)})
WATER_ROWS = (0, 1)
PX_PER_MM = 4.0


def true_grid() -> HexGrid:
    return regular((40.0, 31.0), SIDE_MM)


def map_cells() -> list[Cell]:
    return [(c, r) for c in range(4) for r in range(4) if (c, r) not in OFF_MAP]


def joined_outline(grid: HexGrid, one: Cell, other: Cell) -> tuple[Point, ...]:
    first, second = grid.neighbours(one).index(other), grid.neighbours(other).index(one)
    mine = [grid.corners(one)[(first + k) % 6] for k in range(1, 7)]
    theirs = [grid.corners(other)[(second + k) % 6] for k in range(2, 6)]
    return tuple((float(x), float(y)) for x, y in mine + theirs)


def hex_plan() -> BoardPlan:
    grid = true_grid()
    areas, spaces = [], []
    for cell in map_cells():
        if cell == JOINED[1]:
            continue
        kind = "water" if cell[1] in WATER_ROWS else "land"
        name = f"{'abcd'[cell[0]]}{4 - cell[1]}"
        alone = tuple((float(x), float(y)) for x, y in grid.corners(cell))
        outline = joined_outline(grid, *JOINED) if cell == JOINED[0] else alone
        centres = tuple(grid.centre(c) for c in (JOINED if cell == JOINED[0] else (cell,)))
        areas.append(AreaPlan(name, kind, outline, centres))
        x, y = centres[0]
        spaces.append(SpacePlan(f"{'sail' if kind == 'water' else 'advance'}:{name}", name, (x - 7.5, y - 12.0)))
    units = (("land", ("troop",)), ("water", ("ship",)))
    return BoardPlan("test-hexes", SIZE_MM, tuple(areas), tuple(spaces), 5.6, ("red", "black"), units, ())


@dataclass(frozen=True)
class Photo:
    picture: Picture
    corners: Matrix


@lru_cache(maxsize=1)
def photo() -> Photo:
    """Return the board seen a little askew on a plain table, corners off by a millimetre as fingers are."""
    art = draw_board(hex_plan(), ArtStyle(3, decoration=2), px_per_mm=PX_PER_MM)
    high, wide = art.shape[:2]
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float32)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    table = np.full((920, 900, 3), (120, 160, 170), np.uint8)
    change = cv2.getPerspectiveTransform(source, exact)
    cv2.warpPerspective(art, change, (900, 920), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    seen = cv2.GaussianBlur(table, (0, 0), 0.8)
    noise = np.random.default_rng(4).normal(0, 2.0, seen.shape)
    picture = np.clip(seen + noise, 0, 255).astype(np.uint8)
    return Photo(picture, exact.astype(np.float64) + np.array([[2, 1], [-2, 2], [1, -2], [2, 2]], np.float64))


def sheet() -> Sheet:
    return open_sheet(photo().picture, photo().corners, SIZE_MM)


@lru_cache(maxsize=1)
def found() -> FoundGrid:
    grid = find_grid(sheet())
    assert grid is not None
    return grid
