"""What a ground is to be painted of, outlines in pixels, and how it is to look: the styles, as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

Point = tuple[float, float]
Outline = tuple[Point, ...]

PAINTED_SINCE = 1
"""Raised whenever the painter paints otherwise, so that kept pictures are painted anew."""


@dataclass(frozen=True, slots=True)
class GroundJob:
    """A picture to paint, all places in its pixels.

    style: one of `STYLES`. scenery: what lies around the areas ("woods", "mountains", "sea",
    or "" for nothing but the style's own). unit: pixels of the mm in which signs are measured. land, water: the areas'
    outlines; hills: the middles of the land's hexes; bridges: the sides at which ports meet their water.
    """

    style: str
    scenery: str
    size_px: tuple[int, int]
    unit: float
    land: tuple[Outline, ...]
    water: tuple[Outline, ...]
    hills: tuple[Point, ...]
    bridges: tuple[tuple[Point, Point], ...]
    land_colour: str
    water_colour: str

    def as_text(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @property
    def name(self) -> str:
        """The name of its picture: a sum of all that decides how it looks."""
        told = f"{PAINTED_SINCE} {self.as_text()}"
        return f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.jpg"


def job_from_text(text: str) -> GroundJob:
    """Return the job that `GroundJob.as_text` wrote."""
    told = json.loads(text)
    wide, high = told.pop("size_px")
    land, water = (tuple(_points(outline) for outline in told.pop(name)) for name in ("land", "water"))
    bridges = tuple((_points(ends)[0], _points(ends)[1]) for ends in told.pop("bridges"))
    return GroundJob(
        size_px=(wide, high), hills=_points(told.pop("hills")), land=land, water=water, bridges=bridges, **told
    )


def _points(pairs: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in pairs)


# ---- styles -----------------------------------------------------------------------------------

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
