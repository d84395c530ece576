"""Which legal turns turn a position into what is seen on the table, most likely first.

Looked for is a single turn (a deployment with the cards played around it, or a pass), or the rest of a turn in
progress. `weighing` names the deployments that the evidence speaks for and carries them out, `endings` the dice, losses
and cards after them. "None of these" has its share too; where it is all, `repair` says how to put it right.

Hands do a turn piece by piece, and may pause anywhere. How likely one is no more than the beginning of a fuller one
comes from the same chances beforehand by which turns are weighed: that an area sends no more units, that all units are
placed that may be, and that dice cost no more than has been taken off so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import nlargest
from math import exp, log, prod

from engine.areas import members
from engine.orders import game
from engine.orders.actions import muster
from engine.orders.actions.move import reach
from engine.orders.board import Space
from engine.orders.inference.aims import LEAVES, STAYS
from engine.orders.inference.case import card_chance
from engine.orders.inference.endings import clash_of, outcomes
from engine.orders.inference.evidence import (
    NEVER,
    Evidence,
    Sight,
    certain_evidence,
    likely_sight,
    sight_of,
    tolerant_evidence,
)
from engine.orders.inference.misfits import Misfit
from engine.orders.inference.placing import PLACES_FEWER, PLACES_NOTHING
from engine.orders.inference.repair import Repair, misfit_of, repair
from engine.orders.inference.weighing import WeighedTurn, rank_turns, weigh_turns
from engine.orders.position import Outlook, Position, outlook_of
from engine.orders.steps import RESERVE, Deploy, Roll, Step
from engine.orders.turn import ready

NONE = log(0.05)
"""How likely it is beforehand that what was done is no legal turn."""
DOUBTED = 0.05
"""How probable it must be that no single turn explains it before two turns are considered."""
MOST = 24
TWO = log(0.1)
"""The log-odds that two turns were played since the last recorded one, rather than one."""
_FIRSTS = 8
"""How many first turns are followed up by a second: the nearest to what is seen, and as many that may be undone."""
_SECONDS = 3
_LIKELY = 0.001
"""Turns less likely than this share of the likeliest don't count in `add_fuller_odds`, where odds go up to 1000."""


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

    Where nothing explains what is seen, `illegal` says what is wrong where, and `repair` how to put it right. `fuller`
    are the odds that what the likeliest turn leaves is only the beginning of a fuller one, where that was worked out.
    """

    explanations: tuple[Explanation, ...]
    illegal: tuple[Misfit, ...]
    none: float = 0.0
    repair: Repair | None = None
    fuller: float = 0.0


def infer(
    position: Position, units: object, commanders: object = None, *, support: bool = True, most: int = MOST
) -> Inference:
    """Find the legal turns that turn `position` into exactly what is seen, most likely first.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction, or a list of them}, None where nobody looked;
    without `support` nobody looked at the support board. At most `most` explanations are given.
    Raises BadPosition where what is seen names what this board does not have.
    """
    sight = sight_of(position.board, units, commanders, support)
    evidence = certain_evidence(position.board, sight)
    inference = _share_out(weigh_turns(position, evidence), position, evidence, most)
    return inference if inference.explanations else _with_repair(inference, position, sight)


def infer_from_evidence(
    position: Position, evidence: Evidence, *, idle: float = 0.0, most: int = MOST, two: bool = False
) -> Inference:
    """Find the legal turns that may have turned `position` into what an eye makes of the table, most likely first.

    idle: how likely it is beforehand that nothing was done yet; above 0, an explanation without steps says so. With
    `two`, where it is doubtful that one turn was all, two turns may have been played one after the other.
    """
    waiting = log(idle) if idle else NEVER
    found = rank_turns(
        turn._replace(score=turn.score + odds, fit=turn.fit + odds)
        for odds, view in evidence.views
        for turn in weigh_turns(position, view, waiting)
    )
    inference = _share_out(found, position, evidence, most)
    if two and inference.none > DOUBTED and position.turn is None and position.winner is None:
        found = sorted([*found, *two_turns(position, evidence)], key=lambda turn: -turn.score)
        inference = _share_out(found, position, evidence, most)
    return inference if inference.none <= 0.5 else _with_repair(inference, position, likely_sight(position, evidence))


def add_fuller_odds(inference: Inference, position: Position) -> Inference:
    """Return the inference with the odds that its likeliest turn only begins a fuller one.

    The odds are averaged over the turns that leave the same units, by their likelihood.
    """
    turns = [explanation for explanation in inference.explanations if explanation.steps]
    alike = [
        turn
        for turn in turns
        if turn.likelihood >= _LIKELY * turns[0].likelihood and turn.position.units == turns[0].position.units
    ]
    whole = sum(turn.likelihood for turn in alike)
    odds = sum(turn.likelihood * fuller_odds(position, turn.steps) for turn in alike)
    return replace(inference, fuller=odds / whole) if whole else inference


def _share_out(found: list[WeighedTurn], position: Position, evidence: Evidence, most: int) -> Inference:
    """Return the explanations with their shares, "none of these" among them."""
    # each card of unknown text may have been what made the turn look like none
    unknown = position.board.mode.table_cards
    without = prod(1 - card_chance(position, faction, card) for card in unknown for faction in (0, 1))
    none = log(1 - (1 - exp(NONE)) * without) + max(odds + view.otherwise(position) for odds, view in evidence.views)
    # Scores are logarithms: taken relative to the best one, the exponentials neither overflow nor all vanish.
    best = max([none, *(turn.score for turn in found)])
    whole = exp(none - best) + sum(exp(turn.score - best) for turn in found)
    explanations = (
        Explanation(turn.steps, turn.position, turn.why, exp(turn.score - best) / whole) for turn in found[:most]
    )
    return Inference(tuple(explanations), (), exp(none - best) / whole)


def _with_repair(inference: Inference, position: Position, sight: Sight) -> Inference:
    way = repair(position, sight)
    return replace(inference, illegal=tuple(map(misfit_of, way.fixes)), repair=way) if way.fixes else inference


def two_turns(position: Position, evidence: Evidence) -> list[WeighedTurn]:
    """List the pairs of turns that may have been played, likeliest first.

    `position`: one at which a turn begins. The second turn is weighed against the evidence, the first only by what is
    missing for it.
    """
    pairs = []
    for first in _first_turns(position, likely_sight(position, evidence)):
        # how likely people do the first turn; what it would have looked like has been covered by the second
        before = TWO + first.score - first.fit
        for second in weigh_turns(first.position, evidence)[:_SECONDS]:
            steps, why = first.steps + second.steps, f"{first.why}; {second.why}"
            card_score = evidence.cards(steps) - evidence.cards(second.steps)
            pairs.append(
                WeighedTurn(steps, second.position, why, before + second.score + card_score, second.fit + card_score)
            )
    return sorted(pairs, key=lambda pair: -pair.score)


def _first_turns(position: Position, sight: Sight) -> list[WeighedTurn]:
    """List, once each, the turns that may have been the first of two: those nearest to what is seen.

    The second turn may have shot off again what came in them.
    """
    begun: dict[tuple[Step, ...], WeighedTurn] = {}
    for undone in (False, True):
        near = weigh_turns(position, tolerant_evidence(sight, position, undone=undone))
        going_on = (turn for turn in near if turn.position.winner is None)
        begun = {turn.steps: turn for turn in nlargest(_FIRSTS, going_on, key=lambda turn: turn.score)} | begun
    return list(begun.values())


# --- turns that only begin a fuller one ------------------------------------------------------

SQUEEZES_IN = 0.05
"""The odds that an area joins in that can't send all it can spare, as the target has no room for them."""


def fuller_odds(position: Position, steps: tuple[Step, ...]) -> float:
    """Return the odds that these steps only begin a fuller turn, against their being all of it.

    position: before `steps`, which are legal from it. Returns 0 if there is no fuller turn.
    """
    deployed = [number for number, step in enumerate(steps) if isinstance(step, Deploy)]
    if not deployed:
        return 0.0
    before, turn = game.fold(position, steps[: deployed[-1]]), steps[deployed[-1] :]
    first = turn[0]
    assert isinstance(first, Deploy)
    rolled = [number for number, step in enumerate(turn) if isinstance(step, Roll)]
    if rolled:
        return _odds_of_more_losses(game.fold(before, turn[: rolled[-1]]), turn[rolled[-1]])
    here = ready(before, first)
    outlook, space = outlook_of(here, here.to_move), position.board.space(first.space)
    if space.action.verb == "move":
        return _odds_of_more_moves(outlook, space, first)
    return _odds_of_more_placed(outlook, space, game.fold(before, turn)) if space.action.verb == "place" else 0.0


def _odds_of_more_losses(position: Position, roll: Step) -> float:
    """Return the odds that the dice also cost units that have not been taken off yet."""
    assert isinstance(roll, Roll)
    here = ready(position, roll)
    assert here.turn is not None
    ends = list(outcomes(here, clash_of(here, here.turn), len(roll.dice)))
    [rolled] = [outcome for outcome in ends if sum(roll.dice) in outcome.pips]
    more = sum(
        outcome.chance
        for outcome in ends
        if outcome is not rolled and all(n <= left for n, left in zip(outcome.sums, rolled.sums, strict=True))
    )
    return more / rolled.chance


def _odds_of_more_moves(outlook: Outlook, space: Space, step: Deploy) -> float:
    """Return the odds that more units come, while the target takes more.

    They come from the areas that have sent some and from another.
    """
    target, kinds = space.area_index, outlook.mode.kinds_on[space.action.kind]
    arrived = sum(n for _area, _unit, n in step.moves)
    room = outlook.mode.caps[space.action.kind] - arrived - sum(row[target] for row in outlook.rows)
    if room <= 0:
        return 0.0
    sent = dict.fromkeys(members(reach(outlook, space) & outlook.spare), 0)
    for area, _unit, n in step.moves:
        if area != RESERVE:
            sent[outlook.board.area_index[area]] = sent.get(outlook.board.area_index[area], 0) + n
    left = {area: sum(outlook.rows[kind][area] for kind in kinds) - 1 - n for area, n in sent.items()}
    # any number that may leave is equally likely, as for `aims.departures`
    whole = float(prod(1 + left[area] for area, n in sent.items() if n))
    joins = [left[area] for area, n in sent.items() if not n and left[area]]
    if joins:  # people take all that an area can spare, and hardly from a third one
        whole *= 1 + (exp(LEAVES - STAYS) if min(joins) <= room else SQUEEZES_IN)
    return whole - 1


def _odds_of_more_placed(outlook: Outlook, space: Space, after: Position) -> float:
    """Return the odds that more units are placed than are to be seen there.

    Nearly everybody places all that may be.
    """
    offer, position = muster.option(outlook, space), outlook.position
    kinds = outlook.mode.kinds_on[space.action.kind]
    reserve = sum(position.reserve(outlook.me, kind) for kind in kinds)
    room = sum(muster.room(outlook, space.action, area) for area in members(offer.areas))
    come = reserve - sum(after.reserve(outlook.me, kind) for kind in kinds)
    if come >= min(offer.amount, reserve, room):
        return 0.0
    return exp(-PLACES_FEWER) if come > 0 else exp(-PLACES_NOTHING)
