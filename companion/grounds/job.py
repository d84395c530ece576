"""What a ground is to be painted of: outlines in pixels, and how it is to look."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

Point = tuple[float, float]
Outline = tuple[Point, ...]

PAINTED_SINCE = 1
"""Raised whenever the painter paints otherwise, so that kept pictures are painted anew."""


@dataclass(frozen=True, slots=True)
class GroundJob:
    """A picture to paint, all places in its pixels.

    style: one of `companion.grounds.styles.STYLES`. scenery: what lies around the areas ("woods", "mountains", "sea",
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
