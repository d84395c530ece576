"""The camera as a service of its own: waits for an order, watches as ordered, tells what it sees, waits again.

In its folder lie two pipes with names and a file of memory, and nothing listens on any port:

- `orders`: JSON lines {"mark": 32 hex digits, "camera": a camera's name, "table": a table's file or null}. The newest
  order holds; a line that is none is skipped.
- `told`: for each order its mark as 16 bytes, then messages (`vision.live.messages`). Whatever comes ahead of the mark
  belonged to an order before. Nobody reading it means that the app is gone, and the camera is let go of.
- `live`: the newest picture (`vision.live.shared_picture`).

The service manager's watchdog is fed by frames taken, by waiting for an order, an absent camera or an app that does
not read: a driver that blocks for ever is none of these, and gets the service started anew.
"""

from __future__ import annotations

import json
import os
import select
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import cv2

from intake.json_text import parse_object
from vision.errors import VisionError
from vision.live.camera import open_camera
from vision.live.camera_process import AGAIN_S, CameraLoop, Reporter, watcher_of
from vision.live.messages import Message, write_message
from vision.live.shared_picture import SharedPicture, named_file

ORDERS, TOLD, LIVE = "orders", "told", "live"
MARK_BYTES = 16
IDLE_S = 1.0
READ_BYTES = 65536
LONGEST_LINE = 8192


class Manager(Protocol):
    """Whoever looks after this service."""

    def ready(self, status: str = "") -> None:
        """Orders are taken."""

    def status(self, text: str) -> None:
        """What goes on."""

    def alive(self) -> None:
        """Feed the watchdog."""


@dataclass(frozen=True, slots=True)
class Order:
    """What an app wants watched. table: None for live pictures alone; mark: told back ahead of the first message."""

    camera: str
    table: str | None = None
    mark: bytes = b""


def order_line(order: Order) -> bytes:
    """The order as a line. It begins a line anew, so that half a line of somebody who died spoils nothing."""
    told = {"mark": order.mark.hex(), "camera": order.camera, "table": order.table}
    return b"\n" + json.dumps(told).encode() + b"\n"


def order_of(line: bytes) -> Order | None:
    """The order that a line is; None where it is none."""
    try:
        told = parse_object(line, LONGEST_LINE)
        mark, camera, table = bytes.fromhex(told["mark"]), told["camera"], told["table"]
    except (ValueError, KeyError, TypeError):
        return None
    named = isinstance(camera, str) and isinstance(table, str | None)
    return Order(camera, table, mark) if named and len(mark) == MARK_BYTES else None


def fifo(path: Path) -> Path:
    """A pipe with this name for this user alone; what else lies there is removed. OSError where none can be made."""
    if path.is_symlink() or (path.exists() and not stat.S_ISFIFO(path.stat().st_mode)):
        path.unlink()
    if not path.exists():
        os.mkfifo(path, 0o600)
    return path


class Inbox:
    """The pipe of orders. It is held open for writing too, so that it never ends."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(fifo(path), os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._half = b""

    def newest(self) -> Order | None:
        """The last of the orders that have come since the last call."""
        *lines, self._half = (self._half + self._come()).split(b"\n")
        self._half = self._half[-LONGEST_LINE:]
        orders = [order for line in lines if (order := order_of(line)) is not None]
        return orders[-1] if orders else None

    def _come(self) -> bytes:
        try:
            return os.read(self.descriptor, READ_BYTES)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Take no orders any more."""
        os.close(self.descriptor)


class Outbox:
    """The pipe to the app; one that does not read is waited for, calling `waiting`. OSError where none has it open."""

    def __init__(self, path: Path, waiting: Callable[[], None]) -> None:
        self.descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._waiting = waiting

    def write(self, data: bytes) -> None:
        """All of it."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self.descriptor, rest) :]
            except BlockingIOError:
                self._wait()

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self.descriptor, select.POLLOUT)
        poll.poll(IDLE_S * 1000)
        self._waiting()

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """The app reads to the end of what was told."""
        os.close(self.descriptor)


class Session:
    """One order being carried out."""

    def __init__(self, order: Order, out: Outbox, live: SharedPicture) -> None:
        self.order = order
        self._teller = Reporter(lambda message: write_message(out, message))
        out.write(order.mark)
        write_message(out, Message({"told": "service", "pid": os.getpid()}))
        self._teller.state("starting", "", time.monotonic())
        self._fault = ""
        self._loop: CameraLoop | None = None
        try:
            watcher, size_px = watcher_of(order.table) if order.table is not None else (None, None)
        except VisionError as error:
            self._fault = str(error)
        else:
            self._loop = CameraLoop(partial(open_camera, order.camera, size_px), live, watcher, self._teller)

    def once(self, now_s: float) -> float:
        """One frame; how many seconds to wait before the next. BrokenPipeError where the app is gone."""
        if self._loop is not None:
            return self._loop.once(now_s)
        self._teller.state("lost", self._fault, now_s)
        return AGAIN_S

    @property
    def status(self) -> str:
        """How it stands, in a line."""
        return f"camera {self.order.camera}: {self._teller.fault or 'watching'}"

    def let_go(self) -> None:
        """Close the camera."""
        if self._loop is not None:
            self._loop.let_go()


class CameraService:
    """The service in a folder. OSError where that takes no pipes."""

    def __init__(self, folder: Path, manager: Manager, clock: Callable[[], float] = time.monotonic) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._manager, self._clock = manager, clock
        self._live = SharedPicture(named_file(folder / LIVE))
        self._told = fifo(folder / TOLD)
        self._inbox = Inbox(folder / ORDERS)
        self._out: Outbox | None = None
        self._session: Session | None = None

    def run(self) -> None:
        """For ever."""
        self._manager.ready("waiting for an order")
        while True:
            self._rest(self.once())

    def once(self) -> float:
        """One turn: take an order, or a frame as ordered; how many seconds to wait for the next."""
        began_s = self._clock()
        order = self._inbox.newest()
        try:
            if order is not None:
                self._begin(order)
            pause_s = self._session.once(began_s) if self._session is not None else IDLE_S
        except BrokenPipeError:
            self._end()
            pause_s = 0.0
        self._manager.status(self._session.status if self._session is not None else "waiting for an order")
        self._manager.alive()
        return max(0.0, began_s + pause_s - self._clock())

    def close(self) -> None:
        """Let go of everything."""
        self._end()
        self._inbox.close()
        self._live.close()

    def _begin(self, order: Order) -> None:
        """Carry this order out from now on; an order of an app that is gone already comes to nothing."""
        if self._session is not None:
            self._session.let_go()
            self._session = None
        try:
            self._out = self._out or Outbox(self._told, self._manager.alive)
        except OSError:
            return
        self._session = Session(order, self._out, self._live)

    def _end(self) -> None:
        """The app is gone."""
        if self._session is not None:
            self._session.let_go()
        if self._out is not None:
            self._out.close()
        self._session = self._out = None

    def _rest(self, pause_s: float) -> None:
        """Wait, but not for an order, nor for an app that goes."""
        poll = select.poll()
        poll.register(self._inbox.descriptor, select.POLLIN)
        if self._out is not None:
            poll.register(self._out.descriptor, 0)  # errors only: nobody reads any more
        found = poll.poll(pause_s * 1000)
        if self._out is not None and any(descriptor == self._out.descriptor for descriptor, _event in found):
            self._end()


def serve(folder: Path, manager: Manager) -> None:
    """Serve in this folder until the process is ended. OSError where the folder takes no pipes."""
    cv2.setNumThreads(1)
    CameraService(folder, manager).run()
