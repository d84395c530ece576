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


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """How a table is marked: its size, the side of a corner's marker and of a base's, and how high that lies.

    The corner markers' outer corners lie in the corners of the table, their tops towards the far edge. `ahead`: how far
    a marker's middle lies ahead of its base's middle; less than nothing where figures stand in front of it.
    """

    width: float
    height: float
    corner_side: float = 1.5
    base_side: float = 0.6
    base_height: float = 0.08
    ahead: float = 0.0


def corner_places(table: MarkedTable) -> dict[int, Points]:
    """The corners (4, 2) of each corner marker on the table, far left first, clockwise."""
    side, right, top = table.corner_side, table.width, table.height
    lefts = (0.0, right - side, right - side, 0.0)
    tops = (top, top, side, side)
    return {
        number: np.array([(x, y), (x + side, y), (x + side, y - side), (x, y - side)], np.float64)
        for number, x, y in zip(CORNERS, lefts, tops, strict=True)
    }


def square(side: float) -> Points:
    """(4, 2) corners of a square about its middle, x right and y ahead: front left first, clockwise."""
    half = side / 2
    return np.array([(-half, half), (half, half), (half, -half), (-half, -half)], np.float64)


def placed(points: npt.ArrayLike, at: tuple[float, float], facing_deg: float) -> Points:
    """(N, 2) points of something facing the far edge, turned clockwise and moved to its place on the table."""
    turn = np.radians(facing_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(np.asarray(points, np.float64) @ turned + np.asarray(at), np.float64)
