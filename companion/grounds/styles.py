"""The styles of grounds, as data: what they are painted with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Red, green, blue."""


@dataclass(frozen=True, slots=True)
class GroundStyle:
    """Colours and manners of a ground.

    around: what lies around the map ("gold", "paper", "table"), in its colour. ink: lines and hills. relief: how land
    is drawn ("hills" in ink, "contours"). waves: how water is drawn ("scales", "lines"). deep: how much darker water is
    far from the shore, 0 to 1. grain: how rough the paper is, in levels.
    """

    around: str
    around_colour: Colour
    ink: Colour
    relief: str
    waves: str
    deep: float
    grain: float


STYLES: Mapping[str, GroundStyle] = {
    "lacquer": GroundStyle("gold", (150, 116, 54), (62, 58, 46), "hills", "scales", 0.42, 2.2),
    "washi": GroundStyle("paper", (229, 216, 183), (66, 62, 54), "hills", "scales", 0.3, 2.4),
    "staff-night": GroundStyle("table", (46, 44, 30), (92, 76, 44), "contours", "lines", 0.3, 2.0),
    "staff-day": GroundStyle("table", (196, 184, 146), (122, 92, 54), "contours", "lines", 0.22, 2.0),
}
