"""A game is a fold over its steps; this is the fold, for any system of rules.

A system gives `judge`, which never raises and never changes anything, and `apply`, which raises Illegal only for what
`judge` objects to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.errors import Illegal
from engine.ruling import Ruling

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Replay(Generic[P]):
    """How far a journal is valid: the position reached, the steps done, and the ruling against the next one if any."""

    position: P
    done: int
    failed: Ruling | None


def fold(apply: Callable[[P, S], P], position: P, steps: Iterable[S]) -> P:
    """The position after all the steps. Raises Illegal at the first one refused."""
    for step in steps:
        position = apply(position, step)
    return position


def replay(apply: Callable[[P, S], P], position: P, steps: Iterable[S]) -> Replay[P]:
    """As `fold`, but a refused step ends it and is reported, with all before it kept."""
    done = 0
    for step in steps:
        try:
            position = apply(position, step)
        except Illegal as refused:
            return Replay(position, done, refused.ruling)
        done += 1
    return Replay(position, done, None)
