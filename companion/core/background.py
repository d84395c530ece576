"""One piece of heavy work at a time in a thread of its own, so that the screen never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Errand(Generic[Result]):
    """Holds the work that is under way; the caller fetches its result, in the caller's own thread."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._running: Future[Result] | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing is under way, and nothing waits to be fetched."""
        return self._running is None

    def begin(self, work: Callable[[], Result]) -> None:
        """Start the work, in the language spoken here, and forget what was under way before."""
        self.forget()
        self._running = self._pool.submit(copy_context().run, work)

    def fetch(self) -> Result | None:
        """Return the result once the work is done, or raise what it raised, and only once; None before."""
        if self._running is None or not self._running.done():
            return None
        done, self._running = self._running, None
        return done.result()

    def wait(self) -> None:
        """Wait until the work is done; its result is still to be fetched."""
        if self._running is not None:
            self._running.exception()

    def forget(self) -> None:
        """Let the work go that is under way."""
        if self._running is not None:
            self._running.cancel()
        self._running = None

    def close(self) -> None:
        """Begin nothing any more; what is under way ends by itself."""
        self.forget()
        self._pool.shutdown(wait=False, cancel_futures=True)
