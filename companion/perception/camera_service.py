"""The camera's unit as the app has it: ordered through one pipe, heard through another, in the folder of its service.

Either may be started first and be started anew at any time. What the service last told stays; half a message, and
whatever belonged to an order before, is thrown away. Its service manager starts it anew where it hangs; here it is only
asked again.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import select
import stat
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from companion.perception.camera_process import END_S, SilenceTimer, Told
from vision.errors import VisionError
from vision.geometry import Picture
from vision.live.camera_service import LIVE, MARK_BYTES, ORDERS, READ_BYTES, TOLD, Order, order_line
from vision.live.messages import Message, read_message
from vision.live.shared_picture import SharedPicture

FOLDER = "GUNBAI_CAMERA_DIR"
AGAIN_S = 0.5
LOOK_S = 0.25
NOBODY = "the camera's service is not running"
TAKEN = "another Gunbai has the camera"


def service_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where the camera's unit is to be found; None where the camera is a child process of the app."""
    named = environment.get(FOLDER)
    return Path(named) if named else None


class Pipe:
    """One end of a pipe with a name. OSError where nobody has the other one, or where something else lies there."""

    def __init__(self, path: Path, mode: int) -> None:
        self.descriptor = os.open(path, mode | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISFIFO(os.fstat(self.descriptor).st_mode):
            self.close()
            raise OSError(errno.ENXIO, "not a pipe", str(path))

    def close(self) -> None:
        """Let go of it."""
        os.close(self.descriptor)


class FramedReader:
    """Reads what the service tells: as much as is asked for, and less only where it ends, falls silent or is given up.

    `over` is set by whoever gives it up.
    """

    def __init__(self, told: int, orders: int, hearing: SilenceTimer, over: threading.Event) -> None:
        self._told, self._orders, self._hearing, self._over = told, orders, hearing, over
        self._held = bytearray()

    def reaches(self, mark: bytes) -> bool:
        """Throw away everything up to the mark; False where it does not come."""
        while mark not in self._held:
            del self._held[:-MARK_BYTES]
            if not self._more(at_once=False):
                return False
        del self._held[: self._held.index(mark) + len(mark)]
        return True

    def read(self, n: int) -> bytes:
        """`n` bytes, fewer at the end."""
        while len(self._held) < n and self._more(at_once=True):
            pass
        taken = bytes(self._held[:n])
        del self._held[:n]
        return taken

    def _more(self, at_once: bool) -> bool:
        """Wait for bytes; False where none will come. at_once: the end of the pipe is the end, no new beginning."""
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        poll.register(self._orders, 0)  # errors only: nobody takes orders any more
        while not self._over.is_set() and not self._hearing.hangs:
            found = dict(poll.poll(LOOK_S * 1000))
            if found.get(self._told, 0) & select.POLLIN:
                self._held += os.read(self._told, READ_BYTES)
                return True
            if self._orders in found or (at_once and found):
                return False
            if found:
                self._over.wait(LOOK_S)
        return False


def _memory(path: Path) -> SharedPicture:
    """The memory that the service shows its pictures in. OSError or ValueError where it is not what it should be."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
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
        """The newest picture, the same object until there is a newer one; None before the first."""
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
                self._ask()
            except BlockingIOError:
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
        """Give the order and pass on what is told, until that ends. OSError where the service is not there."""
        with closing(Pipe(self._folder / ORDERS, os.O_WRONLY)) as orders:
            fcntl.flock(orders.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with closing(Pipe(self._folder / TOLD, os.O_RDONLY)) as told:
                self._see(_memory(self._folder / LIVE))
                self._hear(told.descriptor, orders.descriptor)

    def _hear(self, told: int, orders: int) -> None:
        self._hearing.began()
        mark = secrets.token_bytes(MARK_BYTES)
        with suppress(BlockingIOError):  # full of orders that nobody takes: the service hangs
            os.write(orders, order_line(replace(self._wanted, mark=mark)))
        ear = FramedReader(told, orders, self._hearing, self._over)
        if ear.reaches(mark):
            with suppress(VisionError):
                self._pass_on(ear)
        if not self._over.is_set():
            self._told(Message({"told": "state", "state": "restarting", "fault": ""}))

    def _pass_on(self, ear: FramedReader) -> None:
        while not self._over.is_set() and (message := read_message(ear)) is not None:
            self.progress_s = self._clock()
            if message.told.get("told") == "service":
                pid = message.told.get("pid")
                self.pid = pid if isinstance(pid, int) else None
                continue
            self._hearing.heard(message.told.get("state") == "starting")
            self._told(message)

    def _see(self, live: SharedPicture | None) -> None:
        """Look at this memory from now on."""
        with self._lock:
            before, self._live = self._live, live
            if before is not None:
                before.close()
