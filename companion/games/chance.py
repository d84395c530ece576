"""Chance for the set-up, where the players let the app flip the marker and draw the tokens. The engine has none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol


class Chance(Protocol):
    """Whoever flips and draws."""

    def one(self, options: Sequence[str]) -> str:
        """Return one of the options, each as likely as the others."""

    def some(self, options: Sequence[str], n: int) -> tuple[str, ...]:
        """Return this many different options in a row, each row as likely as the others."""


class Thrown:
    """Chance from the system's own source; from a seed where a test wants the same again."""

    def __init__(self, seed: int | None = None) -> None:
        self._source = random.SystemRandom() if seed is None else random.Random(seed)

    def one(self, options: Sequence[str]) -> str:
        """Return one of the options at random."""
        return self._source.choice(options)

    def some(self, options: Sequence[str], n: int) -> tuple[str, ...]:
        """Return this many different options in a row at random."""
        return tuple(self._source.sample(options, n))
