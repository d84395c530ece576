"""How likely a turn is no more than the beginning of a fuller one: hands do it piece by piece, and may pause anywhere.

The odds come from the same chances beforehand by which turns are weighed: that an area sends no more units, that all
units are placed that may be, and that dice cost no more than has been taken off so far.
"""

from __future__ import annotations

from math import exp, prod

from engine.areas import members
from engine.orders import game
from engine.orders.actions import muster
from engine.orders.actions.move import reach
from engine.orders.board import Space
from engine.orders.inference.endings import clash_of
from engine.orders.inference.outcomes import outcomes
from engine.orders.inference.placing import PLACES_FEWER, PLACES_NOTHING
from engine.orders.inference.sources import LEAVES, STAYS
from engine.orders.outlook import Outlook, outlook_of
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy, Roll, Step
from engine.orders.turn import ready

SQUEEZES_IN = 0.05
"""The odds that an area joins in that can't send all it can spare, as the target doesn't take so many."""


def fuller_odds(position: Position, steps: tuple[Step, ...]) -> float:
    """Return the odds that the last step was only the beginning of a fuller turn, against that step alone.

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
    # any number that may leave is equally likely, as for `sources.departures`
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
