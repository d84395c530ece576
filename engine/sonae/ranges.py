"""The ruler of a battle: ranges, command, quarters, contact, what is in the way, and all of it as one answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import hypot

from engine.ruling import Citation
from engine.sonae.field import NEAR, Place, Quarter, distance
from engine.sonae.pools import CLOSING, COMMAND, FIRE_RANGE, MOVING, RANGED, is_general_near, is_in_radius
from engine.sonae.position import Position, Unit
from engine.words import decimal, mark, say

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


def melee_units(position: Position, name: str) -> frozenset[str]:
    """Return all units in a unit's melee, itself included: each is in contact with an enemy among them."""
    found, open_ = {name}, [name]
    while open_:
        more = [enemy for enemy in enemies_in_contact(position, open_.pop()) if enemy not in found]
        found.update(more)
        open_ += more
    return frozenset(found)


def melees(position: Position) -> tuple[frozenset[str], ...]:
    """List every melee on the table; a melee with units named earlier in the armies comes first."""
    groups = [melee_units(position, unit.name) for unit in position.units]
    return tuple(dict.fromkeys(units for units in groups if len(units) > 1))


def find_obstacle(position: Position, unit: Unit, end: Place, meets: Iterable[str] = ()) -> str:
    """Return what a base going straight to its end runs into.

    This is a unit's name, OFF_TABLE, BLOCKED for ground, or "" for nothing. meets: the names of units that it may end
    in contact with, but not pass through.
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
    """Return the name of one of these units that a unit's base lies on; "" for none.

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
    """Return the enemies that a unit would be in contact with at this place."""
    touches = position.measure.touches
    return tuple(enemy.name for enemy in position.enemies(unit.name) if touches(end, enemy.place))


def is_flanked(position: Position, name: str, enemies: Iterable[str]) -> bool:
    """Return whether one of these enemies is in contact with a unit at its flank or rear."""
    place = position.here(name).place
    against = [position.here(enemy).place for enemy in enemies]
    return any(position.measure.touches(place, enemy) and place.quarter(enemy.at) != "front" for enemy in against)


def is_in_front(position: Position, name: str, place: Place) -> bool:
    """Return whether a place is in front of an enemy of a unit: in its front quarter, within one Movement."""
    measure, enemies = position.measure, (enemy.place for enemy in position.enemies(name))
    return any(measure.is_near(place, enemy, ZONE) and enemy.quarter(place.at) == "front" for enemy in enemies)


# --- what a ruler laid on the table answers ------------------------------------------------

_QUARTERS = {
    "front": mark("{other} is in {unit}'s front quarter"),
    "right": mark("{other} is on {unit}'s right flank"),
    "rear": mark("{other} is in {unit}'s rear quarter"),
    "left": mark("{other} is on {unit}'s left flank"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the ruler tells: whether it is so, in a sentence, and where it is written."""

    name: str
    holds: bool
    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Separation:
    """A unit and another one: how far they are apart from edge to edge, in which quarter of the unit the other stands.

    seen_from: in which quarter of the other one the unit stands.
    """

    other: str
    distance: float
    is_in_range: bool
    is_in_contact: bool
    quarter: Quarter
    seen_from: Quarter


@dataclass(frozen=True, slots=True)
class Ruler:
    """What is measured from a unit, and to another one if one was named."""

    unit: str
    is_in_command: bool
    is_general_near: bool
    apart: Separation | None = None
    facts: tuple[Fact, ...] = ()


def measure_unit(position: Position, unit: str, other: str = "") -> Ruler:
    """Measure whether a unit is in command, and whether its general is near.

    With another unit, also how far off it is, whether it is in range or in contact, and in which quarter.
    """
    here = position.here(unit)
    command, near = is_in_command(position, unit), is_general_near(position, here)
    apart = _separation(position, here, position.here(other)) if other else None
    facts = (*_command_facts(position, here, command, near), *(_facts(position, here, apart) if apart else ()))
    return Ruler(unit, command, near, apart, facts)


def _separation(position: Position, unit: Unit, other: Unit) -> Separation:
    return Separation(
        other=other.name,
        distance=position.measure.gap(unit.place, other.place),
        is_in_range=is_in_range(position, unit.name, other.name),
        is_in_contact=position.measure.touches(unit.place, other.place),
        quarter=unit.place.quarter(other.place.at),
        seen_from=other.place.quarter(unit.place.at),
    )


def _command_facts(position: Position, unit: Unit, command: bool, near: bool) -> tuple[Fact, ...]:
    title, division = _title(position, unit.name), position.division(unit.name)
    reach = decimal(position.scenario.radius + position.authority(division.name))
    template = mark("{unit} is within its commander's Command Radius ({reach} Movements)")
    if not command:
        template = mark("{unit} is outside its commander's Command Radius ({reach} Movements): one order only")
    general = (
        mark("{unit} is within the Army General's Command Radius")
        if near
        else mark("{unit} is outside the Army General's Command Radius")
    )
    fact = Fact("in_command", command, say(template, unit=title, reach=reach), COMMAND)
    if position.general(position.side(unit.name)) is unit:
        return (fact,)
    return fact, Fact("general_near", near, say(general, unit=title), COMMAND)


def _facts(position: Position, unit: Unit, apart: Separation) -> tuple[Fact, ...]:
    names = {"unit": _title(position, unit.name), "other": _title(position, apart.other)}
    turned = {"unit": names["other"], "other": names["unit"]}
    gone, most = decimal(apart.distance, 1), decimal(FIRE_RANGE)
    far = mark("{unit} to {other}: {gone} Movements (range: {most})")
    if apart.is_in_contact:
        far = mark("{unit} and {other} are in contact")
    sentence = say(far, gone=gone, most=most, **names)
    return (
        Fact("in_contact", True, sentence, CLOSING)
        if apart.is_in_contact
        else Fact("in_range", apart.is_in_range, sentence, RANGED),
        Fact("quarter", apart.quarter == "front", say(_QUARTERS[apart.quarter], **names), MOVING),
        Fact("seen_from", apart.seen_from == "front", say(_QUARTERS[apart.seen_from], **turned), MOVING),
    )


def _title(position: Position, unit: str) -> str:
    return say(position.scenario.units[unit].title)
