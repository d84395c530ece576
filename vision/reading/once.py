"""What is worked out once for a thing, and let go of with it: a table that was calibrated anew takes its own along."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

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
