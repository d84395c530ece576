"""Why an area's confidence isn't higher: what speaks against its count, by name, the weightiest first.

The calibrated confidence is a sum of weighed measures (`count.calibrate_beliefs`), so what each of them costs against
an area with nothing to doubt can be told apart; whatever caps the confidence comes before them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from vision.reading.count import LEAST_DOUBT, CountBelief, doubt_in
from vision.reading.network import THING_SEEN
from vision.reading.pieces import log_odds
from vision.reading.start import NO_START

BELIEF, OTHERS, UNLIKE, CONTRAST, LIGHT, GLARE, START, _ = WEIGHED = (
    "belief",
    "others",
    "unlike",
    "contrast",
    "light",
    "glare",
    "start",
    "light",
)
"""What the confidence weighs, in the order of its weights after the bias.

The network's own belief; much that is doubtful elsewhere; what is unlike both board and piece; ground that looks like a
side's pieces; ground in another light than in the empty board's photo; glare; pieces of the start that weren't found;
and how far the whole frame's light had to be changed.
"""
LINE, EDGE, HIDDEN, LOST, PLACE = OUTRIGHT = ("line", "edge", "hidden", "lost", "place")
"""What settles it by itself.

A piece on the line to another area; the picture's edge; a hand; a board not found; print that isn't quite where the
board was found.
"""
REASONS = (*WEIGHED, *OUTRIGHT)
CLEAR = (log_odds(1.0), math.log(LEAST_DOUBT), log_odds(THING_SEEN), 0.0, 0.0, 0.0, NO_START.missed, 0.0)
"""What is weighed of an area with nothing to doubt."""
CERTAIN = 0.99
"""From this confidence on there is nothing worth naming."""
WORTH_NAMING = 0.25
"""The part of all that is lost, in log odds, that a measure has to cost to be named beside the weightiest."""


def reasons_for(
    counts: Mapping[str, CountBelief],
    model: Sequence[float],
    doubts: Mapping[str, Sequence[float]],
    caps: Mapping[str, Collection[str]],
) -> dict[str, tuple[str, ...]]:
    """Return {area: reasons} for what `calibrate_beliefs` makes of these counts with the same model and doubts.

    caps: {area: reasons} of what holds the confidence down by itself.
    """
    whole = doubt_in(counts) if counts else 0.0
    found: dict[str, tuple[str, ...]] = {}
    for area, count in counts.items():
        measures = (log_odds(count.confidence), whole, *doubts[area])
        cost = dict.fromkeys(WEIGHED, 0.0)
        for name, weight, clear, value in zip(WEIGHED, model[1:], CLEAR, measures, strict=True):
            cost[name] += weight * (clear - value)
        least = WORTH_NAMING * sum(each for each in cost.values() if each > 0)
        named = sorted((name for name in cost if cost[name] >= max(least, 1e-9)), key=lambda name: -cost[name])
        found[area] = tuple(dict.fromkeys((*caps.get(area, ()), *named)))
    return found


def named_where_it_counts(
    reasons: Mapping[str, Sequence[str]], sure: Mapping[str, float]
) -> dict[str, tuple[str, ...]]:
    """Return the reasons of the areas whose confidence is less than CERTAIN, each with one at least."""
    return {area: tuple(reasons.get(area, ())) or (BELIEF,) for area, chance in sure.items() if chance < CERTAIN}


def with_light(why: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the reasons with the light among them, as it is another, wherever something could be read at all."""
    return {
        area: reasons if LIGHT in reasons or {EDGE, HIDDEN} & set(reasons) else (*reasons, LIGHT)
        for area, reasons in why.items()
    }
