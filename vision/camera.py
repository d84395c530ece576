"""Where frames come from while a game goes on: a camera through OpenCV, or a folder of pictures that plays one."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.errors import CameraError
from vision.frame import load_picture
from vision.geometry import Picture

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


class FrameSource(Protocol):
    """Anything that gives frames."""

    def frame(self) -> Picture:
        """(H, W, 3) uint8 BGR: what is seen now; CameraError where nothing comes."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


class FolderCamera:
    """A folder of pictures, given one after the other by name; the last one stays."""

    def __init__(self, folder: Path) -> None:
        self._pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
        self._next = 0
        if not self._pictures:
            raise CameraError(f"{folder}: no picture (.jpg or .png) in this folder")

    def frame(self) -> Picture:
        """The next picture; PictureError where it cannot be read."""
        path = self._pictures[min(self._next, len(self._pictures) - 1)]
        self._next += 1
        return load_picture(path)

    def close(self) -> None:
        """Nothing is held."""


class DeviceCamera:
    """A camera that Video for Linux knows, by its device file."""

    def __init__(self, device: Path) -> None:
        self._device = device
        self._capture = _opened(device)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # a frame of now, not of a while ago

    def frame(self) -> Picture:
        """What the camera sees now."""
        done, picture = self._capture.read()
        if not done or picture is None:
            raise CameraError(f"{self._device}: the camera gave no picture")
        return np.asarray(picture, np.uint8)

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()


def _opened(device: Path) -> cv2.VideoCapture:
    """The open device; OpenCV's own complaints are kept from the terminal, as ours says what matters."""
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
    finally:
        cv2.utils.logging.setLogLevel(before)
    if not capture.isOpened():
        raise CameraError(f"{device}: no camera that can be opened")
    return capture


def open_camera(spec: str) -> FrameSource:
    """The source that `spec` names: a camera's number, a device such as /dev/video0, or a folder of pictures.

    CameraError where there is no such thing.
    """
    path = Path(f"/dev/video{spec}") if spec.isdigit() else Path(spec)
    if path.is_dir():
        return FolderCamera(path)
    if not path.exists():
        what = "there is no such camera" if spec.isdigit() else "no camera's number, device, or folder of pictures"
        raise CameraError(f"{path}: {what}")
    return DeviceCamera(path)
