"""A piece of a battlefield's ground as it is drawn: places are in Movements, y towards the far edge."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GroundSight:
    """A piece of ground with its outline.

    look: "hill", "forest", "marsh", "water", "bridge", "road", "rough", "rocks", "open" or "objective".
    """

    look: str
    title: str
    outline: tuple[Point, ...]
