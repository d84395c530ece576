"""The ruler of a battle: ranges, command, quarters, contact, and what is in the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import hypot

from engine.sonae.field import NEAR, Place, distance
from engine.sonae.pools import FIRE_RANGE, is_in_radius
from engine.sonae.position import Position, Unit

OFF_TABLE, BLOCKED = "off", "blocked"
ZONE = 1.0
"""How far a Zone of Control reaches ahead of a unit, in Movements, by the reading zone-of-control."""


def is_in_range(position: Position, name: str, other: str) -> bool:
    """Return whether two units are within two Movements of one another (Ranged Combat)."""
    return position.measure.is_near(position.here(name).place, position.here(other).place, FIRE_RANGE)


def is_threatened(position: Position, name: str) -> bool:
    """Return whether a unit is in attack range of any enemy unit."""
    return any(is_in_range(position, name, enemy.name) for enemy in position.enemies(name))


def is_in_command(position: Position, name: str) -> bool:
    """Return whether a unit stands in the Command Radius of its division's leader.

    An Army General commands itself.
    """
    if position.scenario.units[name].type == "general":
        return True
    division = position.division(name).name
    leader = position.leader(division)
    return leader is not None and is_in_radius(position, leader, position.here(name), position.authority(division))


def enemies_in_contact(position: Position, name: str) -> tuple[str, ...]:
    """Return the enemies that a unit is in contact with."""
    return enemies_touched(position, position.here(name), position.here(name).place)


def group(position: Position, name: str) -> frozenset[str]:
    """Return all units of one melee: each is in contact with another of them."""
    found, open_ = {name}, [name]
    while open_:
        more = [enemy for enemy in enemies_in_contact(position, open_.pop()) if enemy not in found]
        found.update(more)
        open_ += more
    return frozenset(found)


def melees(position: Position) -> tuple[frozenset[str], ...]:
    """List every melee on the table; a melee with units named earlier in the armies comes first."""
    groups = [group(position, unit.name) for unit in position.units]
    return tuple(dict.fromkeys(units for units in groups if len(units) > 1))


def find_obstacle(position: Position, unit: Unit, end: Place, meets: Iterable[str] = ()) -> str:
    """Return what a base going straight to its end runs into.

    This is a unit's name, OFF_TABLE, BLOCKED ground, or "" for nothing.

    meets: units that it may end in contact with, but not pass through.
    """
    measure, others = position.measure, _units_near_way(position, unit, end)
    for place in measure.way(replace(unit.place, facing_deg=end.facing_deg), end):
        width, height = position.scenario.size
        if not (0 <= place.x <= width and 0 <= place.y <= height):
            return OFF_TABLE
        if position.scenario.ground_at(place.at) == "blocked":
            return BLOCKED
        for other in others:
            slack = 2 * NEAR if other.name in meets else NEAR
            if measure.overlaps(place, other.place, slack):
                return other.name
    return ""


def unit_under(position: Position, unit: Unit, units: Iterable[Unit]) -> str:
    """Return which of these units a base lies on; "" for none.

    The overlap must be more than two bases in contact may be measured to have.
    """
    others = (other for other in units if other.name != unit.name)
    return next((other.name for other in others if position.measure.overlaps(unit.place, other.place, 2 * NEAR)), "")


def _units_near_way(position: Position, unit: Unit, end: Place) -> list[Unit]:
    """List the units so near to a way that they could stand in it."""
    half = (unit.place.x + end.x) / 2, (unit.place.y + end.y) / 2
    reach = distance(unit.place.at, end.at) / 2 + hypot(1.0, end.depth)
    return [other for other in position.units if other.name != unit.name and distance(other.place.at, half) <= reach]


def enemies_touched(position: Position, unit: Unit, end: Place) -> tuple[str, ...]:
    """Return the enemies that a base would be in contact with at the end of its way."""
    touches = position.measure.touches
    return tuple(enemy.name for enemy in position.enemies(unit.name) if touches(end, enemy.place))


def is_flanked(position: Position, name: str, enemies: Iterable[str]) -> bool:
    """Return whether one of these units, in contact with a unit, attacks its flank or rear."""
    place = position.here(name).place
    against = [position.here(enemy).place for enemy in enemies]
    return any(position.measure.touches(place, enemy) and place.quarter(enemy.at) != "front" for enemy in against)


def is_in_front(position: Position, name: str, place: Place) -> bool:
    """Return whether a place is in the front quarter of an enemy of a unit, one Movement from it or less."""
    measure, enemies = position.measure, (enemy.place for enemy in position.enemies(name))
    return any(measure.is_near(place, enemy, ZONE) and enemy.quarter(place.at) == "front" for enemy in enemies)
