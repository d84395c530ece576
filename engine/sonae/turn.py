"""A turn of battle: generals settle, tokens are drawn, divisions act, melees are fought (Command and Control).

What the players agree on is judged only by what the table and the armies can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.ruling import Hearing
from engine.sonae.field import Place, facing
from engine.sonae.orders import judge_order, perform_order
from engine.sonae.outcomes import decide_by_losses, drop_stale_dues, end_battle, resolve_roll
from engine.sonae.pools import ROLLED, pool_of
from engine.sonae.position import FATIGUED, MODES, RESTING, Due, Position, Unit
from engine.sonae.ranges import enemies_in_contact, is_threatened, melees, unit_under
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.words import due_words, reason_words
from engine.words import mark, say

ORDERS = (Advance, FallBack, Wheel, Fire, Rally)
BOTH = (0, 1)
FACES = range(1, 7)


# --- what goes on by itself ---------------------------------------------------------------


def start_turn(position: Position) -> Position:
    """Start a turn: each Army General still in the battle has to settle."""
    sides = [side for side in BOTH if position.unit(position.army(side).general) is not None]
    return replace(position, due=tuple(Due("settle", side) for side in sides))


def carry_on(position: Position) -> Position:
    """Carry the battle on through all that leaves no choice, until the table owes something."""
    while position.winner is None and position.units:
        after = _advance_once(position)
        if after is position:
            return position
        position = after
    return position


def _advance_once(position: Position) -> Position:
    """Do the one thing that follows by itself, or return the same position."""
    if position.due:
        return _answer_by_itself(position)
    if position.bonus:
        return position
    if position.fighting:
        return _next_melee(position)
    if position.acting:
        units = position.scenario.divisions[position.acting].units
        goes_on = position.orders and any(position.unit(name) is not None for name in units)
        return position if goes_on else replace(position, fighting=True)
    return replace(position, due=(Due("token", -1),)) if any(position.tokens) else _end_turn(position)


def _answer_by_itself(position: Position) -> Position:
    """Answer what leaves no choice: a token or a division, if only one is left; a roll without dice."""
    due = position.due[0]
    if due.kind in ROLLED and dice_owed(position, due) == 0:
        return resolve_roll(position, ())
    if due.kind == "token" and min(position.tokens) == 0:
        return _perform_token(position, Token(position.scenario.sides[int(position.tokens[0] == 0)]))
    if due.kind == "activate" and len(position.divisions_to_act(due.by)) == 1:
        return _perform_activate(position, Activate(position.divisions_to_act(due.by)[0]))
    return position


def _end_turn(position: Position) -> Position:
    """End the turn and begin the next one; after the last turn, end the battle.

    At the end the objective decides, or else the units that are left.
    """
    limit = position.scenario.turns
    if limit and position.turn >= limit:
        stronger = _more_units(position, position.units)
        for winner, reason in ((objective_holder(position), "objective"), (stronger, "strength")):
            if winner is not None:
                return end_battle(position, winner, reason)
    return start_turn(replace(position, turn=position.turn + 1, acted=(), messages=()))


def objective_holder(position: Position) -> int | None:
    """Return the side that has more units on the objective; None if neither has."""
    objective = position.scenario.objective
    if objective is None:
        return None
    return _more_units(position, [unit for unit in position.units if position.is_on(objective, unit.place)])


def _more_units(position: Position, units: Iterable[Unit]) -> int | None:
    """Return the side that has more of these units; None if both have as many."""
    sides = [position.side(unit.name) for unit in units]
    return None if sides.count(0) == sides.count(1) else int(sides.count(1) > sides.count(0))


def _next_melee(position: Position) -> Position:
    """Begin the next melee of the acting division's units; after the last, end the activation."""
    own = set(position.scenario.divisions[position.acting].units)
    for group in melees(position):
        if group & own and not group & set(position.fought):
            return _fight(position, group)
    return _end_activation(position)


def _fight(position: Position, group: frozenset[str]) -> Position:
    """Make both sides roll, the acting one first."""
    side = position.scenario.divisions[position.acting].side
    names = [unit.name for unit in position.units if unit.name in group]
    ours = tuple(name for name in names if position.side(name) == side)
    theirs = tuple(name for name in names if name not in ours)
    after = replace(position, fought=(*position.fought, *names))
    return after.owing(Due("melee", side, ours, theirs), Due("melee", 1 - side, theirs, ours))


def _end_activation(position: Position) -> Position:
    """End the activation: units that rested are fit again, and the counts of orders start anew."""
    own = position.scenario.divisions[position.acting].units
    units = tuple(_after_activation(position, unit, unit.name in own) for unit in position.units)
    acted = (*position.acted, position.acting)
    return replace(position, units=units, acted=acted, acting="", orders=0, spare=0, fighting=False, fought=())


def _after_activation(position: Position, unit: Unit, acted: bool) -> Unit:
    """Reset a unit's counts after an activation.

    Charge and Closing Fire still count for a unit that is in contact and has not fought.
    """
    met = bool(enemies_in_contact(position, unit.name))
    rested = acted and unit.fatigue == RESTING
    return replace(
        unit,
        orders=0,
        mired=False,
        charged=unit.charged and met,
        delayed=unit.delayed and met,
        fatigue=0 if rested else unit.fatigue,
    )


# --- steps --------------------------------------------------------------------------------


def judge_step(hearing: Hearing, position: Position, step: Step) -> None:
    """Judge every criterion of a step."""
    open_to_it = position.winner is None or isinstance(step, Agreed)
    if not hearing.weigh("game.over", open_to_it, reason=reason_words(position.reason)):
        return
    if isinstance(step, Agreed) or _is_asked(hearing, position, step):
        _JUDGE[type(step)](hearing, position, step)


def _is_asked(hearing: Hearing, position: Position, step: Step) -> bool:
    """Return whether the table owes a step of this kind now; orders are free while nothing is owed."""
    if position.due:
        due = position.due[0]
        fits = isinstance(step, _ANSWERS.get(due.kind, Roll)) or (due.kind == "shock" and isinstance(step, Done))
        return hearing.weigh("turn.owed", fits, owed=due_words(position, due))
    free = isinstance(step, (*ORDERS, Done))
    return hearing.weigh("turn.order", free, who=", ".join(position.bonus) or position.acting)


def perform_step(position: Position, step: Step) -> Position:
    """Carry out a step that was judged legal, and all that follows by itself."""
    return carry_on(_PERFORM[type(step)](position, step))


def _judge_settle(hearing: Hearing, position: Position, step: Settle) -> None:
    side = position.due[0].by
    who = position.scenario.sides[side]
    hearing.weigh("turn.who", step.by == who, who=who)
    hearing.weigh("general.mode", step.mode in MODES, mode=step.mode)
    if not step.messenger:
        return
    hearing.weigh("messenger.encamped", step.mode == "encamped", who=who)
    division = position.scenario.divisions.get(step.messenger)
    own = division is not None and division.side == side and position.is_commanded(division.name)
    hearing.weigh("messenger.commander", own, division=step.messenger)


def _perform_settle(position: Position, step: Settle) -> Position:
    side = position.due[0].by
    modes = (step.mode, position.modes[1]) if side == 0 else (position.modes[0], step.mode)
    after = replace(position.without_due(), modes=modes)
    if not step.messenger:
        return after
    ends = (position.general(side), position.leader(step.messenger))
    opposed = any(is_threatened(position, unit.name) for unit in ends if unit is not None)
    intercept = (Due("intercept", 1 - side, against=(step.messenger,)),) if opposed else ()
    return after.owing(Due("messenger", side, against=(step.messenger,)), *intercept)


def _judge_token(hearing: Hearing, position: Position, step: Token) -> None:
    sides = position.scenario.sides
    left = step.by in sides and position.tokens[sides.index(step.by)] > 0
    hearing.weigh("token.left", left, who=step.by)


def _perform_token(position: Position, step: Token) -> Position:
    side = position.scenario.sides.index(step.by)
    return position.without_due().owing(Due("activate", side))


def _judge_activate(hearing: Hearing, position: Position, step: Activate) -> None:
    able = step.division in position.divisions_to_act(position.due[0].by)
    hearing.weigh("activate.once", able, division=step.division)


def _perform_activate(position: Position, step: Activate) -> Position:
    due = position.due[0]
    own = position.scenario.divisions[step.division].units
    units = tuple(
        replace(unit, fatigue=RESTING) if unit.name in own and unit.fatigue == FATIGUED else unit
        for unit in position.units
    )
    after = replace(position.without_due(), units=units, acting=step.division)
    return after.owing(Due("orders", due.by))


def _judge_roll(hearing: Hearing, position: Position, step: Roll) -> None:
    due = position.due[0]
    dice = dice_owed(position, due)
    who = position.scenario.sides[due.by]
    hearing.weigh("turn.who", step.by == who, who=who)
    hearing.weigh("roll.dice", len(step.dice) == dice, n=dice, unit="die", told=len(step.dice))
    hearing.weigh("roll.faces", all(die in FACES for die in step.dice), told=", ".join(map(str, step.dice)))


def dice_owed(position: Position, due: Due) -> int:
    """Count the dice of the roll that is owed."""
    return 1 if due.kind == "orders" else pool_of(position, due).dice


def _judge_closing(hearing: Hearing, position: Position, step: Closing) -> None:
    who = position.scenario.sides[position.due[0].by]
    hearing.weigh("turn.who", step.by == who, who=who)


def _perform_closing(position: Position, step: Closing) -> Position:
    due, after = position.due[0], position.without_due()
    if not step.fires:
        return after
    return after.owing(replace(due, kind="closing-fire" if due.kind == "closing" else "opportunity-fire"))


def _perform_done(position: Position, step: Done) -> Position:
    if position.due:
        return position.without_due()
    return replace(position, bonus=(), spare=0) if position.bonus else replace(position, orders=0, fighting=True)


# --- what is agreed ---------------------------------------------------------------------


_UNKNOWN = mark("not a unit in this battle")
_OFF = mark("off the table")
_ON = mark("{other} is there")


def _judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Judge whether the agreed units are possible; they may be agreed at any time, in anyone's activation."""
    hearing.weigh("agreed.winner", step.winner in ("", *position.scenario.sides), who=step.winner)
    after = _agreed_units(position, step)
    for name, row in step.units.items():
        fault = _unit_fault(position, name, row, after)
        hearing.weigh("agreed.unit", not fault, unit=name, fault=fault)


def _unit_fault(position: Position, name: str, row: Mapping[str, object] | None, after: Mapping[str, Unit]) -> str:
    if name not in position.scenario.units:
        return say(_UNKNOWN)
    width, height = position.scenario.size
    place = _agreed_place(position, name, row or {})
    if not (0 <= place.x <= width and 0 <= place.y <= height):
        return say(_OFF)
    other = unit_under(position, after[name], after.values()) if name in after else ""
    return say(_ON, other=other) if other else ""


def _agreed_place(position: Position, name: str, row: Mapping[str, object]) -> Place:
    """Return where a unit is as agreed; what is not named is as it was, or as at the start."""
    unit = position.unit(name)
    place = unit.place if unit is not None else position.scenario.units[name].start
    agreed = {"x": row.get("x", place.x), "y": row.get("y", place.y), "facing": row.get("facing", place.facing_deg)}
    x, y, deg = (float(str(value)) for value in agreed.values())
    return position.measure.snapped(replace(place, x=x, y=y, facing_deg=facing(deg)))


def _perform_agreed(position: Position, step: Agreed) -> Position:
    """Change the units as agreed; what is owed about units that have gone is owed no more."""
    units = tuple(_agreed_units(position, step).values())
    after = replace(position, units=units, orders=position.orders if step.orders is None else step.orders)
    if step.winner:
        return end_battle(after, position.scenario.sides.index(step.winner), "agreed")
    return decide_by_losses(drop_stale_dues(after))


def _agreed_units(position: Position, step: Agreed) -> dict[str, Unit]:
    """Return the agreed units by name, in the armies' order; units that are not named stay as they were."""
    units: dict[str, Unit | None] = {unit.name: unit for unit in position.units}
    for name, row in step.units.items():
        units[name] = _agreed_unit(position, name, row) if row is not None and name in position.scenario.units else None
    return {name: unit for name in position.scenario.units if (unit := units.get(name)) is not None}


def _agreed_unit(position: Position, name: str, row: Mapping[str, object]) -> Unit:
    before = position.unit(name) or Unit(name, position.scenario.units[name].start)
    changes: dict[str, Any] = {key: row[key] for key in ("status", "fatigue") if key in row}
    return replace(before, place=_agreed_place(position, name, row), **changes)


_ANSWERS: dict[str, type[Step]] = {
    "settle": Settle,
    "token": Token,
    "activate": Activate,
    "closing": Closing,
    "opportunity": Closing,
}
_JUDGE: dict[type[Step], Callable[[Hearing, Position, Any], None]] = {
    Settle: _judge_settle,
    Token: _judge_token,
    Activate: _judge_activate,
    Roll: _judge_roll,
    Closing: _judge_closing,
    # orders need not be used up, and a victor may leave it at the Melee (reading shock-may)
    Done: lambda hearing, position, step: None,
    Agreed: _judge_agreed,
    **dict.fromkeys(ORDERS, judge_order),
}
_PERFORM: dict[type[Step], Callable[[Position, Any], Position]] = {
    Settle: _perform_settle,
    Token: _perform_token,
    Activate: _perform_activate,
    Roll: lambda position, step: resolve_roll(position, step.dice),
    Closing: _perform_closing,
    Done: _perform_done,
    Agreed: _perform_agreed,
    **dict.fromkeys(ORDERS, perform_order),
}
