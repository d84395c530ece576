"""The camera process without the process: recorded pictures through its loop, at times that come from outside."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np

from companion.perception.camera_process import Told
from vision.dice.reader import DiceReading
from vision.geometry import Picture
from vision.live.camera_process import CameraLoop, Reporter, TableEye, TableInUse
from vision.live.messages import Message, SharedPicture, read_message, shared_file, write_message
from vision.live.watcher import TableWatcher
from vision.reading.read import Reading
from vision.registration.register import Registration, WhyLost
from vision.table import Table

BUMP_PX, BUMP_DEG = (14.0, -9.0), 0.8


class SwiftEye:
    """The real eye, which doesn't read a picture twice: recorded ones have no noise from frame to frame."""

    def __init__(self, table: Table) -> None:
        self._eye = TableEye(table)
        self._last: tuple[Picture, Reading] | None = None

    def read(self, frame_bgr: Picture) -> Reading:
        """Read what stands on the board."""
        if self._last is None or not np.array_equal(self._last[0], frame_bgr):
            self._last = (frame_bgr.copy(), self._eye.read(frame_bgr))
        return self._last[1]

    def dice(self, frame_bgr: Picture, found: Registration) -> DiceReading:
        """Read the dice that lie beside the board."""
        return self._eye.dice(frame_bgr, found)

    def why_lost(self, frame_bgr: Picture) -> WhyLost | None:
        """Return why the board isn't found in a frame: "twofold" or "mirrored", else None."""
        return self._eye.why_lost(frame_bgr)


class PlayedCamera:
    """The camera process without the process: its loop over recorded pictures, at times that come from outside."""

    pid = progress_s = None
    noisy = False

    def __init__(self, table: Path | None, tell: Told) -> None:
        assert table is not None
        self._live, self._tables = SharedPicture(shared_file()), TableInUse(table)
        watcher = self._watcher()
        self._loop = CameraLoop(lambda: self, self._live, watcher, Reporter(partial(_send, tell)), self._renewed)
        self._picture: Picture | None = None

    def _watcher(self) -> TableWatcher:
        table = self._tables.current()
        return TableWatcher(table, SwiftEye(table))

    def _renewed(self, _now_s: float) -> TableWatcher | None:
        return self._watcher() if self._tables.has_changed else None

    def show(self, picture: Picture, now_s: float) -> None:
        """Let the camera take this picture now."""
        self._picture = picture
        self._loop.run_once(now_s)

    def frame(self) -> Picture:
        """Return what is seen now."""
        assert self._picture is not None
        return self._picture

    def latest(self) -> Picture | None:
        """Return the newest picture; None before the first."""
        return self._live.latest()

    def close(self) -> None:
        """Let go of the memory."""
        self._live.close()


def _send(tell: Told, message: Message) -> None:
    """Hand a message on as the pipe would."""
    pipe = BytesIO()
    write_message(pipe, message)
    pipe.seek(0)
    heard = read_message(pipe)
    assert heard is not None
    tell(heard)


def lamp_lit(picture: Picture) -> Picture:
    """Return the picture under a warm lamp at the left: brighter there, half as bright at the right."""
    across = np.linspace(1.25, 0.55, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(picture * across * np.array([0.8, 1.0, 1.1], np.float32), 0, 255), np.uint8)


def bumped(picture: Picture) -> Picture:
    """Return the picture from a camera that was turned and tilted by a little."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), BUMP_DEG, 1.0)
    turn[:, 2] += np.array(BUMP_PX)
    return np.asarray(cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
