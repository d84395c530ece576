"""Invented hexagon boards, so that the network never learns one board's geometry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np

from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.board_art import COLOURS_BGR, BoardMarks, hexagon

Rng = np.random.Generator
Point = tuple[float, float]

LAND_SPACES = ("advance", "shell")
WATER_SPACES = ("sail", "bombard")
ROWS, COLUMNS = 6, 5
ROOM_MM = 4.0


@dataclass(frozen=True, slots=True)
class Game:
    """Whose pieces a board is for: factions, units by kind of area, and how much of it is water."""

    factions: tuple[str, str] = ("red", "black")
    units: tuple[tuple[str, tuple[str, ...]], ...] = (("land", ("troop",)), ("water", ("ship",)))
    water: float = 0.42


GAMES = {
    "ships": Game(),
    "siege": Game(units=(("land", ("troop", "siege")), ("water", ("ship",))), water=0.25),
    "aircraft": Game(("blue", "yellow"), (("air", ("aircraft",)), ("land", ("troop",))), 0.12),
}


def random_board(seed: int, game: Game = GAMES["ships"]) -> tuple[BoardPlan, BoardMarks]:
    """Make a board of single hexes, land and water at random, with spaces, starting units and marks."""
    rng = np.random.default_rng([seed, 21])
    side = float(rng.uniform(23, 29))
    areas = tuple(_areas(rng, side, game.water))
    width = max(x for area in areas for x, _ in area.polygon_mm) + float(rng.uniform(8, 26))
    height = max(y for area in areas for _, y in area.polygon_mm) + float(rng.uniform(4, 20))
    plan = BoardPlan(
        board="drawn",
        size_mm=(width, height),
        areas=areas,
        spaces=tuple(_spaces(rng, areas, side)),
        space_side_mm=side * float(rng.uniform(0.21, 0.29)),
        factions=game.factions,
        units=game.units,
        start=tuple(_start(rng, areas, game)),
    )
    marks = _marks(rng, areas, side)
    if game == GAMES["ships"]:
        return plan, marks
    return _with_war(plan, marks, np.random.default_rng([seed, 23]))


def _areas(rng: Rng, side: float, water: float) -> list[AreaPlan]:
    left, top = float(rng.uniform(8, 26)), float(rng.uniform(4, 20))
    found = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            if rng.random() < 0.12:
                continue
            x = left + side + column * side * 1.5
            y = top + side * sqrt(3) * (row + (0.5 if column % 2 == 0 else 1.0))
            kind = "water" if rng.random() < water else "land"
            found.append(AreaPlan(f"{'abcde'[column]}{ROWS - row}", kind, tuple(hexagon((x, y), side)), ((x, y),)))
    return found


def _spaces(rng: Rng, areas: tuple[AreaPlan, ...], side: float) -> list[SpacePlan]:
    across, up = side * float(rng.uniform(0.33, 0.43)), side * float(rng.uniform(0.5, 0.66))
    found = []
    for area in areas:
        x, y = area.centres_mm[0]
        for number, name in enumerate(LAND_SPACES if area.kind == "land" else WATER_SPACES):
            if number == 0 or rng.random() < 0.6:
                place = (x + (2 * number - 1) * across, y - up)
                found.append(SpacePlan(f"{name}:{area.name}", area.name, place))
    return found


def _start(rng: Rng, areas: tuple[AreaPlan, ...], game: Game) -> list[tuple[str, str, str, int]]:
    found = []
    for area in areas:
        names = dict(game.units).get(area.kind, ())
        if rng.random() < 0.5 and names:
            faction = str(rng.choice(["red", "black"] if game == GAMES["ships"] else list(game.factions)))
            found.append((area.name, faction, names[0], int(rng.integers(1, 4))))
            if len(names) > 1 and rng.random() < 0.35:
                found.append((area.name, faction, names[1], 1))
    return found


def _marks(rng: Rng, areas: tuple[AreaPlan, ...], side: float) -> BoardMarks:
    names = [area.name for area in areas]
    ports = {area.name: tuple(str(n) for n in rng.choice(names, 2)) for area in areas if rng.random() < 0.15}
    near = {land: tuple(w for w in waters if _close(areas, land, w, side)) for land, waters in ports.items()}
    slots = {}
    for number in range(int(rng.integers(2, 6))):
        x, y = areas[int(rng.integers(len(areas)))].centres_mm[0]
        turn = float(rng.uniform(0, 2 * pi))
        slots[f"slot{number}"] = (x + 0.8 * side * float(np.cos(turn)), y + 0.8 * side * float(np.sin(turn)))
    points = {name: int(rng.integers(1, 3)) for name in names if rng.random() < 0.55}
    return BoardMarks(points, {str(rng.choice(names)): "red", str(rng.choice(names)): "black"}, near, slots)


def _close(areas: tuple[AreaPlan, ...], one: str, two: str, side: float) -> bool:
    places = {area.name: np.array(area.centres_mm[0]) for area in areas}
    return 0 < float(np.linalg.norm(places[one] - places[two])) < 2 * side


def _with_war(plan: BoardPlan, marks: BoardMarks, rng: Rng) -> tuple[BoardPlan, BoardMarks]:
    """Add forts and signs, headquarters of the board's own factions and, where it has aircraft, air zones."""
    lands = [area.name for area in plan.areas if area.kind == "land"]
    some = {name: tuple(n for n in lands if rng.random() < 0.2) for name in ("forts", "printed", "no_drop")}
    homes = {name: plan.factions[number] for number, name in enumerate(rng.choice(lands, 2, replace=False).tolist())}
    marks = replace(marks, headquarters=homes)
    if "air" not in dict(plan.units):
        return plan, replace(marks, forts=some["forts"], ports=marks.ports)
    marks = replace(marks, ports={}, no_drop=some["no_drop"], printed=dict.fromkeys(some["printed"], "town_centre"))
    return _with_zones(plan, marks, rng) if rng.random() < 0.8 else (plan, marks)


def _with_zones(plan: BoardPlan, marks: BoardMarks, rng: Rng) -> tuple[BoardPlan, BoardMarks]:
    """Three to seven air zones over the land, with their aircraft sections beside the map, on one side or two."""
    names = [f"zone-{word}" for word in rng.permutation(list(COLOURS_BGR))[: int(rng.integers(3, 8))]]
    lands = [area for area in plan.areas if area.kind == "land"]
    middles = rng.uniform((0, 0), plan.size_mm, (len(names), 2))
    nearest = [int(np.argmin(((middles - area.centres_mm[0]) ** 2).sum(axis=1))) for area in lands]
    zones = {area.name: names[index] for area, index in zip(lands, nearest, strict=True)}
    plan = _wider(plan, sections := _sections(plan, names, rng))
    spaces = tuple(space for area in sections for space in _section_spaces(rng, area))
    start = [(name, str(rng.choice(plan.factions)), "aircraft", int(rng.integers(1, 3))) for name in names]
    kept = tuple(row for row in start if rng.random() < 0.6)
    plan = replace(plan, areas=(*plan.areas, *sections), spaces=(*plan.spaces, *spaces), start=(*plan.start, *kept))
    return plan, replace(marks, zones=zones)


def _section_spaces(rng: Rng, area: AreaPlan) -> list[SpacePlan]:
    """None to two action spaces in a row along an edge of an aircraft section."""
    (left, top), (right, bottom) = area.polygon_mm[0], area.polygon_mm[2]
    x = float(rng.choice([left + 8.5, right - 8.5]))
    y = float(rng.uniform(top + 8.5, bottom - 24.0))
    names = ("fly", "bomb")[: int(rng.integers(3))]
    return [SpacePlan(f"{name}:{area.name}", area.name, (x, y + 15.0 * row)) for row, name in enumerate(names)]


def _sections(plan: BoardPlan, names: list[str], rng: Rng) -> list[AreaPlan]:
    """Draw boxes in one or two columns to the right of the map."""
    width, height = plan.size_mm
    columns = 2 if len(names) > 4 and rng.random() < 0.7 else 1
    rows = -(-len(names) // columns)
    wide = float(rng.uniform(34, 52))
    tall = min(float(rng.uniform(36, 62)), (height - ROOM_MM) / rows - ROOM_MM)
    found = []
    for number, name in enumerate(names):
        x = width + ROOM_MM / 2 + (number % columns) * (wide + ROOM_MM)
        y = ROOM_MM + (number // columns) * (height - ROOM_MM) / rows
        box = ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall))
        found.append(AreaPlan(name, "air", box, ((x + wide / 2, y + tall / 2),)))
    return found


def _wider(plan: BoardPlan, sections: list[AreaPlan]) -> BoardPlan:
    """Widen the board until its sections have room."""
    width = max(x for area in sections for x, _ in area.polygon_mm) + ROOM_MM
    return replace(plan, size_mm=(width, plan.size_mm[1]))
