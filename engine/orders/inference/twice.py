"""Two turns, one after the other: nobody said the first, which may have left no trace, before the second was played."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from math import log

from engine.orders.inference.evidence import Evidence, likely_sight, nearly
from engine.orders.inference.weighing import Found, weighed
from engine.orders.position import Position

TWO = log(0.1)
"""How likely two turns were played since the last one that was recorded, against one."""
_FIRSTS = 8
"""So many first turns are followed up: those that are nearest to what is seen, or left no trace."""
_SECONDS = 3


def two_turns(position: Position, evidence: Evidence) -> list[Found]:
    """The pairs of turns that may have been done, the likeliest first. `position`: one at which a turn begins.

    The second turn is weighed against the evidence, the first only by what is missing for it.
    """
    near = weighed(position, nearly(likely_sight(position, evidence), position))
    begun = nlargest(_FIRSTS, (one for one in near if one.after.winner is None), key=_seen)
    return sorted((pair for first in begun for pair in _pairs(first, evidence)), key=lambda one: -one.score)


def _seen(one: Found) -> float:
    return one.score


def _pairs(first: Found, evidence: Evidence) -> Iterator[Found]:
    """A first turn with the likeliest second ones."""
    before = TWO + first.score - first.seen
    for second in weighed(first.after, evidence)[:_SECONDS]:
        steps, why = first.steps + second.steps, f"{first.why}; {second.why}"
        yield Found(steps, second.after, why, before + second.score, second.seen)
