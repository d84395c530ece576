"""Where units may have come from, and which shots, bombs and drops could have made what is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from itertools import product
from math import log
from operator import add, itemgetter

from engine.areas import members
from engine.orders.actions import VERBS, fire
from engine.orders.board import Space
from engine.orders.inference.case import Case, Guess
from engine.orders.inference.endings import Clash, outcomes, sums_within_limits
from engine.orders.position import Option
from engine.orders.steps import Deploy, Load

Way = tuple[float, float, tuple[Load, ...]]
"""(log-probability with what is seen, log-probability beforehand, the loads)."""
Ways = dict[tuple[int, ...], list[Way]]
"""For each number of arriving units of each kind the likeliest loads."""

BEAM = 4
"""How many ways to bring the same units are kept."""
MARGIN = 12.0
"""What is less likely by more than this than something else in the same area is left out (a logarithm)."""
STAYS, LEAVES = log(0.6), log(0.4)
"""How likely people take no unit, or some, from an area that may send some."""


def arrivals(case: Case, sources: int, place: str) -> Ways:
    """Return the likeliest ways for one unit or more to have arrived from a set of areas."""
    # Area by area, as for a knapsack: the table holds the likeliest ways for each number of units to have arrived.
    # All ways together would grow exponentially with the areas; a beam of a few for each number does not.
    kinds = case.outlook.mode.kinds_on[place]
    none = (0,) * len(kinds)
    table: Ways = {none: [(0.0, 0.0, ())]}
    for area in members(sources):
        options = departures(case, area, kinds)
        more: Ways = {}
        for arrived, ways in table.items():
            for leaving, score, prior, loads in options:
                there = more.setdefault(tuple(map(add, arrived, leaving)), [])
                there.extend((had + score, likely + prior, before + loads) for had, likely, before in ways)
        table = {arrived: nlargest(BEAM, ways, key=itemgetter(0)) for arrived, ways in more.items()}
    return {arrived: ways for arrived, ways in table.items() if arrived != none}


Departure = tuple[tuple[int, ...], float, float, tuple[Load, ...]]


def departures(case: Case, area: int, kinds: tuple[int, ...]) -> list[Departure]:
    """List what units may have left an area, if any; at least one stays behind.

    Each is (units by kind, log-probability with what is seen, log-probability beforehand, loads).
    """
    outlook, name = case.outlook, case.outlook.name(area)
    here = [outlook.rows[kind][area] for kind in kinds]
    # the last unit of an area never leaves it (Advance, Sail)
    free = [leaving for leaving in product(*(range(n + 1) for n in here)) if sum(leaving) < sum(here)]
    found = []
    for leaving in free:
        # whatever may leave is equally likely beforehand
        prior = STAYS if not any(leaving) else LEAVES - log(len(free) - 1)
        score = case.evidence.at(area, force_after(case, area, zip(kinds, (-n for n in leaving), strict=True)))
        loads = tuple((name, outlook.mode.units[kind].name, n) for kind, n in zip(kinds, leaving, strict=True) if n)
        found.append((leaving, prior + score - case.logs[area], prior, loads))
    least = max(score for _, score, _, _ in found) - MARGIN
    return [option for option in found if option[1] >= least]


def force_after(case: Case, area: int, changes: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the recorded units of an area after changes to the acting faction's, given as (kind, units more)."""
    force = list(case.forces[area])
    first = case.outlook.me * len(case.outlook.mode.units)
    for kind, more in changes:
        force[first + kind] += more
    return tuple(force)


# --- what may have been aimed at --------------------------------------------------------

SHOOTS_AT_NOBODY = log(0.005)
"""How likely people shoot at an area without enemies while others have some, against any other deployment."""
HOLDS_A_SPACE = log(0.05)
"""How likely people shoot where no enemy is in reach: to hold the space, or to let a turn go by."""
DROPS_ON_OWN = log(0.1)
"""How likely people drop units onto their own."""


def best_log_likelihood(case: Case, clash: Clash, pools: Mapping[int, float]) -> float:
    """Return the log-likelihood of the area's appearance for the dice pool and total that explain it best."""
    total, position = case.evidence.total, case.outlook.position
    return max(
        prior + log(outcome.chance) + total(clash.area, outcome.sums)
        for dice, prior in pools.items()
        for outcome in outcomes(position, clash, dice)
    )


def arrival_log_likelihood(case: Case, space: Space, area: int, mine: int) -> float:
    """Return the log-likelihood of an area's appearance after the acting side's units there become `mine`.

    The dice are those that explain the appearance best.
    """
    outlook, position = case.outlook, case.outlook.position
    theirs = sum(row[area] for row in position.units[outlook.foe])
    if not theirs:
        return case.evidence.total(area, sums_within_limits(position, area, (mine, 0)))
    # the enemy is there, so there was a conflict: the number of dice is taken that explains most
    pools = case.pools(case.defence_dice(area), "defence", space.action.name)
    return best_log_likelihood(case, Clash(area, mine, theirs, False), pools)


# --- shots ------------------------------------------------------------------------------


def guess_shots(case: Case, space: Space) -> Iterator[Guess]:
    """Yield the shots from a space that may explain the evidence, at each area that may be shot at."""
    outlook = case.outlook
    offer = VERBS["shoot"].option(outlook, space)
    spent = 1 << space.area_index if space.action.payload else 0
    if offer is None or case.wrong & ~(offer.areas | spent):
        return
    rolled, most = fire.dice(outlook, space), fire.most_payload(outlook, space)
    for payload in range(1, most + 1) if space.action.payload else (None,):
        dice, cost = rolled + (payload or 0), _payload_gain(case, space, payload)
        for guess in _guess_shots_at(case, (space, payload), offer.areas, dice):
            prior = guess.prior - log(most) if payload else guess.prior
            yield Guess(guess.step, prior, guess.bound + prior - guess.prior + cost)


def _payload_gain(case: Case, space: Space, payload: int | None) -> float:
    """Return by how much the log-likelihood rises if `payload` units were spent from the linked area."""
    if payload is None:
        return 0.0
    zone, kind = space.area_index, case.outlook.mode.unit_index[space.action.payload]
    return case.evidence.at(zone, force_after(case, zone, [(kind, -payload)])) - case.logs[zone]


def _guess_shots_at(case: Case, aimed: tuple[Space, int | None], areas: int, dice: int) -> Iterator[Guess]:
    """Yield a shot of `dice` dice at each area of a set."""
    outlook, (space, payload) = case.outlook, aimed
    may_repeat = case.may_repeat(space.action.name)
    gains = {area: _hit_gain(case, area, dice, space.action.name) for area in members(areas)}
    at_nobody = SHOOTS_AT_NOBODY if areas & outlook.enemy else HOLDS_A_SPACE
    for targets, prior in ((areas & outlook.enemy, 0.0), (areas & ~outlook.enemy, at_nobody)):
        for target in members(targets):
            score = gains[target]
            # where the shot may be repeated, one at this target may hide behind what a second did elsewhere
            if may_repeat:
                score = max(score, *(gains[other] + max(score, 0.0) for other in gains))
            chosen = prior - log(targets.bit_count())
            step = Deploy(space.name, target=outlook.name(target), payload=payload)
            yield Guess(step, chosen, case.whole + chosen + score)


def _hit_gain(case: Case, area: int, dice: int, action: str) -> float:
    """Return by how much a shot at an area raises the log-likelihood of its appearance."""
    theirs, mine = (
        sum(row[area] for row in case.outlook.position.units[who]) for who in (case.outlook.foe, case.outlook.me)
    )
    twice = {2 * dice: 0.0} if case.may_repeat(action) else {}
    return (
        best_log_likelihood(case, Clash(area, mine, theirs, True), {**case.pools(dice, "shot", action), **twice})
        - case.logs[area]
    )


# --- drops ------------------------------------------------------------------------------


def guess_drops(case: Case, space: Space) -> Iterator[Guess]:
    """Yield the drops from a space that may explain the evidence, into each area that may be targeted.

    If the reserve is short, units may be recalled first.
    """
    outlook = case.outlook
    offer = VERBS["drop"].option(outlook, space)
    if offer is None:
        return
    for units, way in _drop_amounts(case, space, offer.amount):
        recalled_from = sum(1 << outlook.board.area_index[area] for area, _, _ in way[2])
        for target in members(offer.areas):
            if not case.wrong & ~(1 << target | recalled_from):
                yield _guess_at_targets(case, (space, target), units, way, offer.areas)
    yield from _guess_onto_source(case, space, offer)


def _drop_amounts(case: Case, space: Space, amount: int) -> Iterator[tuple[int, Way]]:
    """Yield the number of units that may drop, with the units recalled for it."""
    outlook, unit = case.outlook, space.action.unit
    kind = outlook.mode.unit_index[unit]
    left = outlook.position.reserve(outlook.me, kind)
    if left:
        yield min(amount, left), (0.0, 0.0, ())
    if left >= amount or not space.action.recall:
        return
    place = outlook.mode.units[kind].place
    at = outlook.mode.kinds_on[place].index(kind)
    for back, ways in arrivals(case, outlook.control & outlook.spare & outlook.board.of_kind[place], place).items():
        if sum(back) == back[at] <= amount - left:
            yield from ((left + back[at], way) for way in ways)


def _guess_onto_source(case: Case, space: Space, offer: Option) -> Iterator[Guess]:
    """Yield drops onto the very area from which units were recalled for the drop."""
    outlook, unit = case.outlook, space.action.unit
    kind = outlook.mode.unit_index[unit]
    left = outlook.position.reserve(outlook.me, kind)
    for target in members(offer.areas & outlook.spare if space.action.recall else 0):
        mine = sum(row[target] for row in outlook.rows)
        gain = arrival_log_likelihood(case, space, target, mine + left) - case.logs[target]
        for back in range(1, min(outlook.rows[kind][target], mine - 1, offer.amount - left) + 1):
            step = Deploy(space.name, target=outlook.name(target), recall=((outlook.name(target), unit, back),))
            prior = LEAVES + DROPS_ON_OWN - log(offer.areas.bit_count())
            if not case.wrong & ~(1 << target):
                yield Guess(step, prior, case.whole + prior + gain)


def _guess_at_targets(case: Case, aimed: tuple[Space, int], units: int, way: Way, targets: int) -> Guess:
    outlook, (space, target), (score, likely, recall) = case.outlook, aimed, way
    mine = sum(row[target] for row in outlook.rows)
    prior = likely - log(targets.bit_count()) + (DROPS_ON_OWN if mine else 0.0)
    gain = arrival_log_likelihood(case, space, target, mine + units) - case.logs[target]
    step = Deploy(space.name, target=outlook.name(target), recall=recall)
    return Guess(step, prior, case.whole + prior + score - likely + gain)
