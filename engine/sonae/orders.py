"""The orders of an activation: who may have them, fire and rally (Command and Control; Ranged Combat; Morale)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.ruling import Hearing
from engine.sonae import moves
from engine.sonae.losses import strain_due
from engine.sonae.position import RESTING, Due, Position, Unit
from engine.sonae.ranges import enemies_in_contact, is_in_command, is_in_range, is_threatened
from engine.sonae.steps import Advance, FallBack, Fire, Order, Rally, Wheel


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
    if position.bonus or unit is None:
        return after
    due = strain_due(after, unit)  # after all else that the order brought
    return after if due is None else replace(after, due=(*after.due, due))


def _count_order(position: Position, name: str) -> Position:
    """Take one order from the division and add one to the unit; a bonus order is none of the division's."""
    if position.bonus:
        return replace(position, bonus=position.bonus if position.spare else (), spare=max(0, position.spare - 1))
    counted = position.with_unit(name, orders=position.here(name).orders + 1)
    return replace(counted, orders=position.orders - 1)


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
    Advance: moves.judge_advance,
    FallBack: moves.judge_back,
    Wheel: moves.judge_wheel,
    Fire: _judge_fire,
    Rally: _judge_rally,
}
_PERFORM: dict[type[Order], Callable[[Position, Unit, Any], Position]] = {
    Advance: moves.advance,
    FallBack: moves.fall_back,
    Wheel: moves.wheel,
    Fire: _fire,
    Rally: lambda position, unit, step: position.owing(Due("rally", position.side(unit.name), (unit.name,))),
}
