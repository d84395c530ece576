"""What the eye is told of a board: its areas and action spaces by name, and where they lie. No rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from vision.errors import TableError

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class AreaPlan:
    """An area: its name, its kind ("land" or "water"), its outline and the middles of its hexes, in mm."""

    name: str
    kind: str
    polygon_mm: tuple[Point, ...]
    centres_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SpacePlan:
    """An action space, e.g. "advance:b3": the area it belongs to and its middle, in mm."""

    name: str
    area: str
    at_mm: Point


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board as the eye knows it; x right, y down, origin at the board's top left corner, all in mm.

    units: which unit kinds an area kind can hold, e.g. (("land", ("troop",)), ("water", ("ship",))).
    start: the printed starting position, as (area, faction, unit, number).
    What is usual, as a hint that clear sight overrules: most: how many units an area of a kind holds at most;
    shared: whether units of two factions stand in one area.
    """

    board: str
    size_mm: Point
    areas: tuple[AreaPlan, ...]
    spaces: tuple[SpacePlan, ...]
    space_side_mm: float
    factions: tuple[str, ...]
    units: tuple[tuple[str, tuple[str, ...]], ...]
    start: tuple[tuple[str, str, str, int], ...]
    most: tuple[tuple[str, int], ...] = ()
    shared: bool = True

    def units_of(self, area: AreaPlan) -> tuple[str, ...]:
        """The unit kinds this area can hold."""
        return dict(self.units).get(area.kind, ())

    def area(self, name: str) -> AreaPlan:
        """The area of that name; KeyError where there is none."""
        return next(area for area in self.areas if area.name == name)


def plan_text(plan: BoardPlan) -> str:
    """The plan as JSON text."""
    return json.dumps(asdict(plan), separators=(",", ":"))


def _point(value: Any) -> Point:
    x, y = value
    return float(x), float(y)


def _area(value: Mapping[str, Any]) -> AreaPlan:
    outline, centres = tuple(map(_point, value["polygon_mm"])), tuple(map(_point, value["centres_mm"]))
    if len(outline) < 3 or not centres:
        raise ValueError("an area without outline or middle")
    return AreaPlan(str(value["name"]), str(value["kind"]), outline, centres)


def plan_from_data(data: Mapping[str, Any]) -> BoardPlan:
    """The plan from the data of `plan_text`, strictly; TableError where something is missing or of the wrong form."""
    try:
        return BoardPlan(
            board=str(data["board"]),
            size_mm=_point(data["size_mm"]),
            areas=tuple(map(_area, data["areas"])),
            spaces=tuple(SpacePlan(str(s["name"]), str(s["area"]), _point(s["at_mm"])) for s in data["spaces"]),
            space_side_mm=float(data["space_side_mm"]),
            factions=tuple(map(str, data["factions"])),
            units=tuple((str(kind), tuple(map(str, names))) for kind, names in data["units"]),
            start=tuple((str(a), str(f), str(u), int(n)) for a, f, u, n in data["start"]),
            most=tuple((str(kind), int(n)) for kind, n in data.get("most", ())),
            shared=bool(data.get("shared", True)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TableError(f"the board's plan is broken ({error})") from error
