"""Pictures come in here: one form for all of them, (H, W, 3) uint8 BGR."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.errors import PictureError
from vision.geometry import Picture

SMALLEST_PX = (640, 480)
LARGEST_PX = 6000
WORK_PX = 1920
ASPECT_SLACK = 0.01


def load_picture(path: Path | str) -> Picture:
    """A picture file as (H, W, 3) uint8 BGR; PictureError names the file that cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: cannot be read ({error.strerror})") from error
    if not data:
        raise PictureError(f"{path}: the file is empty")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{path}: no picture that can be read") from error
    if picture is None:
        raise PictureError(f"{path}: no picture that can be read")
    return checked_picture(np.asarray(picture, np.uint8), str(path))


def checked_picture(picture: Picture, name: str) -> Picture:
    """The same picture where its form and size can be worked with, or PictureError naming it."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise PictureError(f"{name}: not a colour picture of 8 bits a channel")
    height, width = picture.shape[:2]
    if min(width, height) < SMALLEST_PX[1] or max(width, height) < SMALLEST_PX[0]:
        raise PictureError(f"{name}: {width}x{height} pixels are too few; 640x480 is the least that reads well")
    if max(width, height) > LARGEST_PX:
        raise PictureError(f"{name}: {width}x{height} pixels are too many; at most {LARGEST_PX} across")
    return picture


def shrunk(picture: Picture) -> tuple[Picture, float]:
    """The picture no wider or higher than WORK_PX, and by what it was scaled: more pixels say no more of a board."""
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    if scale == 1.0:
        return picture, scale
    smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8), scale


def fitted(picture: Picture, size: tuple[int, int], name: str) -> Picture:
    """The picture at (width, height) `size`: rescaled where the aspect is the same, refused where it is not."""
    height, width = checked_picture(picture, name).shape[:2]
    if (width, height) == size:
        return picture
    if abs(width * size[1] / (height * size[0]) - 1) > ASPECT_SLACK:
        raise PictureError(f"{name}: {width}x{height} pixels, but the table was calibrated at {size[0]}x{size[1]}")
    smaller = width > size[0]
    resized = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)
