"""The ways of a battlefield for the demo: how far it is from anywhere to a goal, around what nobody passes."""

from __future__ import annotations

import heapq
from functools import lru_cache
from math import hypot, inf

from engine.sonae.field import Point
from engine.sonae.scenario import Ground, Scenario

CELL = 0.5
"""How fine the map of ways is, in Movements."""
SLOW = 2.0
"""Difficult ground takes so much longer."""
FAR = 1000.0
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
Cell = tuple[int, int]


class Ways:
    """How far it is from each part of the table to a goal, in Movements on open ground."""

    def __init__(self, scenario: Scenario, goals: tuple[Point, ...]) -> None:
        self._size = int(scenario.size[0] / CELL) + 1, int(scenario.size[1] / CELL) + 1
        self._pace = _paces(scenario, self._size)
        self._far = self._flooded([_cell(goal) for goal in goals])

    def far(self, point: Point) -> float:
        """How far it is from there; FAR where no way leads to the goal."""
        return self._far.get(_cell(point), FAR)

    def _flooded(self, goals: list[Cell]) -> dict[Cell, float]:
        found: dict[Cell, float] = {}
        open_ = [(0.0, goal) for goal in goals]
        while open_:
            far, cell = heapq.heappop(open_)
            if cell in found:
                continue
            found[cell] = far
            for x, y in AROUND:
                near, length = (cell[0] + x, cell[1] + y), hypot(x, y) * CELL
                pace = self._pace.get(near, inf)
                if near not in found and pace < inf:
                    heapq.heappush(open_, (far + length * pace, near))
        return found


def _cell(point: Point) -> Cell:
    return round(point[0] / CELL), round(point[1] / CELL)


@lru_cache(maxsize=8)
def _paces(scenario: Scenario, size: tuple[int, int]) -> dict[Cell, float]:
    """How slow each part of the table is; parts that nobody enters are left out."""
    paces = {}
    for cell in ((x, y) for x in range(size[0]) for y in range(size[1])):
        ground = scenario.ground_at((cell[0] * CELL, cell[1] * CELL))
        if ground != "blocked":
            paces[cell] = SLOW if ground == "difficult" else 1.0
    return paces


def middle_of(ground: Ground) -> Point:
    """The middle of a piece of ground's corners."""
    xs, ys = [x for x, _ in ground.outline], [y for _, y in ground.outline]
    return sum(xs) / len(xs), sum(ys) / len(ys)


@lru_cache(maxsize=64)
def ways_to(scenario: Scenario, goals: tuple[Point, ...]) -> Ways:
    """The ways to the nearest of some goals; goals are best rounded, so that they are found again."""
    return Ways(scenario, goals)
