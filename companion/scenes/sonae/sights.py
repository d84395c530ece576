"""The battlefield as a picture. Places are in Movements, x to the right and y towards the far edge; facings in degrees
clockwise from the far edge.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class UnitSight:
    """A unit's base on the field. sign: what kind it is; mark: "", "chosen", "live", "target", "locked" or "ghost"."""

    name: str
    seat: str
    sign: str
    place: Point
    facing_deg: float
    depth: float = 1.0
    status: str = "fresh"
    fatigued: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class GroundSight:
    """A piece of ground with its outline. kind: as the scenario has it, or "objective"."""

    kind: str
    title: str
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class RingSight:
    """All places so far from a point: a Command Radius, a range of fire. kind: "command", "general" or "fire"."""

    kind: str
    centre: Point
    radius: float
    seat: str = ""


@dataclass(frozen=True, slots=True)
class LineSight:
    """A line from one place to another: kind "move", "charge", "fire" or "ruler", with a few words beside it."""

    kind: str
    start: Point
    end: Point
    text: str = ""


@dataclass(frozen=True, slots=True)
class FieldPicture:
    """The whole field. A touch on a unit is Intent("unit", name), anywhere else Intent("field", at=(x, y)) with parts
    of the picture's width and height, from the top left.
    """

    size: Point
    grounds: tuple[GroundSight, ...]
    units: tuple[UnitSight, ...]
    rings: tuple[RingSight, ...] = ()
    lines: tuple[LineSight, ...] = ()
    grid: str = "free"
