"""One answer from a process of its own, for a thread that waits for it: what the work held goes with its process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from companion.thinking.process import WORKER, ProcessThought

Result = TypeVar("Result")
LOOK_S = 0.05


def answer_elsewhere(work: Callable[[], Result], fault: type[Exception]) -> Result:
    """Do the work in a process of its own, wait for it and return what it found.

    work: picklable, like what it returns. fault: what the work may raise is raised here, and another one where the
    process ended before its work was done.
    """
    thought = ProcessThought(partial(_told, work, fault), WORKER)
    try:
        while not (found := thought.news()):
            if thought.state != "thinking":
                raise fault("the work was cut short: try again")
            time.sleep(LOOK_S)
    finally:
        thought.stop()
    result: Result | Exception = found[0]
    if isinstance(result, Exception):  # nothing else than the fault is caught where the work is done
        raise result
    return result


def _told(work: Callable[[], Result], fault: type[Exception]) -> Iterator[Result | Exception]:
    """Yield what the work returns, or the fault that it raises."""
    try:
        yield work()
    except fault as error:
        yield error
