"""Dice pools, their exact odds, and how lucky rolls were: each by itself, and all of a side together.

All of it is exact, from what the dice can show. Dice are independent of all else, so it holds for any game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that were rolled in a game: at which step (from 0), by whom, the faces of one die, and hits of how many.

    faces: what each face of a die counts.
    """

    step: int
    by: str
    faces: tuple[int, ...]
    dice: int
    hits: int

    @property
    def expected(self) -> Fraction:
        """How many hits so many dice score on average."""
        return Fraction(sum(self.faces) * self.dice, len(self.faces))

    @property
    def chance_at_most(self) -> Fraction:
        """How often so few hits, or fewer, are scored."""
        return _total_chance(pool_odds(self.faces, self.dice), range(self.hits + 1))

    @property
    def chance_at_least(self) -> Fraction:
        """How often so many hits, or more, are scored."""
        return 1 - _total_chance(pool_odds(self.faces, self.dice), range(self.hits))

    @property
    def is_lucky(self) -> bool:
        """Whether it scored more than on average."""
        return self.hits > self.expected

    @property
    def rarity(self) -> Fraction:
        """How often a roll comes that is at least so far on its side of the average."""
        return self.chance_at_least if self.is_lucky else self.chance_at_most


def luckiest(throws: Iterable[Throw]) -> Throw | None:
    """Return the luckiest roll, the first of several; None if none was better than average."""
    return min((throw for throw in throws if throw.is_lucky), key=lambda throw: throw.chance_at_least, default=None)


def unluckiest(throws: Iterable[Throw]) -> Throw | None:
    """Return the unluckiest roll, the first of several; None if none was worse than average."""
    bad = (throw for throw in throws if throw.hits < throw.expected)
    return min(bad, key=lambda throw: throw.chance_at_most, default=None)


def luckier_than(throws: Iterable[Throw]) -> Fraction:
    """Return the share of players who score fewer hits in all with the same rolls; half of those who score as many.

    >>> luckier_than([Throw(0, "red", (0, 1), 2, 2)])
    Fraction(7, 8)
    """
    whole: Odds = {0: Fraction(1)}
    hits = 0
    for throw in throws:
        hits += throw.hits
        whole = _convolve(whole, pool_odds(throw.faces, throw.dice))
    return _total_chance(whole, range(hits)) + whole[hits] / 2


def _total_chance(odds: Odds, totals: Iterable[int]) -> Fraction:
    return sum((odds.get(total, Fraction(0)) for total in totals), Fraction(0))


def _convolve(odds: Odds, other: Odds) -> Odds:
    found: dict[int, Fraction] = {}
    for total, chance in odds.items():
        for more, likely in other.items():
            found[total + more] = found.get(total + more, Fraction(0)) + chance * likely
    return found
