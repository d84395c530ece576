"""Where frames come from while a game goes on: a USB or ribbon camera, or a folder that plays one.

A frame is always one of now: what a driver has kept from before is thrown away. A driver that hangs may hand out its
last picture for ever; a camera's noise makes each picture another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.errors import CameraError
from vision.frame import load_picture, quiet
from vision.geometry import Picture
from vision.live.pi_camera import PiCamera, csi_number
from vision.live.rpicam import RpicamCamera, rpicam_vid

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")
USUAL_PX = (1920, 1440)
# Frames that a driver may have kept from before: one of them comes sooner than AT_ONCE_S, a new one is waited for.
MOST_KEPT = 5
AT_ONCE_S = 0.004
FROZEN_S = 4.0
"""The very same picture for so long is no accident."""
EVERY_PX = 16
"""Of a picture that is looked at first; only where these pixels are the same are all the others compared."""
BLACK_LEVEL = 24
"""A picture that is nowhere brighter may be black all over, without any noise."""

FROZEN = "the camera keeps sending the very same picture"


class FrameSource(Protocol):
    """Anything that gives frames."""

    @property
    def noisy(self) -> bool:
        """Whether a sensor's noise makes all frames differ; a repeated frame then means that the driver hangs."""

    def frame(self) -> Picture:
        """Return what is seen now, (H, W, 3) uint8 BGR; CameraError if no frame comes."""

    def close(self) -> None:
        """Let go of the device."""


class FolderCamera:
    """A folder of pictures, given one by one in the order of their names; the last is repeated until another comes."""

    noisy = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: tuple[Path, Picture] | None = None
        if not self._pictures():
            raise CameraError(f"{folder}: no picture (.jpg or .png) in this folder")

    def frame(self) -> Picture:
        """Return the next picture, or the last again; PictureError if unreadable, CameraError if the files are gone."""
        before = self._last[0] if self._last else Path()
        later = [path for path in self._pictures() if self._last is None or path > before]
        if later:
            self._last = later[0], load_picture(later[0])
        elif not self._last or not before.exists():
            raise CameraError(f"{self._folder}: the pictures are gone")
        return self._last[1]

    def close(self) -> None:
        """Do nothing: a folder holds nothing open."""

    def _pictures(self) -> list[Path]:
        try:
            return sorted(path for path in self._folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
        except OSError as error:
            raise CameraError(f"{self._folder}: can't be listed ({error.strerror})") from error


class DeviceCamera:
    """A Video for Linux camera, by its device file; size_px: the (width, height) to ask for."""

    noisy = True

    def __init__(
        self, device: Path, size_px: tuple[int, int] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._device, self._clock = device, clock
        self._capture = _open_device(device)
        width, height = size_px or USUAL_PX
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw ones of this size come too slowly
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def frame(self) -> Picture:
        """Return what the camera sees now, skipping what the driver has kept; CameraError if no picture comes.

        A frame that comes at once had been kept: the first that is waited for is new.
        """
        for _ in range(MOST_KEPT):
            began_s = self._clock()
            if not self._capture.grab():
                raise CameraError(f"{self._device}: the camera gave no picture")
            if self._clock() - began_s > AT_ONCE_S:
                break
        done, picture = self._capture.retrieve()
        if not done or picture is None:
            raise CameraError(f"{self._device}: the camera gave no picture")
        return np.asarray(picture, np.uint8)

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()


def _open_device(device: Path) -> cv2.VideoCapture:
    """Open the device; CameraError if it gives no working camera."""
    with quiet():
        capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
    if not capture.isOpened():
        raise CameraError(f"{device}: no working camera")
    return capture


def _open_ribbon(number: int, size_px: tuple[int, int]) -> FrameSource:
    """Open a camera on a Pi's own connector: through rpicam-vid, or picamera2 on a system without it."""
    program = rpicam_vid()
    return PiCamera(number, size_px) if program is None else RpicamCamera(program, number, size_px)


def open_camera(spec: str, size_px: tuple[int, int] | None = None) -> FrameSource:
    """Open the source that `spec` names; CameraError if there is no such thing.

    spec: a camera's number, a device such as /dev/video0, "csi:0" for the first camera on a Raspberry Pi's own
    connector, or a folder of pictures.

    size_px: the (width, height) to ask a device for; it may give another.
    """
    number = csi_number(spec)
    if number is not None:
        return _open_ribbon(number, size_px or USUAL_PX)
    path = Path(f"/dev/video{spec}") if spec.isdigit() else Path(spec)
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:  # a name too long, or a folder that is closed to us
        raise CameraError(f"{path}: can't be listed ({error.strerror})") from error
    if is_folder:
        return FolderCamera(path)
    if not is_there:
        is_device = spec.isdigit() or spec.startswith("/dev/")
        what = "there is no such camera" if is_device else "not a camera number, device or folder of pictures"
        raise CameraError(f"{path}: {what}")
    return DeviceCamera(path, size_px)


class SamePicture:
    """Notices a camera that repeats one picture; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._since_s = 0.0

    def is_frozen(self, picture: Picture, now_s: float) -> bool:
        """Take the next picture (H, W, 3) uint8; return whether nothing but this very picture has come for FROZEN_S."""
        if self._last is None or not _same(self._last, picture):
            self._last, self._since_s = picture, now_s
            return False
        return now_s - self._since_s >= FROZEN_S


def _same(before: Picture, now: Picture) -> bool:
    """Return whether two pictures are the same in every pixel, and not just black."""
    if before.shape != now.shape:
        return False
    first, second = before[::EVERY_PX, ::EVERY_PX], now[::EVERY_PX, ::EVERY_PX]
    return bool(second.max() > BLACK_LEVEL) and np.array_equal(first, second) and np.array_equal(before, now)
