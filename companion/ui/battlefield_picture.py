"""The battlefield as a picture.

Places are in Movements, x to the right and y towards the far edge; facings in degrees clockwise from the far
edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.ui.intents import Intent
from companion.ui.small_map import GroundSight, Point

Window = tuple[float, float, float, float]
"""A part of the field: its left and low edge, its width and its height, in Movements."""


SIGNS: Mapping[str, str] = {
    "normal": "foot",
    "firing": "bow",
    "melee": "spear",
    "shock": "shell",
    "command": "initiative",
    "camp": "maku",
    "mounted": "horse",
}
"""The icon of each sign of a unit (companion.drawing.icons)."""


@dataclass(frozen=True, slots=True)
class UnitSight:
    """A unit's base on the field.

    sign: "normal", "firing", "melee", "shock", "command", "camp" or "mounted". mark: "", "live" (it may act), "chosen",
    "target", "ghost" (where it would stand), "bad" (where it may not) or "spent" (it has nothing left to do).
    """

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
    """The whole field, and below it, where there is room, a part of it enlarged: around the focus.

    With `touch`, a touch on a unit is Intent("unit", name). With `drags` a finger on the field is followed instead:
    Intent("field", what, n, at), n 0 as it comes down, 1 as it moves, 2 as it leaves; `place_of` tells where that is.
    quarters: a unit whose quarters are shown. legend: (a sign of a unit, or "wavering", "brittle", "fatigued"; what it
    means), in the place of the enlarged part where there is no focus.
    """

    size: Point
    grounds: tuple[GroundSight, ...]
    units: tuple[UnitSight, ...]
    rings: tuple[RingSight, ...] = ()
    lines: tuple[LineSight, ...] = ()
    grid: str = "free"
    focus: Point | None = None
    drags: bool = False
    touch: bool = False
    quarters: str = ""
    legend: tuple[tuple[str, str], ...] = ()


def field_intent(window: Window) -> Intent:
    """Return the intent of a finger on this part of the field, with the window's numbers as its subject."""
    return Intent("field", " ".join(f"{part:.4f}" for part in window))


def place_of(intent: Intent) -> Point:
    """Return where on the field a finger is, in Movements."""
    left, low, wide, high = map(float, intent.what.split())
    return left + intent.at[0] * wide, low + (1 - intent.at[1]) * high


def is_near(point: Point, other: Point, within: float) -> bool:
    """Return whether two places are no farther apart than `within`."""
    return (point[0] - other[0]) ** 2 + (point[1] - other[1]) ** 2 <= within**2
