"""What a ruler tells of a battle: in range? in command? which quarter? in contact? what is in the way?"""

from __future__ import annotations

from collections.abc import Iterable

from engine.sonae.field import NEAR, Place, gap, overlap, touching, way
from engine.sonae.pools import FIRE_RANGE, within
from engine.sonae.position import Position, Unit

OFF_TABLE, BLOCKED = "off", "blocked"


def in_range(position: Position, one: str, other: str) -> bool:
    """Whether two units are within two Movements of one another (Ranged Combat)."""
    return gap(position.here(one).place, position.here(other).place) <= FIRE_RANGE + NEAR


def threatened(position: Position, name: str) -> bool:
    """Whether a unit is in attack range of any enemy unit."""
    return any(in_range(position, name, enemy.name) for enemy in position.enemies(name))


def in_command(position: Position, name: str) -> bool:
    """Whether a unit stands in the Command Radius of its division's commander, who has to be in the battle."""
    division = position.division(name)
    leader = position.unit(division.commander)
    return leader is not None and within(position, leader, position.here(name), division.authority)


def engaged(position: Position, name: str) -> tuple[str, ...]:
    """The enemies that a unit is in contact with."""
    place = position.here(name).place
    return tuple(enemy.name for enemy in position.enemies(name) if touching(place, enemy.place))


def group(position: Position, name: str) -> frozenset[str]:
    """All units of one melee: whoever is in contact with somebody of it."""
    found, open_ = {name}, [name]
    while open_:
        more = [enemy for enemy in engaged(position, open_.pop()) if enemy not in found]
        found.update(more)
        open_ += more
    return frozenset(found)


def melees(position: Position) -> tuple[frozenset[str], ...]:
    """Every melee on the table, those of units named first in the armies first."""
    groups = [group(position, unit.name) for unit in position.units]
    return tuple(dict.fromkeys(one for one in groups if len(one) > 1))


def in_the_way(position: Position, unit: Unit, end: Place, meets: Iterable[str] = ()) -> str:
    """What a base going straight to its end runs into: a unit's name, OFF_TABLE, BLOCKED ground, or "" for nothing.

    meets: units that it may end in contact with, but not pass through.
    """
    others = [one for one in position.units if one.name != unit.name]
    for place in way(Place(*unit.place.at, end.facing_deg, end.depth), end):
        width, height = position.scenario.size
        if not (0 <= place.x <= width and 0 <= place.y <= height):
            return OFF_TABLE
        if position.scenario.ground_at(place.at) == "blocked":
            return BLOCKED
        for other in others:
            slack = 2 * NEAR if other.name in meets else NEAR
            if overlap(place, other.place, slack):
                return other.name
    return ""


def reached(position: Position, unit: Unit, end: Place) -> tuple[str, ...]:
    """The enemies that a base would be in contact with at the end of its way."""
    return tuple(enemy.name for enemy in position.enemies(unit.name) if touching(end, enemy.place))


def flanked(position: Position, name: str, enemies: Iterable[str]) -> bool:
    """Whether a unit is attacked in its flank or rear by one of these."""
    place = position.here(name).place
    return any(place.quarter(position.here(enemy).place.at) != "front" for enemy in enemies)
