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
    """Return free heap memory to the system: pictures leave holes in the C library's heap, which it would keep.

    Takes some milliseconds. Does nothing where the C library can't.
    """
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def one_heap() -> None:
    """Make all threads allocate from one heap, so that what one has freed the next can use.

    Call it before there are threads. Does nothing where the C library can't.
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
    """A function called once for each object; its result is kept as long as that object lives.

    For objects that are equal by identity alone. The result must not hold the object: then neither would ever go.
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
        """Drop all results; each is computed anew when asked for."""
        self._done.clear()
