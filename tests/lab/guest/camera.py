"""A camera that shows a picture: v4l2loopback's device is given the same frame again and again.

camera.py DEVICE FRAME WIDTHxHEIGHT, until it is ended. FRAME is a file with the raw YUYV of that size; another one that
takes its name is shown next.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

SET_FORMAT = 0xC0D05605  # VIDIOC_S_FMT
OUTPUT, ANY_FIELD = 2, 1
YUYV = int.from_bytes(b"YUYV", "little")
BYTES_PER_PX = 2
FORMAT_BYTES = 208
PAUSE_S = 0.5


def main(device: str, frame: Path, size: str) -> None:
    """Show it for ever."""
    width, height = map(int, size.split("x"))
    handle = os.open(device, os.O_WRONLY)
    row = width * BYTES_PER_PX
    told = struct.pack("=II6I", OUTPUT, 0, width, height, YUYV, ANY_FIELD, row, row * height)
    fcntl.ioctl(handle, SET_FORMAT, told.ljust(FORMAT_BYTES, b"\0"))
    while True:
        os.write(handle, frame.read_bytes())
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
