"""Sets of areas as int bitmasks: members, neighbours, flood.

Area i of a board is bit i. A set of areas is one int, so that union, difference and "is it empty" are single
operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_AREAS = 36
MOST_KNOWN = 1 << 14
"""How many sets are remembered with their members: the same few come up again and again."""


def mask_of(members: Iterable[int]) -> int:
    """Return the set that contains these area numbers."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


@lru_cache(maxsize=MOST_KNOWN)
def members(mask: int) -> tuple[int, ...]:
    """Return the area numbers in a set, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Adjacency:
    """Which areas share a border, ready for questions about whole sets.

    The neighbours of every subset of each half of the board are tabled once, so that one step of a flood over the
    whole board is two look-ups.
    """

    __slots__ = ("_high", "_low", "_low_bits", "_shift", "of")

    def __init__(self, of: Sequence[int]) -> None:
        """Take the set of areas adjacent to area i from `of[i]`; raise ValueError for more than MOST_AREAS."""
        if len(of) > MOST_AREAS:
            raise ValueError(f"{len(of)} areas are more than {MOST_AREAS}")
        self.of = tuple(of)
        self._shift = (len(of) + 1) // 2
        self._low_bits = (1 << self._shift) - 1
        self._low = _unions(self.of[: self._shift])
        self._high = _unions(self.of[self._shift :])

    def around(self, mask: int) -> int:
        """Return every area adjacent to an area of the set, including members of the set with a neighbour in it."""
        return self._low[mask & self._low_bits] | self._high[mask >> self._shift]

    def flood(self, start: int, within: int) -> int:
        """Return the areas of `within` connected to `start` by an unbroken line of areas of `within`."""
        low, high, low_bits, shift = self._low, self._high, self._low_bits, self._shift
        # grow by all neighbours at once until nothing is added: as many rounds as the longest way has steps
        seen = start & within
        while True:
            reach = seen | ((low[seen & low_bits] | high[seen >> shift]) & within)
            if reach == seen:
                return seen
            seen = reach


def _unions(parts: Sequence[int]) -> list[int]:
    table = [0] * (1 << len(parts))
    for subset in range(1, len(table)):
        # the lowest bit; the union without its area has been tabled before
        low = subset & -subset
        table[subset] = table[subset ^ low] | parts[low.bit_length() - 1]
    return table
