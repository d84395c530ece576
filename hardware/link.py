"""A serial device that may be unplugged and plugged in again at any time: its port is opened whenever it is there."""

from __future__ import annotations

from typing import Literal

from hardware.errors import PortLost, PortOpening, PortRefused
from hardware.events import Ailing, Event, Plugged
from hardware.ports import Opener, Port

State = Literal["present", "absent", "refused"]

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
STEADY_S = 2.0
"""A port that stayed open so long was well; one that is lost sooner is tried again with growing pauses."""
REFUSALS_TOLD = 3
"""Refused so often in a row, it is told: a device that was just plugged in has not its rights yet."""


class Link:
    """Opens a port, and again when it is lost, with pauses that grow to two seconds. Its events gather in `events`."""

    def __init__(self, name: str, opener: Opener) -> None:
        self.state: State = "absent"
        self.fault = "it has not been opened yet"
        self.reopened = 0
        self.events: list[Event] = []
        self._name, self._opener = name, opener
        self._port: Port | None = None
        self._opened_before = False
        self._opened_s = 0.0
        self._next_try_s = float("-inf")
        self._pause_s = FIRST_PAUSE_S
        self._refusals = 0

    @property
    def is_open(self) -> bool:
        """Whether there is a port now."""
        return self._port is not None

    def poll(self, now_s: float) -> bool:
        """Open the port where it is time to; whether it was opened just now."""
        if self._port is not None or now_s < self._next_try_s:
            return False
        try:
            self._port = self._opener()
        except PortOpening as wait:
            self.fault = str(wait)
            return False
        except PortLost as fault:
            self._note_miss(fault, now_s)
            return False
        self._note_open(now_s)
        return True

    def read(self, now_s: float) -> bytes:
        """Return what has come in; b"" without a port."""
        if self._port is None:
            return b""
        try:
            return self._port.read()
        except PortLost as fault:
            self._drop_port(fault, now_s)
            return b""

    def write(self, data: bytes, now_s: float) -> None:
        """Send these bytes; without a port they are dropped."""
        if self._port is None or not data:
            return
        try:
            self._port.write(data)
        except PortLost as fault:
            self._drop_port(fault, now_s)

    def take_events(self) -> tuple[Event, ...]:
        """Return the events since the last call."""
        events, self.events = tuple(self.events), []
        return events

    def close(self) -> None:
        """Let go of the port for good."""
        if self._port is not None:
            self._port.close()
        self._port = None
        self.state, self.fault = "absent", "it is closed"
        self._next_try_s = float("inf")

    def _note_open(self, now_s: float) -> None:
        self.state, self.fault = "present", ""
        self.reopened += self._opened_before
        self._opened_before = True
        self._opened_s = now_s
        self._refusals = 0
        self.events.append(Plugged(self._name, True, now_s))

    def _note_miss(self, fault: PortLost, now_s: float) -> None:
        refused = isinstance(fault, PortRefused)
        self.state, self.fault = "refused" if refused else "absent", str(fault)
        self._refusals = self._refusals + 1 if refused else 0
        if self._refusals == REFUSALS_TOLD:
            self.events.append(Ailing(self._name, "refused", str(fault), now_s))
        self._wait(now_s)

    def _drop_port(self, fault: PortLost, now_s: float) -> None:
        assert self._port is not None
        self._port.close()
        self._port = None
        self.state, self.fault = "absent", str(fault)
        self.events.append(Plugged(self._name, False, now_s))
        if now_s - self._opened_s >= STEADY_S:
            self._pause_s = FIRST_PAUSE_S
        self._wait(now_s)

    def _wait(self, now_s: float) -> None:
        self._next_try_s = now_s + self._pause_s
        self._pause_s = min(LONGEST_PAUSE_S, 2 * self._pause_s)
