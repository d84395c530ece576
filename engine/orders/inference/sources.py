"""Which units may have left which areas for a move: the likeliest ways for each number that arrived."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nlargest
from itertools import product
from math import log
from operator import add, itemgetter

from engine.areas import members
from engine.orders.inference.case import Case
from engine.orders.steps import Load

Way = tuple[float, float, tuple[Load, ...]]
"""Loads, with two logarithms before them: how likely they are by what is seen and beforehand, and beforehand alone."""
Ways = dict[tuple[int, ...], list[Way]]
"""For each number of arriving units of each kind the likeliest loads."""

BEAM = 4
"""So many ways to bring the same units are kept."""
MARGIN = 12.0
"""What is by so much less likely than something else in the same area is left out (a logarithm)."""
STAYS, LEAVES = log(0.6), log(0.4)
"""How likely people take no unit, or some, from an area that may send some."""


def arrivals(case: Case, sources: int, place: str) -> Ways:
    """Return the ways for at least one unit to have arrived from a set of areas."""
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
    """List the units that may have left an area, one staying behind.

    Each comes with by how much likelier it makes what is seen there.
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
    """Return the recorded units of an area after changes of the acting faction's, as (kind, units more)."""
    force = list(case.forces[area])
    first = case.outlook.me * len(case.outlook.mode.units)
    for kind, more in changes:
        force[first + kind] += more
    return tuple(force)
