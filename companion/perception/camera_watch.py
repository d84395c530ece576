"""Looks at a table through its camera, in a process of its own, so that the screen never waits for the eye.

On an appliance that process is the camera's unit, ordered and heard over one connection to the socket in its service's
folder. Either may be started first and be started anew at any time. What the service last told stays; half a message is
thrown away with its connection. Its service manager starts it anew where it hangs; here it is only asked again.
"""

from __future__ import annotations

import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from companion.games.match import Match
from companion.perception.camera_process import END_S, CameraProcess, SilenceTimer, Told, camera_command
from companion.perception.cameras import Watching
from companion.perception.sync.status import State, TableView
from companion.perception.table_file import load_table_today
from intake.files import AT_ONCE
from vision.dice.reader import DiceReading
from vision.errors import CameraError, VisionError
from vision.geometry import Picture
from vision.live.camera_service import LIVE, SOCKET, Order, order_data
from vision.live.messages import (
    Message,
    MessageError,
    SharedPicture,
    cards_from,
    dice_from,
    read_message,
    reading_from,
    shared_file,
)
from vision.live.printed import LaidCard
from vision.live.watcher import Nudge
from vision.reading.read import Reading
from vision.table import Table
from vision.values import line, number

# ---- the camera's unit ----------------------------------------------------------------------------


FOLDER = "GUNBAI_CAMERA_DIR"
AGAIN_S = 0.5
LOOK_S = 0.25
READ_BYTES = 65536
NOBODY = "the camera's service is not running"
TAKEN = "another Gunbai is using the camera"


def service_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of the camera's systemd unit; None if the camera is a child process of the app."""
    named = environment.get(FOLDER)
    return Path(named) if named else None


class Taken(Exception):
    """The camera is in use by another app."""


class FramedReader:
    """Reads the service's bytes until it closes the connection, is silent for too long, or `over` is set."""

    def __init__(self, link: socket.socket, hearing: SilenceTimer, over: threading.Event) -> None:
        self._link, self._hearing, self._over = link, hearing, over
        self._held = bytearray()

    def read(self, n: int) -> bytes:
        """Return the next `n` bytes; fewer only at the end."""
        while len(self._held) < n and (came := self._next()):
            self._held += came
        taken = bytes(self._held[:n])
        del self._held[:n]
        return taken

    def _next(self) -> bytes:
        """Wait for bytes and return them; none if no more will come."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        while not self._over.is_set() and not self._hearing.hangs:
            if poll.poll(LOOK_S * 1000):
                return self._link.recv(READ_BYTES)
        return b""


def _memory(path: Path) -> SharedPicture:
    """Map the memory in which the service puts its pictures; OSError or ValueError if it is something else."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    try:
        return SharedPicture(descriptor, looks=True)
    except (OSError, ValueError):
        os.close(descriptor)
        raise


class CameraService:
    """A camera run by the service, as ordered. A thread listens to it and calls `told` with each message."""

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
        """Stop listening, whereupon the service releases the camera."""
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
        """Report a state in the service's place, as it is away or serves another app."""
        self.progress_s = self._clock()
        self._told(Message({"told": "state", "state": state, "fault": fault}))

    def _ask(self) -> None:
        """Send the order and pass on the messages until they end. OSError if the service isn't there.

        BlockingIOError if it hangs and its queue is full, Taken if another app has the camera.
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
        """Take pictures from this memory from now on."""
        with self._lock:
            before, self._live = self._live, live
            if before is not None:
                before.close()


# ---- the watch ------------------------------------------------------------------------------------


STATES: dict[str, State] = {
    "settled": "settled",
    "moving": "moving",
    "steady": "moving",
    "nudged": "moving",
    "hand": "hand",
    "dark": "lost",
    "lost": "lost",
    "no-camera": "lost",
    "failed": "lost",
}
"""What the eye's states mean to the app; all others are "waiting"."""
BLIND = ("dark", "lost")
"""Those in which the camera gives pictures, but the board is not seen in them."""
FAILED = "reading the table kept failing, so it was turned off: restart Gunbai to try again"


@dataclass(frozen=True, slots=True, eq=False)
class CameraStatus:
    """The latest state from the camera process, as one value that threads can hand over.

    yes: how often the printed “Yes” was pressed; cards: those that lie face up.
    """

    state: str = "starting"
    fault: str = ""
    reading: Reading | None = None
    frame: bytes | None = None
    dice: DiceReading | None = None
    nudge: Nudge | None = None
    yes: int = 0
    cards: tuple[LaidCard, ...] = ()


class Link(Protocol):
    """The connection to the process that takes the frames."""

    @property
    def pid(self) -> int | None:
        """The id of the process that takes the frames now; None without one."""

    @property
    def progress_s(self) -> float | None:
        """When it last made progress (monotonic seconds); None before its first message or known fault."""

    def latest(self) -> Picture | None:
        """Return the newest picture, the same object until there is a newer one; None without one."""

    def close(self) -> None:
        """Release the camera."""


class OwnProcess(CameraProcess):
    """A camera run by a child process of the app, with the memory shared with it."""

    def __init__(self, camera: str, table: Path | None, told: Told) -> None:
        self._live = SharedPicture(shared_file())
        shared = self._live.descriptor
        super().__init__(camera_command(camera, shared, table), (shared,), told)

    def latest(self) -> Picture | None:
        """Return the newest picture."""
        return self._live.latest()

    def close(self) -> None:
        """End the process and release the memory."""
        super().close()
        self._live.close()


def link_to(camera: str, table: Path | None, told: Told) -> Link:
    """Return a link to the camera's systemd unit if this machine has it, else to a child process.

    CameraError on systems other than Linux, unless a folder of pictures stands in for the camera (not on Windows).
    """
    if not sys.platform.startswith("linux") and (sys.platform == "win32" or not Path(camera).is_dir()):
        raise CameraError("a live camera needs Linux; gunbai read and gunbai score read photographs here too")
    folder = service_folder()
    if folder is None:
        return OwnProcess(camera, table, told)
    return CameraService(folder, Order(camera, None if table is None else str(table.absolute())), told)


Connect = Callable[[str, Path | None, Told], Link]


class CameraWatch(Watching):
    """A camera and, if it is calibrated, its table: live pictures, and readings of the board once it has settled.

    TableError for a broken table file, InputError for one whose board or areas aren't those of the rules. A camera that
    is missing or goes away is a fault that may pass. link: how to connect to the process that takes the frames.
    """

    def __init__(self, camera: str, table: Path | None = None, link: Connect = link_to) -> None:
        self.table: Table | None = load_table_today(str(table)) if table is not None else None
        self._news = CameraStatus()
        self._link: Link = link(camera, table, self._take)
        self._closed = False

    # ---- what the app asks -----------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The state of the eye: starting, settled, steady, moving, hand, nudged, dark, lost, no-camera, failed ..."""
        return self._news.state

    @property
    def fault(self) -> str | None:
        """Why there is no picture, or no board in it, in one sentence; None if all is well."""
        return self._news.fault or None

    @property
    def nudge(self) -> Nudge | None:
        """How the board or the camera was last moved; None if it wasn't."""
        return self._news.nudge

    @property
    def pid(self) -> int | None:
        """The id of the camera process; None without one."""
        return self._link.pid

    @property
    def progress_s(self) -> float | None:
        """When the camera last made progress (monotonic seconds); None before it was first heard."""
        return self._link.progress_s

    def glimpse(self, match: Match) -> TableView:
        """Return what is seen of a match's table now, and the last reading that settled; "lost" for another board."""
        board = match.position.board.name
        if self.table is not None and self.table.plan.board != board:
            return TableView(
                "lost", fault=f"the game is played on {board}, but the table is set up for {self.table.plan.board}"
            )
        return self.look()

    def look(self) -> TableView:
        """Return what is seen of the table now, and the last reading that settled."""
        news = self._news
        state, blind = STATES.get(news.state, "waiting"), news.state in BLIND
        return TableView(state, news.reading, news.fault, news.frame, news.dice, blind, news.yes, news.cards)

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR, the same until there is a newer one; None without a camera."""
        if self._closed or self._news.state in ("starting", "restarting", "no-camera", "failed"):
            return None
        return self._link.latest()

    def ask(self, what: str) -> None:
        """Do nothing: people read what to show on the screen."""

    def close(self) -> None:
        """Release the camera and end its process."""
        if not self._closed:
            self._closed = True
            self._link.close()

    # ---- what the process tells --------------------------------------------------------------------

    def _take(self, message: Message) -> None:
        """Take in a message; called by one thread of the link alone. MessageError if it lacks something."""
        try:
            self._news = self._with_message(message)
        except (KeyError, TypeError, ValueError) as error:
            raise MessageError("the camera process sent a message that makes no sense") from error

    def _with_message(self, message: Message) -> CameraStatus:
        """Return the camera's news with this message taken in."""
        news, kind = self._news, message.told.get("told")
        if kind == "state":
            state, fault = line(message.told["state"]), line(message.told["fault"])
            return replace(news, state=state, fault=FAILED if state == "failed" else fault)
        if kind == "nudge":
            return replace(news, nudge=Nudge(number(message.told["mm"]), number(message.told["deg"])))
        if kind == "yes":
            return replace(news, yes=news.yes + 1)
        if kind == "cards":
            return replace(news, cards=cards_from(message.told["cards"]))
        if kind == "dice":
            return replace(news, dice=dice_from(message.told["dice"]))
        if kind == "settled":
            reading, frame, dice = reading_from(message)
            return replace(news, state="settled", fault="", reading=reading, frame=frame, dice=dice)
        return news
