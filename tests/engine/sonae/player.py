"""Whole random battles: every kind of step as the table owes it, moves towards the enemy, all dice seeded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import atan2, degrees
from random import Random

from engine.sonae.field import distance, touches
from engine.sonae.game import apply, judge, new_game
from engine.sonae.position import Position, Unit
from engine.sonae.scenario import Scenario
from engine.sonae.steps import (
    Activate,
    Advance,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.turn import dice_owed

STRIDES = (2.0, 1.5, 1.0, 0.7, 0.4)


def played(scenario: Scenario, seed: int, most: int, others: Iterable[str] = ()) -> tuple[list[Step], list[Position]]:
    """Play a battle of at most so many steps; return the steps, and the positions before and after each."""
    chance, steps, positions = Random(seed), list[Step](), [new_game(scenario, others)]
    while positions[-1].winner is None and len(steps) < most:
        steps.append(next_step(positions[-1], chance))
        positions.append(apply(positions[-1], steps[-1]))
    return steps, positions


def next_step(position: Position, chance: Random) -> Step:
    """One legal step."""
    if not position.due:
        names = position.bonus or position.scenario.divisions[position.acting].units
        units = [unit for name in names if (unit := position.unit(name)) is not None]
        chance.shuffle(units)
        wishes = (step for unit in units for step in orders(position, unit, chance))
        return next((step for step in wishes if judge(position, step).legal), Done())
    due = position.due[0]
    who = position.scenario.sides[due.by]
    if due.kind == "settle":
        divisions = [division for division in position.army(due.by).divisions if _led(position, division)]
        mode = chance.choice(("encamped", "mobile"))
        return Settle(who, mode, chance.choice(divisions) if divisions and mode == "encamped" else "")
    if due.kind == "token":
        return Token(
            chance.choice([side for side, n in zip(position.scenario.sides, position.tokens, strict=True) if n])
        )
    if due.kind == "activate":
        return Activate(chance.choice(position.may_act(due.by)))
    if due.kind in ("closing", "opportunity"):
        return Closing(who, chance.random() < 0.7)
    return Roll(tuple(chance.randint(1, 6) for _ in range(dice_owed(position, due))), who)


def _led(position: Position, division: str) -> bool:
    return position.unit(position.scenario.divisions[division].commander) is not None


def orders(position: Position, unit: Unit, chance: Random) -> Iterator[Step]:
    """Yield orders that a unit might be given, the likeliest first."""
    name, place = unit.name, unit.place
    enemies = sorted(position.enemies(name), key=lambda enemy: distance(enemy.place.at, place.at))
    nearest = enemies[0]
    if chance.random() < 0.1:
        yield Rally(name)
        yield FallBack(name, *place.moved(0, -0.7).at)
    if chance.random() < 0.6:
        yield Fire(name, nearest.name)
    for stride in STRIDES:
        if touches(place.moved(0, stride), nearest.place):
            yield Advance(name, *place.moved(0, stride).at)
    yield Wheel(name, degrees(atan2(nearest.place.x - place.x, nearest.place.y - place.y)) % 360.0, *place.at)
    for stride in STRIDES:
        yield Advance(name, *place.moved(0, stride).at)
