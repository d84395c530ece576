"""The camera as a service of its own: waits for an app, watches as ordered, tells what it sees, waits again.

In its folder lie a socket with a name and a file of memory, and nothing listens on any port:

- `camera`: an app connects and sends its order, a JSON object {"camera": a camera's name, "table": a table's file or
  null}. Back come messages (`vision.live.messages`), the first of them naming this process. A connection is a session:
  the camera is let go of when the app closes it or dies, and what a session leaves unread is gone with it. There is
  one at a time; an app that comes meanwhile is told {"told": "taken"}.
- `live`: the newest picture (`vision.live.messages`).

The service manager's watchdog is fed by frames taken, by waiting for an order, an absent camera or an app that does
not read: a driver that blocks for ever is none of these, and gets the service started anew.
"""

from __future__ import annotations

import json
import os
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2

from intake.json_text import parse_object
from vision.errors import VisionError
from vision.live.camera_process import AGAIN_S, CameraLoop, Reporter, loop_of
from vision.live.messages import Message, SharedPicture, named_file, write_message

SOCKET, LIVE = "camera", "live"
IDLE_S = 1.0
LONGEST_ORDER = 8192
MOST_WAITING = 8
"""Apps that the kernel holds for a service that hangs; the next one is refused."""


class Manager(Protocol):
    """The service manager, such as systemd."""

    def ready(self, status: str = "") -> None:
        """Report that orders are now taken."""

    def status(self, text: str) -> None:
        """Report in a line what the service is doing."""

    def alive(self) -> None:
        """Feed the manager's watchdog."""


@dataclass(frozen=True, slots=True)
class Order:
    """What an app orders: which camera, and which table to watch; table None: live pictures alone."""

    camera: str
    table: str | None = None


def order_data(order: Order) -> bytes:
    """Return the order as the bytes to send, all at once."""
    return json.dumps({"camera": order.camera, "table": order.table}).encode()


def order_of(data: bytes) -> Order | None:
    """Read an order from its bytes; None if they are none."""
    try:
        order = parse_object(data, LONGEST_ORDER)
        camera, table = order["camera"], order["table"]
    except (ValueError, KeyError):
        return None
    return Order(camera, table) if isinstance(camera, str) and isinstance(table, str | None) else None


def listening_at(path: Path) -> socket.socket:
    """Open a listening socket at this path for this user alone, replacing what is there; OSError if that fails."""
    path.unlink(missing_ok=True)
    door = socket.socket(socket.AF_UNIX)
    try:
        door.bind(str(path))
        path.chmod(0o600)
        door.listen(MOST_WAITING)
    except OSError:
        door.close()
        raise
    door.setblocking(False)
    return door


class Outbox:
    """Writes to an app's socket, calling `waiting` while the app doesn't read; ConnectionError if it is gone."""

    def __init__(self, app: socket.socket, waiting: Callable[[], None]) -> None:
        self._app, self._waiting = app, waiting

    def write(self, data: bytes) -> None:
        """Send all of the data; wait while the app takes no more."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._app.send(rest) :]
            except BlockingIOError:
                poll = select.poll()
                poll.register(self._app, select.POLLOUT)
                poll.poll(IDLE_S * 1000)
                self._waiting()

    def flush(self) -> None:
        """Do nothing: no data is kept back."""


class Session:
    """An order being carried out, until the app is gone."""

    def __init__(self, order: Order, out: Outbox, live: SharedPicture) -> None:
        self.order = order
        self._reporter = Reporter(lambda message: write_message(out, message))
        write_message(out, Message({"told": "service", "pid": os.getpid()}))
        self._reporter.report_state("starting", "", time.monotonic())
        self._fault = ""
        self._loop: CameraLoop | None = None
        try:
            self._loop = loop_of(order.camera, order.table, live, self._reporter)
        except VisionError as error:
            self._fault = str(error)

    def run_once(self, now_s: float) -> float:
        """Handle one frame; return how many seconds to wait before the next. ConnectionError if the app is gone."""
        if self._loop is not None:
            return self._loop.run_once(now_s)
        self._reporter.report_state("lost", self._fault, now_s)
        return AGAIN_S

    @property
    def status(self) -> str:
        """One line: the camera's name and its fault, or that it is watching."""
        return f"camera {self.order.camera}: {self._reporter.fault or 'watching'}"

    def let_go(self) -> None:
        """Close the camera."""
        if self._loop is not None:
            self._loop.let_go()


class CameraService:
    """The service, with its socket and live picture in a folder; OSError if they can't be made there."""

    def __init__(self, folder: Path, manager: Manager, clock: Callable[[], float] = time.monotonic) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._manager, self._clock = manager, clock
        self._live = SharedPicture(named_file(folder / LIVE))
        self._door = listening_at(folder / SOCKET)
        self._app: socket.socket | None = None
        self._session: Session | None = None

    def run(self) -> None:
        """Serve one app after another, for ever."""
        self._manager.ready("waiting for an order")
        while True:
            self._rest(self.run_once())

    def run_once(self) -> float:
        """Take an order, or handle a frame as ordered; return how many seconds to wait before the next call."""
        began_s = self._clock()
        try:
            self._welcome()
            pause_s = self._session.run_once(began_s) if self._session is not None else IDLE_S
        except ConnectionError:
            self._end()
            pause_s = 0.0
        self._manager.status(self._session.status if self._session is not None else "waiting for an order")
        self._manager.alive()
        return max(0.0, began_s + pause_s - self._clock())

    def close(self) -> None:
        """Close the session, the socket and the live picture."""
        self._end()
        self._door.close()
        self._live.close()

    def _welcome(self) -> None:
        """Take the next app's connection, and its order once that has come."""
        if self._app is not None and _is_over(self._app):
            self._end()
        if self._app is None:
            self._app = self._next_app()
        self._turn_others_away()
        if self._app is None or self._session is not None:
            return
        try:
            order = order_of(self._app.recv(LONGEST_ORDER))
        except BlockingIOError:  # nothing was ordered yet
            return
        if order is None:
            self._end()
        else:
            self._session = Session(order, Outbox(self._app, self._while_it_does_not_read), self._live)

    def _next_app(self) -> socket.socket | None:
        try:
            app, _ = self._door.accept()
        except BlockingIOError:
            return None
        app.setblocking(False)
        return app

    def _turn_others_away(self) -> None:
        """Tell those who come while an app has the camera that it is taken."""
        while self._app is not None and (other := self._next_app()) is not None:
            with other, suppress(ConnectionError):
                write_message(Outbox(other, self._manager.alive), Message({"told": "taken"}))

    def _while_it_does_not_read(self) -> None:
        self._turn_others_away()
        self._manager.alive()

    def _end(self) -> None:
        """Let go of the camera and the app, which is gone or made no sense."""
        if self._session is not None:
            self._session.let_go()
        if self._app is not None:
            self._app.close()
        self._session = self._app = None

    def _rest(self, pause_s: float) -> None:
        """Wait, but not while an app comes, orders or goes."""
        poll = select.poll()
        poll.register(self._door, select.POLLIN)
        if self._app is not None:
            poll.register(self._app, select.POLLIN if self._session is None else 0)  # 0: its end alone
        poll.poll(pause_s * 1000)


def _is_over(app: socket.socket) -> bool:
    """Return whether the other side has closed a connection."""
    poll = select.poll()
    poll.register(app, 0)  # asks for nothing, and is told of a hang-up all the same
    return bool(poll.poll(0))


def serve(folder: Path, manager: Manager) -> None:
    """Serve in this folder until the process is ended; OSError if socket or live picture can't be made there."""
    cv2.setNumThreads(1)
    CameraService(folder, manager).run()
