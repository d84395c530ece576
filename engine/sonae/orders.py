"""The orders of an activation: who may have them, moves and charges, fire and rally, and what a table's readings add.

Source: Command and Control; Movement; Close Combat; Ranged Combat; Morale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.ruling import Hearing
from engine.sonae.field import NEAR, Place, angle_between, facing
from engine.sonae.position import RESTING, Due, Position, Unit
from engine.sonae.ranges import (
    BLOCKED,
    OFF_TABLE,
    enemies_in_contact,
    enemies_touched,
    find_obstacle,
    is_flanked,
    is_in_command,
    is_in_front,
    is_in_range,
    is_threatened,
)
from engine.sonae.steps import Advance, FallBack, Fire, Order, Rally, Wheel
from engine.words import decimal

LARGE_NUMBER, LARGER_NUMBER = 3, 5
"""This many orders in one activation, or more, are a large number of them, by the reading large-number."""


def judge_order(hearing: Hearing, position: Position, step: Order) -> None:
    """Judge every criterion of an order."""
    unit = position.unit(step.unit)
    division = position.scenario.divisions[position.acting].units if position.acting else ()
    able = step.unit in (position.bonus or division)
    if not hearing.weigh("order.unit", unit is not None and able, unit=step.unit):
        return
    assert unit is not None
    if step.unit not in position.bonus:
        hearing.weigh("order.left", position.orders > 0, n=position.orders)
        alone = not is_in_command(position, step.unit)
        hearing.weigh("order.outside", not (alone and unit.orders > 0), unit=step.unit)
    hearing.weigh("order.fatigued", unit.fatigue != RESTING, unit=step.unit)
    locked = enemies_in_contact(position, step.unit) and not isinstance(step, FallBack)
    hearing.weigh("order.locked", not locked, unit=step.unit)
    _JUDGE[type(step)](hearing, position, unit, step)


def perform_order(position: Position, step: Order) -> Position:
    """Carry out an order that was judged legal."""
    after = _count_order(position, step.unit)
    after = _PERFORM[type(step)](after, after.here(step.unit), step)
    unit = after.unit(step.unit)
    large = LARGER_NUMBER if position.has("large-number") else LARGE_NUMBER
    if position.bonus or unit is None or unit.orders < large or unit.fatigue:
        return after
    # the Morale test of a unit that has had a large number of orders comes after all else that the order brought
    return replace(after, due=(*after.due, Due("strain", after.side(unit.name), (unit.name,))))


def _count_order(position: Position, name: str) -> Position:
    """Count one order more of the unit and one fewer of the division; a bonus order counts for neither."""
    if position.bonus:
        return replace(position, bonus=position.bonus if position.spare else (), spare=max(0, position.spare - 1))
    counted = position.with_unit(name, orders=position.here(name).orders + 1)
    return replace(counted, orders=position.orders - 1)


# --- moves --------------------------------------------------------------------------------

Move = Advance | FallBack | Wheel
MOST: dict[type[Move], float] = {Advance: 2.0, FallBack: 1.0, Wheel: 1.0}
"""How far the three kinds of move go, in Movements (Movement)."""
QUARTER_DEG = 45.0


def end_of(position: Position, unit: Unit, step: Move) -> Place:
    """Return where a move ends; on a grid in the middle of a cell."""
    facing_deg = facing(step.facing_deg) if isinstance(step, Wheel) else unit.place.facing_deg
    return position.measure.snapped(replace(unit.place, x=step.x, y=step.y, facing_deg=facing_deg))


def _judge_advance(hearing: Hearing, position: Position, unit: Unit, step: Advance) -> None:
    """Judge a move into the front quarter; if it ends in contact with an enemy, it is a charge."""
    end = end_of(position, unit, step)
    hearing.weigh("move.front", unit.place.quarter(end.at) == "front", unit=unit.name)
    met = enemies_touched(position, unit, end)
    _weigh_move(hearing, position, unit, step, met)
    if met:
        hearing.weigh("charge.brittle", unit.status != "brittle", unit=unit.name)
    else:
        _weigh_zone(hearing, position, unit, end)


def _judge_back(hearing: Hearing, position: Position, unit: Unit, step: FallBack) -> None:
    """Judge a move into the rear quarter."""
    end = end_of(position, unit, step)
    hearing.weigh("move.rear", unit.place.quarter(end.at) == "rear", unit=unit.name)
    _weigh_move(hearing, position, unit, step, ())
    _weigh_contact(hearing, position, unit, end)


def _judge_wheel(hearing: Hearing, position: Position, unit: Unit, step: Wheel) -> None:
    """Judge a wheel: the facing turns to another quarter, and the move goes into the new front quarter."""
    end = end_of(position, unit, step)
    turn = angle_between(unit.place.facing_deg, end.facing_deg)
    hearing.weigh("move.facing", turn >= QUARTER_DEG - 1e-9, unit=unit.name, deg=round(turn))
    start = replace(unit.place, facing_deg=end.facing_deg)
    stays = position.measure.distance(start.at, end.at) <= NEAR
    hearing.weigh("move.front", stays or start.quarter(end.at) == "front", unit=unit.name)
    _weigh_move(hearing, position, unit, step, ())
    _weigh_contact(hearing, position, unit, end)
    if not stays:
        _weigh_zone(hearing, position, unit, end)


def _weigh_move(hearing: Hearing, position: Position, unit: Unit, step: Move, met: tuple[str, ...]) -> None:
    """Judge what every move must meet: its distance, a free way, and that the unit may move at all."""
    end = end_of(position, unit, step)
    most = reach(position, unit, end, type(step))
    gone = position.measure.distance(unit.place.at, end.at)
    hearing.weigh("move.distance", gone <= most + NEAR, unit=unit.name, gone=decimal(gone, 1), most=decimal(most))
    hearing.weigh("move.encamped", not position.is_camp(unit.name), unit=unit.name)
    hearing.weigh("move.mired", not unit.mired, unit=unit.name)
    obstacle = find_obstacle(position, unit, end, met)
    hearing.weigh("move.edge", obstacle != OFF_TABLE, unit=unit.name)
    hearing.weigh("move.ground", obstacle != BLOCKED, unit=unit.name)
    hearing.weigh("move.way", obstacle in ("", OFF_TABLE, BLOCKED), unit=unit.name, what=obstacle)


def _weigh_contact(hearing: Hearing, position: Position, unit: Unit, end: Place) -> None:
    met = enemies_touched(position, unit, end)
    hearing.weigh("move.contact", not met, unit=unit.name, enemy=met[0] if met else "")


def _weigh_zone(hearing: Hearing, position: Position, unit: Unit, end: Place) -> None:
    """Judge Zones of Control: nobody passes an enemy's front. On a table without any, a thorough hearing notes that."""
    zones = position.has("zone-of-control")
    if zones or hearing.thorough:
        *passed, _last = position.measure.way(unit.place, end)
        if any(is_in_front(position, unit.name, place) for place in (unit.place, *passed)):
            hearing.weigh("move.zone", not zones, unit=unit.name)


def reach(position: Position, unit: Unit, end: Place, kind: type[Move]) -> float:
    """Return how far a kind of move that ends at `end` may go, in Movements.

    It is less over difficult ground, more along a road or mounted.
    """
    grounds = _grounds(position, unit, end)
    most = MOST[kind]
    if any("difficult" in under for under in grounds):
        most = min(most, 1.0)
    elif all("road" in under for under in grounds) and kind is not Wheel:
        most += 1.0
    return most + position.is_mounted(unit.name)


def _grounds(position: Position, unit: Unit, end: Place) -> list[frozenset[str]]:
    """List the kinds of ground under a base, at each place from where it stands to where it goes."""
    return [position.grounds(place) for place in (unit.place, *position.measure.way(unit.place, end))]


def _advance(position: Position, unit: Unit, step: Advance) -> Position:
    """Advance a unit, or charge; a wavering unit tests its Morale before it charges."""
    end = end_of(position, unit, step)
    if not enemies_touched(position, unit, end):
        return _finish_move(position, unit, end)
    if unit.status == "wavering":
        return position.owing(Due("nerve", position.side(unit.name), (unit.name,), to=end))
    return charge(position, unit.name, end)


def charge(position: Position, name: str, end: Place) -> Position:
    """Put a charging unit in contact; each enemy met from the front may use Closing Fire (Close Combat)."""
    unit = position.here(name)
    met = enemies_touched(position, unit, end)
    after = _mire(position, unit, end).with_unit(name, place=end, charged=True)
    shooters = [enemy for enemy in met if not is_flanked(after, enemy, [name])]
    if position.has("closing-again"):
        shooters = [enemy for enemy in shooters if not enemies_in_contact(position, enemy)]
    other = 1 - position.side(name)
    return after.owing(*(Due("closing", other, (enemy,), (name,)) for enemy in shooters))


def _fall_back(position: Position, unit: Unit, step: FallBack) -> Position:
    """Move a unit back to its rear; one that leaves a combat this way owes a Morale test."""
    fought = bool(enemies_in_contact(position, unit.name))
    after = _finish_move(position, unit, end_of(position, unit, step))
    return after.owing(Due("retreat", position.side(unit.name), (unit.name,))) if fought else after


def _finish_move(position: Position, unit: Unit, end: Place) -> Position:
    """Put a unit at the end of its way; then each enemy that may use Opportunity Fire on it is asked."""
    after = _mire(position, unit, end).with_unit(unit.name, place=end)
    return after.owing(*_shots(position, after, unit.name))


def _mire(position: Position, unit: Unit, end: Place) -> Position:
    """Stop a unit that has moved on difficult ground for the rest of its activation, by difficult-ends."""
    ends = position.has("difficult-ends") and any("difficult" in under for under in _grounds(position, unit, end))
    return position.with_unit(unit.name, mired=True) if ends else position


def _shots(before: Position, after: Position, name: str) -> list[Due]:
    """List who may shoot at a unit that came into range, by the reading opportunity-fire."""
    if not after.has("opportunity-fire"):
        return []
    able = [enemy.name for enemy in after.enemies(name) if not enemies_in_contact(after, enemy.name)]
    new = [enemy for enemy in able if is_in_range(after, name, enemy) and not is_in_range(before, name, enemy)]
    return [Due("opportunity", 1 - after.side(name), (enemy,), (name,)) for enemy in new]


# --- firing and rallying ------------------------------------------------------------------


def _judge_fire(hearing: Hearing, position: Position, unit: Unit, step: Fire) -> None:
    enemies = {enemy.name for enemy in position.enemies(unit.name)}
    if not hearing.weigh("fire.target", step.target in enemies, target=step.target):
        return
    hearing.weigh("fire.range", is_in_range(position, unit.name, step.target), unit=unit.name, target=step.target)
    hearing.weigh("fire.melee", not enemies_in_contact(position, step.target), target=step.target)


def _fire(position: Position, unit: Unit, step: Fire) -> Position:
    side = position.side(unit.name)
    mine = Due("fire", side, (unit.name,), (step.target,))
    return position.owing(mine, Due("reply", 1 - side, (step.target,), (unit.name,)))


def _judge_rally(hearing: Hearing, position: Position, unit: Unit, step: Rally) -> None:
    hearing.weigh("rally.range", not is_threatened(position, unit.name), unit=unit.name)
    hearing.weigh("rally.command", is_in_command(position, unit.name), unit=unit.name)
    hearing.weigh("rally.status", unit.status != "fresh", unit=unit.name)


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
    Wheel: lambda position, unit, step: _finish_move(position, unit, end_of(position, unit, step)),
    Fire: _fire,
    Rally: lambda position, unit, step: position.owing(Due("rally", position.side(unit.name), (unit.name,))),
}
