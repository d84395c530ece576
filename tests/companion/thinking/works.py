"""Work to be thought through by another process: it has to be found there by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Event

from companion.thinking.player import TurnWanted, choice
from engine.orders.player import Choice


def counting(n: int) -> Iterator[int]:
    """Yield the numbers up to n."""
    print("what is printed is no result")
    yield from range(n)


def large() -> Iterator[bytes]:
    """More than a pipe holds."""
    yield bytes(1 << 20)


def failing() -> Iterator[int]:
    """One number, and then a fault."""
    yield 1
    sys.exit("a fault in the work")


def over_and_over(wanted: TurnWanted) -> Iterator[Choice]:
    """Yield the same choice of a turn, without end."""
    while True:
        yield from choice(wanted)


def endless() -> Iterator[int]:
    """One number, and no end."""
    yield 1
    Event().wait()
