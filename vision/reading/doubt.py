"""What speaks against an area's count, which it is, and what two networks that doubt by themselves say together.

A network that has never seen a thing can be wrong and sure. What it sees has to be explained by the empty board plus
pieces: something that stands there and is no piece, ground that looks like a side's pieces, light that has changed
since the empty board's photo, glare, and a photo of the start in which the known pieces weren't found, each lower the
confidence. How much is fitted on tables of another kind than those that trained the network
(`training/fit_scores.py`). The calibrated confidence is a sum of these weighed measures (`count.calibrate_beliefs`), so
what each of them costs against an area with nothing to doubt can be told apart; whatever caps it comes before them.

Two networks that have learnt from other pictures are seldom wrong in the same way. So each reads the whole board by
itself, and their beliefs are held together like two witnesses': the chances that both give to a count are multiplied
(Hinton, Products of Experts, 1999). Nothing is sure that either of the two takes for unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Picture
from vision.plan import BoardPlan
from vision.reading.colours import log_colours
from vision.reading.count import LEAST_DOUBT, CountBelief, board_doubt, capped_below_sure, combine_beliefs, leaders_of
from vision.reading.network import THING_SEEN, Detections, gains
from vision.reading.pieces import LEAST_CHANCE, SAME_MM, Piece, Places, log_odds, logistic
from vision.reading.start import NO_START, Start

OF_AN_AREA = ("strange", "alike", "changed", "glare", "start")
DOUBTS = (*OF_AN_AREA, "relit")
"""What is measured of each area, in the order of the weights, all larger where there is more to doubt."""
STRANGE, GROUND_ALIKE = DOUBTS.index("strange"), DOUBTS.index("alike")
# Ground nearer to a side's colour than this, in spreads, looks like its pieces.
ALIKE = 2.0
FAINT_GROUND = 0.05
"""Where one side's pieces hardly stand out, nobody can be sure of an area of which so much looks like a side's pieces.

On the photographs of such a table, wrong areas had 0.12 and more of it, but for one that wasn't sure anyway.
"""
# A piece further off is odd: its area can't be sure. And what is further off than FOREIGN is no piece of that side,
# however much it looks like one.
ODD = 2.7
FOREIGN = 3.6
# A piece's reach round its base, with its shadow: there the board has changed, and that is explained.
REACH_MM = 11.0
BURNT = 235
# One pixel in so many of the board image is looked at, each way: some hundred pixels of an area are enough.
EVERY_PX = 8
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
Marks = npt.NDArray[np.bool_]


def area_doubts(
    pictures: tuple[Picture, Picture], places: Places, start: Start, finds: Detections, pieces: Sequence[Piece]
) -> dict[str, tuple[float, ...]]:
    """Measure what speaks against each area's count, {area: a value for each of OF_AN_AREA}.

    pictures: the board images of the frame and of the empty board, (rows, columns, 3) each.
    """
    labels = places.labels[::EVERY_PX, ::EVERY_PX]
    gain, reference_gain = gains(*pictures)
    small, empty = (picture[::EVERY_PX, ::EVERY_PX] for picture in pictures)
    colours, before = log_colours(small * gain), log_colours(empty * reference_gain)
    change = np.abs(colours - before).sum(axis=-1)
    alike = [far < ALIKE for far in start.palette.distances(colours).values()] if start.palette else []
    burnt, free = small.min(axis=-1) >= BURNT, ~_explained(pieces, places, labels.shape)
    strange = unexplained_areas(finds, places, pieces)
    found: dict[str, tuple[float, ...]] = {}
    for number, area in enumerate(places.plan.areas, 1):
        ground = (labels == number) & free
        found[area.name] = (
            log_odds(max(strange.get(area.name, 0.0), THING_SEEN)),
            max((_share(ground_then, ground) for ground_then in alike), default=0.0),
            float(np.median(change[ground])) if ground.any() else 0.0,
            _share(burnt, ground),
            start.missed,
        )
    return found


def strange_areas(doubts: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the areas in which more likely than not something stands that belongs to neither side."""
    return [area for area, measures in doubts.items() if measures[STRANGE] > 0]


def never_sure(
    doubts: Mapping[str, Sequence[float]], start: Start, pieces: Sequence[Piece]
) -> dict[str, tuple[str, ...]]:
    """Return the areas that can't be sure, whatever the network says, and why: {area: reasons}.

    Those are areas with something strange or with a piece of an odd colour, and those in which even the known pieces of
    the start weren't found; where one side's pieces hardly stand out, those with ground that looks like them.
    """
    odd = {piece.place for piece in pieces if piece.score > 0.5 and piece.unlike > ODD}
    why = {
        UNLIKE: odd.union(strange_areas(doubts)),
        CONTRAST: {area for area, seen in doubts.items() if start.faint and seen[GROUND_ALIKE] >= FAINT_GROUND},
        START: start.misread,
    }
    held = {area: tuple(reason for reason, areas in why.items() if area in areas) for area in doubts}
    return {area: reasons for area, reasons in held.items() if reasons}


def unexplained_areas(finds: Detections, places: Places, pieces: Sequence[Piece]) -> dict[str, float]:
    """Return how likely each area holds something that no piece explains, {area: 0 to 1}; omit areas with nothing."""
    strange: dict[str, float] = {}
    for at_mm, heat in finds.things():
        area = places.area_at(places.grid.pixel(at_mm))
        if area is not None:
            near = [
                piece.score for piece in pieces if piece.unlike < FOREIGN and math.dist(piece.at_mm, at_mm) < SAME_MM
            ]
            strange[area] = max(strange.get(area, 0.0), heat * (1 - max(near, default=0.0)))
    return strange


def _share(marked: Marks, ground: Marks) -> float:
    return float((marked & ground).sum() / max(int(ground.sum()), 1))


def _explained(pieces: Sequence[Piece], places: Places, shape: tuple[int, ...]) -> Marks:
    """Return where a piece stands, or near enough for its shadow, (rows, columns)."""
    marks = np.zeros(shape, np.uint8)
    reach = round(REACH_MM * places.grid.px_per_mm / EVERY_PX)
    for piece in pieces:
        if piece.score > 0.5:
            x, y = places.grid.pixel(piece.at_mm)
            cv2.circle(marks, (x // EVERY_PX, y // EVERY_PX), reach, 1, -1)
    return marks > 0


def reasons_for(
    counts: Mapping[str, CountBelief],
    model: Sequence[float],
    doubts: Mapping[str, Sequence[float]],
    caps: Mapping[str, Collection[str]],
) -> dict[str, tuple[str, ...]]:
    """Return what lowers the confidence of each area, {area: reasons}: its caps, then the costliest doubts.

    counts, model, doubts: as given to `calibrate_beliefs`; caps: {area: reasons} that hold the confidence down anyway.
    """
    whole = board_doubt(counts) if counts else 0.0
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


def reasons_below_certain(
    reasons: Mapping[str, Sequence[str]], sure: Mapping[str, float]
) -> dict[str, tuple[str, ...]]:
    """Return the reasons of the areas that are less sure than CERTAIN, each with at least one."""
    return {area: tuple(reasons.get(area, ())) or (BELIEF,) for area, chance in sure.items() if chance < CERTAIN}


def add_light_reason(why: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Add the different light to the reasons of each area that can be read at all."""
    return {
        area: reasons if LIGHT in reasons or {EDGE, HIDDEN} & set(reasons) else (*reasons, LIGHT)
        for area, reasons in why.items()
    }


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
    """What the eyes together make of a board image; fields as in `Look`, leaders: {space: {faction: probability}}."""

    pieces: tuple[Piece, ...]
    counts: Mapping[str, CountBelief]
    leaders: Mapping[str, Mapping[str, float]]
    why: Mapping[str, tuple[str, ...]]
    cover: Floats
    strange: tuple[str, ...]


def combine_looks(looks: Sequence[Look], plan: BoardPlan) -> Opinion:
    """Combine what several eyes make of one board image; an area's pieces are those of one eye that has its count."""
    first = looks[0]
    counts = {area: combine_beliefs([look.counts[area] for look in looks]) for area in first.counts}
    leaders = _leaders([leaders_of(look.pieces) for look in looks])
    held = {area for area in counts if _is_held([look.caps.get(area, ()) for look in looks])}
    least, most = DOUBTFUL
    held |= {space.area for space in plan.spaces if least < max(leaders.get(space.name, {"": 0.0}).values()) < most}
    counts |= {area: capped_below_sure(counts[area]) for area in held}
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
