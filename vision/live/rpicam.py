"""A camera on a Raspberry Pi's own connector ("csi:0"), through rpicam-vid, which Raspberry Pi OS Lite brings along.

It writes Motion JPEG to a pipe for as long as it runs: JPEG files one behind the other, which are cut apart without
unpacking any. A thread empties the pipe all the time, so that nothing old waits in it, and keeps the newest frame. A
program that stalls or ends is a fault: whoever reads closes this camera then, and opens another. It is killed with the
thread that opened it.

What it is told and says: https://www.raspberrypi.com/documentation/computers/camera_software.html
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Any

from intake.jpeg import BARE, SCAN, START
from vision.errors import CameraError
from vision.frame import decode_picture
from vision.geometry import Picture
from vision.live import with_opener
from vision.live.pi_camera import END_S, PIPE_BYTES, PREFIX, wait_or_kill, widen_pipe
from vision.live.picamera_frames import Size, sensor_mode

PROGRAM = "GUNBAI_RPICAM_VID"
RPICAM_VID = "rpicam-vid"
FRAMES_A_SECOND = 8
"""As many as are looked at; exposures may then take an eighth of a second."""
QUALITY = 90
# How long the list of cameras is waited for, the first frame (libcamera loads its tuning), and each later one.
LIST_S = 6.0
STARTING_S = 20.0
FRAME_S = 4.0
MOST_SAID_BYTES = 4096
MOST_WAITING_BYTES = 1 << 16  # of a pipe that nobody made larger
STANDARD_ERROR = 2
USUAL_BITS = 10
ENDED = "the camera's process has ended"

_CAMERA = re.compile(r"(\d+) : ")
_FORMAT = re.compile(r"'[A-Z]+(\d+)")
_MODE = re.compile(r"(\d+)x(\d+) \[[^\]]*\((\d+), (\d+)\)/(\d+)x(\d+) crop\]")
_FAULT = re.compile(r"ERROR: \*\*\* (.+?) \*\*\*")
_BUSY = "failed to acquire camera"
FILE_END = 0xD9
MOST_FILE_BYTES = 32 * 1024 * 1024
_IN_PIXELS = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""What may end the packed pixels; the others stand for FF itself, fill, or begin the next of their rows."""


def rpicam_vid() -> str | None:
    """Return where the program rpicam-vid is; None for a system without it."""
    return shutil.which(os.environ.get(PROGRAM) or RPICAM_VID)


def modes_of(listed: str, number: int) -> list[dict[str, Any]] | None:
    """Read a sensor's modes from the output of `--list-cameras`; None if no camera has this number.

    In the form in which `sensor_mode` takes them.
    """
    modes: list[dict[str, Any]] | None = None
    bits, is_it = USUAL_BITS, False
    for line in listed.splitlines():
        if found := _CAMERA.match(line):
            is_it = int(found[1]) == number
            modes = [] if is_it else modes
        if found := _FORMAT.search(line):
            bits = int(found[1])
        if is_it and modes is not None and (found := _MODE.search(line)):
            wide, high, *crop = map(int, found.groups())
            modes.append({"size": (wide, high), "bit_depth": bits, "crop_limits": tuple(crop)})
    return modes


def rpicam_arguments(number: int, size_px: Size, modes: list[dict[str, Any]]) -> list[str]:
    """Return rpicam-vid's arguments for frames of this (width, height) that show the sensor's whole field of view."""
    told = ["--camera", str(number), "--codec", "mjpeg", "--quality", str(QUALITY), "--output", "-", "--flush"]
    told += ["--timeout", "0", "--nopreview", "--verbose", "0", "--framerate", str(FRAMES_A_SECOND)]
    told += ["--width", str(size_px[0] // 2 * 2), "--height", str(size_px[1] // 2 * 2)]
    if modes:
        mode = sensor_mode(modes, size_px)
        wide, high = mode["output_size"]
        told += ["--mode", f"{wide}:{high}:{mode['bit_depth']}"]
    return told


class RpicamCamera:
    """A camera and its rpicam-vid; size_px: the (width, height) to ask for. CameraError if it can't start."""

    noisy = True

    def __init__(self, program: str, number: int, size_px: Size) -> None:
        self._name = f"{PREFIX}{number}"
        self._patience_s = STARTING_S
        modes = modes_of(self._list_cameras(program), number)
        if modes is None:
            raise CameraError(f"{self._name}: there is no such camera")
        self._news = threading.Condition()
        self._newest, self._n, self._ended = b"", 0, False
        self._said = bytearray()
        self._child = self._started(program, *rpicam_arguments(number, size_px, modes))
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        widen_pipe(self._child.stdout)
        listening = (self._child.stdout, self._child.stderr)
        self._reader = threading.Thread(target=self._listen, args=listening, name=self._name, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The process id of the program that has the camera."""
        return self._child.pid

    def frame(self) -> Picture:
        """Return what the camera sees now: the next frame to come.

        CameraError if it fails or is late, PictureError if the frame is broken: the caller is then to reopen it.
        """
        until_s = time.monotonic() + self._patience_s
        with self._news:
            n = self._n
            while self._n == n:
                left_s = until_s - time.monotonic()
                if self._ended:
                    raise self._fault()
                if left_s <= 0:
                    raise CameraError(f"{self._name}: the camera gave no picture in time")
                self._news.wait(left_s)
            data = self._newest
        self._patience_s = FRAME_S
        return decode_picture(data, self._name)

    def close(self) -> None:
        """End the program, by killing it if it does not listen."""
        self._child.terminate()
        wait_or_kill(self._child)
        self._reader.join(END_S)

    def _fault(self) -> CameraError:
        """Return an error with what the program said last before it ended."""
        found = _FAULT.findall(self._said.decode(errors="replace"))
        if found and found[-1].startswith(_BUSY):
            return CameraError(f"{self._name} is in use by another program")
        return CameraError(f"{self._name}: {found[-1] if found else ENDED}")

    def _list_cameras(self, program: str) -> str:
        """Return what the program says of all cameras."""
        listing = self._started(program, "--list-cameras")
        try:
            said, faults = listing.communicate(timeout=LIST_S)
        except subprocess.TimeoutExpired as error:
            listing.terminate()
            wait_or_kill(listing)
            with suppress(subprocess.TimeoutExpired):
                listing.communicate(timeout=END_S)  # closes the pipes
            raise CameraError(f"{self._name}: the camera gave no picture in time") from error
        if listing.returncode != 0:
            self._said = bytearray(faults)
            raise self._fault()
        return str(said, errors="replace")

    def _started(self, *order: str) -> subprocess.Popen[bytes]:
        """Start the program, in a group of its own: a Ctrl-C is for the app."""
        command = [sys.executable, "-IS", str(with_opener.__file__), str(os.getpid()), *order]
        environment = {"LIBCAMERA_LOG_LEVELS": "*:ERROR", **os.environ}
        quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
        try:
            return subprocess.Popen(command, stdin=quiet, stdout=pipe, stderr=pipe, env=environment, process_group=0)
        except OSError as error:
            raise CameraError(f"{self._name}: {order[0]} can't be run ({error.strerror})") from error

    def _listen(self, frames: IO[bytes], faults: IO[bytes]) -> None:
        """Empty both pipes until the program ends."""
        stream = JpegStream()
        poll = select.poll()
        poll.register(frames, select.POLLIN)
        poll.register(faults, select.POLLIN)
        with frames, faults:
            while True:
                ready = {descriptor for descriptor, _ in poll.poll()}
                if faults.fileno() in ready and not self._hear(os.read(faults.fileno(), MOST_WAITING_BYTES)):
                    poll.unregister(faults)
                if frames.fileno() in ready and not self._take(stream, os.read(frames.fileno(), PIPE_BYTES)):
                    break
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _hear(self, said: bytes) -> bool:
        """Keep the program's last words, and pass them on to whoever reads ours; return False at their end."""
        self._said = (self._said + said)[-MOST_SAID_BYTES:]
        with suppress(OSError):
            os.write(STANDARD_ERROR, said)
        return bool(said)

    def _take(self, stream: JpegStream, data: bytes) -> bool:
        """Take what came of the frames; return False at their end."""
        newest = stream.feed(data)
        if newest is not None:
            with self._news:
                self._newest, self._n = newest, self._n + 1
                self._news.notify_all()
        return bool(data)


class JpegStream:
    """Cuts a stream of bytes into JPEG files; what belongs to none, or breaks off, is dropped.

    A file is a row of segments with their lengths, then packed pixels up to the next marker, lastly the end (FF D9;
    ISO/IEC 10918-1, annex B). So an FF D9 within a segment ends nothing.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._at = 0  # the next segment, or as far as the pixels were searched; 0 before a file has begun
        self._in_pixels = False

    def feed(self, data: bytes) -> bytes | None:
        """Take these bytes; return the newest file that they complete, None if they complete none."""
        self._data += data
        newest = None
        while (end := self._find_end()) is not None:
            newest = bytes(self._data[:end])
            self._drop(end)
        if len(self._data) > MOST_FILE_BYTES:
            self._drop(len(self._data))
        return newest

    def _drop(self, n: int) -> None:
        """Forget so many bytes, and look for the next file."""
        del self._data[:n]
        self._at, self._in_pixels = 0, False

    def _find_end(self) -> int | None:
        """Return where the first file ends; None while it isn't whole."""
        while self._begin() and self._step():
            if self._is_at(FILE_END):
                return self._at + 2
        return None

    def _begin(self) -> bool:
        """Have a file's first bytes at the front; return False while none has begun."""
        if self._at == 0:
            start = self._data.find(START)
            del self._data[: start if start >= 0 else -1]
            self._at = len(START) if start >= 0 else 0
        return self._at > 0

    def _is_at(self, marker: int) -> bool:
        return not self._in_pixels and self._at > 0 and self._data[self._at : self._at + 2] == bytes([0xFF, marker])

    def _step(self) -> bool:
        """Go on to the next marker, or stay at the end; return False where that takes more bytes."""
        if self._in_pixels:
            found = _IN_PIXELS.search(self._data, self._at)
            self._at = found.start() if found is not None else max(self._at, len(self._data) - 1)
            self._in_pixels = found is None
            return found is not None
        head = self._data[self._at : self._at + 4]
        if len(head) < 2 or self._is_at(FILE_END):
            return len(head) >= 2
        marker, length = head[1], int.from_bytes(head[2:4], "big")
        if head[0] != 0xFF or marker == 0:  # broken
            self._drop(len(START))
        elif head[:2] == START:  # the file before it broke off
            self._drop(self._at)
        elif marker == 0xFF:
            self._at += 1
        elif marker in BARE:
            self._at += 2
        elif len(head) < 4 or len(self._data) < self._at + 2 + length:
            return False
        elif length < 2:
            self._drop(len(START))
        else:
            self._at, self._in_pixels = self._at + 2 + length, marker == SCAN
        return True
