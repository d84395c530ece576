"""Chance for the set-up, where the players let the app flip the marker and draw the tokens. The engine has none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol


class Chance(Protocol):
    """A source of chance: it picks one option, or several without putting any back."""

    def one(self, options: Sequence[str]) -> str:
        """Return one of the options, each as likely as the others."""

    def some(self, options: Sequence[str], n: int) -> tuple[str, ...]:
        """Return `n` different options in the order drawn, each order as likely as the others."""


class Thrown:
    """Chance from the system's random source, or from a seed where a test needs repeatable draws."""

    def __init__(self, seed: int | None = None) -> None:
        self._source = random.SystemRandom() if seed is None else random.Random(seed)

    def one(self, options: Sequence[str]) -> str:
        """Return one of the options at random."""
        return self._source.choice(options)

    def some(self, options: Sequence[str], n: int) -> tuple[str, ...]:
        """Return `n` different options at random, in the order drawn."""
        return tuple(self._source.sample(options, n))
