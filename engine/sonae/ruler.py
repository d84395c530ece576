"""What a ruler laid on the table answers, as one value: what the rules ask of a unit, and of two of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ruling import Citation
from engine.sonae.field import Quarter
from engine.sonae.pools import CLOSING, COMMAND, FIRE_RANGE, MOVING, RANGED, is_general_near
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import is_in_command, is_in_range
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
    """What is measured from a unit; to another one only where one was named."""

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
