"""How sure a proposal may be: what leaves no trace on the table is ruled out by no look at it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.position_facts import hand_size
from companion.perception.adapters import SURE
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Deploy, Roll

REROLLED = 0.1
"""How likely somebody who has a card has spent one to roll again."""
RIVAL = 0.01
"""How likely another turn that leaves the same table has to be, against the likeliest, to leave it open."""
MOST = 0.89
"""The likelihood of what is left open, at most: it is not sure."""


def shared_out(turns: Iterable[Explanation], whole: float) -> tuple[Explanation, ...]:
    """Return the turns scaled to be as likely together as `whole`, the likeliest first."""
    found = tuple(turns)
    now = sum(turn.likelihood for turn in found)
    if now:
        found = tuple(replace(turn, likelihood=turn.likelihood * whole / now) for turn in found)
    return tuple(sorted(found, key=lambda turn: -turn.likelihood))


def temper_turns(
    turns: Sequence[Explanation], position: Position, fuller: float = 0.0, doubtful: bool = False
) -> tuple[Explanation, ...]:
    """Return the turns, the likeliest first, each as sure as it may be called.

    Dice may have been rolled again, or a card played that changed nothing. fuller: the odds that the turn is only
    the beginning of a fuller one; where it isn't surely whole it isn't sure. doubtful: the eye isn't sure that
    the table looks as the first of them leaves it.
    """
    first, *others = turns
    alike = any(other.likelihood >= RIVAL * first.likelihood and _is_same_table(other, first) for other in others)
    most = MOST if doubtful or alike or 1 / (1 + fuller) < SURE else 1.0
    return tuple(replace(turn, likelihood=min(most, turn.likelihood * _told(turn, position))) for turn in turns)


def _is_same_table(one: Explanation, other: Explanation) -> bool:
    """Return whether both turns leave the same on the board, where commanders stay until hands take them home."""
    if one.position.units != other.position.units:
        return False
    if one.position.round == other.position.round:
        return one.position.commanders == other.position.commanders
    return _spaces(one) == _spaces(other)


def _spaces(turn: Explanation) -> list[str]:
    """Return the spaces where a turn puts commanders."""
    return [step.space for step in turn.steps if isinstance(step, Deploy)]


def _told(turn: Explanation, position: Position) -> float:
    """Return how likely nobody has spent a card to roll again."""
    rolls = [step for step in turn.steps if isinstance(step, Roll) and hand_size(position, step.by)]
    return float((1 - REROLLED) ** len(rolls))
