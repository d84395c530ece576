"""Serial ports: what a port does, the real one, and a link that opens it again for as long as anybody wants it.

pyserial is imported when a port is opened. It never opens a port again after a replug, and its write spins while a full
device takes nothing; both are dealt with here. Opening may take long (a CH340 about 100 ms, a wedged driver for ever),
so a real port is opened in a thread of its own and fetched when it is there.
"""

from __future__ import annotations

import errno
import os
import select
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hardware.device import State
from hardware.errors import PortLost, PortOpening, PortRefused
from hardware.events import Ailing, Event, Plugged

FAULTS: tuple[type[Exception], ...] = (OSError,)
"""What an open port may raise."""
with suppress(ImportError):  # Windows has no terminals of this kind
    import termios

    FAULTS = (OSError, termios.error)

if TYPE_CHECKING:
    from serial import Serial
    from serial.tools.list_ports_common import ListPortInfo

MOST_UNSENT_BYTES = 2048
READ_BYTES = 4096
DRAIN_S = 0.1


class Port(Protocol):
    """An open serial port."""

    def read(self) -> bytes:
        """Return what has come in, up to a few thousand bytes; b"" if there is nothing.

        Never blocks; raises PortLost.
        """

    def write(self, data: bytes) -> None:
        """Send these bytes, now or as soon as the device takes them. Never blocks; raises PortLost."""

    def close(self) -> None:
        """Release the device."""


Opener = Callable[[], Port]
"""Opens a port at once; raises PortLost, or PortRefused, or PortOpening while it is under way."""


class SerialPort:
    """A port through pyserial, which is read and written without ever waiting."""

    def __init__(self, serial: Serial) -> None:
        self._serial = serial
        self._unsent = bytearray()
        self._lost = False

    def read(self) -> bytes:
        """Return what has come in, after sending what was left unsent; raises PortLost."""
        try:
            self._send()
            return bytes(self._serial.read(READ_BYTES))
        except FAULTS as fault:
            raise self._losing(f"the device is gone: {fault}") from fault

    def write(self, data: bytes) -> None:
        """Send these bytes, and keep what isn't taken yet; PortLost once too many are left."""
        self._unsent += data
        try:
            self._send()
        except FAULTS as fault:
            raise self._losing(f"the device is gone: {fault}") from fault
        if len(self._unsent) > MOST_UNSENT_BYTES:
            raise self._losing(f"the device has taken none of the last {len(self._unsent)} bytes")

    def close(self) -> None:
        """Close the port once unsent bytes have left, or after a tenth of a second: the rest is thrown away.

        Closing would otherwise wait for them. A port that was lost is closed at once.
        """
        with suppress(*FAULTS):  # it is gone already
            if self._lost or not self._drained():
                self._serial.reset_output_buffer()
        with suppress(OSError):
            self._serial.close()

    def _losing(self, why: str) -> PortLost:
        self._lost = True
        return PortLost(why)

    def _send(self) -> None:
        with suppress(BlockingIOError):  # it was ready, and is not any more
            while self._unsent and select.select([], [self._serial], [], 0)[1]:
                sent = os.write(self._serial.fileno(), self._unsent)
                del self._unsent[:sent]

    def _drained(self) -> bool:
        until_s = time.monotonic() + DRAIN_S
        self._send()
        while self._unsent or self._serial.out_waiting:
            if time.monotonic() >= until_s:
                return False
            time.sleep(DRAIN_S / 20)
            self._send()
        return True


def open_port(path: str, baud: int) -> Port:
    """Open the serial device at `path`, 8N1, for this process alone; may take long. Raises PortRefused, PortLost."""
    from serial import Serial

    faults: tuple[type[Exception], ...] = (*FAULTS, ValueError)  # pyserial's own are OSErrors
    try:
        return SerialPort(Serial(path, baud, timeout=0, exclusive=True))
    except faults as fault:
        raise _why_not(path, fault) from fault


def _why_not(path: str, fault: Exception) -> PortLost:
    number = getattr(fault, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return PortRefused(f"this user isn't allowed to open {path}: add them to its group, such as dialout")
    if number in (errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY):
        return PortLost(f"{path} is in use by another program")
    return PortLost(f"{path} can't be opened: {fault}")


def _may_exist(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:
        return True  # opening it tells why not


class PatientOpener:
    """Opens a port in a thread of its own, one at a time, so that calling it never takes long."""

    def __init__(self, path: str, baud: int, open_now: Callable[[str, int], Port] = open_port) -> None:
        self._path, self._baud, self._open_now = path, baud, open_now
        self._thread: threading.Thread | None = None
        self._outcome: Port | PortLost | None = None

    def __call__(self) -> Port:
        """Return the port if it is open by now; PortOpening while it is being opened, else PortLost or PortRefused."""
        if self._thread is None:
            if not _may_exist(self._path):
                raise PortLost(f"there is no {self._path}")
            self._thread = threading.Thread(target=self._open, name=f"open {self._path}", daemon=True)
            self._thread.start()
        self._thread.join(0)
        if self._thread.is_alive():
            raise PortOpening(f"{self._path} is being opened")
        return self._take()

    def _open(self) -> None:
        try:
            self._outcome = self._open_now(self._path, self._baud)
        except PortLost as fault:
            self._outcome = fault

    def _take(self) -> Port:
        outcome, self._outcome, self._thread = self._outcome, None, None
        if isinstance(outcome, PortLost):
            raise outcome
        if outcome is None:
            raise PortLost(f"{self._path} could not be opened")
        return outcome


# ---- what is plugged in ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PluggedPort:
    """A serial device that is plugged in. path: its stable path, for settings; name: for people; device: as of now."""

    path: str
    name: str
    device: str


def list_ports(dev: Path = Path("/dev"), found: Sequence[ListPortInfo] | None = None) -> tuple[PluggedPort, ...]:
    """Return the USB serial devices that are plugged in, and the Pi's own serial pins where they are switched on.

    A name of /dev/serial/by-id stays with a device wherever it is plugged in. Two alike devices without serial numbers
    would share one, which leads to whichever came last: such twins are told apart by socket, /dev/serial/by-path.
    """
    usb = [port for port in (_list_ports() if found is None else found) if port.vid is not None]
    twins = Counter(map(_likeness, usb))
    by_id, by_path = _links(dev / "serial/by-id"), _links(dev / "serial/by-path")
    links = [by_path if twins[_likeness(port)] > 1 else {**by_path, **by_id} for port in usb]
    plugged = [
        PluggedPort(str(link.get(port.device, port.device)), _name(port), port.device)
        for port, link in zip(usb, links, strict=True)
    ]
    own = dev / "serial0"
    if own.exists():
        plugged.append(PluggedPort(str(own), "GPIO 14, 15", str(own.resolve())))
    return tuple(sorted(plugged, key=lambda port: port.device))


def _list_ports() -> Sequence[ListPortInfo]:
    from serial.tools.list_ports import comports

    try:
        return comports()
    except (OSError, TypeError, ValueError):
        return ()  # pyserial reads on while a device is being unplugged, and trips over what is gone


def _links(folder: Path) -> dict[str, Path]:
    return {str(link.resolve()): link for link in sorted(folder.iterdir())} if folder.is_dir() else {}


def _likeness(port: ListPortInfo) -> tuple[object, ...]:
    """Return what the by-id name of a device is made of.

    The part of its place behind the colon is the interface.
    """
    return (port.vid, port.pid, port.serial_number, (port.location or "").partition(":")[2])


def _name(port: ListPortInfo) -> str:
    words = [word for word in (port.manufacturer, port.product) if word]
    name = " ".join(words) or f"{port.vid:04X}:{port.pid:04X}"
    return f"{name} ({port.name})"


# ---- a device that may be unplugged and plugged in again at any time ----------------------------


FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
STEADY_S = 2.0
"""A port that stayed open so long was well; one that is lost sooner is tried again with growing pauses."""
REFUSALS_TOLD = 3
"""Refused so often in a row, it is told: a device that was just plugged in has not its rights yet."""


class Link:
    """A port that is opened again whenever it is lost, after pauses that grow to two seconds. `events` tells of it."""

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
        """Open the port if there is none and the pause is over; return whether it has just been opened."""
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
        """Release the port for good: it isn't opened again."""
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
