"""What may follow from the roll that is owed, each outcome with its exact chance and the heading that it is from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.ruling import Citation
from engine.sonae.orders import charge, end_of
from engine.sonae.outcomes import BONUS
from engine.sonae.pools import CLOSING, COMMAND, MORALE, RANGED, ROLLED, Pool, pool_of
from engine.sonae.position import STATUSES, Due, Position
from engine.sonae.ranges import enemies_touched, is_flanked
from engine.sonae.steps import Advance
from engine.words import join_words, mark, say

_SHOCK = {
    0: mark("no success: both sides stay locked in combat"),
    1: mark("one success: {enemy} is destroyed, {unit} is fatigued"),
    2: mark("two successes: {enemy} is destroyed"),
    BONUS: mark("three or more successes: {enemy} is destroyed, plus a bonus order"),
}
_SHAKEN = mark("one success: {enemy} drops one status, {unit} is fatigued")
_TESTS = {
    "strain": (mark("{unit} avoids fatigue"), mark("{unit} is fatigued")),
    "rally": (mark("{unit} rallies"), mark("{unit} stays as it is")),
    "nerve": (mark("{unit} charges"), mark("{unit} stays where it is")),
    "closing-morale": (mark("{unit}'s charge goes in"), mark("{unit}'s charge is stopped")),
    "heir": (mark("{unit} takes over"), mark("nobody takes over")),
    "regent": (mark("{unit} takes over"), mark("nobody takes over")),
    "loyalty": (mark("{unit} fights on"), mark("{unit} leaves the battle")),
}
_STANDS = mark("{unit} holds firm")
_WORSE, _BREAKS = mark("{unit} drops one status"), mark("{unit} breaks and leaves the battle")
_CITED = {"strain": COMMAND, "heir": COMMAND, "regent": COMMAND, "loyalty": COMMAND, "nerve": CLOSING}


@dataclass(frozen=True, slots=True)
class Prospect:
    """One thing that may come of a roll: its kind, its exact chance, a sentence, and where it is written."""

    kind: str
    chance: Fraction
    text: str
    citation: Citation


def prospects(position: Position) -> tuple[Prospect, ...]:
    """Return what may come of the roll that is owed; nothing if none is, or if it is a die for orders."""
    due = position.due[0] if position.due else None
    if due is None or due.kind not in ROLLED or due.kind == "orders":
        return ()
    return tuple(_OF.get(due.kind, _test)(position, due))


def _titles(position: Position, names: tuple[str, ...]) -> str:
    return join_words([position.scenario.units[name].title for name in names])


# --- one side rolls -----------------------------------------------------------------------


def _test(position: Position, due: Due) -> Iterator[Prospect]:
    """Yield what may come of a Morale test of whatever kind: one success is enough."""
    chance, (name,) = pool_of(position, due).chance, due.units
    breaks = position.here(name).status == STATUSES[-1]
    good, bad = _TESTS.get(due.kind, (_STANDS, _BREAKS if breaks else _WORSE))
    unit, citation = _titles(position, due.units), _CITED.get(due.kind, MORALE)
    yield Prospect("passes", chance, say(good, unit=unit), citation)
    yield Prospect("fails", 1 - chance, say(bad, unit=unit), citation)


def _fire(position: Position, due: Due) -> Iterator[Prospect]:
    """Yield whether the target has to test its Morale, and whether it will fail."""
    pool, target = pool_of(position, due), _titles(position, due.against)
    fails = Fraction(0)
    for hits, chance in pool.odds.items():
        if hits:
            test = Due("morale", 1 - due.by, due.against, less=hits - 1)
            fails += chance * (1 - pool_of(position, test).chance)
    yield Prospect("hit", pool.chance, say(mark("{unit} is hit and tests its Morale"), unit=target), RANGED)
    yield Prospect("fails", fails, say(mark("{unit} is hit and fails its test"), unit=target), RANGED)


def _shock(position: Position, due: Due) -> Iterator[Prospect]:
    odds = pool_of(position, due).odds
    names = {"unit": _titles(position, due.units), "enemy": _titles(position, due.against)}
    for hits, words in _SHOCK.items():
        chance = sum((part for n, part in odds.items() if min(n, BONUS) == hits), Fraction(0))
        template = _SHAKEN if hits == 1 and position.has("shock-first") else words
        yield Prospect(f"shock-{hits}", chance, say(template, **names), CLOSING)


# --- both sides roll ----------------------------------------------------------------------


def _joint_outcomes(position: Position, due: Due) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the outcomes of a roll that is answered, or of the answer to one.

    Each is (successes of the first roll, successes of the answer, chance).
    """
    mine = pool_of(position, due)
    answer = position.due[1] if len(position.due) > 1 and _answers(due, position.due[1]) else None
    if answer is None:
        yield from ((due.heard, hits, chance) for hits, chance in mine.odds.items())
        return
    for hits, chance in mine.odds.items():
        yield from ((hits, others, chance * part) for others, part in pool_of(position, answer).odds.items())


def _answers(due: Due, other: Due) -> bool:
    return other.kind == "intercept" or (other.kind == due.kind == "melee" and other.units == due.against)


def _chance(outcomes: list[tuple[int, int, Fraction]], holds: Callable[[int, int], bool]) -> Fraction:
    return sum((chance for first, second, chance in outcomes if holds(first, second)), Fraction(0))


def _melee(position: Position, due: Due) -> Iterator[Prospect]:
    """Yield who may win a melee, or whether the units stay locked or go apart."""
    outcomes = list(_joint_outcomes(position, due))
    began = len(position.due) > 1 and _answers(due, position.due[1])
    first, second = (due.units, due.against) if began else (due.against, due.units)
    yield _winning_prospect(position, first, second, _chance(outcomes, lambda first, second: first > second))
    yield _winning_prospect(position, second, first, _chance(outcomes, lambda first, second: second > first))
    locked = _chance(outcomes, lambda first, second: first == second > 0)
    yield Prospect("locked", locked, say(mark("tied: both stay locked in combat")), CLOSING)
    apart = _chance(outcomes, lambda first, second: first == second == 0)
    yield Prospect("apart", apart, say(mark("no success: both sides fall back")), CLOSING)


def charge_chance(position: Position, step: Advance) -> tuple[tuple[str, ...], Fraction]:
    """Return the enemies that an advance charges, and the chance to win that melee if it is fought on arrival.

    (), 0 if it touches no enemy; the step must be legal.
    """
    unit = position.here(step.unit)
    end = end_of(position, unit, step)
    against = enemies_touched(position, unit, end)
    if not against:
        return (), Fraction(0)
    side = position.side(step.unit)
    due = Due("melee", side, (step.unit,), against), Due("melee", 1 - side, against, (step.unit,))
    there = replace(charge(position, step.unit, end), due=due)
    return against, _chance(list(_joint_outcomes(there, due[0])), lambda first, second: first > second)


def _winning_prospect(
    position: Position, victors: tuple[str, ...], beaten: tuple[str, ...], chance: Fraction
) -> Prospect:
    names = {"unit": _titles(position, victors), "enemy": _titles(position, beaten)}
    if any(is_flanked(position, name, beaten) for name in victors):
        return Prospect("drives-back", chance, say(mark("{unit} wins and drives back {enemy}"), **names), CLOSING)
    return Prospect("wins", chance, say(mark("{unit} wins and goes on to Shock"), **names), CLOSING)


def _messenger(position: Position, due: Due) -> Iterator[Prospect]:
    """Yield whether the messenger arrives: with more successes than the enemy, or with one."""
    opposed = due.kind == "intercept" or (len(position.due) > 1 and _answers(due, position.due[1]))
    pool: Pool = pool_of(position, due)
    arrives = (
        _chance(list(_joint_outcomes(position, due)), lambda first, second: first > second) if opposed else pool.chance
    )
    yield Prospect("arrives", arrives, say(mark("the messenger gets through")), COMMAND)
    yield Prospect("lost", 1 - arrives, say(mark("the messenger doesn't get through")), COMMAND)


_OF: dict[str, Callable[[Position, Due], Iterator[Prospect]]] = {
    **dict.fromkeys(("fire", "reply", "closing-fire", "opportunity-fire"), _fire),
    **dict.fromkeys(("messenger", "intercept"), _messenger),
    "melee": _melee,
    "shock": _shock,
}
