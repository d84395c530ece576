"""What is kept in memory, and let go of: work done once for a thing goes with it, and pictures leave the heap.

The C library has one heap for all threads, given back after work with pictures. A table that was calibrated anew takes
what was worked out for it along.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

M_ARENA_MAX = -8
"""How many heaps there may be, in glibc's malloc.h."""


def give_back() -> None:
    """Let the C library return what it keeps for later: pictures leave holes in its heap, and they stay.

    Takes some milliseconds. Nothing where the C library knows no such thing.
    """
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def one_heap() -> None:
    """Let all threads take their memory from one heap: what one of them has left free, the next one uses.

    To be called before there are threads. Nothing where the C library knows no such thing.
    """
    option = _of_c_library("mallopt")
    if option is not None:
        option(M_ARENA_MAX, 1)


def _of_c_library(name: str) -> Callable[..., object] | None:
    """Return a function of the C library; None where it has no such function, or can't be asked (Windows)."""
    try:
        return getattr(ctypes.CDLL(None), name, None)
    except (TypeError, OSError):
        return None


Thing = TypeVar("Thing")
Result = TypeVar("Result")


class once_for(Generic[Thing, Result]):  # noqa: N801 - it is a decorator
    """The work, done once for each thing, which is known by itself and not by what it equals.

    The result must not hold the thing: then neither would ever go.
    """

    def __init__(self, work: Callable[[Thing], Result]) -> None:
        self._work = work
        self._done: WeakKeyDictionary[Thing, Result] = WeakKeyDictionary()
        update_wrapper(self, work)

    def __call__(self, thing: Thing) -> Result:
        """Return the result for this thing, worked out on the first call only."""
        result = self._done.get(thing)
        if result is None:
            result = self._done[thing] = self._work(thing)
        return result

    def forget(self) -> None:
        """Let go of all results; each is worked out anew when it is asked for."""
        self._done.clear()
