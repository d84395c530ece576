"""What the tracer asks of the eye: a photo made straight, the grid on it, a proposal. It takes time: for errands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.tracing.begin import Proposal, SeenSpace
from companion.tracing.draft import Corner
from companion.tracing.hexes import Grid, Point
from vision.geometry import Picture
from vision.tracing.trace import (
    FoundGrid,
    FoundSpace,
    HexGrid,
    Sheet,
    find_grid,
    find_spaces,
    grid_by_touches,
    open_sheet,
    propose,
    refit_grid,
)

SURE = 0.5


@dataclass(frozen=True, slots=True)
class Look:
    """The board made straight, and the grid on it; without `found` no grid was seen."""

    sheet: Sheet
    found: FoundGrid | None

    @property
    def grid(self) -> Grid | None:
        """The grid in the tracer's words."""
        return _grid(self.found.grid) if self.found else None

    @property
    def sure(self) -> bool:
        """Whether the grid may be taken without asking."""
        return self.found is not None and self.found.confidence >= SURE

    def picture(self, px_per_mm: float) -> Picture:
        """The straight board, (H, W, 3) BGR, exactly its size at that scale."""
        return self.sheet.flat(px_per_mm)


def _grid(grid: HexGrid) -> Grid:
    return Grid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat)


def straight(photo_bgr: Picture, corners: Sequence[Corner], size_mm: Point) -> Sheet:
    """The board of a photo made straight by its corners (parts of the photo). CornersError where they are none."""
    height, width = photo_bgr.shape[:2]
    return open_sheet(photo_bgr, [(x * width, y * height) for x, y in corners], size_mm)


def look(sheet: Sheet) -> Look:
    """Find the grid by itself."""
    found = find_grid(sheet)
    return Look(found.sheet, found) if found else Look(sheet, None)


def look_through(sheet: Sheet, middles_mm: Sequence[Point]) -> Look:
    """Find the grid through the middles of hexes that were touched."""
    found = grid_by_touches(sheet, middles_mm)
    return Look(found.sheet, found) if found else Look(sheet, None)


def settle(sheet: Sheet, grid: Grid) -> Look:
    """Lay a grid that was moved by hand, or kept from before, on the nearest printed lines."""
    found = refit_grid(sheet, HexGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat))
    return Look(found.sheet, found)


def proposal(seen: Look) -> Proposal:
    """Areas, kinds and spaces as the eye makes them out; nothing where there is no grid."""
    if seen.found is None:
        return Proposal((), (), 0.0)
    proposed = propose(seen.found)
    areas = []
    for cells in proposed.areas:
        water = sum(proposed.kinds[cell]["water"] - proposed.kinds[cell]["land"] for cell in cells)
        areas.append((tuple(cells), "water" if water > 0 else "land"))
    every = find_spaces(seen.found, least=0.0)
    spaces = [space for space in every if space.confidence >= SURE]
    return Proposal(tuple(areas), tuple(map(_space, spaces)), _side(spaces), tuple(space.at_mm for space in every))


def _space(space: FoundSpace) -> SeenSpace:
    return SeenSpace(space.at_mm, space.cell, space.group)


def _side(spaces: Sequence[FoundSpace]) -> float:
    sides = sorted(space.side_mm for space in spaces)
    return round(sides[len(sides) // 2], 2) if sides else 0.0
