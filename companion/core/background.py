"""Runs one piece of heavy work at a time in a thread of its own, so that the screen never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Errand(Generic[Result]):
    """One piece of work at a time in a thread of its own; the caller fetches the result in the caller's thread."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._running: Future[Result] | None = None

    @property
    def idle(self) -> bool:
        """Whether no work is under way and no result waits to be fetched."""
        return self._running is None

    def begin(self, work: Callable[[], Result]) -> None:
        """Start the work, with the caller's context variables, and drop any earlier work and its result."""
        self.forget()
        self._running = self._pool.submit(copy_context().run, work)

    def fetch(self) -> Result | None:
        """Return the result, or raise what the work raised, once it is done; None before, and after the first time."""
        if self._running is None or not self._running.done():
            return None
        done, self._running = self._running, None
        return done.result()

    def wait(self) -> None:
        """Wait until the work is done; its result can then be fetched."""
        if self._running is not None:
            self._running.exception()

    def forget(self) -> None:
        """Drop the work under way and its result; work that has started runs on unheard."""
        if self._running is not None:
            self._running.cancel()
        self._running = None

    def close(self) -> None:
        """Drop the work under way and end the thread once that is done; `begin` must not be called again."""
        self.forget()
        self._pool.shutdown(wait=False, cancel_futures=True)
