"""The camera's unit as the app has it: ordered and heard over one connection to the socket in its service's folder.

Either may be started first and be started anew at any time. What the service last told stays; half a message is thrown
away with its connection. Its service manager starts it anew where it hangs; here it is only asked again.
"""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from companion.perception.camera_process import END_S, SilenceTimer, Told
from intake.files import AT_ONCE
from vision.errors import VisionError
from vision.geometry import Picture
from vision.live.camera_service import LIVE, SOCKET, Order, order_data
from vision.live.messages import Message, SharedPicture, read_message

FOLDER = "GUNBAI_CAMERA_DIR"
AGAIN_S = 0.5
LOOK_S = 0.25
READ_BYTES = 65536
NOBODY = "the camera's service is not running"
TAKEN = "another Gunbai is using the camera"


def service_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of the camera's unit; None where the camera is a child process of the app."""
    named = environment.get(FOLDER)
    return Path(named) if named else None


class Taken(Exception):
    """Another app has the camera."""


class FramedReader:
    """Reads what the service tells, and less than asked only where it ends, falls silent or is given up by `over`."""

    def __init__(self, link: socket.socket, hearing: SilenceTimer, over: threading.Event) -> None:
        self._link, self._hearing, self._over = link, hearing, over
        self._held = bytearray()

    def read(self, n: int) -> bytes:
        """Read `n` bytes, fewer at the end."""
        while len(self._held) < n and (came := self._next()):
            self._held += came
        taken = bytes(self._held[:n])
        del self._held[:n]
        return taken

    def _next(self) -> bytes:
        """Wait for bytes; none where none will come."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        while not self._over.is_set() and not self._hearing.hangs:
            if poll.poll(LOOK_S * 1000):
                return self._link.recv(READ_BYTES)
        return b""


def _memory(path: Path) -> SharedPicture:
    """Open the memory that the service shows its pictures in; OSError or ValueError where it is something else."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    try:
        return SharedPicture(descriptor, looks=True)
    except (OSError, ValueError):
        os.close(descriptor)
        raise


class CameraService:
    """One order to the service, and the thread that listens to what comes of it. `told` is called in that thread."""

    def __init__(self, folder: Path, wanted: Order, told: Told, clock: Callable[[], float] = time.monotonic) -> None:
        self.pid: int | None = None
        self.progress_s: float | None = None
        self._folder, self._wanted, self._told, self._clock = folder, wanted, told, clock
        self._hearing, self._over, self._lock = SilenceTimer(clock), threading.Event(), threading.Lock()
        self._live: SharedPicture | None = None
        self._thread = threading.Thread(target=self._work, name="camera service", daemon=True)
        self._thread.start()

    def latest(self) -> Picture | None:
        """Return the newest picture, the same object until there is a newer one; None before the first."""
        with self._lock:
            return self._live.latest() if self._live is not None else None

    def close(self) -> None:
        """Listen no more; the service lets go of the camera."""
        self._over.set()
        self._thread.join(END_S)
        self._see(None)

    def _work(self) -> None:
        while not self._over.is_set():
            try:
                with suppress(BlockingIOError):
                    self._ask()
                if not self._over.is_set():
                    self._told(Message({"told": "state", "state": "restarting", "fault": ""}))
            except Taken:
                self._see(None)  # what it shows is the other app's
                self._say("no-camera", TAKEN)
            except (OSError, ValueError):  # ValueError: memory of another size, as another release has it
                self._say("no-camera", NOBODY)
            self.pid = None
            self._over.wait(AGAIN_S)

    def _say(self, state: str, fault: str = "") -> None:
        """Tell in the service's place that it is known to be away."""
        self.progress_s = self._clock()
        self._told(Message({"told": "state", "state": state, "fault": fault}))

    def _ask(self) -> None:
        """Give the order and pass on what is told, until that ends. OSError where the service is not there.

        BlockingIOError where it hangs with a queue of apps before it, Taken where another one has the camera.
        """
        self._hearing.began()
        with socket.socket(socket.AF_UNIX) as link:
            link.setblocking(False)
            link.connect(str(self._folder / SOCKET))
            self._see(_memory(self._folder / LIVE))
            with suppress(ConnectionError):  # it may have turned us away already: what it said is still to be read
                link.send(order_data(self._wanted))
            with suppress(VisionError, ConnectionError):
                reader = FramedReader(link, self._hearing, self._over)
                while not self._over.is_set() and (message := read_message(reader)) is not None:
                    self.progress_s = self._clock()
                    kind = message.told.get("told")
                    if kind == "taken":
                        raise Taken
                    if kind == "service":
                        pid = message.told.get("pid")
                        self.pid = pid if isinstance(pid, int) else None
                        continue
                    self._hearing.restart(message.told.get("state") == "starting")
                    self._told(message)

    def _see(self, live: SharedPicture | None) -> None:
        """Look at this memory from now on."""
        with self._lock:
            before, self._live = self._live, live
            if before is not None:
                before.close()
