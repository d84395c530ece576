"""Looks at the table while a game is played, in a thread of its own, so that the screen never waits for the eye."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue

from companion.adapters import Difference
from companion.errors import CompanionError
from companion.match import Match
from engine.orders.game import owed
from engine.orders.position import Position
from vision.errors import VisionError

Look = Callable[[Position], tuple[Difference, ...]]
Seen = tuple[Position, tuple[Difference, ...]]


class Watch:
    """Holds the last look at the table; `fault` says why there is none, where the eye or the camera failed.

    `look` takes the position of the game and compares the table with it; it may take its time.
    """

    def __init__(self, look: Look) -> None:
        self.fault: str | None = None
        self._look = look
        self._asked: Queue[Position | None] = Queue(maxsize=1)
        self._seen: Queue[Seen] = Queue()
        self._last: Seen | None = None
        self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
        self._thread.start()

    def live(self, match: Match) -> tuple[Difference, ...] | None:
        """The last comparison with the position the match is at, None while there is none; asks for a new look.

        Inside a turn the pieces are on their way, and nothing is compared.
        """
        self._collect()
        position = match.position
        if owed(position) is not None:
            return None
        with suppress(Full):  # the eye is still busy with the one before
            self._asked.put_nowait(position)
        return self._last[1] if self._last is not None and self._last[0] == position else None

    def close(self) -> None:
        """End the thread once its present look is over."""
        while True:
            try:
                self._asked.put_nowait(None)
            except Full:
                self._drop()
            else:
                return

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _drop(self) -> None:
        try:
            self._asked.get_nowait()
        except Empty:
            return

    def _collect(self) -> None:
        while not self._seen.empty():
            self._last = self._seen.get()

    def _work(self) -> None:
        while (position := self._asked.get()) is not None:
            try:
                self._seen.put((position, self._look(position)))
            except (VisionError, CompanionError) as error:
                self.fault = str(error)
            else:
                self.fault = None
