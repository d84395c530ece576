"""What follows from each roll that may be owed: statuses, units and divisions lost, fatigue, the end of a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.sonae.field import STRIDE, Place, distance
from engine.sonae.orders import charge
from engine.sonae.pools import FIRE_RANGE
from engine.sonae.position import FATIGUED, STATUSES, Due, DueKind, Position, Unit
from engine.sonae.ranges import find_obstacle, is_flanked

SIX = 6
BONUS = 3
"""With this many successes of Shock, or more, there is a bonus order."""


def resolve_roll(position: Position, dice: tuple[int, ...]) -> Position:
    """Return the position after these dice for the roll that is owed.

    Its sixes are successes; an activation's die counts by its number.
    """
    due = position.due[0]
    sixes = sum(die == SIX for die in dice)
    return _OUTCOMES[due.kind](position.without_due(), due, sum(dice) if due.kind == "orders" else sixes)


def _tell_answer(position: Position, heard: int) -> Position:
    """Pass this roll's number of successes on to the roll that is owed next, which answers it."""
    first, *others = position.due
    return replace(position, due=(replace(first, heard=heard), *others))


# --- command ------------------------------------------------------------------------------


def _messenger(position: Position, due: Due, hits: int) -> Position:
    if position.due and position.due[0].kind == "intercept":
        return _tell_answer(position, hits)
    return _deliver(position, due.against[0]) if hits else position


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
    return position if hits else _worsen(position, due.units[0])


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
    after = _worsen(position, charger)
    if after.unit(charger) is None:
        return after
    after = replace(after, due=tuple(due for due in after.due if due.kind != "closing" or charger not in due.against))
    return _pull_up(after, charger, shooter)


# --- other tests of morale ----------------------------------------------------------------


def _heir(position: Position, due: Due, hits: int) -> Position:
    """Let a unit that passes succeed the commander of its division ("heir"), or the Army General ("regent")."""
    (name,), division = due.units, position.division(due.units[0])
    if not hits:
        return _lose_leader(position, due.kind, due.by, division.name)
    was = position.army(due.by).general if due.kind == "regent" else division.commander
    return replace(position, heirs=(*position.heirs, (position.heir_of(was), name)))


def _rally(position: Position, due: Due, hits: int) -> Position:
    """Improve the unit's status by one if it passes (Morale: the Rally Order)."""
    (name,) = due.units
    better = STATUSES[max(0, STATUSES.index(position.here(name).status) - 1)]
    return position.with_unit(name, status=better) if hits else position


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
        position = _drive_back(position, name)
    return position


def _shock(position: Position, due: Due, hits: int) -> Position:
    """Resolve a Shock: one success destroys and tires, two destroy, three give an order to use at once.

    Source: Close Combat: Shock.
    """
    if not hits:
        return position
    struck = _worsen if hits == 1 and position.has("shock-first") else lose_unit
    after = position
    for name in due.against:
        if after.unit(name) is not None:
            after = struck(after, name)
    if after.winner is not None:
        return after
    if hits == 1:
        for name in due.units:
            after = _tire(after, name)
    if hits < BONUS:
        return after
    return replace(after, bonus=due.units, spare=hits - BONUS if after.has("bonus-order") else 0)


# --- statuses, units, commanders and generals lost ------------------------------------------


def _worsen(position: Position, name: str) -> Position:
    """Worsen the unit's status: fresh, wavering, brittle; what is brittle breaks (Ranged Combat)."""
    number = STATUSES.index(position.here(name).status) + 1
    return lose_unit(position, name) if number == len(STATUSES) else position.with_unit(name, status=STATUSES[number])


def _tire(position: Position, name: str) -> Position:
    """Tire the unit: it takes no action in its next activation (Command and Control)."""
    return position.with_unit(name, fatigue=FATIGUED)


def lose_unit(position: Position, name: str) -> Position:
    """Take a unit out of the battle.

    The division that it led goes with it, and the battle is lost with the Army General; by some readings another unit
    may take over.
    """
    unit, side, division = position.here(name), position.side(name), position.division(name)
    led = name == position.heir_of(division.commander) or _is_to_succeed(position, "heir", name)
    ruled = name == position.heir_of(position.army(side).general) or _is_to_succeed(position, "regent", name)
    after = drop_stale_dues(position.without(name))
    if ruled:
        after = _replace_leader(after, "regent", unit, _commanders(after, side))
    if led and after.winner is None:
        after = _replace_leader(after, "heir", unit, _followers(after, division.name))
    return _shake_friends(decide_by_losses(after), unit)


def _shake_friends(position: Position, gone: Unit) -> Position:
    """Make each friend near a lost unit test its Morale after all else, by the reading nearby."""
    if position.winner is not None or not position.has("nearby"):
        return position
    side = position.side(gone.name)
    near = (other for other in position.units if position.measure.is_near(other.place, gone.place, FIRE_RANGE))
    dues = [Due("morale", side, (friend.name,)) for friend in near if position.side(friend.name) == side]
    return replace(position, due=(*position.due, *dues))


def _is_to_succeed(position: Position, kind: DueKind, name: str) -> bool:
    """Return whether a unit was about to succeed somebody."""
    return any(due.kind == kind and name in due.units for due in position.due)


def _replace_leader(position: Position, kind: DueKind, was: Unit, able: Iterable[Unit]) -> Position:
    """Let the nearest able unit try to succeed the one that was lost, by the reading successor."""
    near = sorted(able, key=lambda unit: distance(unit.place.at, was.place.at))
    if position.has("successor") and near:
        return position.owing(Due(kind, position.side(was.name), (near[0].name,)))
    return _lose_leader(position, kind, position.side(was.name), position.division(was.name).name)


def _lose_leader(position: Position, kind: str, side: int, division: str) -> Position:
    """Lose the battle, or the division, as nobody succeeds its leader.

    The division's units may test their loyalty by the reading commander-lost.
    """
    if kind == "regent":
        return end_battle(position, 1 - side, "general")
    gone = [unit.name for unit in _followers(position, division)]
    if position.has("commander-lost"):
        return position.owing(*(Due("loyalty", side, (name,)) for name in gone))
    units = tuple(unit for unit in position.units if unit.name not in gone)
    return decide_by_losses(drop_stale_dues(replace(position, units=units)))


def _commanders(position: Position, side: int) -> list[Unit]:
    """Return the commanders of a side that are in the battle."""
    divisions = [position.scenario.divisions[name] for name in position.army(side).divisions]
    heads = (position.unit(position.heir_of(division.commander)) for division in divisions)
    return [head for head in heads if head is not None]


def _followers(position: Position, division: str) -> list[Unit]:
    """Return the units of a division in the battle, except the Army General, who is a unit apart."""
    led = position.scenario.divisions[division]
    names = set(led.units) - {position.army(led.side).general}
    return [unit for unit in position.units if unit.name in names]


def drop_stale_dues(position: Position) -> Position:
    """Return the position without what it owed about units that have left the battle."""
    gone = {name for name in position.scenario.units if position.unit(name) is None}
    due = tuple(due for due in position.due if gone.isdisjoint((*due.units, *due.against)))
    return replace(position, due=due, bonus=tuple(name for name in position.bonus if position.unit(name) is not None))


def decide_by_losses(position: Position) -> Position:
    """End the battle once one side has no unit left."""
    left = {position.side(unit.name) for unit in position.units}
    if position.winner is not None or len(left) != 1:
        return position
    return end_battle(position, left.pop(), "army")


def end_battle(position: Position, winner: int, reason: str) -> Position:
    """End the battle. reason: "general" or "army" lost, "objective" held, more "strength" left, or "agreed"."""
    return replace(position, winner=winner, reason=reason, due=(), bonus=())


# --- falling back -------------------------------------------------------------------------


def _drive_back(position: Position, name: str) -> Position:
    """Drive a unit back one Movement straight to its rear.

    If the way is blocked, the unit owes a Morale test (Close Combat).
    """
    unit = position.here(name)
    end = position.measure.snapped(unit.place.moved(0.0, -1.0))
    if position.is_camp(name) or find_obstacle(position, unit, end):
        return position.owing(Due("blocked", position.side(name), (name,)))
    return position.with_unit(name, place=end)


def _pull_up(position: Position, name: str, enemy: str) -> Position:
    """End a stopped charge one Movement short of the enemy unit, or as near to that as there is room."""
    unit = position.here(name)
    back = 1.0
    while find_obstacle(position, unit, _place_back(position, unit, back), (enemy,)) and back > 0:
        back = round(back - STRIDE, 6)
    return position.with_unit(name, place=_place_back(position, unit, max(0.0, back)), charged=False)


def _place_back(position: Position, unit: Unit, back: float) -> Place:
    """Return the place `back` Movements straight behind where a unit stands."""
    return position.measure.snapped(unit.place.moved(0.0, -back))


_OUTCOMES: dict[str, Callable[[Position, Due, int], Position]] = {
    "messenger": _messenger,
    "intercept": lambda position, due, hits: _deliver(position, due.against[0]) if due.heard > hits else position,
    "orders": _orders,
    "fire": lambda position, due, hits: _tell_answer(position, hits),
    "reply": _reply,
    "morale": _morale,
    "nerve": _nerve,
    "closing-fire": _closing_fire,
    "closing-morale": _closing_morale,
    "retreat": _morale,
    "blocked": _morale,
    "strain": lambda position, due, hits: position if hits else _tire(position, due.units[0]),
    "rally": _rally,
    "opportunity-fire": _opportunity,
    "heir": _heir,
    "regent": _heir,
    # a unit without its commander stays in the battle if it passes
    "loyalty": lambda position, due, hits: position if hits else lose_unit(position, due.units[0]),
    "melee": _melee,
    "shock": _shock,
}
