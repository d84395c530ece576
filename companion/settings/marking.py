"""How the bases of a battle are marked: the two ways that Gunbai prints, and the table that the eye needs for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.sonae.scenario import Scenario

if TYPE_CHECKING:
    from vision.bases.markers import MarkedTable

HEIGHTS = (0.0, 1.0)
"""The range of heights of a base's top that may be given, in base widths: from paper on the table to a cube."""
SAID_WITHIN = 0.01
"""How far a given height may be off, in base widths: a ruler, paper and glue."""


@dataclass(frozen=True, slots=True)
class Marking:
    """How bases are marked, in base widths: the marker's side, how far ahead of the base's middle it is, its height.

    height_within: how far that height may be off; if nothing is known, the usual heights of bases: 2 to 5 mm on a width
    of 40. corner_side: the side of the markers in the table's corners.
    """

    base_side: float = 0.6
    ahead: float = 0.0
    base_height: float = 0.08
    height_within: float = 0.04
    corner_side: float = 1.5


MARKINGS: Mapping[str, Marking] = {"middle": Marking(), "rear": Marking(0.45, -0.22)}
"""The two ways to mark bases: in the middle, or smaller at the rear edge, with room for figures before it."""


def marking_of(name: str, height: float | None = None) -> Marking:
    """Return the marking of that name ("middle" or "rear"), with the bases' height in base widths if it is known."""
    way = MARKINGS[name]
    return way if height is None else replace(way, base_height=height, height_within=SAID_WITHIN)


def marked_table(scenario: Scenario, marking: Marking) -> MarkedTable:
    """Return the table of a battle, with its size and its markers' measures, for the eye."""
    from vision.bases.markers import MarkedTable

    width, height = scenario.size
    return MarkedTable(
        width,
        height,
        marking.corner_side,
        marking.base_side,
        marking.base_height,
        marking.ahead,
        marking.height_within,
    )
