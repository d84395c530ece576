"""The division of a game into parts and sections for its log, without putting them into words.

Of a game that has grown only the new part is examined, and only what is read is put into words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.match import AnyMatch

MOST_CARDS = 30  # of a chapter: a longer round is read in several
Divide = Callable[[AnyMatch, int], Iterator[tuple[range, int]]]
"""Yields (step indices, round) of each part of a game, from the step index at which a part begins."""


@dataclass(frozen=True, slots=True)
class LogPart:
    """A part of the log: step indices, their round, the part's number in the round, and how many cards it takes."""

    steps: range
    round: int
    number: int
    cards: int


@dataclass(frozen=True, slots=True)
class LogSection:
    """A section of the log: part indices, how many cards they take, and its number if a long round has several."""

    parts: range
    cards: int
    number: int = 1


class Followed:
    """Tells at each look how much of a match is unchanged since the last."""

    def __init__(self, match: AnyMatch) -> None:
        self.match = match
        self._seen: tuple[Any, ...] = ()

    def catch_up(self) -> int:
        """Return how many leading steps are unchanged since the last call, and remember the match as it now stands."""
        before, self._seen = self._seen, self.match.positions
        return max(common_length(before, self._seen) - 1, 0)


class Outline:
    """The parts and sections of a game's log, kept up to date.

    divide: splits the game into parts; cards: returns how many cards these steps take; least: a section with fewer
    cards goes on with the next round.
    """

    def __init__(self, match: AnyMatch, divide: Divide, cards: Callable[[range], int], least: int = 1) -> None:
        self._followed = Followed(match)
        self._divide = divide
        self._cards = cards
        self._least = least
        self._parts: list[LogPart] = []
        self._sections: list[LogSection] = []

    @property
    def parts(self) -> Sequence[LogPart]:
        """All parts so far, brought up to date."""
        self.follow()
        return self._parts

    @property
    def sections(self) -> Sequence[LogSection]:
        """All sections so far, brought up to date."""
        self.follow()
        return self._sections

    def follow(self) -> None:
        """Update parts and sections from the match: drop those changed since the last call, add new ones."""
        match, same = self._followed.match, self._followed.catch_up()
        end = self._parts[-1].steps.stop if self._parts else 0
        if same == end == len(match.steps):
            return
        while self._parts and self._parts[-1].steps.stop >= same:
            self._parts.pop()
        self._cut()
        start = self._parts[-1].steps.stop if self._parts else 0
        for steps, number in self._divide(match, start):
            self._add(steps, number)

    def _cut(self) -> None:
        """Remove from the sections all parts that no longer exist."""
        end = len(self._parts)
        while self._sections and self._sections[-1].parts.stop > end:
            last = self._sections.pop()
            parts = range(last.parts.start, end)
            if parts:
                self._sections.append(LogSection(parts, sum(self._parts[n].cards for n in parts), last.number))

    def _add(self, steps: range, round_: int) -> None:
        """Add a part to the last section, or to a new one."""
        index, cards = len(self._parts), self._cards(steps)
        goes_on = index > 0 and self._parts[-1].round == round_
        self._parts.append(LogPart(steps, round_, self._parts[-1].number + 1 if goes_on else 1, cards))
        last = self._sections[-1] if self._sections else LogSection(range(0), 0)
        if index and last.cards + cards <= MOST_CARDS and (goes_on or last.cards < self._least):
            self._sections[-1] = LogSection(range(last.parts.start, index + 1), last.cards + cards, last.number)
        else:
            self._sections.append(LogSection(range(index, index + 1), cards, last.number + 1 if goes_on else 1))


def common_length(before: Sequence[object], now: Sequence[object]) -> int:
    """Return how many leading items are the same objects in both, by bisection: after one that differs, all do.

    >>> common_length("abc", "abd")
    2
    """
    most = min(len(before), len(now))
    if most == 0 or before[most - 1] is now[most - 1]:
        return most
    return bisect_left(range(most), 1, key=lambda n: before[n] is not now[n])
