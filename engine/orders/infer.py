"""What legal turn turns a position into what is seen on the table, most likely first.

Looked for is a single turn (a deployment with the cards played around it, or a pass), or the rest of a turn in
progress. `guess` names the deployments that the evidence speaks for, the best of them are carried out, and `endings`
finds the dice, losses and cards after them. Each is weighed by Bayes' rule: how likely people do it, times how likely
the table looks as it does after it; "none of these" has its share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nlargest
from math import exp, log
from typing import NamedTuple

from engine.errors import Illegal
from engine.orders import game
from engine.orders.case import Guess, case_of
from engine.orders.describe import describe_step
from engine.orders.endings import endings
from engine.orders.evidence import NEVER, Evidence, exactly, likely_sight, possible
from engine.orders.guess import guesses
from engine.orders.joining import joins
from engine.orders.misfits import Misfit, misfits, not_recalled
from engine.orders.position import Position
from engine.orders.sight import Sight, sight_of
from engine.orders.steps import Deploy, Pass, Step
from engine.orders.turn import ready

PASSES = log(0.003)
"""How likely people pass beforehand."""
NONE = log(0.01)
"""How likely it is that what was done is no legal turn."""
MOST = 24
_TRIED = 200
"""So many deployments are carried out at most."""
_MARGIN = 12.0
"""Deployments that are by so much less likely than the best are not carried out, where counts are not certain."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A legal turn that may have been done: its steps, the position after them, and in words what happened.

    `likelihood` is its probability, 0 to 1, among all others and "none of these". Without steps nothing was done yet.
    """

    steps: tuple[Step, ...]
    position: Position
    why: str
    likelihood: float


@dataclass(frozen=True, slots=True)
class Inference:
    """The explanations, most likely first, and `none`, the probability that it is none of them.

    `illegal` says what is wrong where, if nothing explains what is seen.
    """

    explanations: tuple[Explanation, ...]
    illegal: tuple[Misfit, ...]
    none: float = 0.0


def infer(
    position: Position, units: object, commanders: object = None, *, support: bool = True, most: int = MOST
) -> Inference:
    """What legal turn turns `position` into exactly what is seen.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction, or a list of them}, None where nobody looked;
    without `support` nobody looked at the support board. At most `most` explanations are given.
    Raises BadPosition where what is seen names what this board does not have.
    """
    sight = sight_of(position.board, units, commanders, support)
    evidence = exactly(position.board, sight)
    found = sorted(_found(position, evidence, NEVER), key=lambda one: -one.score)
    inference = _shared(found, position, evidence, most)
    return inference if found else replace(inference, illegal=_illegal(position, sight))


def weigh(position: Position, evidence: Evidence, *, idle: float = 0.0, most: int = MOST) -> Inference:
    """What legal turn turns `position` into what an eye makes of the table.

    idle: how likely it is beforehand that nothing was done yet; above 0, an explanation without steps says so.
    """
    waiting = log(idle) if idle else NEVER
    found = sorted(_found(position, evidence, waiting), key=lambda one: -one.score)
    inference = _shared(found, position, evidence, most)
    if inference.none <= 0.5:
        return inference
    return replace(inference, illegal=_illegal(position, likely_sight(position, evidence)))


def _shared(found: list[_Found], position: Position, evidence: Evidence, most: int) -> Inference:
    """The explanations with their shares, "none of these" among them."""
    none = NONE + evidence.anything(position)
    best = max([none, *(one.score for one in found)])
    whole = exp(none - best) + sum(exp(one.score - best) for one in found)
    explanations = (Explanation(one.steps, one.after, one.why, exp(one.score - best) / whole) for one in found[:most])
    return Inference(tuple(explanations), (), exp(none - best) / whole)


def _illegal(position: Position, sight: Sight) -> tuple[Misfit, ...]:
    """What is wrong where nothing explains what is seen; perhaps only that the commanders were not taken back."""
    here = ready(position, Pass())
    if sight.commanders is not None and sum(here.commanders_left) <= 1:
        ended = _found(position, exactly(position.board, replace(sight, commanders=(0, 0))), NEVER)
        if any(sight.shows(_standing(here, one.steps[0])) for one in ended):
            return not_recalled(here, sight)
    return misfits(here, sight)


def _standing(position: Position, first: Step) -> tuple[int, int]:
    """The commanders on their spaces after the first step of an explanation, before they are taken back."""
    sides = list(position.commanders)
    if isinstance(first, Deploy):
        sides[position.to_move] |= 1 << position.board.space_index[first.space]
    return sides[0], sides[1]


# --- weighed ----------------------------------------------------------------------------


class _Found(NamedTuple):
    steps: tuple[Step, ...]
    after: Position
    why: str
    score: float


def _found(position: Position, evidence: Evidence, waiting: float) -> list[_Found]:
    """Every explanation once: of several with the same deployment, cards and end, the likeliest."""
    best: dict[object, _Found] = {}
    for one in _explanations(position, evidence, waiting):
        first = one.steps[0] if one.steps else None
        key = (first, one.after.units, one.after.commanders, one.after.discard, one.after.to_move)
        if key not in best or best[key].score < one.score:
            best[key] = one
    return list(best.values())


def _explanations(position: Position, evidence: Evidence, waiting: float) -> Iterator[_Found]:
    if position.turn is None and possible(waiting):
        yield _Found((), position, "nothing was done yet", waiting + _seen(position, (), position, evidence))
    elif position.turn is not None:
        for plays, prior in joins(position):
            yield from _weighed(position, plays, evidence, prior)
    here = ready(position, Pass())
    if here.turn is None and here.winner is None:
        yield from _weighed(position, (Pass(),), evidence, PASSES)
        yield from _deployments(position, here, evidence)


def _deployments(position: Position, here: Position, evidence: Evidence) -> Iterator[_Found]:
    """The deployments carried out, the likeliest first, until none can come near the best."""
    case = case_of(here, evidence)
    likely = (guess for guess in guesses(case) if possible(guess.bound))
    best = NEVER
    for guess in nlargest(_TRIED, likely, key=_bound):
        if guess.bound < best - _MARGIN:
            break
        for one in _weighed(position, (guess.step,), evidence, guess.prior):
            best = max(best, one.score)
            yield one


def _bound(guess: Guess) -> float:
    return guess.bound


def _weighed(position: Position, steps: tuple[Step, ...], evidence: Evidence, prior: float) -> Iterator[_Found]:
    """The turn that begins with these steps, in each way in which it can end as is seen."""
    try:
        begun = game.fold(position, steps)
    except Illegal:
        return
    for ending in endings(begun, evidence):
        score = prior + ending.log + _seen(position, steps, ending.position, evidence)
        if possible(score):
            words = [describe_step(step, position) for step in steps] + list(ending.words)
            why = "; ".join(words) or "nobody plays a card"
            yield _Found((*steps, *ending.steps), ending.position, why, score)


def _seen(position: Position, steps: tuple[Step, ...], after: Position, evidence: Evidence) -> float:
    """How likely the table looks as it does after a turn."""
    commanders = evidence.commanders(after.commanders)
    if evidence.late and steps:
        standing = _standing(ready(position, steps[0]), steps[0])
        commanders = max(commanders, evidence.commanders(standing))
    return evidence.units(after) + commanders
