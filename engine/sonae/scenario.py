"""Armies and battlefields as data: who fights, where they stand, on what ground, and for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from engine.errors import BadTable
from engine.sonae.field import GRIDS, NEAR, Measure, Place, Point, bounding_box, facing, in_polygon, is_crossed
from engine.tables import Each, Registry, Several, Within, Word, join_faults, parse_table, read_table, table_names

FOLDER = "sonae"
SIDES_OF_A_BATTLE = 2
TYPES = ("normal", "firing", "melee", "shock", "command", "general")
KINDS = (*TYPES[:-1], "encamped", "mobile")
"""The rows of skills: one for each type, and for a general one for each of its modes."""
SKILLS = ("fire", "melee", "shock", "resilience")
GROUNDS = ("difficult", "blocked", "hill", "road", "open")
"""What ground does: difficult lets a unit go one Movement ahead (Movement), blocked lets none pass, a hill is high, a
road lets it go one Movement further along it. Where outlines overlap, the last one named counts: a bridge is open."""

MOST_UNITS, MOST_GROUNDS = 120, 60
"""More than any table holds."""
_TITLE = Word(r"[^\x00-\x1f\x7f]{1,60}", "line of 1 to 60 characters")
_NOTE = Word(r"[^\x00-\x1f\x7f]{0,300}", "line of 300 characters at most")
_NAME = r"[a-z][a-z0-9_-]{0,39}"
_SKILLS: dict[str, Any] = {f"{skill}?": Within(int, -4, 4) for skill in SKILLS}
_UNIT: dict[str, Any] = {
    "title?": _TITLE,
    "type": TYPES,
    "x": Within(float, 0, 200),
    "y": Within(float, 0, 200),
    "facing": Within(float, 0, 360),
    "marker?": Within(int, 0, 999),
    **_SKILLS,
}
_FORM: dict[str, Any] = {
    "title": _TITLE,
    "known": ("printed", "owner", "practice"),
    "note?": _NOTE,
    "width": Within(float, 4, 200),
    "height": Within(float, 4, 200),
    "base_depth?": Within(float, 0.25, 2),
    "grid?": GRIDS,
    "turns?": Within(int, 0, 50),
    "radius": Within(float, 0, 50),
    "types": Each(_SKILLS, "|".join(KINDS)),
    "ground?": Each({"kind": GROUNDS, "title": _TITLE, "outline": Several(Several(float, 2, 2), 3, 60)}, _NAME),
    "objective?": {"title": _TITLE, "outline": Several(Several(float, 2, 2), 3, 60)},
    "armies": Each(
        {
            "title": _TITLE,
            "authority": Within(int, -4, 4),
            "mode?": ("encamped", "mobile"),
            "divisions": Each({"title": _TITLE, "authority": Within(int, -4, 4), "units": Each(_UNIT, _NAME)}, _NAME),
        },
        _NAME,
    ),
}


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A unit as the army list has it. skills: dice more or less for fire, melee, shock and resilience.

    marker: the number of the ArUco marker on its base, -1 for none.
    """

    name: str
    title: str
    side: int
    division: str
    type: str
    skills: Mapping[str, int] = field(hash=False)
    start: Place = field(hash=False)
    marker: int = -1


@dataclass(frozen=True, slots=True)
class Division:
    """A Te: its commander's unit, its Authority, and its units; the Army General belongs to the one it leads."""

    name: str
    title: str
    side: int
    authority: int
    units: tuple[str, ...]
    commander: str


@dataclass(frozen=True, slots=True)
class Army:
    """One side: its divisions, its Army General's unit and Authority, and how the general begins."""

    name: str
    title: str
    authority: int
    divisions: tuple[str, ...]
    general: str
    mode: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A piece of ground: what it does, and its outline in Movements."""

    name: str
    title: str
    kind: str
    outline: tuple[Point, ...]

    def contains(self, point: Point) -> bool:
        """Return whether a point lies on this piece of ground."""
        left, low, right, high = bounding_box(self.outline)
        return left <= point[0] <= right and low <= point[1] <= high and in_polygon(point, self.outline)

    def is_under(self, place: Place) -> bool:
        """Return whether any part of a base lies on this piece of ground."""
        return self.contains(place.at) or is_crossed(place, self.outline)


@dataclass(frozen=True, eq=False, slots=True)
class Scenario:
    """A battle before its first turn. turns: after how many it is decided by its objective, 0 for no limit.

    moved: it is played on another grid than its file says. text: that file's own, of an owner's battle; "" of ours.
    """

    name: str
    title: str
    known: str
    note: str
    size: Point
    depth: float
    grid: str
    turns: int
    radius: float
    types: Mapping[str, Mapping[str, int]]
    ground: tuple[Ground, ...]
    objective: Ground | None
    armies: tuple[Army, Army]
    divisions: Mapping[str, Division]
    units: Mapping[str, UnitKind]
    moved: bool = False
    text: str = ""

    @property
    def sides(self) -> tuple[str, str]:
        """The armies' names."""
        return self.armies[0].name, self.armies[1].name

    def grounds_under(self, place: Place) -> frozenset[str]:
        """Return the kinds of ground under any part of a base, hills left out; outlines overlap as for `ground_at`."""
        found = set()
        for ground in reversed(self.ground):
            if ground.kind != "hill" and ground.is_under(place):
                found.add(ground.kind)
                if not is_crossed(place, ground.outline):
                    return frozenset(found)
        return frozenset({*found, "open"})

    def ground_at(self, point: Point) -> str:
        """Return the kind of ground at a point, hills left out; "open" if nothing lies there."""
        return _ground_at(self, point)


@lru_cache(maxsize=4096)  # a way is looked at for its ground, and again for what stands in it
def _ground_at(scenario: Scenario, point: Point) -> str:
    return next(
        (ground.kind for ground in reversed(scenario.ground) if ground.kind != "hill" and ground.contains(point)),
        "open",
    )


def _read_built_in(name: str) -> Scenario:
    if name not in table_names(FOLDER):
        raise BadTable(f"no scenario {name!r}; there are {', '.join(scenario_names())}")
    return _scenario(name, read_table(FOLDER, name, _FORM), f"{FOLDER}/{name}.toml")


SCENARIOS = Registry(FOLDER, _read_built_in)
"""The battles that come with Gunbai, and those of owners that were added."""
load_scenario, scenario_names = SCENARIOS.load, SCENARIOS.names
own_scenario_names, remove_scenario = SCENARIOS.added_names, SCENARIOS.remove
BROUGHT = 16
"""How many battles brought along by requests are remembered: the next request is often about the same one."""


def add_scenario(scenario: Scenario) -> None:
    """Add an owner's battle, to be loaded by its name; raise BadTable if one of Gunbai's own has that name."""
    SCENARIOS.add(scenario.name, scenario, f"{scenario.name}: a battle of that name comes with Gunbai")


@lru_cache(maxsize=BROUGHT)
def with_grid(scenario: Scenario, grid: str) -> Scenario:
    """Return the same battle on another grid, or freely measured.

    Raises BadTable if its units don't fit on that grid.
    """
    if grid == scenario.grid:
        return scenario
    measure = Measure(grid)
    units = {name: replace(kind, start=measure.snapped(kind.start)) for name, kind in scenario.units.items()}
    moved = replace(scenario, grid=grid, units=MappingProxyType(units), moved=True)
    faults = _field_faults(moved)
    if faults:
        raise BadTable(join_faults(scenario.name, faults))
    return moved


@dataclass(frozen=True, slots=True)
class _File:
    """A file's text; files with the same text are equal, wherever they are from."""

    text: str
    where: str = field(compare=False)


def read_scenario(name: str, text: str, where: str) -> Scenario:
    """Read a scenario from the text of an owner's file; the same text gives the same scenario.

    Raises BadTable with every fault, each with file and key.
    """
    return _read(name, _File(text, where))


@lru_cache(maxsize=BROUGHT)
def _read(name: str, file: _File) -> Scenario:
    return replace(_scenario(name, parse_table(file.where, file.text, _FORM), file.where), text=file.text)


def _scenario(name: str, table: Mapping[str, Any], where: str) -> Scenario:
    faults = _faults(table)
    if faults:
        raise BadTable(join_faults(where, faults))
    scenario = _build(name, table)
    faults = _field_faults(scenario)
    if faults:
        raise BadTable(join_faults(where, faults))
    return scenario


def _build(name: str, table: Mapping[str, Any]) -> Scenario:
    depth = float(table.get("base_depth", 1.0))
    units = {unit.name: unit for side, army in enumerate(table["armies"]) for unit in _units(table, side, army, depth)}
    divisions = {
        division.name: division
        for side, army in enumerate(table["armies"])
        for division in _divisions(table, side, army)
    }
    first, second = (_army(army, row) for army, row in table["armies"].items())
    ground = tuple(_ground(key, row) for key, row in table.get("ground", {}).items())
    objective = table.get("objective")
    return Scenario(
        name=name,
        title=table["title"],
        known=table["known"],
        note=table.get("note", ""),
        size=(float(table["width"]), float(table["height"])),
        depth=depth,
        grid=table.get("grid", "free"),
        turns=table.get("turns", 0),
        radius=float(table["radius"]),
        types=MappingProxyType(table["types"]),
        ground=ground,
        objective=None if objective is None else _ground("objective", {"kind": "open", **objective}),
        armies=(first, second),
        divisions=MappingProxyType(divisions),
        units=MappingProxyType(units),
    )


def _faults(table: Mapping[str, Any]) -> list[str]:
    """List what doesn't fit together in a scenario's table."""
    armies = table["armies"]
    faults = [] if len(armies) == SIDES_OF_A_BATTLE else ["armies: there are two"]
    faults += [f"types.{kind}: missing" for kind in KINDS if kind not in table["types"]]
    units = sum(len(division["units"]) for row in armies.values() for division in row["divisions"].values())
    faults += [f"armies: {units} units; {MOST_UNITS} are the most"] if units > MOST_UNITS else []
    grounds = len(table.get("ground", {}))
    faults += [f"ground: {grounds} pieces; {MOST_GROUNDS} are the most"] if grounds > MOST_GROUNDS else []
    seen: dict[str, str] = {}
    for army, row in armies.items():
        leads = [
            unit
            for division in row["divisions"].values()
            for unit in division["units"].values()
            if unit["type"] == "general"
        ]
        if len(leads) != 1:
            faults.append(f"armies.{army}: {len(leads)} units of type general, not one")
        for division, part in row["divisions"].items():
            faults += _division_faults(f"armies.{army}.divisions.{division}", division, part, seen)
    return faults


def _division_faults(key: str, division: str, row: Mapping[str, Any], seen: dict[str, str]) -> list[str]:
    faults = []
    commanders = [name for name, unit in row["units"].items() if unit["type"] == "command"]
    if len(commanders) != 1:
        faults.append(f"{key}.units: {len(commanders)} of type command, not one")
    for name in (division, *row["units"]):
        if name in seen:
            faults.append(f"{key}: {name} is also {seen[name]}")
        seen[name] = key
    return faults


def _field_faults(scenario: Scenario) -> list[str]:
    """List what doesn't fit on the battlefield, by the way it is measured, and each marker given twice."""
    faults = ["base_depth: on a grid bases are 1.0 deep"] if scenario.grid != "free" and scenario.depth != 1.0 else []
    marked: dict[int, str] = {}
    units = list(scenario.units.values())
    for number, unit in enumerate(units):
        key = f"armies.{scenario.sides[unit.side]}.divisions.{unit.division}.units.{unit.name}"
        faults += [f"{key}: {fault}" for fault in _start_faults(scenario, unit, units[:number])]
        if unit.marker >= 0 and unit.marker in marked:
            faults.append(f"{key}.marker: {unit.marker} is also that of {marked[unit.marker]}")
        marked[unit.marker] = unit.name
    return faults


def _start_faults(scenario: Scenario, unit: UnitKind, before: list[UnitKind]) -> Iterator[str]:
    """Yield each reason why a unit cannot begin at its starting place."""
    measure = Measure(scenario.grid)
    if not (unit.start.x <= scenario.size[0] and unit.start.y <= scenario.size[1]):
        yield f"begins off the table, which is {scenario.size[0]:g} by {scenario.size[1]:g}"
    if scenario.ground_at(unit.start.at) == "blocked":
        yield "begins on blocked ground"
    yield from (f"begins on {other.name}" for other in before if measure.overlaps(unit.start, other.start, NEAR))


def _units(table: Mapping[str, Any], side: int, army: str, depth: float) -> list[UnitKind]:
    measure = Measure(table.get("grid", "free"))
    return [
        UnitKind(
            name=name,
            title=row.get("title", name),
            side=side,
            division=division,
            type=row["type"],
            skills=MappingProxyType({skill: row[skill] for skill in SKILLS if skill in row}),
            start=measure.snapped(Place(float(row["x"]), float(row["y"]), facing(row["facing"]), depth)),
            marker=row.get("marker", -1),
        )
        for division, part in table["armies"][army]["divisions"].items()
        for name, row in part["units"].items()
    ]


def _divisions(table: Mapping[str, Any], side: int, army: str) -> list[Division]:
    return [
        Division(
            name=name,
            title=row["title"],
            side=side,
            authority=row["authority"],
            units=tuple(row["units"]),
            commander=next(unit for unit, entry in row["units"].items() if entry["type"] == "command"),
        )
        for name, row in table["armies"][army]["divisions"].items()
    ]


def _army(name: str, row: Mapping[str, Any]) -> Army:
    units = [(unit, entry) for part in row["divisions"].values() for unit, entry in part["units"].items()]
    return Army(
        name=name,
        title=row["title"],
        authority=row["authority"],
        divisions=tuple(row["divisions"]),
        general=next(unit for unit, entry in units if entry["type"] == "general"),
        mode=row.get("mode", "encamped"),
    )


def _ground(name: str, row: Mapping[str, Any]) -> Ground:
    return Ground(name, row["title"], row["kind"], tuple((float(x), float(y)) for x, y in row["outline"]))
