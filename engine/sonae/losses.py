"""What hits and failed tests come to: statuses, units and divisions lost, fatigue, and the end of a battle."""

from __future__ import annotations

from dataclasses import replace

from engine.sonae.field import STRIDE, Place
from engine.sonae.position import FATIGUED, STATUSES, Due, Position, Unit
from engine.sonae.ranges import in_the_way

LARGE_NUMBER = 3
"""From so many orders in one activation a unit has a large number of them, by the reading large-number."""


def strain_due(position: Position, unit: Unit) -> Due | None:
    """The Morale test of a unit that has had a large number of orders."""
    if unit.orders < LARGE_NUMBER or unit.fatigue:
        return None
    return Due("strain", position.side(unit.name), (unit.name,))


def worsened(position: Position, name: str) -> Position:
    """Fresh becomes wavering, wavering brittle, and what is brittle breaks (Ranged Combat)."""
    number = STATUSES.index(position.here(name).status) + 1
    return lost(position, name) if number == len(STATUSES) else position.changed(name, status=STATUSES[number])


def bettered(position: Position, name: str) -> Position:
    """One status better (Morale: the Rally Order)."""
    return position.changed(name, status=STATUSES[max(0, STATUSES.index(position.here(name).status) - 1)])


def tired(position: Position, name: str) -> Position:
    """The unit is fatigued: no action in its next activation (Command and Control)."""
    return position.changed(name, fatigue=FATIGUED)


def lost(position: Position, name: str) -> Position:
    """A unit leaves the battle; a division follows its commander, and the battle the Army General or the last unit."""
    after = position.without(name)
    side, division = position.side(name), position.division(name)
    if name == division.commander and "commander-lost" not in position.readings:
        gone = [unit for unit in division.units if unit != position.army(side).general]
        after = replace(after, units=tuple(one for one in after.units if one.name not in gone))
    after = replace(after, due=tuple(one for one in after.due if _stands(after, one)))
    if name == position.army(side).general:
        return ended(after, 1 - side, "general")
    left = any(position.side(one.name) == side for one in after.units)
    return after if left else ended(after, 1 - side, "army")


def _stands(position: Position, due: Due) -> bool:
    """Whether what is owed can still be told: all the units it is about are in the battle."""
    return all(position.unit(name) is not None for name in (*due.units, *due.against))


def ended(position: Position, winner: int, reason: str) -> Position:
    """The battle is over: "general" lost, "army" lost, or the "objective" held."""
    return replace(position, winner=winner, reason=reason, due=(), bonus=())


def driven_back(position: Position, name: str) -> Position:
    """A unit falls back one Movement straight to its rear; blocked there, it owes a Morale test (Close Combat)."""
    unit = position.here(name)
    end = unit.place.moved(0.0, -1.0)
    if in_the_way(position, unit, end):
        return position.owing(Due("blocked", position.side(name), (name,)))
    return position.changed(name, place=end)


def pulled_up(position: Position, name: str, enemy: str) -> Position:
    """A charge that was stopped ends one Movement short of the enemy unit, or as near to that as there is room."""
    unit = position.here(name)
    end = unit.place.moved(0.0, -1.0)
    while in_the_way(position, unit, end, (enemy,)) and end.at != unit.place.at:
        end = _nearer(unit.place, end)
    return position.changed(name, place=end, charged=False)


def _nearer(start: Place, end: Place) -> Place:
    """A stride nearer to where the unit stands."""
    back = -start.inside(end.at)[1]
    return start.moved(0.0, -max(0.0, round(back - STRIDE, 6)))
