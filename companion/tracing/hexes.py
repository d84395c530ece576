"""Hexes on a board: where they lie, what they border, how they are named, and the outline of several together.

A cell is `(column, row)`, the row growing downwards. Places are in mm, x to the right and y down, from the board's top
left corner. Flat hexes ("flat-topped") have points left and right and straight columns, as on Rivers; upright ones
("pointy-topped") have points up and down and straight rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]
Point = tuple[float, float]
Knot = tuple[int, int]
"""A place in whole numbers: thirds and halves of the two steps, so that corners of neighbours are equal."""

_FLAT_CORNERS: tuple[Knot, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class NotOnePiece(ValueError):
    """The hexes are not connected, or leave a hole, so that they have no single outline."""


@dataclass(frozen=True, slots=True)
class BoardGrid:
    """A grid of equal hexes, in mm. It may be stretched and slightly turned, as print and photos are.

    `across_mm` is the step to the next column, `down_mm` the step to the next row; with flat hexes every second
    column is half a step lower, with upright ones every second row half a step further right.
    """

    origin_mm: Point
    across_mm: Point
    down_mm: Point
    flat: bool = True

    @property
    def side_mm(self) -> float:
        """The side of a hex, as the mean of what the two steps give."""
        across, down = math.hypot(*self.across_mm), math.hypot(*self.down_mm)
        wide, high = (across / 1.5, down / math.sqrt(3)) if self.flat else (across / math.sqrt(3), down / 1.5)
        return (wide + high) / 2

    def centre(self, cell: Cell) -> Point:
        """Return the middle of a hex (mm)."""
        return self.place(self._knot(cell))

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the six corners of a hex (mm), clockwise as seen, from the right one, or an upright hex's lowest."""
        return tuple(self.place(knot) for knot in self.knots(cell))

    def knots(self, cell: Cell) -> tuple[Knot, ...]:
        """Return the six corners of a hex in whole numbers, in the same order as `corners`; neighbours share them."""
        x, y = self._knot(cell)
        if self.flat:
            return tuple((x + dx, y + dy) for dx, dy in _FLAT_CORNERS)
        return tuple((x - dy, y + dx) for dx, dy in _FLAT_CORNERS)

    def place(self, knot: Knot) -> Point:
        """Return where a corner or middle given in whole numbers lies on the board (mm)."""
        wide, high = (3, 2) if self.flat else (2, 3)
        u, v = knot[0] / wide, knot[1] / high
        return (
            self.origin_mm[0] + u * self.across_mm[0] + v * self.down_mm[0],
            self.origin_mm[1] + u * self.across_mm[1] + v * self.down_mm[1],
        )

    def cell_at(self, point: Point) -> Cell:
        """Return the hex that contains a place (mm)."""
        u, v = self._steps(point)
        first = (math.floor(u), math.floor(v))
        near = [(first[0] + i, first[1] + j) for i in range(-1, 3) for j in range(-1, 3)]
        return min(near, key=lambda cell: (self._far(cell, (u, v)), cell))

    def cells(self, size_mm: Point) -> tuple[Cell, ...]:
        """Return the hexes whose middle lies on a board of this size, column by column from the left, top down."""
        columns, rows = self.reach(size_mm)
        middles = (((column, row), self.centre((column, row))) for column in columns for row in rows)
        return tuple(cell for cell, (x, y) in middles if 0 <= x <= size_mm[0] and 0 <= y <= size_mm[1])

    def reach(self, size_mm: Point) -> tuple[range, range]:
        """Return the columns and rows that may lie on a board of this size; ArithmeticError for a degenerate grid."""
        ends = [self._steps(corner) for corner in ((0.0, 0.0), (size_mm[0], 0.0), (0.0, size_mm[1]), size_mm)]
        columns = range(math.floor(min(u for u, _ in ends)) - 1, math.ceil(max(u for u, _ in ends)) + 2)
        rows = range(math.floor(min(v for _, v in ends)) - 1, math.ceil(max(v for _, v in ends)) + 2)
        return columns, rows

    def _knot(self, cell: Cell) -> Knot:
        column, row = cell
        return (3 * column, 2 * row + column % 2) if self.flat else (2 * column + row % 2, 3 * row)

    def _steps(self, point: Point) -> Point:
        """Return a place as steps across and down from the origin."""
        x, y = point[0] - self.origin_mm[0], point[1] - self.origin_mm[1]
        (ax, ay), (dx, dy) = self.across_mm, self.down_mm
        area = ax * dy - ay * dx
        return ((x * dy - y * dx) / area, (y * ax - x * ay) / area)

    def _far(self, cell: Cell, steps: Point) -> float:
        """Return a hex's squared distance as if the grid were regular: the nearest one contains the place."""
        wide, high = (3, 2) if self.flat else (2, 3)
        x, y = self._knot(cell)
        u, v = steps[0] - x / wide, steps[1] - y / high
        return (2.25 * u * u + 3 * v * v) if self.flat else (3 * u * u + 2.25 * v * v)


def regular(origin_mm: Point, side_mm: float, flat: bool = True) -> BoardGrid:
    """Return a grid of regular hexes, neither stretched nor turned."""
    long, short = math.sqrt(3) * side_mm, 1.5 * side_mm
    return BoardGrid(origin_mm, (short if flat else long, 0.0), (0.0, long if flat else short), flat)


def neighbours(flat: bool, cell: Cell) -> tuple[Cell, ...]:
    """Return the six hexes around one, as if the grid had no edge."""
    column, row = cell
    if flat:
        half = column % 2
        sides = ((0, -1), (0, 1), (-1, half - 1), (-1, half), (1, half - 1), (1, half))
    else:
        half = row % 2
        sides = ((-1, 0), (1, 0), (half - 1, -1), (half, -1), (half - 1, 1), (half, 1))
    return tuple((column + dc, row + dr) for dc, dr in sides)


def pieces(flat: bool, cells: Iterable[Cell]) -> Iterator[tuple[Cell, ...]]:
    """Yield the connected groups of some hexes, each in the order given."""
    left = list(cells)
    while left:
        part, edge = set[Cell](), {left[0]}
        while edge:
            part |= edge
            edge = {near for cell in edge for near in neighbours(flat, cell) if near in left} - part
        yield tuple(cell for cell in left if cell in part)
        left = [cell for cell in left if cell not in part]


def outline(grid: BoardGrid, cells: Sequence[Cell]) -> tuple[Point, ...]:
    """Return the common outline of hexes, clockwise as seen, from the first on its edge; NotOnePiece if it has none."""
    if len(list(pieces(grid.flat, cells))) != 1:
        raise NotOnePiece("these hexes do not hang together")
    sides = {side for knots in map(grid.knots, set(cells)) for side in zip(knots, (*knots[1:], knots[0]), strict=True)}
    # a side that two hexes share runs one way in the one and the other way in the other: what is left is the edge
    following = dict(side for side in sides if side[::-1] not in sides)
    start = next(knot for cell in cells for knot in grid.knots(cell) if knot in following)
    ring = [start]
    while (knot := following[ring[-1]]) != start:
        ring.append(knot)
    if len(ring) != len(following):
        raise NotOnePiece("these hexes leave a hole")
    return tuple(grid.place(knot) for knot in ring)


def touching(flat: bool, areas: Mapping[str, Collection[Cell]]) -> dict[str, tuple[str, ...]]:
    """Return {area: the areas that share an edge with it, sorted by name}."""
    owner = {cell: name for name, cells in areas.items() for cell in cells}
    found = {
        name: {owner[near] for cell in cells for near in neighbours(flat, cell) if near in owner} - {name}
        for name, cells in areas.items()
    }
    return {name: tuple(sorted(others)) for name, others in found.items()}


def hex_names(cells: Iterable[Cell]) -> dict[Cell, str]:
    """Return {hex: its name}: its column's letter, from the left, and its number in the column, from the bottom.

    aa follows z: such a board can't be saved, but it can be looked at.
    """
    columns: dict[int, list[Cell]] = {}
    for cell in cells:
        columns.setdefault(cell[0], []).append(cell)
    return {
        cell: f"{_LETTERS[n % len(_LETTERS)] * (1 + n // len(_LETTERS))}{number}"
        for n, column in enumerate(sorted(columns))
        for number, cell in enumerate(sorted(columns[column], key=lambda cell: -cell[1]), 1)
    }


def in_order(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the hexes of an area in the order of listing: column by column from the left, each bottom up."""
    return tuple(sorted(cells, key=lambda cell: (cell[0], -cell[1])))


def area_name(cells: Iterable[Cell], names: Mapping[Cell, str]) -> str:
    """Return the name of an area: that of the lowest hex in its first column."""
    return names[in_order(cells)[0]]


def box(centre_mm: Point, size_mm: Point) -> tuple[Point, ...]:
    """Return the four corners of a rectangle (an aircraft section) in mm, clockwise from the top left."""
    (x, y), (wide, high) = centre_mm, (size_mm[0] / 2, size_mm[1] / 2)
    return ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))
