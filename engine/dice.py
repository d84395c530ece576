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
    """A roll made in a game.

    step: the number of its step, from 0; by: who rolled; faces: what each face of one die counts; dice: how many there
    were; hits: what they counted together.
    """

    step: int
    by: str
    faces: tuple[int, ...]
    dice: int
    hits: int

    @property
    def expected(self) -> Fraction:
        """The hits that this many dice score on average."""
        return Fraction(sum(self.faces) * self.dice, len(self.faces))

    @property
    def chance_at_most(self) -> Fraction:
        """The chance of this many hits or fewer."""
        return _total_chance(pool_odds(self.faces, self.dice), range(self.hits + 1))

    @property
    def chance_at_least(self) -> Fraction:
        """The chance of this many hits or more."""
        return 1 - _total_chance(pool_odds(self.faces, self.dice), range(self.hits))

    @property
    def is_lucky(self) -> bool:
        """Whether it scored more than on average."""
        return self.hits > self.expected

    @property
    def rarity(self) -> Fraction:
        """The chance of a roll at least as lucky, if this one was lucky, or else at least as unlucky."""
        return self.chance_at_least if self.is_lucky else self.chance_at_most


def luckiest(throws: Iterable[Throw]) -> Throw | None:
    """Return the luckiest roll, the first if several are equal; None if none beat the average."""
    return min((throw for throw in throws if throw.is_lucky), key=lambda throw: throw.chance_at_least, default=None)


def unluckiest(throws: Iterable[Throw]) -> Throw | None:
    """Return the unluckiest roll, the first if several are equal; None if none fell below the average."""
    bad = (throw for throw in throws if throw.hits < throw.expected)
    return min(bad, key=lambda throw: throw.chance_at_most, default=None)


def luckier_than(throws: Iterable[Throw]) -> Fraction:
    """Return the chance that the same rolls score fewer hits in all, plus half the chance that they score as many.

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
