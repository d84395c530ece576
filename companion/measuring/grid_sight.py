"""A base on a grid: which cell it stands in, which side of it it faces, and where that is not clear."""

from __future__ import annotations

from dataclasses import dataclass

from engine.sonae.field import Place, angle_between, distance
from engine.sonae.measure import SIDES_DEG, Cell, Measure

BETWEEN = 0.08
"""How near to the border between two cells, in Movements beyond the eye's own error, a base stands between them."""
BETWEEN_DEG = 8.0
"""How near to the middle between two facings a base faces neither."""


@dataclass(frozen=True, slots=True)
class OnGrid:
    """The cell a base stands in, as column and row from the near left, and its place there, facing a side.

    off, off_deg: how far from the cell's middle and from that side it was measured. others: cells that it may be meant
    to stand in as well. clear_facing: whether there is no doubt which side it faces.
    """

    cell: Cell
    place: Place
    off: float
    off_deg: float
    others: tuple[Cell, ...] = ()
    clear_facing: bool = True

    @property
    def clear(self) -> bool:
        """Whether it stands in one cell and faces one side."""
        return not self.others and self.clear_facing


def on_grid(measure: Measure, place: Place, error: float = 0.0) -> OnGrid:
    """The cell of a base measured with such an error, on a square or hex grid."""
    there = measure.snapped(place)
    cell, off, off_deg = (
        measure.cell(place.at),
        distance(place.at, there.at),
        angle_between(place.facing_deg, there.facing_deg),
    )
    clear_facing = SIDES_DEG[measure.grid] / 2 - off_deg >= BETWEEN_DEG
    return OnGrid(cell, there, off, off_deg, _others(measure, place, cell, error + BETWEEN), clear_facing)


def _others(measure: Measure, place: Place, cell: Cell, reach: float) -> tuple[Cell, ...]:
    """Other cells that begin so near to a base's middle."""
    around = (measure.cell(place.moved(x * reach, y * reach).at) for x in (-1, 0, 1) for y in (-1, 0, 1))
    return tuple(dict.fromkeys(one for one in around if one != cell))
