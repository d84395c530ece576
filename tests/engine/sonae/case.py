"""A small battlefield to try rules on: two armies of two divisions each, a hill, a wood, a lake and a road."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.sonae.field import Place
from engine.sonae.game import apply, examine, judge, new_game
from engine.sonae.pools import pool_of
from engine.sonae.position import Due, Position, Unit
from engine.sonae.scenario import Scenario, read_scenario
from engine.sonae.steps import Roll, Step
from engine.sonae.turn import dice_owed

HEAD = """
title = "A field for tests"
known = "practice"
width = 30.0
height = 30.0
radius = 4.0
turns = 3

[types.normal]
[types.firing]
fire = 1
melee = -1
[types.melee]
melee = 1
shock = -1
[types.shock]
shock = 1
fire = -1
[types.command]
fire = 1
melee = 1
shock = 1
resilience = 1
[types.encamped]
fire = 1
resilience = 1
[types.mobile]
melee = 1
fire = -1

[ground.hill]
kind = "hill"
title = "hill"
outline = [[0.0, 20.0], [10.0, 20.0], [10.0, 30.0], [0.0, 30.0]]

[ground.wood]
kind = "difficult"
title = "wood"
outline = [[20.0, 20.0], [30.0, 20.0], [30.0, 30.0], [20.0, 30.0]]

[ground.lake]
kind = "blocked"
title = "lake"
outline = [[20.0, 0.0], [30.0, 0.0], [30.0, 4.0], [20.0, 4.0]]

[ground.way]
kind = "road"
title = "road"
outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 10.0], [0.0, 10.0]]

[objective]
title = "the cairn"
outline = [[14.0, 14.0], [16.0, 14.0], [16.0, 16.0], [14.0, 16.0]]
"""
ARMY = """
[armies.{side}]
title = "{title}"
authority = {authority}

[armies.{side}.divisions.{side}-one]
title = "First of {title}"
authority = 1

[armies.{side}.divisions.{side}-one.units.{side}-general]
title = "General of {title}"
type = "general"
x = 5
y = {y}
facing = {facing}

[armies.{side}.divisions.{side}-one.units.{side}-lead]
type = "command"
x = 7
y = {y}
facing = {facing}

[armies.{side}.divisions.{side}-one.units.{side}-a]
type = "normal"
x = 9
y = {y}
facing = {facing}

[armies.{side}.divisions.{side}-one.units.{side}-b]
type = "shock"
x = 11
y = {y}
facing = {facing}

[armies.{side}.divisions.{side}-two]
title = "Second of {title}"
authority = -1

[armies.{side}.divisions.{side}-two.units.{side}-second]
type = "command"
x = 26
y = {y}
facing = {facing}

[armies.{side}.divisions.{side}-two.units.{side}-gun]
type = "firing"
x = 28
y = {y}
facing = {facing}
"""


def scenario_text() -> str:
    """Return the scenario's file, in which Ito look up the table from its near edge and Oda down from its far one."""
    ito = ARMY.format(side="ito", title="Ito", authority=1, y=6, facing=0)
    return HEAD + ito + ARMY.format(side="oda", title="Oda", authority=0, y=24, facing=180)


@cache
def field() -> Scenario:
    """Return the scenario that these tests fight."""
    return read_scenario("field", scenario_text(), "field.toml")


def at(name: str, x: float, y: float, facing_deg: float = 0.0, **changes: Any) -> Unit:
    """Return a unit standing at this place."""
    return Unit(name, Place(x, y, facing_deg), **changes)


def battle(*units: Unit, acting: str = "ito-one", orders: int = 9, **changes: Any) -> Position:
    """Return a position with these units in place, while Ito's first division acts.

    All other units are at home, far from one another.
    """
    told = {unit.name: unit for unit in units}
    others = {name: Unit(name, kind.start) for name, kind in field().units.items()}
    standing = tuple((others | told)[name] for name in field().units)
    modes = changes.pop("modes", ("encamped", "encamped"))
    return Position(field(), standing, modes, acting=acting, orders=orders, **changes)


def without(position: Position, *names: str) -> Position:
    """Return the position without some units."""
    return replace(position, units=tuple(unit for unit in position.units if unit.name not in names))


def objections(position: Position, step: Step) -> list[str]:
    """Return the names of the rules that a step breaks."""
    return [finding.rule for finding in judge(position, step).objections]


def messages(position: Position, step: Step) -> list[str]:
    """Return the objections to a step in words."""
    return [finding.message for finding in examine(position, step).objections]


def wants(position: Position) -> list[tuple[str, str]]:
    """Return what is owed, first thing first, as (kind, side)."""
    sides = (*field().sides, "")
    return [(due.kind, sides[due.by]) for due in position.due]


def roll(position: Position, sixes: int = 0) -> Position:
    """Return the position after the roll that is owed comes up with this many sixes."""
    due = position.due[0]
    dice = dice_owed(position, due)
    return apply(position, Roll((6,) * sixes + (1,) * (dice - sixes), field().sides[due.by]))


def rolls(position: Position, *sixes: int) -> Position:
    """Return the position after several rolls, given by their numbers of sixes."""
    for n in sixes:
        position = roll(position, n)
    return position


def owing(position: Position, *due: Due) -> Position:
    """Return the position with these dues owed."""
    return replace(position, due=due)


def told(position: Position, due: Due | None = None) -> str:
    """Return the dice of a roll that is owed, with their reasons; by default of the first roll."""
    return pool_of(position, due or position.due[0]).reasons()


def names(units: Iterable[Unit]) -> list[str]:
    """Their names."""
    return [unit.name for unit in units]


def gridded(grid: str) -> Scenario:
    """Return the field for tests on a grid."""
    return read_scenario("field", scenario_text().replace("turns = 3", f'turns = 3\ngrid = "{grid}"'), "field.toml")


def standing(grid: str, *readings: str, **places: tuple[float, float, float]) -> Position:
    """Return a position with these units (with _ for -) in these places and the others at home."""
    scenario = gridded(grid)
    start = replace(battle(readings=frozenset(readings)), scenario=scenario, units=new_game(scenario).units)
    for name, (x, y, facing_deg) in places.items():
        place = start.measure.snapped(Place(x, y, facing_deg))
        start = start.with_unit(name.replace("_", "-"), place=place)
    return start


PAGE = Path(__file__).resolve().parents[3] / "docs" / "sonae.md"


def example() -> str:
    """Return the battle's file that docs/sonae.md shows in full."""
    (found,) = re.findall(r"```toml\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return str(found)
