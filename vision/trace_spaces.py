"""Action spaces: the small hexes or discs printed on the map, found by their outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.trace_hexes import Cell, HexGrid, Point
from vision.trace_sheet import Sheet


@dataclass(frozen=True, slots=True)
class FoundSpace:
    """A small printed hex or disc: its middle, its side, how sure it is, its cell, and the group of those like it."""

    at_mm: Point
    side_mm: float
    confidence: float
    cell: Cell
    group: int


def spaces_of(sheet: Sheet, grid: HexGrid, on_map: Mapping[Cell, float]) -> tuple[FoundSpace, ...]:
    """What looks like an action space on the cells of the map, surest first."""
    return ()


def snap(spaces: Sequence[FoundSpace], at_mm: Point, reach_mm: float = 8.0) -> FoundSpace | None:
    """The printed space nearest to a touch, or None where none is within reach."""
    if not spaces:
        return None
    gaps = [float(np.hypot(space.at_mm[0] - at_mm[0], space.at_mm[1] - at_mm[1])) for space in spaces]
    nearest = int(np.argmin(gaps))
    return spaces[nearest] if gaps[nearest] <= reach_mm else None
