"""What follows from hits and failed tests: statuses, units and divisions lost, fatigue, and the end of a battle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.sonae.field import STRIDE, Place, distance
from engine.sonae.pools import FIRE_RANGE
from engine.sonae.position import FATIGUED, STATUSES, Due, DueKind, Position, Unit
from engine.sonae.ranges import find_obstacle

LARGE_NUMBER, LARGER_NUMBER = 3, 5
"""From so many orders in one activation a unit has a large number of them, by the reading large-number."""


def strain_due(position: Position, unit: Unit) -> Due | None:
    """Return the Morale test of a unit that has had a large number of orders."""
    large = LARGER_NUMBER if position.has("large-number") else LARGE_NUMBER
    if unit.orders < large or unit.fatigue:
        return None
    return Due("strain", position.side(unit.name), (unit.name,))


def worsen(position: Position, name: str) -> Position:
    """Worsen the unit's status: fresh, wavering, brittle; what is brittle breaks (Ranged Combat)."""
    number = STATUSES.index(position.here(name).status) + 1
    return lose_unit(position, name) if number == len(STATUSES) else position.with_unit(name, status=STATUSES[number])


def improve(position: Position, name: str) -> Position:
    """Improve the unit's status by one (Morale: the Rally Order)."""
    return position.with_unit(name, status=STATUSES[max(0, STATUSES.index(position.here(name).status) - 1)])


def tire(position: Position, name: str) -> Position:
    """Tire the unit: it takes no action in its next activation (Command and Control)."""
    return position.with_unit(name, fatigue=FATIGUED)


# --- units, commanders and generals lost --------------------------------------------------


def lose_unit(position: Position, name: str) -> Position:
    """Take a unit out of the battle.

    A division that the unit led follows it, and the battle is lost with its general.
    """
    unit, side, division = position.here(name), position.side(name), position.division(name)
    led = name == position.heir_of(division.commander) or _is_to_succeed(position, "heir", name)
    ruled = name == position.heir_of(position.army(side).general) or _is_to_succeed(position, "regent", name)
    after = drop_stale_dues(position.without(name))
    if ruled:
        after = _replace_leader(after, "regent", unit, _commanders(after, side))
    if led and after.winner is None:
        after = _replace_leader(after, "heir", unit, _followers(after, division.name))
    return _shake_friends(decide_by_losses(after), unit)


def _shake_friends(position: Position, gone: Unit) -> Position:
    """Make each friend near a lost unit test its Morale after all else, by the reading nearby."""
    if position.winner is not None or not position.has("nearby"):
        return position
    side = position.side(gone.name)
    near = (other for other in position.units if position.measure.is_near(other.place, gone.place, FIRE_RANGE))
    dues = [Due("morale", side, (friend.name,)) for friend in near if position.side(friend.name) == side]
    return replace(position, due=(*position.due, *dues))


def _is_to_succeed(position: Position, kind: DueKind, name: str) -> bool:
    """Return whether a unit was about to succeed somebody."""
    return any(due.kind == kind and name in due.units for due in position.due)


def _replace_leader(position: Position, kind: DueKind, was: Unit, able: Iterable[Unit]) -> Position:
    """Let the nearest able unit try to succeed the one that was lost, by the reading successor."""
    near = sorted(able, key=lambda unit: distance(unit.place.at, was.place.at))
    if position.has("successor") and near:
        return position.owing(Due(kind, position.side(was.name), (near[0].name,)))
    return lose_leader(position, kind, position.side(was.name), position.division(was.name).name)


def succeed(position: Position, kind: str, name: str) -> Position:
    """Let a unit succeed the commander of its division ("heir"), or the Army General ("regent")."""
    army, division = position.army(position.side(name)), position.division(name)
    was = army.general if kind == "regent" else division.commander
    return replace(position, heirs=(*position.heirs, (position.heir_of(was), name)))


def lose_leader(position: Position, kind: str, side: int, division: str) -> Position:
    """Lose the battle, or the division, as nobody succeeds its leader.

    The division's units may test their loyalty by the reading commander-lost.
    """
    if kind == "regent":
        return end_battle(position, 1 - side, "general")
    gone = [unit.name for unit in _followers(position, division)]
    if position.has("commander-lost"):
        return position.owing(*(Due("loyalty", side, (name,)) for name in gone))
    units = tuple(unit for unit in position.units if unit.name not in gone)
    return decide_by_losses(drop_stale_dues(replace(position, units=units)))


def _commanders(position: Position, side: int) -> list[Unit]:
    """Return the commanders of a side that are in the battle."""
    divisions = [position.scenario.divisions[name] for name in position.army(side).divisions]
    heads = (position.unit(position.heir_of(division.commander)) for division in divisions)
    return [head for head in heads if head is not None]


def _followers(position: Position, division: str) -> list[Unit]:
    """Return the units of a division in the battle, except the Army General, who is a unit apart."""
    led = position.scenario.divisions[division]
    names = set(led.units) - {position.army(led.side).general}
    return [unit for unit in position.units if unit.name in names]


def drop_stale_dues(position: Position) -> Position:
    """Return the position without what it owed about units that have left the battle."""
    gone = {name for name in position.scenario.units if position.unit(name) is None}
    due = tuple(due for due in position.due if gone.isdisjoint((*due.units, *due.against)))
    return replace(position, due=due, bonus=tuple(name for name in position.bonus if position.unit(name) is not None))


def decide_by_losses(position: Position) -> Position:
    """End the battle once one side has no unit left."""
    left = {position.side(unit.name) for unit in position.units}
    if position.winner is not None or len(left) != 1:
        return position
    return end_battle(position, left.pop(), "army")


def end_battle(position: Position, winner: int, reason: str) -> Position:
    """End the battle: "general" lost, "army" lost, the "objective" held, or more "strength" left."""
    return replace(position, winner=winner, reason=reason, due=(), bonus=())


# --- falling back -------------------------------------------------------------------------


def drive_back(position: Position, name: str) -> Position:
    """Drive a unit back one Movement straight to its rear.

    If the way is blocked, the unit owes a Morale test (Close Combat).
    """
    unit = position.here(name)
    end = position.measure.snapped(unit.place.moved(0.0, -1.0))
    if position.is_camp(name) or find_obstacle(position, unit, end):
        return position.owing(Due("blocked", position.side(name), (name,)))
    return position.with_unit(name, place=end)


def pull_up(position: Position, name: str, enemy: str) -> Position:
    """End a stopped charge one Movement short of the enemy unit, or as near to that as there is room."""
    unit = position.here(name)
    back = 1.0
    while find_obstacle(position, unit, _place_back(position, unit, back), (enemy,)) and back > 0:
        back = round(back - STRIDE, 6)
    return position.with_unit(name, place=_place_back(position, unit, max(0.0, back)), charged=False)


def _place_back(position: Position, unit: Unit, back: float) -> Place:
    """Return the place so far straight back from where a unit stands."""
    return position.measure.snapped(unit.place.moved(0.0, -back))
