"""Invented hexagon boards, so that the network never learns one board's geometry."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from vision.art import BoardMarks, hexagon
from vision.plan import AreaPlan, BoardPlan, SpacePlan

Rng = np.random.Generator
Point = tuple[float, float]

LAND_SPACES = ("advance", "shell")
WATER_SPACES = ("sail", "bombard")
ROWS, COLUMNS = 6, 5


def random_board(seed: int) -> tuple[BoardPlan, BoardMarks]:
    """A board of single hexes, land and water at random, with spaces, starting units and marks."""
    rng = np.random.default_rng([seed, 21])
    side = float(rng.uniform(23, 29))
    areas = tuple(_areas(rng, side))
    width = max(x for area in areas for x, _ in area.polygon_mm) + float(rng.uniform(8, 26))
    height = max(y for area in areas for _, y in area.polygon_mm) + float(rng.uniform(4, 20))
    plan = BoardPlan(
        board="drawn",
        size_mm=(width, height),
        areas=areas,
        spaces=tuple(_spaces(rng, areas, side)),
        space_side_mm=side * float(rng.uniform(0.21, 0.29)),
        factions=("red", "black"),
        units=(("land", ("troop",)), ("water", ("ship",))),
        start=tuple(_start(rng, areas)),
    )
    return plan, _marks(rng, areas, side)


def _areas(rng: Rng, side: float) -> list[AreaPlan]:
    left, top = float(rng.uniform(8, 26)), float(rng.uniform(4, 20))
    found = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            if rng.random() < 0.12:
                continue
            x = left + side + column * side * 1.5
            y = top + side * sqrt(3) * (row + (0.5 if column % 2 == 0 else 1.0))
            kind = "water" if rng.random() < 0.42 else "land"
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


def _start(rng: Rng, areas: tuple[AreaPlan, ...]) -> list[tuple[str, str, str, int]]:
    found = []
    for area in areas:
        if rng.random() < 0.5:
            unit = "ship" if area.kind == "water" else "troop"
            found.append((area.name, str(rng.choice(["red", "black"])), unit, int(rng.integers(1, 4))))
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
