"""Dice pools and their exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

Odds = Mapping[int, Fraction]


@cache
def pool_odds(faces: tuple[int, ...], dice: int) -> Odds:
    """Return the exact chance of each total of `dice` dice with these faces.

    >>> pool_odds((0, 1, 1, 1, 1, 2), 1)[1]
    Fraction(2, 3)
    >>> sum(pool_odds((0, 1, 1, 1, 1, 2), 4).values())
    Fraction(1, 1)
    """
    ways = Counter({0: 1})
    for _ in range(dice):
        ways = _add_die(ways, faces)
    all_ways = len(faces) ** dice
    return {total: Fraction(n, all_ways) for total, n in sorted(ways.items())}


def _add_die(ways: Counter[int], faces: Sequence[int]) -> Counter[int]:
    more: Counter[int] = Counter()
    for total, n in ways.items():
        for face in faces:
            more[total + face] += n
    return more
