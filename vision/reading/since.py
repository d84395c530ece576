"""What an area holds by what has changed in it since its contents were known.

A picture of an area whose contents people have confirmed is the best there is to read the next one by. What nobody
touched still stands there, whatever the network makes of it: a stack that it doesn't see stays a stack, a print that it
takes for a ship stays a print. So each site, a place where pieces may stand or have stood, was touched or not, as the
two pictures of it tell; the known contents then tell which finds were pieces, and what has come and gone since, what
stands there now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.geometry import Grid, Picture
from vision.reading.colours import light_between
from vision.reading.count import KEEP, MOST_OPTIONS, Combo, CountBelief, Key, UsualForce
from vision.reading.pieces import Piece

NEAR_MM = 5.0
"""Finds so near to each other are of one site: no two pieces' bases can be, and the eye errs by less."""
WORTH = 0.02
"""Sites whose best find is less likely than this are left out: there are many, and they change nothing."""
TOP_MM, ROUND_MM = 5, 8
"""So far about a site's middle its pieces are seen, and so far about it a second one on top would show."""
MOST, NEARLY_ALL = 0.5, 0.95
"""The share of what lies there that has changed less: in the middle, and with what is round it."""
NOISE_MM = 1.25
OTHER_LIGHT = 0.5
"""The share of a board that no turn changes: where so much has, the light is another."""
TOUCHED, STEEP = 12.0, 4.2
"""The change in grey levels that is as likely of a touched site as of another, and how fast the odds rise with it.

On 16 recorded games nine of ten untouched sites changed by less than 4, and pieces that came by 40 at least; what lies
between are mostly shadows of neighbours.
"""
NOT_FOUND = 0.01
"""How likely a piece is where the eye has found nothing at all, though it did in the other picture."""
LEAST_FREE = 1e-3
"""How likely a site is free at least."""
OVERLOOKED = 0.02
"""How likely a unit more or less than all finds together was known to be there."""
MOST_OVERLOOKED = 2
MAY_STAY = 0.5
"""How likely an overlooked unit stays where nothing was found that may have gone with it."""
COME = 10.0
"""By how much the odds of a commander on a space that was free rise where it was touched.

On ten recorded games 187 of the 190 commanders that came were likelier than a twentieth by the eye alone, and 11 that
didn't where something had been touched; where nothing had, none had come at 7,834 places.
"""
NEGLIGIBLE = 1e-6

Finds = Mapping[Key, Sequence[float]]
"""The probabilities of pieces in one place: {(faction, kind): of a first one, of another on top of it}."""
Count = tuple[int, ...]
"""So many of each kind, in an order agreed upon."""
Ends = Mapping[tuple[Combo, Combo], float]
"""{(what stood there, what stands there now): how likely}."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in mm, and what was found there in each of the two pictures."""

    at_mm: tuple[float, float]
    before: Finds
    now: Finds

    @property
    def best(self) -> float:
        """The probability of the likeliest piece in either picture."""
        return max(max(scores) for finds in (self.before, self.now) for scores in finds.values())


class Change(NamedTuple):
    """The probabilities, 0 to 1, that the middle of a site was touched, and that something round it was."""

    middle: float
    round: float

    @property
    def untouched(self) -> float:
        """The probability that neither was touched."""
        return (1 - self.middle) * (1 - self.round)


class Changes:
    """How much two board images (H, W, 3) uint8 BGR of one board differ, at a pixel a millimetre.

    What is lit otherwise is brought into the first one's light: a lamp that was switched on has touched nothing.
    """

    def __init__(self, before_bgr: Picture, now_bgr: Picture, grid: Grid) -> None:
        now_bgr = light_between(now_bgr, before_bgr).relight(now_bgr)
        self._margin = round(grid.margin_mm)
        size = round(before_bgr.shape[1] / grid.px_per_mm), round(before_bgr.shape[0] / grid.px_per_mm)
        first, second = (
            cv2.GaussianBlur(cv2.resize(board, size, interpolation=cv2.INTER_AREA).astype(np.float32), (0, 0), NOISE_MM)
            for board in (before_bgr, now_bgr)
        )
        middle = [np.maximum(np.median(board[::4, ::4], axis=(0, 1)), 1.0) for board in (first, second)]
        self._levels = np.abs(second * (middle[0] / middle[1]) - first).max(axis=2)

    @property
    def comparable(self) -> bool:
        """Whether the light is about the same in both pictures."""
        return float(np.mean(self._levels[::4, ::4] > TOUCHED)) < OTHER_LIGHT

    def at(self, at_mm: tuple[float, float]) -> Change:
        """Return the probabilities that a place, and what is round it, was touched.

        The median tells whether a piece has come or gone: a shadow's edge covers less. One on top of another shows
        round it only, as both look alike from above.
        """
        rows, columns = self._levels.shape
        x = min(max(round(at_mm[0]) + self._margin, 0), columns - 1)
        y = min(max(round(at_mm[1]) + self._margin, 0), rows - 1)
        down = slice(max(y - ROUND_MM, 0), y + ROUND_MM + 1)
        across = slice(max(x - ROUND_MM, 0), x + ROUND_MM + 1)
        near = self._levels[down, across]
        aside, off = (
            np.arange(n) + first - at
            for n, first, at in zip(near.shape, (down.start, across.start), (y, x), strict=True)
        )
        away = np.add.outer(aside**2, off**2)
        top, wide = (np.sort(near[away <= reach * reach]) for reach in (TOP_MM, ROUND_MM))
        return Change(_touched(float(top[int(MOST * len(top))])), _touched(float(wide[int(NEARLY_ALL * len(wide))])))


def _touched(levels: float) -> float:
    return float(1 / (1 + (TOUCHED / max(levels, 0.1)) ** STEEP))


def belief_since(
    known: Combo, before: Iterable[Piece], now: Iterable[Piece], changes: Changes, usual: UsualForce
) -> CountBelief | None:
    """Return the belief about what stands in an area now, given what was known to stand there before.

    before, now: the pieces found in the area then and now. None where those of before don't account for `known`.
    """
    sites = [site for site in group_into_sites(before, now) if site.best >= WORTH]
    touched = [changes.at(site.at_mm) for site in sites]
    each = [pair_ends(site, change) for site, change in zip(sites, touched, strict=True)]
    kinds = tuple(dict.fromkeys((who, kind) for combo in _combos(known, each) for who, kind, _n in combo))
    # what is round a site changes mostly by shadows of neighbours: that is no sign of a unit gone
    stood = [1 - change.middle for site, change in zip(sites, touched, strict=True) if site.before]
    stays = sum(stood) / len(stood) if stood else MAY_STAY
    chances = _given(_count(known, kinds), _totals(each, kinds), stays)
    combos = {_combo(count, kinds): chance for count, chance in chances.items()}
    return _belief({combo: chance * usual.weight(combo) for combo, chance in combos.items()}) if combos else None


def commander_since(chance: float, before: float, stood: bool, change: Change) -> float:
    """Return the probability that a commander is on the space, by this reading, the last one and the space's change.

    chance: what the eye makes of it now; before: what it made of it then; stood: whether one stood there then. A
    commander that has come where none was, or none that the eye took for one, was touched; of what was not touched, all
    is as it was. On a unit of its colour a commander shows round it only: there counts what the eye sees now and didn't
    see then.
    """
    there = chance / max(1 - chance, LEAST_FREE)
    come = there if stood else there * COME
    touched = change.middle * come / (1 + come)
    otherwise = stood or change.round * chance * (1 - before)
    return float(touched + (1 - change.middle) * otherwise)


# ---- sites --------------------------------------------------------------------------------------


def group_into_sites(before: Iterable[Piece], now: Iterable[Piece]) -> list[Site]:
    """Group the finds of both pictures into sites: those within NEAR_MM of a site's first find belong to it.

    A site's `before` and `now` keep the two pictures apart, and list each kind's scores from the highest down.
    """
    places: list[tuple[float, float]] = []
    found: list[tuple[dict[Key, list[float]], dict[Key, list[float]]]] = []
    for when, pieces in enumerate((before, now)):
        for piece in sorted(pieces, key=lambda piece: -piece.score):
            near = min(range(len(places)), key=lambda at: math.dist(places[at], piece.at_mm), default=None)
            if near is None or math.dist(places[near], piece.at_mm) > NEAR_MM:
                near = len(places)
                places.append(piece.at_mm)
                found.append(({}, {}))
            found[near][when].setdefault((piece.faction, piece.kind), []).append(piece.score)
    return [Site(place, *finds) for place, finds in zip(places, found, strict=True)]


def pair_ends(site: Site, change: Change) -> Ends:
    """Return how likely each pair is of what stood in a site before and what stands there now."""
    was, is_now = site_chances(site.before), site_chances(site.now)
    ends = dict.fromkeys([*was, *is_now])
    least = {True: NOT_FOUND, False: NEGLIGIBLE}
    before = {end: was.get(end, least[not site.before]) for end in ends}
    after = {end: is_now.get(end, least[not site.now]) for end in ends}
    chances: dict[tuple[Combo, Combo], float] = {}
    for start in ends:
        for end in ends:
            apart = before[start] * after[end]
            chance = change.middle * apart
            if start == end:  # both pictures show the same: the eye erred in one of them where it saw something else
                chance += change.untouched * (before[start] + after[end]) / 2
            if _is_same_kind(start, end):
                chance += (1 - change.middle) * change.round * apart
            if chance > NEGLIGIBLE:
                chances[start, end] = chance
    return chances


def _is_same_kind(one: Combo, other: Combo) -> bool:
    return [part[:2] for part in one] == [part[:2] for part in other]


def site_chances(finds: Finds) -> dict[Combo, float]:
    """Return the probability of each thing that may stand at a site: nothing, or one kind of piece, perhaps stacked."""
    free = 1 - sum(scores[0] for scores in finds.values())
    chances: dict[Combo, float] = {(): max(free, LEAST_FREE)}
    for (who, kind), scores in finds.items():
        for n, (score, more) in enumerate(zip(scores, [*scores[1:], 0.0], strict=True), 1):
            chances[((who, kind, n),)] = max(score - more, NEGLIGIBLE)
    return chances


# ---- counts -------------------------------------------------------------------------------------


def _combos(known: Combo, each: Iterable[Ends]) -> Iterator[Combo]:
    yield known
    for ends in each:
        for pair in ends:
            yield from pair


def _count(combo: Combo, kinds: Sequence[Key]) -> Count:
    held = {(who, kind): n for who, kind, n in combo}
    return tuple(held.get(key, 0) for key in kinds)


def _combo(count: Count, kinds: Sequence[Key]) -> Combo:
    return tuple(sorted((who, kind, n) for (who, kind), n in zip(kinds, count, strict=True) if n))


def _totals(each: Iterable[Ends], kinds: Sequence[Key]) -> dict[tuple[Count, Count], float]:
    """Return how likely all sites together held one count and hold another now, {(before, now): how likely}."""
    nothing = _count((), kinds)
    totals = {(nothing, nothing): 1.0}
    for ends in each:
        parts = [(_count(was, kinds), _count(now, kinds), chance) for (was, now), chance in ends.items()]
        more: dict[tuple[Count, Count], float] = {}
        for (was, now), chance in totals.items():
            for before, after, part in parts:
                both = _sum(was, before), _sum(now, after)
                more[both] = more.get(both, 0.0) + chance * part
        most = max(more.values())
        totals = {both: chance / most for both, chance in more.items() if chance > NEGLIGIBLE * most}
    return totals


def _sum(one: Count, other: Count) -> Count:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _given(known: Count, totals: Mapping[tuple[Count, Count], float], stays: float) -> dict[Count, float]:
    """Return how likely each count is now, given that `known` stood there before.

    A unit that no find accounts for has stayed where it was overlooked, with a probability of `stays`, or has gone.
    """
    found: dict[Count, float] = {}
    for (was, now), chance in totals.items():
        overlooked = tuple(k - n for k, n in zip(known, was, strict=True))
        off = sum(map(abs, overlooked))
        if off > MOST_OVERLOOKED:
            continue
        with_them = tuple(max(n, 0) for n in _sum(now, overlooked))
        for count, share in ((with_them, stays), (now, 1 - stays)):
            found[count] = found.get(count, 0.0) + chance * OVERLOOKED**off * share
    return found


def _belief(weights: Mapping[Combo, float]) -> CountBelief:
    whole = sum(weights.values())
    likely = sorted(((combo, weight / whole) for combo, weight in weights.items()), key=lambda option: -option[1])
    return CountBelief(tuple(option for option in likely[:MOST_OPTIONS] if option[1] > KEEP))
