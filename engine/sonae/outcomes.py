"""What follows from a roll, for each roll that may be owed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.sonae.losses import drive_back, improve, lose_leader, lose_unit, pull_up, succeed, tire, worsen
from engine.sonae.moves import charge
from engine.sonae.position import Due, Position
from engine.sonae.ranges import is_flanked

SIX = 6
BONUS = 3
"""From so many successes of Shock there is a bonus order."""


def resolve_roll(position: Position, dice: tuple[int, ...]) -> Position:
    """Return the position after the roll that was owed.

    Its sixes are successes; an activation's die counts by its number.
    """
    due = position.due[0]
    sixes = sum(die == SIX for die in dice)
    return _OUTCOMES[due.kind](position.without_due(), due, sum(dice) if due.kind == "orders" else sixes)


def _tell_answer(position: Position, heard: int) -> Position:
    """Tell the next thing owed, which answers this roll, how many successes the roll had."""
    first, *others = position.due
    return replace(position, due=(replace(first, heard=heard), *others))


# --- command ------------------------------------------------------------------------------


def _messenger(position: Position, due: Due, hits: int) -> Position:
    if position.due and position.due[0].kind == "intercept":
        return _tell_answer(position, hits)
    return _deliver(position, due.against[0]) if hits else position


def _intercept(position: Position, due: Due, hits: int) -> Position:
    return _deliver(position, due.against[0]) if due.heard > hits else position


def _deliver(position: Position, division: str) -> Position:
    return replace(position, messages=(*position.messages, division))


def _orders(position: Position, due: Due, number: int) -> Position:
    """Give as many orders as the die and the Authority allow.

    What a messenger brought died with the commander that it went to.
    """
    heard = position.acting in position.messages and position.is_commanded(position.acting)
    message = position.army(due.by).authority if heard else 0
    left = tuple(name for name in position.messages if name != position.acting)
    return replace(position, orders=max(0, number + position.authority(position.acting) + message), messages=left)


# --- ranged combat ------------------------------------------------------------------------


def _reply(position: Position, due: Due, hits: int) -> Position:
    """Make each side that was hit test its Morale, as both have rolled (Ranged Combat)."""
    (target,), (unit,) = due.units, due.against
    tests = []
    if due.heard:
        tests.append(Due("morale", due.by, (target,), less=due.heard - 1))
    if hits:
        tests.append(Due("morale", 1 - due.by, (unit,), less=hits - 1))
    return position.owing(*tests)


def _morale(position: Position, due: Due, hits: int) -> Position:
    return position if hits else worsen(position, due.units[0])


def _opportunity(position: Position, due: Due, hits: int) -> Position:
    """Resolve a shot that nobody answers: whoever was hit tests its Morale."""
    return position.owing(Due("morale", 1 - due.by, due.against, less=hits - 1)) if hits else position


# --- charging -----------------------------------------------------------------------------


def _nerve(position: Position, due: Due, hits: int) -> Position:
    """Charge with a wavering unit that passes; one that fails stays where it is."""
    assert due.to is not None
    return charge(position, due.units[0], due.to) if hits else position


def _closing_fire(position: Position, due: Due, hits: int) -> Position:
    (shooter,), (charger,) = due.units, due.against
    if not hits:
        return position.with_unit(shooter, delayed=True)
    return position.owing(Due("closing-morale", 1 - due.by, (charger,), (shooter,), hits - 1))


def _closing_morale(position: Position, due: Due, hits: int) -> Position:
    (charger,), (shooter,) = due.units, due.against
    if hits:
        return position if position.has("unharmed") else position.with_unit(shooter, delayed=True)
    after = worsen(position, charger)
    if after.unit(charger) is None:
        return after
    after = replace(after, due=tuple(due for due in after.due if due.kind != "closing" or charger not in due.against))
    return pull_up(after, charger, shooter)


# --- other tests of morale ----------------------------------------------------------------


def _strain(position: Position, due: Due, hits: int) -> Position:
    return position if hits else tire(position, due.units[0])


def _heir(position: Position, due: Due, hits: int) -> Position:
    """Let a unit that passes succeed the leader that its division, or its army, has lost."""
    (name,) = due.units
    if hits:
        return succeed(position, due.kind, name)
    return lose_leader(position, due.kind, due.by, position.division(name).name)


def _loyalty(position: Position, due: Due, hits: int) -> Position:
    """Keep a unit without its commander in the battle if it passes; otherwise the unit leaves."""
    return position if hits else lose_unit(position, due.units[0])


def _rally(position: Position, due: Due, hits: int) -> Position:
    return improve(position, due.units[0]) if hits else position


# --- melee and shock ----------------------------------------------------------------------


def _melee(position: Position, due: Due, hits: int) -> Position:
    if position.due and position.due[0].kind == "melee" and position.due[0].units == due.against:
        return _tell_answer(position, hits)
    first, second = due.against, due.units
    after = position
    for name in (*first, *second):  # the first round is over: charge and Closing Fire count no more
        after = after.with_unit(name, charged=False, delayed=False)
    if due.heard == hits:
        return after if hits else _drive_all_back(after, (*first, *second))
    victors, beaten, by = (first, second, 1 - due.by) if due.heard > hits else (second, first, due.by)
    if any(is_flanked(after, name, beaten) for name in victors):
        return _drive_all_back(after, beaten)
    return after.owing(Due("shock", by, victors, beaten))


def _drive_all_back(position: Position, names: tuple[str, ...]) -> Position:
    """Drive these units back, one after the other."""
    for name in names:
        position = drive_back(position, name)
    return position


def _shock(position: Position, due: Due, hits: int) -> Position:
    """Resolve a Shock: one success destroys and tires, two destroy, three give an order to use at once.

    Source: Close Combat: Shock.
    """
    if not hits:
        return position
    struck = worsen if hits == 1 and position.has("shock-first") else lose_unit
    after = position
    for name in due.against:
        if after.unit(name) is not None:
            after = struck(after, name)
    if after.winner is not None:
        return after
    if hits == 1:
        for name in due.units:
            after = tire(after, name)
    if hits < BONUS:
        return after
    return replace(after, bonus=due.units, spare=hits - BONUS if after.has("bonus-order") else 0)


_OUTCOMES: dict[str, Callable[[Position, Due, int], Position]] = {
    "messenger": _messenger,
    "intercept": _intercept,
    "orders": _orders,
    "fire": lambda position, due, hits: _tell_answer(position, hits),
    "reply": _reply,
    "morale": _morale,
    "nerve": _nerve,
    "closing-fire": _closing_fire,
    "closing-morale": _closing_morale,
    "retreat": _morale,
    "blocked": _morale,
    "strain": _strain,
    "rally": _rally,
    "opportunity-fire": _opportunity,
    "heir": _heir,
    "regent": _heir,
    "loyalty": _loyalty,
    "melee": _melee,
    "shock": _shock,
}
