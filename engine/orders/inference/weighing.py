"""Legal turns weighed against evidence: each carried out, in every way in which it can end as is seen.

A turn's score is the logarithm of how likely people do it times how likely the table looks as it does after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from math import log
from typing import NamedTuple

from engine.errors import Illegal
from engine.orders import cards, game
from engine.orders.describe import describe_step
from engine.orders.inference.case import case_of
from engine.orders.inference.endings import Ending, endings, joining_plays
from engine.orders.inference.evidence import NEVER, Evidence, is_possible
from engine.orders.inference.guess import guesses
from engine.orders.position import Position
from engine.orders.steps import Pass, Step
from engine.orders.turn import commanders_before_homecoming, ready
from engine.words import say

PASSES = log(0.003)
"""How likely people pass beforehand."""
_TRIED = 200
"""So many deployments are carried out at most."""
_MARGIN = 12.0
"""Deployments that are by so much less likely than the best are not carried out, where counts are not certain."""


class WeighedTurn(NamedTuple):
    """A turn that may have been done: its steps, the position after it, in words what happened, and its score.

    `fit` is the part of the score that is what the table looks like, without how likely people do it.
    """

    steps: tuple[Step, ...]
    position: Position
    why: str
    score: float
    fit: float


def weigh_turns(position: Position, evidence: Evidence, waiting: float = NEVER) -> list[WeighedTurn]:
    """List every explanation once, ordered and merged as by `likeliest`.

    waiting: the logarithm of how likely it is beforehand that nothing was done yet; NEVER leaves that out.
    """
    return likeliest(_explanations(position, evidence, waiting))


def likeliest(found: Iterable[WeighedTurn]) -> list[WeighedTurn]:
    """List each explanation once, likeliest first.

    Of several with the same deployment, cards and end, the likeliest is kept.
    """
    best: dict[object, WeighedTurn] = {}
    for turn in found:
        first = turn.steps[0] if turn.steps else None
        key = (first, turn.position.units, turn.position.commanders, turn.position.discard, turn.position.to_move)
        if key not in best or best[key].score < turn.score:
            best[key] = turn
    return sorted(best.values(), key=lambda turn: -turn.score)


def _explanations(position: Position, evidence: Evidence, waiting: float) -> Iterator[WeighedTurn]:
    if position.turn is None and is_possible(waiting):
        fit = _likelihood(position, (), position, evidence) + evidence.cards(())
        yield WeighedTurn((), position, say("nothing has happened yet"), waiting + fit, fit)
    elif position.turn is not None:
        for plays, prior in joining_plays(position):
            yield from _carry_out(position, plays, evidence, prior)
    here = ready(position, Pass())
    if here.turn is None and here.winner is None:
        yield from _carry_out(position, (Pass(),), evidence, PASSES)
        yield from _deployments(position, here, evidence)


def _deployments(position: Position, here: Position, evidence: Evidence) -> Iterator[WeighedTurn]:
    """Yield the deployments carried out, likeliest first, until none can come near the best."""
    case = case_of(here, evidence)
    likely = (guess for guess in guesses(case) if is_possible(guess.bound))
    best = NEVER
    for guess in nlargest(_TRIED, likely, key=lambda guess: guess.bound):
        # bounds never rise from here on, so nothing that follows can come near the best
        if guess.bound < best - _MARGIN:
            break
        for turn in _carry_out(position, (guess.step,), evidence, guess.prior):
            best = max(best, turn.score)
            yield turn


def _carry_out(position: Position, steps: tuple[Step, ...], evidence: Evidence, prior: float) -> Iterator[WeighedTurn]:
    """Carry out the turn that begins with these steps, in each way in which it can end as is seen."""
    try:
        begun = game.fold(position, steps)
    except Illegal:
        return
    for ending in (last for found in endings(begun, evidence) for last in _with_forced_passes(found)):
        fit = _likelihood(position, steps, ending.position, evidence)
        if is_possible(fit):
            words = [describe_step(step, position) for step in steps] + list(ending.words)
            why = "; ".join(words) or say("nobody plays a card")
            whole = (*steps, *ending.steps)
            fit += evidence.cards(whole)
            yield WeighedTurn(whole, ending.position, why, prior + ending.log + fit, fit)


def _with_forced_passes(ending: Ending) -> Iterator[Ending]:
    """Yield an ending, and those in which who would go on by a card that nobody sees has no such card, and is out.

    By the reading blitz-reserve a hidden hand keeps its faction in the round, and the round from its end.
    """
    yield ending
    position, steps, words, chance = ending
    while (without := _chance_of_no_extra_card(position)) > 0:
        words = (*words, describe_step(Pass(), position))
        position, steps, chance = game.apply(position, Pass()), (*steps, Pass()), chance + log(without)
        yield Ending(position, steps, words, chance)


def _chance_of_no_extra_card(position: Position) -> float:
    """Return how likely who is to move has no turn: no commander, and no card in a hidden hand that brings one.

    0 where that is sure, one way or the other.
    """
    me, hand = position.to_move, position.hands[position.to_move]
    between = position.turn is None and position.winner is None and not position.passed[me]
    goes_on = between and not position.commanders_left[me] and cards.BLITZ in position.readings
    if not goes_on or not isinstance(hand, int) or not cards.may_hold_verb(position, me, "extra"):
        return 0.0
    unseen = {card: cards.unseen_copies(position, card.name) for card in position.board.mode.cards.values()}
    extra = sum(copies for card, copies in unseen.items() if card.verb == "extra")
    return float((1 - extra / sum(unseen.values())) ** hand)


def _likelihood(position: Position, steps: tuple[Step, ...], after: Position, evidence: Evidence) -> float:
    """Return the log-likelihood of the table's appearance after a turn."""
    commanders = evidence.commanders(after.commanders)
    # a turn that ends the round sends all commanders home, but people may not have taken them off yet
    if evidence.late and steps:
        before = ready(position, steps[0])
        commanders = max(commanders, evidence.commanders(commanders_before_homecoming(before, steps[0])))
    return evidence.units(after) + commanders
