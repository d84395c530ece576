"""A grid of equal hexes on a board, as the eye measures it.

A cell is `(column, row)`, the row growing downwards; places are board mm. Where hexes lie flat their points are left
and right, their columns straight, and every second column is half a step lower; where they stand, every second row is
half a step to the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision.geometry import Matrix

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
Point = tuple[float, float]
ROOT3 = math.sqrt(3.0)


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Steps to the next column, `across_mm`, and the next row, `down_mm`; `origin_mm` is the middle of (0, 0)."""

    origin_mm: Point
    across_mm: Point
    down_mm: Point
    flat: bool = True

    @property
    def side_mm(self) -> float:
        """The side of a hex: the mean of what the two steps say."""
        across, down = math.hypot(*self.across_mm), math.hypot(*self.down_mm)
        return (across / 1.5 + down / ROOT3) / 2 if self.flat else (across / ROOT3 + down / 1.5) / 2

    @property
    def steps(self) -> Matrix:
        """(2, 2): the steps across and down as rows."""
        return np.array([self.across_mm, self.down_mm], np.float64)

    def centres(self, cells: Iterable[Cell]) -> Matrix:
        """Return (N, 2) the middles of cells."""
        both = np.array(list(cells), np.float64).reshape(-1, 2)
        odd = (both[:, 1] if not self.flat else both[:, 0]) % 2 / 2
        both[:, 0 if not self.flat else 1] += odd
        return np.asarray(np.array(self.origin_mm) + both @ self.steps, np.float64)

    def centre(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        x, y = self.centres([cell])[0]
        return float(x), float(y)

    def corners(self, cell: Cell) -> Matrix:
        """Return (6, 2) a cell's corners, clockwise as seen; the first two end its side to `neighbours(cell)[0]`."""
        ways = np.array([[2 / 3, 0], [1 / 3, 1 / 2], [-1 / 3, 1 / 2], [-2 / 3, 0], [-1 / 3, -1 / 2], [1 / 3, -1 / 2]])
        if not self.flat:
            ways = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
        return np.asarray(np.array(self.centre(cell)) + ways @ self.steps, np.float64)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the six cells around one, clockwise as seen, in the order of its sides from the first corner on."""
        column, row = cell
        half = (column if self.flat else row) % 2
        if self.flat:
            ways = [(1, half), (0, 1), (-1, half), (-1, half - 1), (0, -1), (1, half - 1)]
        else:
            ways = [(half - 1, 1), (-1, 0), (half - 1, -1), (half, -1), (1, 0), (half, 1)]
        return tuple((column + across, row + down) for across, down in ways)

    def cell_at(self, at_mm: Point) -> Cell:
        """Return the cell whose middle is nearest."""
        u, v = np.linalg.solve(self.steps.T, np.array(at_mm) - np.array(self.origin_mm))
        near = [(math.floor(u) + i, math.floor(v) + j) for i in range(-1, 3) for j in range(-1, 3)]
        gaps = np.linalg.norm(self.centres(near) - np.array(at_mm), axis=1)
        return near[int(np.argmin(gaps))]

    def cells(self, size_mm: Point) -> tuple[Cell, ...]:
        """Return all cells that lie on a board of this size with any part of them."""
        reach = 1.05 * self.side_mm
        box = np.array([[-reach, -reach], [size_mm[0] + reach, -reach], [-reach, size_mm[1] + reach],
                        [size_mm[0] + reach, size_mm[1] + reach]])  # fmt: skip
        found = np.linalg.solve(self.steps.T, (box - np.array(self.origin_mm)).T).T
        low, high = np.floor(found.min(axis=0)).astype(int) - 1, np.ceil(found.max(axis=0)).astype(int) + 1
        every = [(c, r) for c in range(low[0], high[0] + 1) for r in range(low[1], high[1] + 1)]
        centres = self.centres(every)
        kept = np.flatnonzero(((centres > -reach) & (centres < np.array(size_mm) + reach)).all(axis=1))
        return tuple(every[number] for number in kept)

    def inside(self, cell: Cell, size_mm: Point, slack_mm: float = 0.0) -> bool:
        """Return whether a whole cell lies on a board of this size, but for a slack."""
        corners = self.corners(cell)
        return bool((corners >= -slack_mm).all() and (corners <= np.array(size_mm) + slack_mm).all())

    def side(self, cell: Cell, other: Cell) -> Matrix:
        """Return (2, 2) the ends of the side that two neighbours share; ValueError if the cells are none."""
        number = self.neighbours(cell).index(other)
        return np.asarray(self.corners(cell)[[number, (number + 1) % 6]], np.float64)


def regular(origin_mm: Point, side_mm: float, flat: bool = True, turn_rad: float = 0.0) -> HexGrid:
    """Return a grid of regular hexes, turned clockwise as seen by a little."""
    long, short = ROOT3 * side_mm, 1.5 * side_mm
    across, down = (short, long) if flat else (long, short)
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    return HexGrid(origin_mm, (across * cos, across * sin), (-down * sin, down * cos), flat)


def pair_of(cell: Cell, other: Cell) -> Pair:
    """Return two cells as one sorted key."""
    return (cell, other) if cell < other else (other, cell)
