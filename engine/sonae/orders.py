"""The orders of an activation: what each must meet, and what it does (Movement; Ranged and Close Combat; Morale)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.ruling import Hearing
from engine.sonae.field import NEAR, Place, distance, turned, way
from engine.sonae.losses import strain_due
from engine.sonae.position import RESTING, Due, Position, Unit
from engine.sonae.ranges import (
    BLOCKED,
    OFF_TABLE,
    engaged,
    flanked,
    in_command,
    in_range,
    in_the_way,
    reached,
    threatened,
)
from engine.sonae.steps import Advance, FallBack, Fire, Order, Rally, Wheel
from engine.words import mark, say

AHEAD, BACK, ASIDE = 2.0, 1.0, 1.0
"""How far the three kinds of move go, in Movements (Movement)."""
QUARTER_DEG = 45.0
MOVES = (Advance, FallBack, Wheel)


def judge_order(hearing: Hearing, position: Position, step: Order) -> None:
    """Look at every criterion of an order."""
    unit = position.unit(step.unit)
    if not hearing.weigh("order.unit", unit is not None and _may_have(position, step.unit), unit=step.unit):
        return
    assert unit is not None
    if step.unit not in position.bonus:
        hearing.weigh("order.left", position.orders > 0, n=position.orders)
        alone = not in_command(position, step.unit)
        hearing.weigh("order.outside", not (alone and unit.orders > 0), unit=step.unit)
    hearing.weigh("order.fatigued", unit.fatigue != RESTING, unit=step.unit)
    locked = engaged(position, step.unit) and not isinstance(step, FallBack)
    hearing.weigh("order.locked", not locked, unit=step.unit)
    _JUDGE[type(step)](hearing, position, unit, step)


def _may_have(position: Position, name: str) -> bool:
    """Whether a unit may be given orders now: it is of the acting division, or has a bonus order."""
    if position.bonus:
        return name in position.bonus
    return bool(position.acting) and name in position.scenario.divisions[position.acting].units


def perform_order(position: Position, step: Order) -> Position:
    """Carry out an order that was judged legal."""
    after = _counted(position, step.unit)
    after = _PERFORM[type(step)](after, after.here(step.unit), step)
    return after if position.bonus or after.unit(step.unit) is None else _strained(after, step.unit)


def _counted(position: Position, name: str) -> Position:
    """One order less, and one more for the unit; a bonus order is none of the division's."""
    if position.bonus:
        return replace(position, bonus=())
    counted = position.changed(name, orders=position.here(name).orders + 1)
    return replace(counted, orders=position.orders - 1)


def _strained(position: Position, name: str) -> Position:
    """A unit with a large number of orders owes a Morale test, after all else that the order brought."""
    due = strain_due(position, position.here(name))
    return position if due is None else replace(position, due=(*position.due, due))


# --- moving -------------------------------------------------------------------------------


def _judge_advance(hearing: Hearing, position: Position, unit: Unit, step: Advance) -> None:
    end = replace(unit.place, x=step.x, y=step.y)
    ahead = unit.place.quarter(end.at) == "front"
    hearing.weigh("move.front", ahead, unit=unit.name)
    _weigh_distance(hearing, position, unit, end, AHEAD)
    met = reached(position, unit, end)
    _weigh_way(hearing, position, unit, end, met)
    if met:
        hearing.weigh("charge.brittle", unit.status != "brittle", unit=unit.name)


def _judge_back(hearing: Hearing, position: Position, unit: Unit, step: FallBack) -> None:
    end = replace(unit.place, x=step.x, y=step.y)
    hearing.weigh("move.rear", unit.place.quarter(end.at) == "rear", unit=unit.name)
    _weigh_distance(hearing, position, unit, end, BACK)
    _weigh_way(hearing, position, unit, end, ())
    _weigh_contact(hearing, position, unit, end)


def _judge_wheel(hearing: Hearing, position: Position, unit: Unit, step: Wheel) -> None:
    turn = turned(unit.place.facing_deg, step.facing_deg)
    hearing.weigh("move.facing", turn >= QUARTER_DEG - 1e-9, unit=unit.name, deg=round(turn))
    start = replace(unit.place, facing_deg=step.facing_deg % 360.0)
    end = replace(start, x=step.x, y=step.y)
    there = distance(start.at, end.at) <= NEAR or start.quarter(end.at) == "front"
    hearing.weigh("move.front", there, unit=unit.name)
    _weigh_distance(hearing, position, unit, end, ASIDE)
    _weigh_way(hearing, position, unit, end, ())
    _weigh_contact(hearing, position, unit, end)


def _weigh_contact(hearing: Hearing, position: Position, unit: Unit, end: Place) -> None:
    """Only an advance ends in contact: that is a charge; a unit that falls back out of combat leaves all contact."""
    met = reached(position, unit, end)
    hearing.weigh("move.contact", not met, unit=unit.name, enemy=met[0] if met else "")


def _weigh_distance(hearing: Hearing, position: Position, unit: Unit, end: Place, most: float) -> None:
    most = reach(position, unit, end, most)
    gone = distance(unit.place.at, end.at)
    hearing.weigh("move.distance", gone <= most + NEAR, unit=unit.name, gone=round(gone, 1), most=f"{most:g}")
    kind = position.scenario.units[unit.name]
    stays = kind.type == "general" and position.modes[kind.side] == "encamped"
    hearing.weigh("move.encamped", not stays, unit=unit.name)


def reach(position: Position, unit: Unit, end: Place, most: float) -> float:
    """How far a move to there may go, in Movements: less over difficult ground, more along a road or mounted."""
    kinds = {position.scenario.ground_at(place.at) for place in (unit.place, *way(unit.place, end))}
    if "difficult" in kinds:
        most = min(most, 1.0)
    elif kinds == {"road"}:
        most += 1.0
    kind = position.scenario.units[unit.name]
    return most + (kind.type == "general" and position.modes[kind.side] == "mobile")


def _weigh_way(hearing: Hearing, position: Position, unit: Unit, end: Place, meets: tuple[str, ...]) -> None:
    stands = in_the_way(position, unit, end, meets)
    what = {OFF_TABLE: say(mark("the table's edge")), BLOCKED: say(mark("ground that none can pass"))}.get(
        stands, stands
    )
    hearing.weigh("move.way", not stands, unit=unit.name, what=what)


def _advance(position: Position, unit: Unit, step: Advance) -> Position:
    end = replace(unit.place, x=step.x, y=step.y)
    if not reached(position, unit, end):
        return position.changed(unit.name, place=end)
    side = position.side(unit.name)
    if unit.status == "wavering":
        return position.owing(Due("nerve", side, (unit.name,), to=end))
    return charged(position, unit.name, end)


def charged(position: Position, name: str, end: Place) -> Position:
    """A charge comes home: whoever is met in front may use Closing Fire."""
    met = reached(position, position.here(name), end)
    after = position.changed(name, place=end, charged=True)
    other = 1 - position.side(name)
    shooters = [enemy for enemy in met if not flanked(after, enemy, [name])]
    return after.owing(*(Due("closing", other, (enemy,), (name,)) for enemy in shooters))


def _fall_back(position: Position, unit: Unit, step: FallBack) -> Position:
    fought = bool(engaged(position, unit.name))
    after = position.changed(unit.name, place=replace(unit.place, x=step.x, y=step.y))
    if not fought:
        return after
    return after.owing(Due("retreat", position.side(unit.name), (unit.name,)))


def _wheel(position: Position, unit: Unit, step: Wheel) -> Position:
    place = replace(unit.place, x=step.x, y=step.y, facing_deg=step.facing_deg % 360.0)
    return position.changed(unit.name, place=place)


# --- firing and rallying ------------------------------------------------------------------


def _judge_fire(hearing: Hearing, position: Position, unit: Unit, step: Fire) -> None:
    enemies = {enemy.name for enemy in position.enemies(unit.name)}
    if not hearing.weigh("fire.target", step.target in enemies, target=step.target):
        return
    hearing.weigh("fire.range", in_range(position, unit.name, step.target), unit=unit.name, target=step.target)
    hearing.weigh("fire.melee", not engaged(position, step.target), target=step.target)


def _fire(position: Position, unit: Unit, step: Fire) -> Position:
    side = position.side(unit.name)
    mine = Due("fire", side, (unit.name,), (step.target,))
    return position.owing(mine, Due("reply", 1 - side, (step.target,), (unit.name,)))


def _judge_rally(hearing: Hearing, position: Position, unit: Unit, step: Rally) -> None:
    hearing.weigh("rally.range", not threatened(position, unit.name), unit=unit.name)
    hearing.weigh("rally.command", in_command(position, unit.name), unit=unit.name)
    hearing.weigh("rally.status", unit.status != "fresh", unit=unit.name)


def _rally(position: Position, unit: Unit, step: Rally) -> Position:
    return position.owing(Due("rally", position.side(unit.name), (unit.name,)))


_JUDGE: dict[type[Order], Callable[[Hearing, Position, Unit, Any], None]] = {
    Advance: _judge_advance,
    FallBack: _judge_back,
    Wheel: _judge_wheel,
    Fire: _judge_fire,
    Rally: _judge_rally,
}
_PERFORM: dict[type[Order], Callable[[Position, Unit, Any], Position]] = {
    Advance: _advance,
    FallBack: _fall_back,
    Wheel: _wheel,
    Fire: _fire,
    Rally: _rally,
}
