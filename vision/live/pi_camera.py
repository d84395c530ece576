"""A camera on a Raspberry Pi's own connector ("csi:0"), through a process of the system's Python that has picamera2.

A capture may block for ever (it does now and then): the process is ended then, and the camera's fault is told.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import cv2
import numpy as np

from vision.errors import CameraError
from vision.geometry import Picture
from vision.live import picamera_frames
from vision.live.picamera_frames import FAULT, FRAME, HEAD

PREFIX = "csi:"
FORM = re.compile(rf"{PREFIX}([0-9]{{1,3}})")
PYTHON = "GUNBAI_SYSTEM_PYTHON"
SYSTEM_PYTHON = "/usr/bin/python3"
# How long the first frame is waited for (libcamera loads its tuning), each later one, and the process's end.
STARTING_S = 20.0
FRAME_S = 4.0
END_S = 1.0
# The most that Linux gives an ordinary user's pipe (fs.pipe-max-size); a frame of 4 MB then takes fewer turns.
PIPE_BYTES = 1 << 20
MOST_BYTES = 64 * 1024 * 1024
MOST_FAULT_BYTES = 4096
LEAST_PX = 64


def csi_number(spec: str) -> int | None:
    """Return the camera's number in a spec such as "csi:0"; None for a spec of any other kind."""
    form = FORM.fullmatch(spec)
    return int(form[1]) if form is not None else None


class PiCamera:
    """A camera and the process that reads it; size_px: the (width, height) to ask for. CameraError if it can't run."""

    noisy = True

    def __init__(self, number: int, size_px: tuple[int, int]) -> None:
        self._name = f"{PREFIX}{number}"
        self._patience_s = STARTING_S
        command = [
            os.environ.get(PYTHON) or SYSTEM_PYTHON,
            *("-P", str(Path(picamera_frames.__file__))),
            *("--camera", str(number), "--size", f"{size_px[0]}x{size_px[1]}"),
        ]
        # Without PYTHONPATH and the like, which would make the system's Python use our packages.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        try:
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        except OSError as error:
            raise CameraError(f"{self._name}: {command[0]} can't be run ({error.strerror})") from error
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._asking, self._frames = self._child.stdin.fileno(), self._child.stdout.fileno()
        widen_pipe(self._child.stdout)

    @property
    def pid(self) -> int:
        """The process id of the process that has the camera."""
        return self._child.pid

    def frame(self) -> Picture:
        """Return what the camera sees now. CameraError if it fails or is late: the caller is then to reopen it."""
        until_s = time.monotonic() + self._patience_s
        with suppress(BrokenPipeError):  # it has ended: what it said last tells why
            os.write(self._asking, b".")
        kind, width, height, stride, n = HEAD.unpack(self._read(HEAD.size, until_s))
        if kind not in (FRAME, FAULT) or n > (MOST_BYTES if kind == FRAME else MOST_FAULT_BYTES):
            raise CameraError(f"{self._name}: received something that isn't a picture")
        data = self._read(n, until_s)
        if kind == FAULT:
            raise CameraError(f"{self._name}: {data.decode(errors='replace')}")
        self._patience_s = FRAME_S
        return picture_of(data, (width, height), stride)

    def close(self) -> None:
        """End the process, by killing it if it does not listen."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        with suppress(OSError):
            self._child.stdin.close()
        wait_or_kill(self._child)
        self._child.stdout.close()

    def _read(self, n: int, until_s: float) -> bytearray:
        """Read exactly `n` bytes; CameraError if they have not come at `until_s`."""
        data = bytearray(n)
        rest = memoryview(data)
        poll = select.poll()
        poll.register(self._frames, select.POLLIN)
        while rest:
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not poll.poll(left_s * 1000):
                raise CameraError(f"{self._name}: the camera gave no picture in time")
            came = os.readv(self._frames, [rest])
            if came == 0:
                raise CameraError(f"{self._name}: the camera's process has ended")
            rest = rest[came:]
        return data


def widen_pipe(pipe: IO[bytes]) -> None:
    """Make a pipe as large as Linux allows, for speed; do nothing where that fails."""
    with suppress(OSError):
        import fcntl  # Linux's, as the cameras of a Pi; this module is imported elsewhere too

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def wait_or_kill(child: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was asked to end; kill it if it doesn't within END_S."""
    try:
        child.wait(END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        with suppress(subprocess.TimeoutExpired):  # a driver may hold it even then
            child.wait(END_S)


def picture_of(data: bytes | bytearray, size: tuple[int, int], stride: int) -> Picture:
    """Convert planar YUV 4:2:0 with rows of `stride` bytes to (H, W, 3) uint8 BGR.

    CameraError where the sizes do not fit.
    """
    width, height = size
    uneven = height % 2 or stride % 2 or stride < width
    if uneven or min(width, height) < LEAST_PX or len(data) < height * 3 // 2 * stride:
        raise CameraError(f"a frame of {width}x{height} pixels cannot have {len(data)} bytes")
    planes = np.frombuffer(data, np.uint8, height * 3 // 2 * stride).reshape(height * 3 // 2, stride)
    picture = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)
    return np.ascontiguousarray(picture[:, :width], np.uint8)
