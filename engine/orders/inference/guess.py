"""Deployments that could have made what is seen: for each action space those that the evidence speaks for most.

Every one has a bound, the logarithm of how likely it is at most, so that the best can be carried out first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import log
from typing import NamedTuple

from engine.areas import members
from engine.orders.actions import VERBS
from engine.orders.actions.move import reach
from engine.orders.board import Space
from engine.orders.bonuses import joining_units
from engine.orders.inference.aims import arrival_log_likelihood, guess_drops, guess_shots
from engine.orders.inference.case import Case, Guess, card_chance, may_end_round
from engine.orders.inference.evidence import is_possible
from engine.orders.inference.placing import guess_placements
from engine.orders.inference.sources import arrivals
from engine.orders.mode import Card
from engine.orders.steps import RESERVE, Deploy

_TOO_LITTLE = 15.0
"""Commanders by so much less likely than the likeliest are not looked into."""


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
            yield _Attempt(space, (), 0.0, commanders_after(case, space))
            continue
        for card in outlook.mode.cards.values():
            chance = card_chance(outlook.position, outlook.me, card)
            if card.verb == "share" and card.action == space.action.name and chance:
                yield _Attempt(space, (card.name,), log(chance), commanders_after(case, space))


def commanders_after(case: Case, space: Space) -> float:
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
    """Yield the units that a card may let join from the reserve, none or so many, with the log-likelihood."""
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
"""By verb; a card named for the space alone changes only a move."""
