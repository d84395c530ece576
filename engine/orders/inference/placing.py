"""Placements that could have made what is seen: where units were placed, and from where some were first recalled."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from itertools import product
from math import comb, log
from operator import add, itemgetter
from typing import NamedTuple

from engine.areas import members
from engine.orders.actions import muster
from engine.orders.board import Space
from engine.orders.inference.aims import BEAM, MARGIN, best_log_likelihood, force_after
from engine.orders.inference.case import Case, Guess
from engine.orders.inference.endings import Clash
from engine.orders.mode import PLACING, Card
from engine.orders.steps import Deploy, Load

PLACES_FEWER = log(0.05)
"""How likely people place fewer units than they may, rather than all."""
GOES_OVER_THE_LIMIT = log(0.5)
"""How likely they place units that the limit sends home again, where no area has room for them."""
WASTES = log(0.1)
"""The same where another area has room."""
PLACES_NOTHING = log(0.001)
"""How likely they place no unit at all."""
RECALLS = log(0.5)
"""How likely they recall one unit more, where their reserve is short."""


class _Change(NamedTuple):
    """What may have been done in an area: units placed and recalled by kind, with the gain in log-likelihood."""

    placed: tuple[int, ...]
    recalled: tuple[int, ...]
    seized: bool
    score: float


class _Way(NamedTuple):
    """Changes in several areas: all units placed and recalled, by kind, and where."""

    placed: tuple[int, ...]
    recalled: tuple[int, ...]
    seized: bool
    score: float
    place: tuple[Load, ...]
    recall: tuple[Load, ...]
    full: str | None


class _Muster(NamedTuple):
    """A placement: its space, the card that may add to it, the areas open without and only with it, as sets.

    `contested` are those of both that the enemy holds.
    """

    case: Case
    space: Space
    kinds: tuple[int, ...]
    card: Card | None
    open: int
    seizable: int
    contested: int
    most: int

    @property
    def heavy(self) -> int:
        """How many units of other kinds than the first may be among them."""
        return self.space.support.siege if self.space.support is not None else 0

    @property
    def spills(self) -> bool:
        """Whether units may be placed that the limit sends home again."""
        return self.space.action.limit != PLACING

    @property
    def room(self) -> int:
        """The most units that the open areas take; no number that matters where more may be placed."""
        return self.most if self.spills else self.room_left

    @property
    def room_left(self) -> int:
        """How many units the open areas take within their limits."""
        return sum(muster.room(self.case.outlook, self.space.action, area) for area in members(self.open))

    @property
    def reserves(self) -> list[int]:
        """The units in the reserve, by kind."""
        return [self.case.outlook.position.reserve(self.case.outlook.me, kind) for kind in self.kinds]


def guess_placements(case: Case, space: Space) -> Iterator[Guess]:
    """Yield the placements from a space of the support board that explain the evidence best."""
    call = _muster(case, space)
    if case.wrong & ~(call.open | call.seizable | case.outlook.control):
        return
    for way in _ways(call):
        for guess in _guesses_of(call, way):
            if guess is not None:
                yield guess


def _muster(case: Case, space: Space) -> _Muster:
    outlook = case.outlook
    more = [card for card in outlook.mode.windows.get(("join", space.action.name), ()) if case.chance(card)]
    card = more[0] if more else None
    seizable = muster.seizable(outlook) if card is not None and card.into_enemy else 0
    most = muster.amount(outlook, space) + (card.amount if card is not None else 0)
    kinds = outlook.mode.kinds_on[space.action.kind]
    contested = seizable | muster.contestable(outlook, space.action)
    return _Muster(case, space, kinds, card, muster.placeable_areas(outlook, space.action), seizable, contested, most)


# --- area by area -----------------------------------------------------------------------


def _ways(call: _Muster) -> list[_Way]:
    """List the likeliest changes in all areas for each number of units placed and recalled."""
    none = (0,) * len(call.kinds)
    # area by area with a beam, as `aims.arrivals` does for moves
    table = {(none, none, False): [_Way(none, none, False, 0.0, (), (), None)]}
    board = call.case.outlook.board
    for area in members(board.of_kind[call.space.action.kind]):
        found = list((_changes_among_enemies if call.contested >> area & 1 else _own_changes)(call, area))
        least = max((change.score for change in found), default=0.0) - MARGIN
        changes = [change for change in found if change.score >= least]
        if len(changes) == 1 and changes[0] == _Change(none, none, False, 0.0) and not _is_at_limit(call, area, 0):
            continue
        more: dict[tuple[tuple[int, ...], tuple[int, ...], bool], list[_Way]] = {}
        for ways in table.values():
            for way, change in product(ways, changes):
                joint = _combine(call, area, way, change)
                if sum(joint.placed) <= call.most and sum(joint.placed[1:]) <= call.heavy:
                    more.setdefault((joint.placed, joint.recalled, joint.seized), []).append(joint)
        table = {key: nlargest(BEAM, ways, key=itemgetter(3)) for key, ways in more.items()}
    return [way for ways in table.values() for way in ways]


def _combine(call: _Muster, area: int, way: _Way, change: _Change) -> _Way:
    name, placed = call.case.outlook.name(area), sum(change.placed)
    full = way.full
    own = call.open & ~call.contested if call.spills else 0
    if own >> area & 1 and _is_at_limit(call, area, placed) and (placed or full is None):
        full = name
    return _Way(
        tuple(map(add, way.placed, change.placed)),
        tuple(map(add, way.recalled, change.recalled)),
        way.seized or change.seized,
        way.score + change.score,
        way.place + _loads(call, name, change.placed),
        way.recall + _loads(call, name, change.recalled),
        full,
    )


def _is_at_limit(call: _Muster, area: int, placed: int) -> bool:
    """Return whether an area is at its limit, or over, once `placed` units are added."""
    here = sum(call.case.outlook.rows[kind][area] for kind in call.kinds)
    return here + placed >= call.case.outlook.mode.caps[call.space.action.kind]


def _loads(call: _Muster, area: str, units: tuple[int, ...]) -> tuple[Load, ...]:
    names = (call.case.outlook.mode.units[kind].name for kind in call.kinds)
    return tuple((area, unit, n) for unit, n in zip(names, units, strict=True) if n)


def _own_changes(call: _Muster, area: int) -> Iterator[_Change]:
    """Yield units placed into an area, or recalled from it.

    Units may also be placed where the limit sends those of another kind home.
    """
    case, outlook = call.case, call.case.outlook
    here = [outlook.rows[kind][area] for kind in call.kinds]
    cap, whole, reserves = outlook.mode.caps[call.space.action.kind], sum(here), call.reserves
    is_open, mine = bool(call.open >> area & 1), bool(outlook.control >> area & 1)
    tops = [max(n, cap) if is_open else n for n in here]
    for ends in product(*(range(top + 1) for top in tops)):
        placed = tuple(max(0, end - n) for end, n in zip(ends, here, strict=True))
        gone = tuple(max(0, n - end) for end, n in zip(ends, here, strict=True))
        recalled = (0,) * len(gone) if (any(placed) or whole > cap) and sum(ends) == cap else gone
        short = all(not n or left < call.most for n, left in zip(recalled, reserves, strict=True))
        if any(recalled) and (any(placed) or not mine or not short or not any(ends)):
            continue
        if sum(ends) > cap and any(placed):
            continue
        force = force_after(case, area, zip(call.kinds, (e - n for e, n in zip(ends, here, strict=True)), strict=True))
        yield _Change(placed, recalled, False, case.evidence.at(area, force) - case.logs[area])


def _changes_among_enemies(call: _Muster, area: int) -> Iterator[_Change]:
    """Yield units placed among the enemy's, with the dice that speak for it most."""
    case, outlook = call.case, call.case.outlook
    none = (0,) * len(call.kinds)
    by_card = bool(call.seizable >> area & 1)
    yield _Change(none, none, False, 0.0)
    theirs = sum(row[area] for row in outlook.position.units[outlook.foe])
    pools = case.pools(case.defence_dice(area), "defence", call.space.action.name)
    most = call.most if call.spills else min(call.most, muster.room(outlook, call.space.action, area))
    for n in range(1, most + 1):
        best = best_log_likelihood(case, Clash(area, n, theirs, False), pools)
        yield _Change((n, *none[1:]), none, by_card, best - case.logs[area])


# --- whole placements -------------------------------------------------------------------


def _guesses_of(call: _Muster, way: _Way) -> Iterator[Guess | None]:
    """Yield the deployment, with its card if there must have been one, and what went home over the limit."""
    amount = muster.amount(call.case.outlook, call.space)
    total = sum(way.placed)
    if not way.seized and total <= amount:
        yield _guess(call, way, None, amount)
    if call.card is not None and (way.seized or total > amount or any(way.recalled)):
        yield _guess(call, way, call.card, call.most)


def _guess(call: _Muster, way: _Way, card: Card | None, most: int) -> Guess | None:
    over = _surplus(call, way, most, card)
    if over is None:
        return None
    kind, n = over
    place, prior = way.place, _placing_log_probability(call, way, n)
    if n and way.full is not None:
        place = _add_load(place, (way.full, call.case.outlook.mode.units[call.kinds[kind]].name, n))
    prior += log(call.case.chance(card)) if card is not None else 0.0
    step = Deploy(call.space.name, place=place, recall=way.recall, cards=(card.name,) if card else ())
    return Guess(step, prior, call.case.whole + way.score + prior)


def _surplus(call: _Muster, way: _Way, most: int, card: Card | None) -> tuple[int, int] | None:
    """Return the units placed that are not seen there, as kind and number.

    None if the reserve cannot have given all this. People place as many as they may, but a card only for what is seen
    of it; a recall demands it, as it brings no more back than is placed.
    """
    counts = zip(call.reserves, way.recalled, way.placed, strict=True)
    left = [reserve + back - placed for reserve, back, placed in counts]
    owed = [kind for kind, back in enumerate(way.recalled) if back and left[kind]]
    room = min(most, call.room) - sum(way.placed)
    if min(left) < 0 or len(owed) > 1:
        return None
    if owed:
        kind = owed[0]
        return (kind, left[kind]) if way.full is not None and left[kind] <= room else None
    return 0, 0 if card is not None or any(way.recalled) else max(0, min(left[0], room))


def _placing_log_probability(call: _Muster, way: _Way, over: int) -> float:
    """Return the log-probability that people place like this: all they may, each area as good as another."""
    areas = call.open.bit_count()
    # stars and bars: comb(n + areas, areas) ways to share at most n units out among the areas
    prior = RECALLS * sum(way.recalled) - log(comb(sum(way.placed) + areas, areas))
    if not any(way.placed):
        might = over and not all(_is_at_limit(call, area, 0) for area in members(call.open))
        return prior + (PLACES_NOTHING if might else PLACES_FEWER)
    if not over:
        return prior
    if way.full is None:
        return prior + PLACES_FEWER
    return prior + (WASTES if sum(way.placed) < call.room_left else GOES_OVER_THE_LIMIT)


def _add_load(place: tuple[Load, ...], load: Load) -> tuple[Load, ...]:
    """Return the loads with one added, put together with another of its area and kind."""
    area, unit, added = load
    others = tuple(other for other in place if other[:2] != (area, unit))
    same = sum(n for name, kind, n in place if (name, kind) == (area, unit))
    return (*others, (area, unit, same + added))
