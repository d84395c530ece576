"""What is worked out once for a thing, and let go of with it: a table that was calibrated anew takes its own along."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

Thing = TypeVar("Thing")
Result = TypeVar("Result")


def once_for(work: Callable[[Thing], Result]) -> Callable[[Thing], Result]:
    """The work, done once for each thing, which is known by itself and not by what it equals.

    The result must not hold the thing: then neither would ever go.
    """
    done: WeakKeyDictionary[Thing, Result] = WeakKeyDictionary()

    @wraps(work)
    def once(thing: Thing) -> Result:
        result = done.get(thing)
        if result is None:
            result = done[thing] = work(thing)
        return result

    return once
