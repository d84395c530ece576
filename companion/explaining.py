"""Weighs the engine's legal turns against a reading, at once or in a thread, so that the screen never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from queue import Empty, Queue

from companion.adapters import Seen, compare, sure_of
from companion.understanding import Asked
from engine.orders.infer import Inference, infer
from engine.orders.position import Position


def explain(asked: Asked) -> Inference:
    """The legal turns that explain a reading, and what none of them does. What the eye cannot tell is as recorded."""
    position, reading = asked.position, asked.reading
    if not any(one.state == "differs" for one in compare(position, reading)):
        return Inference((), ())
    return infer(position, _units(position, reading), _commanders(position, reading), support=False)


def _units(position: Position, reading: Seen) -> dict[str, Mapping[str, Mapping[str, int]]]:
    return {
        area.name: reading.units.get(area.name, {}) if sure_of(reading, area.name) else position.units_in(area.name)
        for area in position.board.areas
    }


def _commanders(position: Position, reading: Seen) -> dict[str, tuple[str, ...]]:
    """Those seen; in areas that are covered, and two on one space, those recorded."""
    found: dict[str, tuple[str, ...]] = {}
    for space in position.board.spaces:
        held = position.commanders_on(space.name)
        seen = (reading.commanders[space.name],) if space.name in reading.commanders else ()
        hidden = space.area is None or space.area in reading.unreadable
        stacked = len(held) == 2 and len(seen) == 1
        holders = held if hidden or stacked else seen
        if holders:
            found[space.name] = holders
    return found


class AtOnce:
    """Explains while it is asked: for tests and pictures."""

    def __init__(self) -> None:
        self._last: tuple[Asked, Inference] | None = None

    def explained(self, asked: Asked) -> Inference:
        """What explains the reading; worked out once."""
        if self._last is None or self._last[0] is not asked:
            self._last = (asked, explain(asked))
        return self._last[1]


class Thinking:
    """Explains in a thread of its own, one question at a time, the newest one first."""

    def __init__(self) -> None:
        self._asked: Queue[Asked | None] = Queue()
        self._found: Queue[tuple[Asked, Inference]] = Queue()
        self._wanted: Asked | None = None
        self._last: tuple[Asked, Inference] | None = None
        self._thread = threading.Thread(target=self._work, name="thinking", daemon=True)
        self._thread.start()

    def explained(self, asked: Asked) -> Inference | None:
        """What explains the reading; None until the thread is done with it."""
        if self._wanted is not asked:
            self._wanted = asked
            self._asked.put(asked)
        while not self._found.empty():
            self._last = self._found.get()
        return self._last[1] if self._last is not None and self._last[0] is asked else None

    def close(self) -> None:
        """End the thread once it is done with its present question."""
        self._asked.put(None)

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._newest()) is not None:
            self._found.put((asked, explain(asked)))

    def _newest(self) -> Asked | None:
        """Wait for a question; of several that wait, only the last matters."""
        asked = self._asked.get()
        while asked is not None:
            try:
                asked = self._asked.get_nowait()
            except Empty:
                break
        return asked
