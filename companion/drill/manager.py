"""Plays the service manager for an app of the drill: listens where systemd would, ends what falls silent."""

from __future__ import annotations

import select
import signal
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.drill.expect import DrillFailed, until
from companion.drill.player import AppPlayer

US = 1_000_000
MOST_BYTES = 4096
READY_S = 5.0  # after its first picture
ABORT_S = 1.0  # after SIGABRT an app that is frozen has so long to go, then it is killed


class SimulatedManager:
    """A socket for the datagrams of sd_notify(3), and the watchdog's time in seconds."""

    def __init__(self, folder: Path, watchdog_s: float) -> None:
        self.path = folder / "notify"
        self.watchdog_s = watchdog_s
        self.told: list[str] = []
        self._fed_s: float | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Nobody listens any more."""
        self.vanish()

    @property
    def env(self) -> Mapping[str, str]:
        """The environment that leads an app to this manager."""
        return {"NOTIFY_SOCKET": str(self.path), "WATCHDOG_USEC": str(round(self.watchdog_s * US))}

    def vanish(self) -> None:
        """Close the socket and take its name away."""
        self._socket.close()
        self.path.unlink(missing_ok=True)

    def listen(self, seconds: float = 0.0) -> None:
        """Receive notifications for so many seconds."""
        while self._socket in select.select([self._socket], [], [], seconds)[0]:
            lines = self._socket.recv(MOST_BYTES).decode(errors="replace").split("\n")
            self.told += lines
            if "READY=1" in lines or "WATCHDOG=1" in lines:
                self._fed_s = time.monotonic()
            seconds = 0.0

    def wait_ready(self) -> None:
        """Wait until the app has sent READY=1."""
        until(self._is_ready, READY_S, "the app did not tell that it is ready")

    def _is_ready(self) -> bool:
        self.listen()
        return "READY=1" in self.told

    @property
    def expired(self) -> bool:
        """Whether the app has been silent for longer than the watchdog allows."""
        self.listen()
        if self._fed_s is None:
            raise DrillFailed("the app has never told that it is ready")
        return time.monotonic() - self._fed_s > self.watchdog_s

    def fed_while(self, seconds: float) -> bool:
        """Whether the watchdog is fed for so long without expiring once."""
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self.listen(0.05)
            if self.expired:
                return False
        return True

    def end_hung(self, player: AppPlayer, limit_s: float) -> float:
        """Wait for the watchdog to expire, then end the app as systemd does: how many seconds it was silent."""
        waited_s = until(lambda: self.expired, limit_s, "the app hangs, and its watchdog is still being fed")
        player.send(signal.SIGABRT)
        try:
            player.wait_for_end(ABORT_S)
        except DrillFailed:
            player.kill()
        return waited_s
