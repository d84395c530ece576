"""A number and what it is made of: the dice of a pool, a general's points, a card's cost, each part with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from engine.ruling import Citation

T = TypeVar("T", bound="Tally")


@dataclass(frozen=True, slots=True)
class Part:
    """So much more or less, why, and where that is written."""

    n: int
    why: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Tally:
    """A number and its parts; it is never less than nothing."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls: type[T], parts: Iterable[Part]) -> T:
        """Return the tally of the first part and of each other part that changes something."""
        first, *others = parts
        return cls((first, *(part for part in others if part.n)))

    @property
    def total(self) -> int:
        """The sum of the parts."""
        return max(0, sum(part.n for part in self.parts))

    def reasons(self) -> str:
        """Return the parts with their reasons, as one line.

        >>> Tally((Part(5, "base", Citation()), Part(-2, "for 2 generals of Hill", Citation()))).reasons()
        '5 base, -2 for 2 generals of Hill'
        """
        first, *others = self.parts
        return ", ".join([f"{first.n} {first.why}", *(f"{part.n:+d} {part.why}" for part in others)])
