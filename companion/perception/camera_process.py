"""Keeps the camera process running: starts it, listens to it, kills it when it hangs, starts it again when it dies.

It may be killed at any moment. Its last report stays; a process that keeps dying is given up, which is reported.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.core.own_process import own_command, own_environment
from vision.errors import VisionError
from vision.live import DRIVER_PATIENCE
from vision.live.messages import Message, read_message

STARTING_S = 30.0
SILENT_S = 6.0
GUARD_EVERY_S = 0.5
END_S = 1.0
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 8.0
MOST_IN_A_ROW = 7
WELL_S = 30.0

Told = Callable[[Message], None]


class Restarts:
    """Decides how long to wait before a process that ended is started again, and when to give up."""

    def __init__(self) -> None:
        self.in_a_row = 0

    def pause_s(self, ran_s: float) -> float | None:
        """Return the wait, in seconds, after a process that ran this long; None once too many ended early in a row."""
        self.in_a_row = 1 if ran_s >= WELL_S else self.in_a_row + 1
        if self.in_a_row >= MOST_IN_A_ROW:
            return None
        return float(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self.in_a_row - 1)))


class SilenceTimer:
    """Tells whether a process has been silent for too long; a starting one is given longer."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.began()

    def began(self) -> None:
        """Record that a process was started: it gets time to get ready."""
        self.began_s, self._until_s = self._clock(), self._clock() + STARTING_S
        self._is_starting = True

    def restart(self, starting: bool) -> None:
        """Record a message of the process: it may be silent for a while again.

        A process that begins to get ready anew, for other photos of its table, gets as long as at its start.
        """
        if not starting:
            self._until_s = self._clock() + SILENT_S
        elif not self._is_starting:
            self._until_s = self._clock() + STARTING_S
        self._is_starting = starting

    @property
    def ran_s(self) -> float:
        """How long the process has been running, in seconds."""
        return self._clock() - self.began_s

    @property
    def hangs(self) -> bool:
        """Whether the process has been silent for so long that it is to be killed."""
        return self._clock() > self._until_s


def camera_command(camera: str, live: int, table: Path | None) -> list[str]:
    """Return the command line of the camera process; live: the descriptor of the memory shared with it."""
    command = own_command("vision.live.camera_process", "--camera", camera, "--live", str(live))
    return command if table is None else [*command, "--table", str(table.absolute())]


class CameraProcess:
    """Keeps the process running with two threads, one of which calls `told` with each of its messages.

    The last message, once it is given up, is {"told": "state", "state": "failed"}.
    """

    def __init__(
        self, command: Sequence[str], shared: Sequence[int], told: Told, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._command, self._shared, self._told = list(command), tuple(shared), told
        self._restarts, self._hearing = Restarts(), SilenceTimer(clock)
        self._over, self._lock = threading.Event(), threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._heard_s: float | None = None
        self._given_up = False
        self._clock = clock
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for work, name in ((self._work, "camera process"), (self._guard, "camera guard"))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        """The id of the process started last; None before the first."""
        child = self._child
        return None if child is None else child.pid

    @property
    def progress_s(self) -> float | None:
        """When the process was last heard (monotonic seconds), or now once given up; None before anything was heard."""
        return self._clock() if self._given_up else self._heard_s

    def close(self) -> None:
        """End the process, killing it if it doesn't listen, and wait until it has gone."""
        with self._lock:
            self._over.set()
            child = self._child
        if child is not None:
            # The end of its input ends the process; where it does not listen it is killed.
            assert child.stdin is not None
            with suppress(OSError):
                child.stdin.close()
            try:
                child.wait(END_S)
            except subprocess.TimeoutExpired:
                self._bury(child)
        for thread in self._threads:
            thread.join(END_S)

    @staticmethod
    def _bury(child: subprocess.Popen[bytes]) -> None:
        assert child.stdin is not None
        child.kill()
        with suppress(subprocess.TimeoutExpired):  # a driver may hold it even then: nobody waits for that
            child.wait(END_S)
        with suppress(OSError):
            child.stdin.close()

    def _work(self) -> None:
        while (child := self._start()) is not None:
            assert child.stdout is not None
            with child.stdout as source, suppress(VisionError, OSError):
                while (message := read_message(source)) is not None:
                    self._heard_s = self._clock()
                    self._hearing.restart(message.told.get("state") == "starting")
                    self._told(message)
            self._bury(child)
            pause_s = self._restarts.pause_s(self._hearing.ran_s)
            if self._over.is_set():
                return
            if pause_s is None:
                self._given_up = True
                self._told(Message({"told": "state", "state": "failed", "fault": ""}))
                return
            self._heard_s = self._heard_s and self._clock()
            self._told(Message({"told": "state", "state": "restarting", "fault": ""}))
            self._over.wait(pause_s)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a new process; None where the watch is over."""
        with self._lock:
            if self._over.is_set():
                return None
            self._hearing.began()
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=self._shared,
                env={**DRIVER_PATIENCE, **own_environment()},
            )
            return self._child

    def _guard(self) -> None:
        """End a process that hangs; the other thread then starts it again."""
        while not self._over.wait(GUARD_EVERY_S):
            child = self._child
            if child is not None and self._hearing.hangs:
                child.kill()
