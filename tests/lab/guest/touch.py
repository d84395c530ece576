"""A touch screen made with uinput: protocol B of the kernel's multi-touch-protocol.rst, ten fingers. As root.

touch.py FIFO: each line is JSON, [[x, y], ...], fingers that go down at once and up again; x and y from 0 to 1 of the
glass. The device goes with the process.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import sys
import time
from pathlib import Path

GLASS = 4095
HOLD_S = 0.12
SET_EVENTS, SET_KEYS, SET_AXES, SET_PROPERTIES = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
SET_UP, SET_UP_AXIS, CREATE = 0x405C5503, 0x401C5504, 0x5501
SYN, KEY, ABS = 0, 1, 3
TOUCH, DIRECT = 0x14A, 1
X, Y, SLOT, MT_X, MT_Y, TRACKING = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
AXES = ((X, GLASS), (Y, GLASS), (SLOT, 9), (MT_X, GLASS), (MT_Y, GLASS), (TRACKING, 65535))


class Touch:
    """The device, plugged in for as long as it is held."""

    def __init__(self) -> None:
        self._handle = os.open("/dev/uinput", os.O_WRONLY)
        for request, code in ((SET_EVENTS, KEY), (SET_EVENTS, ABS), (SET_KEYS, TOUCH), (SET_PROPERTIES, DIRECT)):
            fcntl.ioctl(self._handle, request, code)
        for axis, most in AXES:
            fcntl.ioctl(self._handle, SET_AXES, axis)
            fcntl.ioctl(self._handle, SET_UP_AXIS, struct.pack("<H2xiiiiii", axis, 0, 0, most, 0, 0, 0))
        bus_usb = 3
        fcntl.ioctl(self._handle, SET_UP, struct.pack("<HHHH80sI", bus_usb, 0x1209, 1, 1, b"Lab touch screen", 0))
        fcntl.ioctl(self._handle, CREATE)
        self._next = 1

    def tap(self, fingers: list[tuple[float, float]]) -> None:
        """All fingers down, and up again."""
        for slot, (x, y) in enumerate(fingers):
            x_units, y_units = round(x * GLASS), round(y * GLASS)
            self._say((ABS, SLOT, slot), (ABS, TRACKING, self._next), (ABS, MT_X, x_units), (ABS, MT_Y, y_units))
            if slot == 0:
                self._say((KEY, TOUCH, 1), (ABS, X, x_units), (ABS, Y, y_units))
            self._next += 1
        self._say((SYN, 0, 0))
        time.sleep(HOLD_S)
        for slot in range(len(fingers)):
            self._say((ABS, SLOT, slot), (ABS, TRACKING, -1))
        self._say((KEY, TOUCH, 0), (SYN, 0, 0))

    def _say(self, *events: tuple[int, int, int]) -> None:
        for kind, code, value in events:
            os.write(self._handle, struct.pack("<qqHHi", 0, 0, kind, code, value))


def main(fifo: Path) -> None:
    """Touch as told. A finger waits for no processor, so this goes before all that does."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    touch = Touch()
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    while True:
        for line in fifo.read_text().splitlines():
            touch.tap([(x, y) for x, y in json.loads(line)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
