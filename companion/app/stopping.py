"""A stop from outside: SIGTERM of a service manager, Ctrl-C, a terminal that is closed.

The signal only asks: the step under way is finished, and the window's loop ends by itself. What has not ended by then,
heavy work in a thread or a driver, is left behind: every confirmed step has been on the disk long before.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE_S = 1.5  # well within the unit's TimeoutStopSec


def leave(status: int) -> None:
    """End this process at once, with what was printed."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


class Stopping:
    """While it is entered, signals call `stop` once, and `leave(0)` where the process is still there after a while."""

    def __init__(self, stop: Callable[[], None], leave: Callable[[int], None] = leave) -> None:
        self.asked = False
        self._stop, self._leave = stop, leave
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.asked else before)  # the end is under way: ask no more

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if not self.asked:
            self.asked = True
            threading.Thread(target=self._leave_when_late, name="stopping", daemon=True).start()
            self._stop()

    def _leave_when_late(self) -> None:
        threading.Event().wait(PATIENCE_S)
        self._leave(0)
