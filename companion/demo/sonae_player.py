"""Plays a battle of Sonae by itself, for both sides: wishes with their worth, dice rolled, tokens drawn.

Chance lives here, outside the rules. Every unit's wishes are weighed by what they gain, the best that the rules allow
is ordered; a little chance is mixed in, so that battles differ.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import atan2, cos, degrees, hypot, inf, radians, sin

from companion.demo.by_itself import BoardlessDemo
from engine.sonae.field import Place, Point, distance
from engine.sonae.game import charge_options, judge
from engine.sonae.orders import end_of
from engine.sonae.pools import WAVERING, is_in_radius, pool_of, skill_dice
from engine.sonae.position import RESTING, Due, Position, Unit
from engine.sonae.ranges import enemies_in_contact, enemies_touched, is_in_range, is_threatened
from engine.sonae.scenario import Ground, Scenario
from engine.sonae.steps import (
    Activate,
    Advance,
    Closing,
    Done,
    FallBack,
    Fire,
    Order,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.turn import dice_owed

SCENARIO = "maru-shikaku"
"""The battle of a demo that names none."""
ENOUGH = 0.35
"""What is worth less is not ordered."""
ABROAD = 0.3
"""How much chance mixes into the worth of a wish."""
WEAK = {"fresh": 0.0, "wavering": 0.7, "brittle": 1.4}
ALARM = 3.0
"""A general mounts and leaves the camp when an enemy is so near, in Movements."""
HUNT = 5.0
"""A unit goes for an enemy that is so near, else for the objective."""
LATE = 4
"""In so many last turns all go for the objective."""
TRIED = 14
"""So many wishes are put to the rules before the player is done."""
CELL = 0.5
"""How fine the map of ways is, in Movements."""
SLOW = 2.0
"""Difficult ground takes so much longer."""
FAR = 1000.0
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wish:
    """An order that a side might give, and its worth."""

    worth: float
    step: Order


class SonaePlayer:
    """Plays both sides of a battle, with its dice and its bag; the same seed plays the same battle."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def step(self, position: Position) -> Step | None:
        """Choose the next step; None once the battle is over."""
        if position.winner is not None:
            return None
        return self._answer(position, position.due[0]) if position.due else self._order(position)

    # --- what is owed ---------------------------------------------------------------------

    def _answer(self, position: Position, due: Due) -> Step:
        who = position.scenario.sides[due.by]
        if due.kind == "settle":
            return self._settle(position, due.by)
        if due.kind == "token":
            bag = [side for side, n in zip(position.scenario.sides, position.tokens, strict=True) for _ in range(n)]
            return Token(self._rng.choice(bag))
        if due.kind == "activate":
            return Activate(max(position.divisions_to_act(due.by), key=lambda name: self._urgency(position, name)))
        if due.kind in ("closing", "opportunity"):
            return Closing(who, due.kind == "opportunity" or self._would_fire(position, due))
        return Roll(tuple(self._rng.randint(1, 6) for _ in range(dice_owed(position, due))), who)

    def _settle(self, position: Position, side: int) -> Settle:
        """Encamp, with a messenger to the division with most to do; stay mobile without a general or near an enemy."""
        general = position.general(side)
        who, army = position.scenario.sides[side], position.army(side)
        if general is None or _nearest_gap(position, general) < ALARM:
            return Settle(who, "mobile")
        leaders = {name: position.leader(name) for name in army.divisions}
        led = [name for name, leader in leaders.items() if leader is not None and leader.name != army.general]
        best = max(led, key=lambda name: self._urgency(position, name), default="")
        return Settle(who, "encamped", best)

    def _urgency(self, position: Position, division: str) -> float:
        """Return how much a division has to do: more near the enemy, and with many units."""
        names = position.scenario.divisions[division].units
        units = [unit for unit in position.units if unit.name in names]
        near = min((_nearest_gap(position, unit) for unit in units), default=20.0)
        return len(units) - near + self._rng.random()

    def _would_fire(self, position: Position, due: Due) -> bool:
        """Return whether Closing Fire is strong enough to risk a die of the melee."""
        return pool_of(position, replace(due, kind="closing-fire")).dice + self._rng.random() * 2 > 4.0

    # --- orders ---------------------------------------------------------------------------

    def _order(self, position: Position) -> Step:
        """Return the worthiest order that the rules allow; `Done` if none is worth giving."""
        names = position.bonus or position.scenario.divisions[position.acting].units
        units = [unit for unit in map(position.unit, names) if unit is not None and unit.fatigue != RESTING]
        wishes = [
            replace(wish, worth=wish.worth + self._rng.uniform(-ABROAD, ABROAD))
            for unit in units
            for wish in wishes_of(position, unit)
            if wish.worth > 0
        ]
        wishes.sort(key=lambda wish: -wish.worth)
        good = (wish for wish in wishes[:TRIED] if wish.worth >= ENOUGH)
        return next((wish.step for wish in good if judge(position, wish.step).legal), Done())


def _nearest_gap(position: Position, unit: Unit) -> float:
    """Return how far the nearest enemy is, middle to middle, in Movements; 99 if there is none."""
    return min((distance(unit.place.at, enemy.place.at) for enemy in position.enemies(unit.name)), default=99.0)


# --- wishes -------------------------------------------------------------------------------


def wishes_of(position: Position, unit: Unit) -> Iterator[Wish]:
    """Yield the orders that a unit might be given now, with their worth; not all are legal."""
    tired = 0.0 if position.bonus else max(0, unit.orders - 1) * 0.8
    if enemies_in_contact(position, unit.name):
        return
    if unit.status != "fresh" and not is_threatened(position, unit.name):
        yield Wish(2.0 + WEAK[unit.status] - tired, Rally(unit.name))
    for wish in (*_fights(position, unit), *_withdrawals(position, unit), *_moves(position, unit)):
        yield replace(wish, worth=wish.worth - tired)


def _fights(position: Position, unit: Unit) -> Iterator[Wish]:
    for enemy in position.enemies(unit.name):
        if distance(unit.place.at, enemy.place.at) > 5.5:
            continue
        if is_in_range(position, unit.name, enemy.name) and not enemies_in_contact(position, enemy.name):
            # The dice of fire against those that come back; a shaken enemy is worth more, a shaken shooter less.
            ours = pool_of(position, Due("fire", 0, (unit.name,), (enemy.name,))).dice
            theirs = pool_of(position, Due("reply", 1, (enemy.name,), (unit.name,))).dice
            yield Wish(
                0.7 + 0.4 * (ours - theirs) + WEAK[enemy.status] - 0.8 * WEAK[unit.status], Fire(unit.name, enemy.name)
            )
        if unit.status == "fresh":
            for option in charge_options(position, unit, enemy):
                if option.legal and isinstance(option.step, Advance):
                    yield Wish(_charge_worth(position, unit, enemy, option.step), option.step)


def _charge_worth(position: Position, unit: Unit, enemy: Unit, step: Advance) -> float:
    """Return the worth of a charge, by its melee dice against the enemy's.

    Charges at flanks, shaken enemies and leaders are worth more; those by leaders, less.
    """
    after = replace(unit.place, x=step.x, y=step.y)
    quarter = enemy.place.quarter(after.at)
    ours = skill_dice(position, unit, "melee") + WAVERING[unit.status] + 1 + (quarter == "rear")
    theirs = skill_dice(position, enemy, "melee") + WAVERING[enemy.status]
    kind, target = position.scenario.units[unit.name].type, position.scenario.units[enemy.name].type
    risk = {"command": 1.6, "general": 2.5}.get(kind, 0.0)
    prize = {"command": 1.0, "general": 1.5}.get(target, 0.0)
    worth = 0.6 + 0.5 * (ours - theirs) + 0.7 * (quarter != "front") + WEAK[enemy.status] + prize - risk
    return worth + 1.2 * (_is_late(position) and _holds(position, enemy))


def _is_late(position: Position) -> bool:
    """Return whether the battle will soon be decided by its objective."""
    return bool(position.scenario.turns) and position.turn > position.scenario.turns - LATE


def _holds(position: Position, unit: Unit) -> bool:
    objective = position.scenario.objective
    return objective is not None and position.is_on(objective, unit.place)


def _withdrawals(position: Position, unit: Unit) -> Iterator[Wish]:
    """Yield the retreat of a shaken unit from the enemy's range, to rally."""
    if unit.status != "fresh" and is_threatened(position, unit.name):
        back = unit.place.moved(0.0, -1.0)
        yield Wish(0.3 + WEAK[unit.status], FallBack(unit.name, round(back.x, 3), round(back.y, 3)))


# --- moves --------------------------------------------------------------------------------


def _moves(position: Position, unit: Unit) -> Iterator[Wish]:
    """Yield advances that bring the unit nearer to its goal, and wheels, none touching an enemy; nothing for a camp."""
    if position.is_camp(unit.name):
        return
    ways = _goal(position, unit)
    here = ways.far(unit.place.at)
    steps: list[Advance | Wheel] = [*_ahead(unit), *_aside(position, unit, ways)]
    for step in steps:
        end = end_of(position, unit, step)
        gain = here - ways.far(end.at)
        if enemies_touched(position, unit, end) or (gain <= 0 and not isinstance(step, Wheel)):
            continue
        yield Wish(_move_worth(position, unit, end, gain), step)


def _move_worth(position: Position, unit: Unit, end: Place, gain: float) -> float:
    kind = position.scenario.units[unit.name].type
    worth = 0.75 * min(gain, 3.0)
    leader = position.leader(position.division(unit.name).name)
    if leader is not None and leader.name != unit.name:
        there = replace(unit, place=end)
        authority = position.authority(position.division(unit.name).name)
        worth -= 0.0 if is_in_radius(position, leader, there, authority) else 0.8
    late = _is_late(position)
    if kind in ("command", "general") and not late and _nearest_gap(position, replace(unit, place=end)) < 3.5:
        worth -= 1.0
    if late and _holds(position, replace(unit, place=end)) and not _holds(position, unit):
        worth += 1.5
    return worth + _facing_worth(position, unit, end)


def _facing_worth(position: Position, unit: Unit, end: Place) -> float:
    """Return the worth of coming to face the nearest enemy at `end`; negative if it is faced now and not there.

    0 if nothing changes, or if no enemy is near.
    """
    enemies = sorted(position.enemies(unit.name), key=lambda enemy: distance(enemy.place.at, end.at))
    if not enemies or distance(enemies[0].place.at, end.at) > HUNT:
        return 0.0
    front = [place.quarter(enemies[0].place.at) == "front" for place in (unit.place, end)]
    return 0.5 * (int(front[1]) - int(front[0]))


def _goal(position: Position, unit: Unit) -> Ways:
    """Return ways: to the objective if held, late in the battle or with no enemy near, else to the nearest enemy."""
    scenario = position.scenario
    enemies = sorted(position.enemies(unit.name), key=lambda enemy: distance(enemy.place.at, unit.place.at))
    near = [enemy for enemy in enemies if distance(enemy.place.at, unit.place.at) < HUNT]
    objective = scenario.objective
    if objective is not None and (_holds(position, unit) or not near or _is_late(position)):
        return ways_to(scenario, (_round_point(middle_of(objective)),))
    return ways_to(scenario, tuple(_round_point(enemy.place.at) for enemy in (near or enemies)[:1]))


def _round_point(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0]), round(point[1])


def _ahead(unit: Unit) -> Iterator[Advance]:
    """Yield advances to places in the front quarter."""
    for length in (3.0, 2.0, 1.4, 1.0, 0.5):
        for angle_deg in (0.0, -20.0, 20.0, -40.0, 40.0):
            end = unit.place.moved(length * sin(radians(angle_deg)), length * cos(radians(angle_deg)))
            yield Advance(unit.name, round(end.x, 3), round(end.y, 3))


def _aside(position: Position, unit: Unit, ways: Ways) -> Iterator[Wheel]:
    """Yield wheels of the unit towards its goal or the nearest enemy."""
    round_about = (Place(unit.place.x, unit.place.y, n * 45.0).ahead for n in range(8))
    x, y = min(round_about, key=lambda way: ways.far((unit.place.x + 1.5 * way[0], unit.place.y + 1.5 * way[1])))
    facings = [degrees(atan2(x, y)) % 360.0]
    enemies = sorted(position.enemies(unit.name), key=lambda enemy: distance(enemy.place.at, unit.place.at))
    if enemies:
        nearest = enemies[0].place
        facings.append(degrees(atan2(nearest.x - unit.place.x, nearest.y - unit.place.y)) % 360.0)
    for facing_deg in facings:
        for length in (1.0, 0.5, 0.0):
            end = replace(unit.place, facing_deg=facing_deg).moved(0.0, length)
            yield Wheel(unit.name, round(facing_deg, 1), round(end.x, 3), round(end.y, 3))


class Ways:
    """How far it is from each part of the table to the nearest goal, in Movements on open ground."""

    def __init__(self, scenario: Scenario, goals: tuple[Point, ...]) -> None:
        self._size = int(scenario.size[0] / CELL) + 1, int(scenario.size[1] / CELL) + 1
        self._pace = _paces(scenario, self._size)
        self._far = self._flood([_cell(goal) for goal in goals])

    def far(self, point: Point) -> float:
        """Return the distance from a point to the nearest goal, in Movements on open ground; FAR if cut off."""
        return self._far.get(_cell(point), FAR)

    def _flood(self, goals: list[Cell]) -> dict[Cell, float]:
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
    """Return how slow each part of the table is to cross; parts that nobody may enter are left out."""
    paces = {}
    for cell in ((x, y) for x in range(size[0]) for y in range(size[1])):
        ground = scenario.ground_at((cell[0] * CELL, cell[1] * CELL))
        if ground != "blocked":
            paces[cell] = SLOW if ground == "difficult" else 1.0
    return paces


def middle_of(ground: Ground) -> Point:
    """Return the mean of the corners of a piece of ground."""
    xs, ys = zip(*ground.outline, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


@lru_cache(maxsize=64)
def ways_to(scenario: Scenario, goals: tuple[Point, ...]) -> Ways:
    """Return the ways to the nearest of these goals; pass rounded points, so that the cache finds them."""
    return Ways(scenario, goals)


DEMO = BoardlessDemo(
    "sonae", SonaePlayer, lambda _seed, scenario: {"system": "sonae", "scenario": scenario or SCENARIO}
)
