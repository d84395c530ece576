"""What maps a board to itself: left to right, top to bottom, or by half a turn, its factions changed over."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.tracing.draft import Draft, Home
from companion.tracing.hexes import Cell, Grid, Point

KINDS = ("mirror", "flip", "turn")
SEEN_MM = 4.0


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry about a place of the grid, in its whole numbers: `about` is twice that place."""

    kind: str
    grid: Grid
    about: tuple[int, int]
    factions: tuple[str, str]
    printed: tuple[Point, ...] = ()
    """Where action spaces were seen."""

    def cell(self, cell: Cell) -> Cell | None:
        """A hex's twin; None where the grid has no hex there."""
        u, v = _doubled(self.grid, cell)
        across, down = self.about
        return _halved(self.grid, (across - u if self.kind != "flip" else u, down - v if self.kind != "mirror" else v))

    def home(self, home: Home) -> Home | None:
        """The twin of a hex; a zone has none, its twin is of another colour."""
        return None if isinstance(home, str) else self.cell(home)

    def at(self, cell: Cell, point: Point) -> Point:
        """Where the twin of what is printed at a place in a hex is printed: where something was seen, if anything was.

        By half a turn a place turns with its hex. A mirrored hex carries its pictures at the same places as the hex
        itself, as on Rivers, where Advance stands at the upper left of every area of both factions.
        """
        twin = self.cell(cell)
        if twin is None:
            return point
        (x, y), (u, v) = self.grid.centre(cell), self.grid.centre(twin)
        dx, dy = point[0] - x, point[1] - y
        ways = ((u + dx, v + dy), (u - dx, v - dy), (u - dx, v + dy), (u + dx, v - dy))
        first = ways[1] if self.kind == "turn" else ways[0]
        near = [(math.dist(way, seen), way is not first, seen) for way in ways for seen in self.printed]
        distance, _other, seen = min(near, default=(math.inf, True, first))
        return seen if distance < SEEN_MM else first

    def faction(self, faction: str) -> str:
        """The other faction; "" stays."""
        first, second = self.factions
        return {first: second, second: first}.get(faction, faction)


def symmetry_of(draft: Draft, factions: tuple[str, str], printed: tuple[Point, ...] = ()) -> Symmetry | None:
    """The draft's symmetry, about the middle of the headquarters or of the map; None where it has none."""
    if draft.grid is None or not draft.symmetry or not draft.patches:
        return None
    ends = [_doubled(draft.grid, patch.cells[0]) for patch in draft.patches if patch.hq and len(patch.cells) == 1]
    if len(ends) != 2:
        ends = _extremes([_doubled(draft.grid, cell) for patch in draft.patches for cell in patch.cells])
    (a, b), (c, d) = ends
    return Symmetry(draft.symmetry, draft.grid, (a + c, b + d), factions, printed)


def _extremes(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    us, vs = zip(*places, strict=True)
    return [(min(us), min(vs)), (max(us), max(vs))]


def _doubled(grid: Grid, cell: Cell) -> tuple[int, int]:
    """A hex's middle in whole numbers of the grid: columns and half rows, or half columns and rows."""
    column, row = cell
    return (column, 2 * row + column % 2) if grid.flat else (2 * column + row % 2, row)


def _halved(grid: Grid, place: tuple[int, int]) -> Cell | None:
    u, v = place
    if grid.flat:
        return (u, (v - u % 2) // 2) if (v - u) % 2 == 0 else None
    return ((u - v % 2) // 2, v) if (u - v) % 2 == 0 else None
