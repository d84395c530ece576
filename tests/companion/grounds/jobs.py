"""A small map to paint: land on the left, water on the right, a bridge between them."""

from __future__ import annotations

from companion.grounds.job import GroundJob

LAND = ((4.0, 4.0), (30.0, 4.0), (30.0, 44.0), (4.0, 44.0))
WATER = ((30.0, 4.0), (60.0, 4.0), (60.0, 44.0), (30.0, 44.0))


def small_job(style: str = "lacquer", scenery: str = "") -> GroundJob:
    """Return a job of 64 by 48 pixels."""
    return GroundJob(
        style=style, scenery=scenery, size_px=(64, 48), unit=0.8, land=(LAND,), water=(WATER,), hills=((17.0, 20.0),),
        bridges=(((30.0, 4.0), (30.0, 44.0)),), land_colour="#dfd2ac", water_colour="#3f78a0",
    )  # fmt: skip
