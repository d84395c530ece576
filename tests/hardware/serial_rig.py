"""The same far ends on a simulated cable, or behind a pseudo-terminal and the real port's code, on our clock."""

from __future__ import annotations

import array
import errno
import fcntl
import os
import select
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.device import Device
from hardware.events import Event
from hardware.ports import Port, open_port
from hardware.simulated_ports import Cable, FarEnd
from tests.patience import PATIENCE_S

STEP_S = 0.01
"""How long bytes may take through the kernel on a busy machine; they take microseconds."""


class Clock:
    """Our own."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class CountedPort:
    """A port that remembers how many bytes it was given, so that the far end knows what to wait for."""

    def __init__(self, port: Port) -> None:
        self.port = port
        self.written = 0

    def read(self) -> bytes:
        return self.port.read()

    def write(self, data: bytes) -> None:
        self.port.write(data)
        self.written += len(data)

    def close(self) -> None:
        self.port.close()


class PtyCable(Cable):
    """A far end at the master's side of a pseudo-terminal; `link` is a stable name for whatever is plugged in."""

    def __init__(self, far_end: FarEnd, clock: Clock, link: Path) -> None:
        super().__init__(far_end, clock)
        self.link = link
        self.port: CountedPort | None = None
        self.stuck = False
        self._plug_in()

    def open(self) -> Port:
        with pytest.MonkeyPatch.context() as patch:
            if self.refused:
                patch.setattr("serial.serialposix.os.open", _refuse)
            self.port = CountedPort(open_port(str(self.link), 9600))
        return self.port

    def unplug(self) -> None:
        super().unplug()
        self.link.unlink()
        os.close(self._master)
        os.close(self._slave)

    def plug(self) -> None:
        super().plug()
        self._plug_in()

    def pump(self) -> None:
        """Carry what was written on both sides to the other, and wait until it is there."""
        if not self.plugged or self.stuck:
            return
        heard = self._written()
        if heard:
            self.put(heard)
        said = self.take()
        os.write(self._master, said)
        if said:
            _wait(lambda: _waiting(self._slave) >= min(len(said), 4095))

    def close(self) -> None:
        if self.plugged:
            self.unplug()

    def _plug_in(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.link.symlink_to(os.ttyname(self._slave))
        self.port = None

    def _written(self) -> bytes:
        if self.port is None:
            return b""
        heard = b""
        until_s = time.monotonic() + PATIENCE_S
        while len(heard) < self.port.written and time.monotonic() < until_s:
            if select.select([self._master], [], [], 0.1)[0]:
                heard += os.read(self._master, 4096)
        assert len(heard) == self.port.written
        self.port.written = 0
        return heard


def _refuse(path: str, _flags: int) -> int:
    raise PermissionError(errno.EACCES, "Permission denied", path)


def _waiting(file: int) -> int:
    count = array.array("i", [0])
    fcntl.ioctl(file, termios.FIONREAD, count)
    return count[0]


def _wait(there: Callable[[], bool]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < until_s, "bytes got stuck in a pseudo-terminal"
        time.sleep(0)


class Rig:
    """Makes cables of one kind, and polls devices on the clock."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.clock = Clock()
        self.cables: list[Cable] = []
        self._folder = folder

    def cable(self, far_end: FarEnd) -> Cable:
        if self.kind == "pty":
            cable: Cable = PtyCable(far_end, self.clock, self._folder / f"port{len(self.cables)}")
        else:
            cable = Cable(far_end, self.clock)
        self.cables.append(cable)
        return cable

    def pump(self) -> None:
        for cable in self.cables:
            if isinstance(cable, PtyCable):
                cable.pump()

    def run(self, device: Device, time_s: float) -> list[Event]:
        """Poll for so long; what was told."""
        told: list[Event] = []
        for _ in range(round(time_s / STEP_S)):
            self.clock.now_s += STEP_S
            self.pump()
            told += device.poll(self.clock.now_s)
        self.pump()
        return told

    def leave(self, time_s: float) -> None:
        """Let the time pass for the far ends alone, as if the app were gone."""
        for _ in range(round(time_s / STEP_S)):
            self.clock.now_s += STEP_S
            for cable in self.cables:
                cable.far_end.speak(self.clock.now_s)

    def close(self) -> None:
        for cable in self.cables:
            if isinstance(cable, PtyCable):
                cable.close()


class SimulatedScanner:
    """A USB scanner in serial mode: a line for each code."""

    def __init__(self, ending: str = "\r\n") -> None:
        self._ending = ending
        self._unsent = b""

    def scan(self, code: str) -> None:
        """Scan a printed code."""
        self._unsent += (code + self._ending).encode("ascii")

    def start(self, now_s: float) -> None:
        """Switch on, forgetting anything unsent."""
        self._unsent = b""

    def speak(self, now_s: float) -> bytes:
        """Return the lines since the last call."""
        said, self._unsent = self._unsent, b""
        return said

    def hear(self, data: bytes, now_s: float) -> None:
        """Ignore these bytes: a scanner listens to nothing."""
