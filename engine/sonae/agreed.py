"""What the players agree on, judged only by what the table and the armies can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.ruling import Hearing
from engine.sonae.field import Place, facing
from engine.sonae.losses import decide_by_losses, drop_stale_dues, end_battle
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import unit_under
from engine.sonae.steps import Agreed
from engine.words import mark, say

_UNKNOWN = mark("not a unit in this battle")
_OFF = mark("off the table")
_ON = mark("{other} is there")


def judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Judge whether units could be so; this may be agreed at any time, in anyone's activation."""
    hearing.weigh("agreed.winner", step.winner in ("", *position.scenario.sides), who=step.winner)
    after = _units(position, step)
    for name, row in step.units.items():
        fault = _unit_fault(position, name, row, after)
        hearing.weigh("agreed.unit", not fault, unit=name, fault=fault)


def _unit_fault(position: Position, name: str, row: Mapping[str, object] | None, after: Mapping[str, Unit]) -> str:
    if name not in position.scenario.units:
        return say(_UNKNOWN)
    width, height = position.scenario.size
    place = _place(position, name, row or {})
    if not (0 <= place.x <= width and 0 <= place.y <= height):
        return say(_OFF)
    other = unit_under(position, after[name], after.values()) if name in after else ""
    return say(_ON, other=other) if other else ""


def _place(position: Position, name: str, row: Mapping[str, object]) -> Place:
    """Return where a unit is as agreed; what is not named is as it was, or as at the start."""
    unit = position.unit(name)
    place = unit.place if unit is not None else position.scenario.units[name].start
    agreed = {"x": row.get("x", place.x), "y": row.get("y", place.y), "facing": row.get("facing", place.facing_deg)}
    x, y, deg = (float(str(value)) for value in agreed.values())
    return position.measure.snapped(replace(place, x=x, y=y, facing_deg=facing(deg)))


def perform_agreed(position: Position, step: Agreed) -> Position:
    """Change the units as agreed; what is owed about units that have gone is owed no more."""
    units = tuple(_units(position, step).values())
    after = replace(position, units=units, orders=position.orders if step.orders is None else step.orders)
    if step.winner:
        return end_battle(after, position.scenario.sides.index(step.winner), "agreed")
    return decide_by_losses(drop_stale_dues(after))


def _units(position: Position, step: Agreed) -> dict[str, Unit]:
    """Return the agreed units by name, in the armies' order; units that are not named stay as they were."""
    units: dict[str, Unit | None] = {unit.name: unit for unit in position.units}
    for name, row in step.units.items():
        units[name] = _unit(position, name, row) if row is not None and name in position.scenario.units else None
    return {name: unit for name in position.scenario.units if (unit := units.get(name)) is not None}


def _unit(position: Position, name: str, row: Mapping[str, object]) -> Unit:
    before = position.unit(name) or Unit(name, position.scenario.units[name].start)
    changes: dict[str, Any] = {key: row[key] for key in ("status", "fatigue") if key in row}
    return replace(before, place=_place(position, name, row), **changes)
