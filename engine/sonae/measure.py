"""How a table measures: freely, from edge to edge and middle to middle, or in the cells of a square or hex grid.

On a grid a cell is one Movement wide (Movement: "could be easily translated to a square or hex grid"); a base stands in
the middle of a cell and faces one of its sides. Square cells lie in rows and columns; hexes in columns that go up the
table, every other column half a cell higher. A place that is reported is taken for the cell that it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, sqrt

from engine.sonae import field
from engine.sonae.field import Place, Point, distance

GRIDS = ("free", "square", "hex")
COLUMN = sqrt(3) / 2
"""From one column of hexes to the next, in Movements."""
SIDES_DEG = {"square": 90.0, "hex": 60.0}
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Measure:
    """A table's way to measure. corners: on a square grid a step over a corner is one cell, else two.

    contact: so near to one another bases are in contact, in Movements.
    """

    grid: str = "free"
    corners: bool = True
    contact: float = field.NEAR

    def snapped(self, place: Place) -> Place:
        """Return the place that a base really has.

        That is the place itself, or on a grid the middle of its cell, facing the nearest side.

        >>> Measure("square").snapped(Place(3.2, 0.9, 100))
        Place(x=3.5, y=0.5, facing_deg=90.0, depth=1.0)
        """
        if self.grid == "free":
            return place
        x, y = middle(self.grid, self.cell(place.at))
        side = SIDES_DEG[self.grid]
        return replace(place, x=x, y=y, facing_deg=field.facing(floor(place.facing_deg / side + 0.5) * side))

    def cell(self, point: Point) -> Cell:
        """Return the cell that a point lies in, as column and row; only on a grid."""
        if self.grid == "square":
            return floor(point[0]), floor(point[1])
        column = floor(point[0] / COLUMN)
        near = [(x, floor(point[1] - x % 2 / 2) + up) for x in range(column - 1, column + 2) for up in (-1, 0, 1)]
        return min(near, key=lambda cell: distance(point, middle("hex", cell)))

    def distance(self, point: Point, other: Point) -> float:
        """Return the distance from middle to middle: in Movements, or cells."""
        if self.grid == "free":
            return distance(point, other)
        return float(_cells_apart(self, self.cell(point), self.cell(other)))

    def gap(self, base: Place, other: Place) -> float:
        """Return the gap from edge to edge: in Movements, or the cells between."""
        if self.grid == "free":
            return field.gap(base, other)
        return max(0.0, self.distance(base.at, other.at) - 1.0)

    def is_near(self, base: Place, other: Place, most: float) -> bool:
        """Return whether two bases are so near to one another, as exactly as a table is measured."""
        if distance(base.at, other.at) > most + 1.5 + base.depth + other.depth:
            return False
        return self.gap(base, other) <= most + field.NEAR

    def overlaps(self, base: Place, other: Place, within: float = 0.0) -> bool:
        """Return whether two bases lie on one another by more than `within`, or in the same cell."""
        if self.grid == "free":
            return field.overlaps(base, other, within)
        return self.cell(base.at) == self.cell(other.at)

    def touches(self, base: Place, other: Place) -> bool:
        """Return whether two bases are in contact.

        On a grid their cells share a side, and one of them faces the other.
        """
        if self.grid == "free":
            return field.touches(base, other, self.contact)
        side = distance(base.at, other.at) <= 1.0 + field.NEAR and not self.overlaps(base, other)
        return side and "front" in (base.quarter(other.at), other.quarter(base.at))

    def way(self, start: Place, end: Place) -> Iterator[Place]:
        """Yield the base at every stride of a straight way, or in every cell under the way.

        Its end is included, its start not.
        """
        if self.grid == "free":
            yield from field.way(start, end)
            return
        passed = dict.fromkeys(self.snapped(place) for place in field.way(start, end))
        yield from (place for place in passed if place.at != start.at or start.at == end.at)


def middle(grid: str, cell: Cell) -> Point:
    """Return the middle of a cell, in Movements.

    >>> middle("square", (2, 0)), middle("hex", (0, 1))
    ((2.5, 0.5), (0.5, 1.5))
    """
    column, row = cell
    if grid == "square":
        return column + 0.5, row + 0.5
    return 0.5 + column * COLUMN, row + 0.5 + column % 2 / 2


def cells(grid: str, size: Point) -> Iterator[Cell]:
    """Yield every cell whose middle lies on a table of this size, column by column."""
    columns = int(size[0] / (1.0 if grid == "square" else COLUMN)) + 1
    for cell in ((column, row) for column in range(columns) for row in range(int(size[1]) + 1)):
        x, y = middle(grid, cell)
        if x < size[0] and y < size[1]:
            yield cell


@lru_cache(maxsize=4096)
def _cells_apart(measure: Measure, cell: Cell, other: Cell) -> int:
    """Count how many cells it is from one to another, the first not counted."""
    across, along = abs(cell[0] - other[0]), abs(cell[1] - other[1])
    if measure.grid == "square":
        return max(across, along) if measure.corners else across + along
    rise = abs((2 * cell[1] + cell[0] % 2) - (2 * other[1] + other[0] % 2))
    return across + max(0, rise - across) // 2


FREE = Measure()
