"""What each of two networks makes of a board image, and what both make of it together.

A network that is wrong is often sure all the same, but two that have learnt from other pictures are seldom wrong in the
same way. So each reads the whole board by itself, and their beliefs are held together like two witnesses': the chances
that both give to a count are multiplied (Hinton, Products of Experts, 1999). In come prepared tables and a board image,
out come counts, pieces and reasons; nothing here is sure that either of the two takes for unlikely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats
from vision.plan import BoardPlan
from vision.reading.count import CountBelief, agreed, leaders_of, not_sure
from vision.reading.doubt import BELIEF, PLACE, UNLIKE, strange_areas
from vision.reading.pieces import LEAST_CHANCE, Piece, log_odds, logistic

ALONE = (UNLIKE, PLACE)
"""Doubts that hold an area as soon as one eye has them; with others one eye sees badly where the other may see well."""
DOUBTFUL = (0.1, 0.9)
"""A commander whose chance lies between is a unit, or nothing, as likely as not to matter: its area isn't sure."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one eye makes of a board image.

    pieces: what it found; counts: its calibrated beliefs; doubts: what speaks against each area's count; caps: {area:
    reasons} of those that it can't be sure of; why: {area: reasons} for all that lowers its confidence; cover: (rows,
    columns) of the board image, 0 to 1, how likely something covers it.
    """

    pieces: Sequence[Piece]
    counts: Mapping[str, CountBelief]
    doubts: Mapping[str, tuple[float, ...]]
    caps: Mapping[str, tuple[str, ...]]
    why: Mapping[str, tuple[str, ...]]
    cover: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What the eyes make of a board image together, as `Look` has it; leaders: {space: {faction: probability}}."""

    pieces: tuple[Piece, ...]
    counts: Mapping[str, CountBelief]
    leaders: Mapping[str, Mapping[str, float]]
    why: Mapping[str, tuple[str, ...]]
    cover: Floats
    strange: tuple[str, ...]


def together(looks: Sequence[Look], plan: BoardPlan) -> Opinion:
    """Return what looks at one board image say together; the first one's pieces where more than one has it right."""
    first = looks[0]
    counts = {area: agreed([look.counts[area] for look in looks]) for area in first.counts}
    leaders = _leaders([leaders_of(look.pieces) for look in looks])
    held = {area for area in counts if _is_held([look.caps.get(area, ()) for look in looks])}
    least, most = DOUBTFUL
    held |= {space.area for space in plan.spaces if least < max(leaders.get(space.name, {"": 0.0}).values()) < most}
    counts |= {area: not_sure(counts[area]) for area in held}
    return Opinion(
        pieces=_pieces(looks, counts),
        counts=counts,
        leaders=leaders,
        why={area: _reasons(looks, area, count) for area, count in counts.items()},
        cover=np.asarray(np.mean([look.cover for look in looks], axis=0), np.float32),
        strange=tuple(sorted({area for look in looks for area in strange_areas(look.doubts)})),
    )


def _is_held(caps: Sequence[Sequence[str]]) -> bool:
    """Return whether an area can't be sure, by what each eye says of it."""
    return all(caps) or any(reason in ALONE for reasons in caps for reason in reasons)


def _leaders(each: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Return {space: {faction: probability}} of commanders: the odds of all eyes, multiplied."""
    found: dict[str, dict[str, float]] = {}
    for space in sorted({space for leaders in each for space in leaders}):
        factions = dict.fromkeys(faction for leaders in each for faction in leaders.get(space, {}))
        found[space] = {
            faction: logistic(sum(log_odds(leaders.get(space, {}).get(faction, LEAST_CHANCE)) for leaders in each))
            for faction in factions
        }
    return found


def _pieces(looks: Sequence[Look], counts: Mapping[str, CountBelief]) -> tuple[Piece, ...]:
    """Return the pieces of each area as an eye found them that takes for the likeliest what all do together."""
    right: dict[str, Look] = {}
    for area, count in counts.items():
        right[area] = next((look for look in looks if look.counts[area].best == count.best), looks[0])
    return tuple(piece for look in looks for piece in look.pieces if right.get(piece.place, looks[0]) is look)


def _reasons(looks: Sequence[Look], area: str, count: CountBelief) -> tuple[str, ...]:
    """Return why an area isn't surer: what the eye says that is the least convinced, after their being at odds."""
    doubter = min(looks, key=lambda look: look.counts[area].chance(count.best))
    at_odds = len({look.counts[area].best for look in looks}) > 1
    capped = (reason for look in looks for reason in look.caps.get(area, ()) if reason in ALONE)
    return tuple(dict.fromkeys((*capped, *((BELIEF,) if at_odds else ()), *doubter.why.get(area, ()))))
