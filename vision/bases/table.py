"""How a table is marked: four markers flat in its corners, a small one on every base. Lengths are in base widths.

Frames: `table` is x right and y towards the far edge, its origin in the near left corner; facings are degrees clockwise
from the far edge; heights are measured up from the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]

CORNERS = (246, 247, 248, 249)
"""The numbers of the markers in the table's corners: far left, far right, near right, near left."""
UNITS = range(246)
"""The numbers of markers on bases."""
CELLS = 6
"""A marker's cells along a side: four of its code between its black frame's two."""
CORNER_MARGIN, CORNER_STRIP, CORNER_MARK = 0.5, 1.0, 0.45
"""Of a corner's paper, in cells of its marker: the white round the marker, the strip for its name on the side of the
table's middle, the black mark in the paper's corner that lies on the table's corner."""


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """How a table is marked: its size, the side of a corner's marker and of a base's, and how high that lies.

    height_within: how much higher or lower it may lie than that.
    Each corner's paper lies with its black corner on the corner of the table, see `corner_paper`. `ahead`: how far a
    marker's middle lies ahead of its base's middle; less than nothing where figures stand in front of it.
    """

    width: float
    height: float
    corner_side: float = 1.5
    base_side: float = 0.6
    base_height: float = 0.08
    ahead: float = 0.0
    height_within: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class CornerPaper:
    """What is cut out and laid in a corner: (4, 2) corners of the paper and of its marker, far left first, clockwise.

    mark: (3, 2) the black triangle in the paper's corner, that corner first. strip: (4, 2) where the name stands.
    """

    paper: Points
    marker: Points
    mark: Points
    strip: Points

    def laid(self, at: tuple[float, float], turned_deg: float = 0.0) -> CornerPaper:
        """Return this paper turned clockwise about its origin, which is moved to `at`."""
        parts = (self.paper, self.marker, self.mark, self.strip)
        return CornerPaper(*(turn_and_move(part, at, turned_deg) for part in parts))


def corner_paper(number: int, side: float) -> CornerPaper:
    """Return a corner's paper by its marker's side; x right, y towards the far edge, from the corner marked black.

    The one place that says what the printed sheet, the eye and the simulator mean by it: the paper's edges lie along
    the table's, so that the marker begins `CORNER_MARGIN` further in.
    """
    cell = side / CELLS
    right, far = _which(number)
    inward = np.array([-cell if right else cell, -cell if far else cell])

    def box(x: float, y: float, wide: float, deep: float) -> Points:
        near, away = sorted((y * inward[1], (y + deep) * inward[1]))
        left, end = sorted((x * inward[0], (x + wide) * inward[0]))
        return np.array([(left, away), (end, away), (end, near), (left, near)], np.float64)

    whole = CELLS + 2 * CORNER_MARGIN
    return CornerPaper(
        box(0, 0, whole, whole + CORNER_STRIP),
        box(CORNER_MARGIN, CORNER_MARGIN, CELLS, CELLS),
        np.array([(0, 0), (CORNER_MARK, 0), (0, CORNER_MARK)], np.float64) * inward,
        box(0, whole, whole, CORNER_STRIP),
    )


def _which(number: int) -> tuple[bool, bool]:
    """Return whether a corner is on the right, and whether on the far side."""
    return number in CORNERS[1:3], number in CORNERS[:2]


def corner_at(number: int, table: MarkedTable) -> tuple[float, float]:
    """Return where a corner of the table is."""
    right, far = _which(number)
    return table.width if right else 0.0, table.height if far else 0.0


def corner_places(table: MarkedTable) -> dict[int, Points]:
    """Return the corners (4, 2) of each corner marker on the table, far left first, clockwise."""
    return {n: corner_paper(n, table.corner_side).laid(corner_at(n, table)).marker for n in CORNERS}


def square(side: float) -> Points:
    """Return (4, 2) corners of a square about its middle, x right and y ahead: front left first, clockwise."""
    half = side / 2
    return np.array([(-half, half), (half, half), (half, -half), (-half, -half)], np.float64)


def turn_and_move(points: npt.ArrayLike, at: tuple[float, float], facing_deg: float) -> Points:
    """Turn (N, 2) points of something facing the far edge clockwise, and move them to its place on the table."""
    turn = np.radians(facing_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(np.asarray(points, np.float64) @ turned + np.asarray(at), np.float64)
