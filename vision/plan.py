"""What the eye is told of a board: its areas and action spaces by name, and where they lie. No rules."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import MOST_BYTES, parse_json
from vision.errors import TableError
from vision.values import number, point, rows, text, whole

Point = tuple[float, float]

LEAST_MM = 10.0
MOST_MM2 = 200_000.0
"""Of a whole board: two and a half times the largest known."""
BESIDE_MM = 10.0
MOST_AREAS, MOST_SPACES, MOST_START = 60, 500, 500
MOST_POINTS, MOST_NAMES, MOST_UNITS = 400, 50, 99


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

    def unit_kinds(self, area: AreaPlan) -> tuple[str, ...]:
        """Return the unit kinds that this area can hold; none for a kind of area without units."""
        return dict(self.units).get(area.kind, ())

    def area(self, name: str) -> AreaPlan:
        """Return the area of that name; KeyError if there is none."""
        return {area.name: area for area in self.areas}[name]

    def start_units(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return the printed starting position: {area: {faction: {unit: n}}}."""
        units: dict[str, dict[str, dict[str, int]]] = {}
        for area, faction, unit, count in self.start:
            units.setdefault(area, {}).setdefault(faction, {})[unit] = count
        return units


def plan_text(plan: BoardPlan) -> str:
    """Return the plan as JSON text."""
    return json.dumps(asdict(plan), separators=(",", ":"))


# ---- reading ------------------------------------------------------------------------------------


def load_plan(path: Path) -> BoardPlan:
    """Load the plan in a file that `plan_text` wrote; TableError names the file and what is wrong with it."""
    try:
        return plan_from_data(parse_json(read_file(path, MOST_BYTES)))
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror})") from error
    except (Unreadable, TableError) as error:
        raise TableError(f"{path}: {error}") from error


def plan_from_data(data: Any) -> BoardPlan:
    """Return the plan from the data of `plan_text`, checked strictly.

    TableError if something is missing, malformed, or larger than on any board.
    """
    try:
        plan = BoardPlan(
            board=text(data["board"]),
            size_mm=point(data["size_mm"]),
            areas=tuple(map(_area, rows(data["areas"], MOST_AREAS))),
            spaces=tuple(map(_space, rows(data["spaces"], MOST_SPACES))),
            space_side_mm=number(data["space_side_mm"]),
            factions=_names(data["factions"]),
            units=tuple((text(kind), _names(names)) for kind, names in rows(data["units"], MOST_NAMES)),
            start=tuple(map(_force, rows(data["start"], MOST_START))),
            most=tuple((text(kind), _units(n)) for kind, n in rows(data.get("most", ()), MOST_NAMES)),
            shared=bool(data.get("shared", True)),
        )
        _check(plan)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TableError(f"the board's plan is broken ({error})") from error
    return plan


def check_size(plan: BoardPlan) -> None:
    """Raise TableError if a board is larger or smaller than the eye reads: memory and time grow with its size."""
    across, down = plan.size_mm
    if min(across, down) < LEAST_MM:
        raise TableError(f"a board of {across:g} x {down:g} mm is smaller than the eye reads")
    if across * down > MOST_MM2:
        raise TableError(f"a board of {across:g} x {down:g} mm is larger than the eye reads")


def _check(plan: BoardPlan) -> None:
    check_size(plan)
    areas = {area.name for area in plan.areas}
    if not areas or len(areas) < len(plan.areas):
        raise ValueError("no areas, or two with the same name")
    strange = {space.area for space in plan.spaces} | {name for name, *_ in plan.start}
    if not strange <= areas:
        raise ValueError(f"{min(strange - areas)!r} isn't one of its areas")
    places = [at for area in plan.areas for at in (*area.polygon_mm, *area.centres_mm)]
    for x, y in (*places, *(space.at_mm for space in plan.spaces)):
        if not (-BESIDE_MM <= x <= plan.size_mm[0] + BESIDE_MM and -BESIDE_MM <= y <= plan.size_mm[1] + BESIDE_MM):
            raise ValueError(f"{x:g}, {y:g} lies beside the board")


def _names(value: Any) -> tuple[str, ...]:
    return tuple(map(text, rows(value, MOST_NAMES)))


def _units(value: Any) -> int:
    if whole(value) > MOST_UNITS:
        raise ValueError(f"expected at most {MOST_UNITS} units")
    return int(value)


def _area(value: Any) -> AreaPlan:
    outline = tuple(map(point, rows(value["polygon_mm"], MOST_POINTS)))
    centres = tuple(map(point, rows(value["centres_mm"], MOST_POINTS)))
    if len(outline) < 3 or not centres:
        raise ValueError("an area without outline or centre")
    return AreaPlan(text(value["name"]), text(value["kind"]), outline, centres)


def _space(value: Any) -> SpacePlan:
    return SpacePlan(text(value["name"]), text(value["area"]), point(value["at_mm"]))


def _force(value: Any) -> tuple[str, str, str, int]:
    area, faction, unit, n = rows(value, 4)
    return text(area), text(faction), text(unit), _units(n)
