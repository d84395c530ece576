"""How the bases of a battle are marked: the two ways that Gunbai prints, and the table that the eye is told of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.sonae.scenario import Scenario

if TYPE_CHECKING:
    from vision.marked_table import MarkedTable

BASE_MM = 40.0
"""A usual base's width, where nobody says another."""


@dataclass(frozen=True, slots=True)
class Marking:
    """Lengths in base widths: a base marker's side, how far it lies ahead of the base's middle, its height.

    corner_side: the side of the markers in the table's corners.
    """

    base_side: float = 0.6
    ahead: float = 0.0
    base_height: float = 0.08
    corner_side: float = 1.5


MARKINGS: Mapping[str, Marking] = {"middle": Marking(), "rear": Marking(0.45, -0.22)}
"""In the middle of a base that lies flat; or smaller at its rear edge, with room for figures before it."""


def marked_table(scenario: Scenario, marking: Marking) -> MarkedTable:
    """The table of a battle as the eye is told of it."""
    from vision.marked_table import MarkedTable

    width, height = scenario.size
    return MarkedTable(width, height, marking.corner_side, marking.base_side, marking.base_height, marking.ahead)
