"""What a ruler laid on the table answers, as one value: what the rules ask of a unit, and of two of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ruling import Citation
from engine.sonae.field import Quarter
from engine.sonae.pools import CLOSING, COMMAND, FIRE_RANGE, MOVING, RANGED, general_near
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import in_command, in_range
from engine.words import decimal, mark, say

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
class Apart:
    """A unit and another one: how far they are apart from edge to edge, in which quarter of the unit the other stands.

    seen_from: in which quarter of the other one the unit stands.
    """

    other: str
    distance: float
    in_range: bool
    in_contact: bool
    quarter: Quarter
    seen_from: Quarter


@dataclass(frozen=True, slots=True)
class Ruler:
    """What is measured from a unit; to another one only where one was named."""

    unit: str
    in_command: bool
    general_near: bool
    apart: Apart | None = None
    facts: tuple[Fact, ...] = ()


def ruler(position: Position, unit: str, other: str = "") -> Ruler:
    """Measure whether a unit is in command, and whether its general is near.

    With another unit, also how far off it is, whether it is in range or in contact, and in which quarter.
    """
    here = position.here(unit)
    command, near = in_command(position, unit), general_near(position, here)
    apart = _apart(position, here, position.here(other)) if other else None
    facts = (*_command_facts(position, here, command, near), *(_facts(position, here, apart) if apart else ()))
    return Ruler(unit, command, near, apart, facts)


def _apart(position: Position, unit: Unit, other: Unit) -> Apart:
    return Apart(
        other=other.name,
        distance=position.measure.gap(unit.place, other.place),
        in_range=in_range(position, unit.name, other.name),
        in_contact=position.measure.touching(unit.place, other.place),
        quarter=unit.place.quarter(other.place.at),
        seen_from=other.place.quarter(unit.place.at),
    )


def _command_facts(position: Position, unit: Unit, command: bool, near: bool) -> tuple[Fact, ...]:
    title, division = _title(position, unit.name), position.division(unit.name)
    reach = decimal(position.scenario.radius + position.authority(division.name))
    told = mark("{unit} is within its commander's Command Radius ({reach} Movements)")
    if not command:
        told = mark("{unit} is outside its commander's Command Radius ({reach} Movements): one order only")
    general = (
        mark("{unit} is within the Army General's Command Radius")
        if near
        else mark("{unit} is outside the Army General's Command Radius")
    )
    fact = Fact("in_command", command, say(told, unit=title, reach=reach), COMMAND)
    if position.general(position.side(unit.name)) is unit:
        return (fact,)
    return fact, Fact("general_near", near, say(general, unit=title), COMMAND)


def _facts(position: Position, unit: Unit, apart: Apart) -> tuple[Fact, ...]:
    names = {"unit": _title(position, unit.name), "other": _title(position, apart.other)}
    turned = {"unit": names["other"], "other": names["unit"]}
    gone, most = decimal(apart.distance, 1), decimal(FIRE_RANGE)
    far = mark("{unit} to {other}: {gone} Movements (range: {most})")
    if apart.in_contact:
        far = mark("{unit} and {other} are in contact")
    told = say(far, gone=gone, most=most, **names)
    return (
        Fact("in_contact", True, told, CLOSING) if apart.in_contact else Fact("in_range", apart.in_range, told, RANGED),
        Fact("quarter", apart.quarter == "front", say(_QUARTERS[apart.quarter], **names), MOVING),
        Fact("seen_from", apart.seen_from == "front", say(_QUARTERS[apart.seen_from], **turned), MOVING),
    )


def _title(position: Position, unit: str) -> str:
    return say(position.scenario.units[unit].title)
