"""What the tracer asks of the eye: a photo made straight, the grid on it, a proposal. It takes time: for errands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.tracing.begin import Proposal, SeenSpace
from companion.tracing.draft import Corner
from companion.tracing.hexes import BoardGrid, Point
from vision.geometry import Picture
from vision.tracing.trace import (
    FoundGrid,
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
"""The confidence from which a grid or a space is taken without asking."""


@dataclass(frozen=True, slots=True)
class StraightBoard:
    """The board made straight, and the grid on it; without `found` no grid was seen."""

    sheet: Sheet
    found: FoundGrid | None

    @property
    def grid(self) -> BoardGrid | None:
        """The grid in the tracer's words."""
        if self.found is None:
            return None
        grid = self.found.grid
        return BoardGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat)

    @property
    def is_sure(self) -> bool:
        """Whether the grid may be taken without asking."""
        return self.found is not None and self.found.confidence >= SURE

    def picture(self, px_per_mm: float) -> Picture:
        """The straight board, (H, W, 3) BGR, exactly its size at that scale."""
        return self.sheet.flat(px_per_mm)


def straight(photo_bgr: Picture, corners: Sequence[Corner], size_mm: Point) -> Sheet:
    """The board of a photo made straight by its corners (parts of the photo). CornersError where they are none."""
    height, width = photo_bgr.shape[:2]
    return open_sheet(photo_bgr, [(x * width, y * height) for x, y in corners], size_mm)


def look(sheet: Sheet) -> StraightBoard:
    """Find the grid by itself."""
    found = find_grid(sheet)
    return StraightBoard(found.sheet, found) if found else StraightBoard(sheet, None)


def look_through(sheet: Sheet, middles_mm: Sequence[Point]) -> StraightBoard:
    """Find the grid through the middles of hexes that were touched."""
    found = grid_by_touches(sheet, middles_mm)
    return StraightBoard(found.sheet, found) if found else StraightBoard(sheet, None)


def settle(sheet: Sheet, grid: BoardGrid) -> StraightBoard:
    """Lay a grid that was moved by hand, or kept from before, on the nearest printed lines."""
    found = refit_grid(sheet, HexGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat))
    return StraightBoard(found.sheet, found)


def proposal(seen: StraightBoard) -> Proposal:
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
    sides = sorted(space.side_mm for space in spaces)
    return Proposal(
        tuple(areas),
        tuple(SeenSpace(space.at_mm, space.cell, space.group) for space in spaces),
        round(sides[len(sides) // 2], 2) if sides else 0.0,
        tuple(space.at_mm for space in every),
    )
