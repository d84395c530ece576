"""Tells systemd how the service is doing: the datagrams of sd_notify(3), in Python alone.

Without a service manager there is no socket, and everything here does nothing. Telling never blocks, and never fails.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from intake.text import one_line

SOCKET, WATCHDOG, WATCHDOG_OF = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
US = 1_000_000
MOST_DIGITS = 18


class Notifier:
    """Sends messages to the service manager. address: a socket's path, "@" first for an abstract one; "" for none.

    watchdog_s: `alive` has to be called at least this often, in seconds; None without a watchdog.
    """

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        self.watchdog_s = watchdog_s
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._status = ""

    @property
    def listens(self) -> bool:
        """Whether there is a service manager to tell."""
        return bool(self._address)

    def ready(self, status: str = "") -> None:
        """Tell the service manager that the service has started."""
        self._status = status
        self._tell("READY=1", f"STATUS={one_line(status)}")  # a second line would be a second assignment

    def status(self, text: str) -> None:
        """Set the line that `systemctl status` shows; sent only if it has changed."""
        if text != self._status:
            self._status = text
            self._tell(f"STATUS={one_line(text)}")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Tell the service manager that the service is shutting down."""
        self._tell("STOPPING=1")

    def _tell(self, *assignments: str) -> None:
        """Send one datagram; one that cannot be sent is lost."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way:
                way.setblocking(False)
                way.sendto("\n".join(assignments).encode(), self._address)
        except OSError:
            return


def from_environment(environment: Mapping[str, str] = os.environ) -> Notifier:
    """Return the notifier of this process, as its service manager named it in the environment."""
    address = environment.get(SOCKET, "")
    if not address.startswith(("/", "@")):
        return Notifier()
    return Notifier(address, _watchdog_s(environment))


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return within how many seconds this process has to feed the watchdog.

    None if there is none, or it watches another process.
    """
    time_us, process = environment.get(WATCHDOG, ""), environment.get(WATCHDOG_OF, "")
    is_for_us = time_us.isdecimal() and len(time_us) <= MOST_DIGITS and process in ("", str(os.getpid()))
    return int(time_us) / US or None if is_for_us else None
