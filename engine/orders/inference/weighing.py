"""Legal turns weighed against evidence: each carried out, in every way in which it can end as is seen.

A turn's score is the logarithm of how likely people do it times how likely the table looks as it does after it. For
each action space the deployments are guessed that the evidence speaks for most. Every guess has a bound, the logarithm
of how likely it is at most, so that the best can be carried out first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from heapq import nlargest
from math import log
from typing import NamedTuple

from engine.areas import members
from engine.errors import Illegal
from engine.orders import cards, game
from engine.orders.actions import VERBS
from engine.orders.actions.move import reach
from engine.orders.board import Space
from engine.orders.bonuses import joining_units
from engine.orders.describe import describe_step
from engine.orders.inference.aims import arrival_log_likelihood, arrivals, guess_drops, guess_shots
from engine.orders.inference.case import Case, Guess, card_chance, case_of, may_end_round
from engine.orders.inference.endings import Ending, endings, joining_plays
from engine.orders.inference.evidence import NEVER, Evidence, is_possible
from engine.orders.inference.placing import guess_placements
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy, Pass, Step
from engine.orders.turn import commanders_before_homecoming, ready
from engine.words import say

PASSES = log(0.003)
"""How likely beforehand it is that people pass."""
_TRIED = 200
"""How many deployments are carried out at most."""
_MARGIN = 12.0
"""Deployments less likely than the best by more than this are not carried out, if counts are not certain."""


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
    """List the turns that may explain the evidence, likeliest first, each once.

    waiting: the log-probability beforehand that nothing was done yet; NEVER leaves that out.
    """
    return rank_turns(_explanations(position, evidence, waiting))


def rank_turns(found: Iterable[WeighedTurn]) -> list[WeighedTurn]:
    """Sort turns, likeliest first; of several with the same deployment, cards and end, keep the likeliest."""
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
    """Yield an ending, and those in which a faction that might go on by a hidden card has none, and is out.

    By the reading blitz-reserve a hidden hand keeps its faction in the round, and the round from its end.
    """
    yield ending
    position, steps, words, chance = ending
    while (without := _chance_of_no_extra_card(position)) > 0:
        words = (*words, describe_step(Pass(), position))
        position, steps, chance = game.apply(position, Pass()), (*steps, Pass()), chance + log(without)
        yield Ending(position, steps, words, chance)


def _chance_of_no_extra_card(position: Position) -> float:
    """Return how likely the faction to move has no turn: no commander, and no card in a hidden hand that brings one.

    0 where that is sure, one way or the other.
    """
    me, hand = position.to_move, position.hands[position.to_move]
    between = position.turn is None and position.winner is None and not position.passed[me]
    goes_on = between and not position.commanders_left[me] and cards.BLITZ in position.readings
    if not goes_on or not isinstance(hand, int) or not cards.may_hold_extra(position, me):
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


# --- deployments that could have made what is seen -------------------------------------------

_TOO_LITTLE = 15.0
"""Spaces whose commanders are less likely than the likeliest by more than this are not looked into."""


class _Attempt(NamedTuple):
    """A space that may have been used, with the card named for it alone, and its logarithms: chance, commanders."""

    space: Space
    cards: tuple[str, ...]
    prior: float
    commanders: float


def guesses(case: Case) -> Iterator[Guess]:
    """Yield deployments that may explain the evidence; none need be legal."""
    tries = [attempt for attempt in _attempts(case) if is_possible(attempt.commanders)]
    best = max((attempt.commanders for attempt in tries), default=0.0)
    likely = [attempt for attempt in tries if attempt.commanders > best - _TOO_LITTLE]
    # beforehand each space is as likely as any other
    prior = -log(max(len(tries), 1))
    extra = _extra_cards(case)
    for attempt in likely:
        for guess in _GUESS[attempt.space.action.verb](case, attempt.space, attempt.cards):
            chance = guess.prior + attempt.prior + prior
            bound = guess.bound + attempt.prior + prior + attempt.commanders
            yield Guess(guess.step, chance, bound)
            for card, more in extra:
                by_card = replace(guess.step, cards=(*guess.step.cards, card))
                yield Guess(by_card, chance + more, bound + more)


def _extra_cards(case: Case) -> list[tuple[str, float]]:
    """List the cards by which the commander may have come from standby, each with its log-likelihood."""
    outlook = case.outlook
    cards = (
        [card for card in outlook.mode.cards.values() if card.verb == "extra"]
        if outlook.position.standby[outlook.me]
        else []
    )
    chances = ((card.name, card_chance(outlook.position, outlook.me, card)) for card in cards)
    return [(name, log(chance)) for name, chance in chances if chance]


def _attempts(case: Case) -> Iterator[_Attempt]:
    outlook = case.outlook
    mine, theirs = outlook.position.commanders[outlook.me], outlook.position.commanders[outlook.foe]
    for space in outlook.board.spaces:
        # one commander of a side to a space, and one Reinforce, Embark and Plan space a round
        if mine >> space.index & 1 or outlook.board.twins[space.index] & mine:
            continue
        if space.faction not in (None, outlook.board.factions[outlook.me]):
            continue
        if not theirs >> space.index & 1:
            yield _Attempt(space, (), 0.0, commanders_log_likelihood(case, space))
            continue
        for card in outlook.mode.cards.values():
            chance = card_chance(outlook.position, outlook.me, card)
            if card.verb == "share" and card.action == space.action.name and chance:
                yield _Attempt(space, (card.name,), log(chance), commanders_log_likelihood(case, space))


def commanders_log_likelihood(case: Case, space: Space) -> float:
    """Return the log-likelihood of the commanders after a deployment to a space, at most.

    The round may have ended with it, or a lost bonus may have taken one of the enemy's.
    """
    position, evidence = case.outlook.position, case.evidence
    sides = list(position.commanders)
    sides[case.outlook.me] |= 1 << space.index
    found = [evidence.commanders((sides[0], sides[1]))]
    if may_end_round(position):
        found.append(evidence.commanders((0, 0)))
    if any(bonus.verb == "commander" for bonus in case.outlook.mode.bonuses.values()):
        for index in members(position.commanders[case.outlook.foe]):
            fewer = [side & ~(1 << index) if who == case.outlook.foe else side for who, side in enumerate(sides)]
            found.append(evidence.commanders((fewer[0], fewer[1])))
    return max(found)


# --- moves ------------------------------------------------------------------------------


def _guess_moves(case: Case, space: Space, named: tuple[str, ...]) -> Iterator[Guess]:
    outlook, target = case.outlook, space.area_index
    sources = reach(outlook, space) & outlook.spare
    # a move must explain every area that cannot hold what is recorded: each is a source or the target
    if outlook.control >> target & 1 or case.wrong & ~(sources | 1 << target):
        return
    bonus = joining_units(outlook, space.action.name, target)[1]
    joins = list(_joining_cards(case, space, bonus))
    for arrived, ways in arrivals(case, sources, space.action.kind).items():
        for card, added, prior in joins:
            left = arrival_log_likelihood(case, space, target, sum(arrived) + bonus + added)
            cards = named + ((card.name,) if card else ())
            extra = ((RESERVE, card.unit, added),) if card else ()
            for score, likely, loads in ways:
                step = Deploy(space.name, moves=loads + extra, cards=cards)
                yield Guess(step, prior + likely, case.whole + score + prior + left - case.logs[target])


def _joining_cards(case: Case, space: Space, bonus: int) -> Iterator[tuple[Card | None, int, float]]:
    """Yield (card, units that it lets join from the reserve, log-probability); first (None, 0, 0.0) for no card."""
    outlook = case.outlook
    yield None, 0, 0.0
    for card in outlook.mode.cards.values():
        chance = card_chance(outlook.position, outlook.me, card)
        if card.verb != "join" or card.action != space.action.name or not chance:
            continue
        left = outlook.position.reserve(outlook.me, outlook.mode.unit_index[card.unit]) - bonus
        for added in range(1, min(card.amount, left) + 1):
            yield card, added, log(chance / card.amount)


def _guess_draws(case: Case, space: Space) -> Iterator[Guess]:
    offer = VERBS["draw"].option(case.outlook, space)
    if offer is not None and not case.wrong:
        yield Guess(Deploy(space.name, draw=offer.amount), 0.0, case.whole)


_GUESS: dict[str, Callable[[Case, Space, tuple[str, ...]], Iterator[Guess]]] = {
    "move": _guess_moves,
    "shoot": lambda case, space, named: guess_shots(case, space),
    "drop": lambda case, space, named: guess_drops(case, space),
    "place": lambda case, space, named: guess_placements(case, space),
    "draw": lambda case, space, named: _guess_draws(case, space),
}
"""What yields the guesses, by verb; a card that is named for the space alone matters only to a move."""
