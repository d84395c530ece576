"""The camera process (`python -m vision.live.camera_process`): takes frames, follows the table, tells what it sees.

It is started by the app and talks to it alone: messages on standard output, nothing on any port. Standard input says
nothing; its end means that the app is gone, and then the process ends, whatever it is doing.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from intake.errors import Unreadable
from vision.dice.reader import DiceReader, DiceReading
from vision.errors import CameraError, TableError, VisionError
from vision.frame import jpeg_of, shrink_to_work
from vision.geometry import Picture
from vision.live.camera import FROZEN, FrameSource, SamePicture, open_camera
from vision.live.messages import Message, SharedPicture, dice_data, reading_message, write_message
from vision.live.printed import YesSquare
from vision.live.watcher import TableWatcher, Update
from vision.memory import give_back
from vision.reading.read import Reading, read
from vision.reading.setting import prepare_table
from vision.registration.register import Registration, WhyLost, why_lost
from vision.table import Table, load_today, mark_of_table, today_path

# From frame to frame; until an absent camera is tried again; between two signs of life (the app gives up after 6 s).
PAUSE_S = 0.125
AGAIN_S = 1.0
BEAT_S = 0.5
# How often it is asked whether today's board was photographed again.
RENEWED_EVERY_S = 1.0
# While the watch is at one of these, something moves on the board, or it can't be seen.
UNREST = frozenset({"starting", "moving", "hand", "dark", "lost"})
# Of a settled frame's JPEG, which evidence and bug reports keep.
QUALITY = 90

Send = Callable[[Message], None]
Opened = Callable[[], FrameSource]
Renewed = Callable[[float], TableWatcher | None]
"""From the time now to a new watcher where the table's photos have changed; None where they haven't."""


class TableEye:
    """The real eye on one table; dice weights are loaded when first needed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._dice: DiceReader | None = None
        prepare_table(table)
        give_back()

    def read(self, frame_bgr: Picture) -> Reading:
        """Read what stands on the board, and give the memory back: the next reading may be minutes away."""
        reading = read(self._table, frame_bgr)
        give_back()
        return reading

    def dice(self, frame_bgr: Picture, found: Registration) -> DiceReading:
        """Read the dice that lie beside the board."""
        self._dice = self._dice or DiceReader(self._table)
        return self._dice.read(frame_bgr, found)

    def why_lost(self, frame_bgr: Picture) -> WhyLost | None:
        """Return why the board isn't found in a frame: "twofold" or "mirrored", else None."""
        return why_lost(prepare_table(self._table).anchors, frame_bgr)


class Reporter:
    """Tells the app what is seen: its state on each change and as a sign of life, readings once they settle."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._told: tuple[str, str] = ("", "")
        self._told_s = 0.0

    @property
    def fault(self) -> str:
        """The fault that was reported last; "" if there was none."""
        return self._told[1]

    def report_state(self, state: str, fault: str, now_s: float) -> None:
        """Send the state and its fault if they have changed, and otherwise every BEAT_S as a sign of life."""
        if (state, fault) != self._told or now_s - self._told_s >= BEAT_S:
            self._told, self._told_s = (state, fault), now_s
            self._send(Message({"told": "state", "state": state, "fault": fault}))

    def report(self, seen: Update, now_s: float) -> None:
        """Send what a frame changed: a nudge, cards, a settled reading, dice, then the state."""
        if seen.nudge is not None:
            self._send(Message({"told": "nudge", "mm": seen.nudge.mm, "deg": seen.nudge.deg}))
        if seen.cards is not None:  # before the reading that they help to explain
            self._send(Message({"told": "cards", "cards": seen.cards}))
        if seen.settled is not None:
            self._send(reading_message(seen.settled.reading, jpeg_of(seen.settled.frame, QUALITY), seen.settled.dice))
        if seen.dice is not None:
            self._send(Message({"told": "dice", "dice": dice_data(seen.dice)}))
        self.report_state(seen.state, seen.fault, now_s)

    def report_yes(self) -> None:
        """Tell that the printed “Yes” was pressed."""
        self._send(Message({"told": "yes"}))


class CameraLoop:
    """Takes one frame after another from a camera that may come and go, and reports what they show."""

    def __init__(
        self,
        opened: Opened,
        live: SharedPicture,
        watcher: TableWatcher | None,
        reporter: Reporter,
        renewed: Renewed = lambda now_s: None,
    ) -> None:
        self._opened, self._live, self._watcher, self._reporter = opened, live, watcher, reporter
        self._renewed, self._ask_s = renewed, 0.0
        self._source: FrameSource | None = None
        self._same, self._yes = SamePicture(), YesSquare()

    def run_once(self, now_s: float) -> float:
        """Take one frame and report what it shows; return how many seconds to wait before the next."""
        try:
            if self._source is None:
                self._source = self._opened()
            frame = shrink_to_work(self._source.frame())[0]  # no larger than a table is calibrated with
            if self._source.noisy and self._same.is_frozen(frame, now_s):
                raise CameraError(FROZEN)
        except VisionError as error:
            self.let_go()
            if self._watcher is not None:
                self._watcher.lose_sight()
            self._reporter.report_state("no-camera", str(error), now_s)
            return AGAIN_S
        self._live.show(frame)
        self._watch(frame, now_s)
        return PAUSE_S

    def let_go(self) -> None:
        """Close the camera; `run_once` opens it again."""
        if self._source is not None:
            self._source.close()
        self._source = None

    def _watch(self, frame: Picture, now_s: float) -> None:
        if self._watcher is None:
            self._reporter.report_state("live", "", now_s)
            return
        if now_s >= self._ask_s:
            self._ask_s = now_s + RENEWED_EVERY_S
            self._watcher = self._renewed(now_s) or self._watcher
        seen = self._watcher.see(frame, now_s)
        self._reporter.report(seen, now_s)
        if self._yes.see(frame, seen.state not in UNREST, now_s):
            self._reporter.report_yes()


def run(loop: CameraLoop, clock: Callable[[], float], wait: Callable[[float], object]) -> None:
    """Run the loop until the app stops listening."""
    try:
        while True:
            began_s = clock()
            pause_s = loop.run_once(began_s)
            wait(max(0.0, began_s + pause_s - clock()))
    except BrokenPipeError:
        return


def end_with(descriptor: int) -> None:
    """End this process as soon as a pipe is closed at its other end, even if a driver holds the camera for ever."""

    def listen() -> None:
        while os.read(descriptor, 1024):  # past Python's buffers: their locks would hold up an orderly end
            pass
        os._exit(0)

    threading.Thread(target=listen, name="end with the app", daemon=True).start()


def main(arguments: list[str] | None = None) -> int:
    """Run the camera process with --camera SPEC --live DESCRIPTOR [--table FILE].

    Return 0 when the app is gone, 2 if the table can't be used.
    """
    parser = argparse.ArgumentParser(prog="vision.live.camera_process", description=__doc__)
    parser.add_argument("--camera", required=True)
    parser.add_argument("--live", type=int, required=True)
    parser.add_argument("--table")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the app, which then ends this
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a driver prints must not break the messages
    end_with(sys.stdin.fileno())
    cv2.setNumThreads(1)
    reporter = Reporter(lambda message: write_message(out, message))
    reporter.report_state("starting", "", time.monotonic())
    try:
        loop = loop_of(options.camera, options.table, SharedPicture(options.live), reporter)
    except VisionError as error:
        reporter.report_state("lost", str(error), time.monotonic())
        return 2
    run(loop, time.monotonic, time.sleep)
    return 0


def loop_of(camera: str, table: str | None, live: SharedPicture, reporter: Reporter) -> CameraLoop:
    """Return the loop for a camera and a table file; without a table it only shows live pictures.

    Today's board, which lies beside the table's file, is loaded again whenever it changes. TableError if the table is
    broken, UnknownPieces if the eye can't read it.
    """
    if table is None:
        return CameraLoop(partial(open_camera, camera, None), live, None, reporter)
    tables = TableInUse(Path(table))
    first = tables.current()

    def renewed(now_s: float) -> TableWatcher | None:
        if not tables.has_changed:
            return None
        reporter.report_state("starting", "", now_s)  # the eye gets ready for the new photos
        return watcher_of(tables.current())

    return CameraLoop(partial(open_camera, camera, first.picture_size), live, watcher_of(first), reporter, renewed)


def watcher_of(table: Table) -> TableWatcher:
    """Return a watcher of a table, the eye made ready to read it."""
    return TableWatcher(table, TableEye(table))


class TableInUse:
    """The table in a file, and today's board beside it. TableError where the table itself cannot be read."""

    def __init__(self, path: Path) -> None:
        self._path, self._today = path, today_path(path)
        self._table = Table.load(path)
        self._mark = _mark(path)
        self._state: tuple[int, ...] | None = None

    @property
    def has_changed(self) -> bool:
        """Whether the file of today's board has changed since the last `current`."""
        return _state_of(self._today) != self._state

    def current(self) -> Table:
        """Load today's board; if it is missing, broken or out of date, return the table as it was calibrated."""
        self._state = _state_of(self._today)
        return load_today(self._today, self._table, self._mark) or self._table


def _mark(path: Path) -> str:
    try:
        return mark_of_table(path)
    except (OSError, Unreadable) as error:
        raise TableError(f"{path}: can't be read ({error})") from error


def _state_of(path: Path) -> tuple[int, ...] | None:
    """Return what changes with a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


if __name__ == "__main__":
    sys.exit(main())
