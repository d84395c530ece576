"""Pictures come in here, and are unpacked nowhere else: one form for all of them, (H, W, 3) uint8 BGR.

PNG, JPEG, BMP and WebP are read. What a file's head says is looked at first (`intake.pictures`). A JPEG file that says
how the camera was held is turned upright, so that its width and height may be the other way round in its head.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np

from intake.errors import Unreadable
from intake.files import Reader, read_file
from intake.pictures import MOST_BYTES, MOST_SIDE_PX, check_picture, size_of, strip_metadata
from vision.errors import PictureError
from vision.geometry import Picture

SMALLEST_PX = (640, 480)
"""The least of the longer and the shorter side: at this size 99.2 % of areas were read right, 99.5 % at 1280x960."""
WORK_PX = 1920
"""More pixels say no more of a board: it is rectified to 2 px/mm, which 1280 across already give."""
ASPECT_SLACK = 0.01
"""Rounding when a camera scales its picture down changes the aspect by less; another mode of its sensor by far more."""
LARGE_PX = 13_000_000
"""A 12 megapixel photo (4056x3040) unpacks into 37 MB, of the 512 MB of the smallest Pi."""
STANDARD_ERROR = 2
SMALL_QUALITY = 72
FINE_QUALITY = 95
"""Of a JPEG, 0 to 100."""


def load_picture(path: Path | str, read: Reader = read_file) -> Picture:
    """Load a picture file as (H, W, 3) uint8 BGR; PictureError names the file that cannot be read.

    read: how its bytes are read, where it may be a pipe.
    """
    return picture_of(picture_bytes(path, read), str(path))


def picture_bytes(path: Path | str, read: Reader = read_file) -> bytes:
    """Read a picture file's bytes without unpacking them; PictureError names the file that cannot be read."""
    try:
        return read(path, MOST_BYTES)
    except OSError as error:
        raise PictureError(f"{path}: can't be read ({error.strerror})") from error
    except Unreadable as error:
        raise PictureError(f"{path}: {error}") from error


def is_large(data: bytes) -> bool:
    """Return whether a picture takes so much memory to unpack that nothing else should be kept meanwhile."""
    width, height = size_of(data) or (0, 0)
    return width * height > LARGE_PX


def picture_of(data: bytes, name: str) -> Picture:
    """Unpack a picture file's bytes to (H, W, 3) uint8 BGR that `checked_picture` accepts; PictureError otherwise."""
    return checked_picture(decode_picture(data, name), name)


def decode_picture(data: bytes, name: str, most_side_px: int = MOST_SIDE_PX) -> Picture:
    """Unpack a picture of up to `most_side_px` a side to (H, W, 3) uint8 BGR; PictureError if that fails."""
    try:
        check_picture(data, most_side_px)
        with quiet():
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except Unreadable as error:
        raise PictureError(f"{name}: {error}") from error
    except cv2.error as error:
        raise PictureError(f"{name}: not a readable picture") from error
    if picture is None:
        raise PictureError(f"{name}: not a readable picture")
    return np.asarray(picture, np.uint8)


def checked_picture(picture: Picture, name: str) -> Picture:
    """Return the picture itself if its form and size can be worked with; else raise PictureError naming it."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise PictureError(f"{name}: not a colour picture with 8 bits per channel")
    height, width = picture.shape[:2]
    if min(width, height) < SMALLEST_PX[1] or max(width, height) < SMALLEST_PX[0]:
        raise PictureError(f"{name}: {width}x{height} pixels are too few; 640x480 is the minimum")
    if max(width, height) > MOST_SIDE_PX:
        raise PictureError(f"{name}: {width}x{height} pixels are too many; at most {MOST_SIDE_PX} across")
    return picture


def shrink_to_work(picture: Picture) -> tuple[Picture, float]:
    """Shrink a picture to WORK_PX a side at most; return it with the scale used, 1 at most.

    More pixels say no more of a board.
    """
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    if scale == 1.0:
        return picture, scale
    smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8), scale


def fit_to_size(picture: Picture, size: tuple[int, int], name: str) -> Picture:
    """Rescale the picture to `size` (width, height); PictureError if it is unusable or has another aspect ratio."""
    height, width = checked_picture(picture, name).shape[:2]
    if (width, height) == size:
        return picture
    if abs(width * size[1] / (height * size[0]) - 1) > ASPECT_SLACK:
        raise PictureError(f"{name}: {width}x{height} pixels, but the table was calibrated at {size[0]}x{size[1]}")
    smaller = width > size[0]
    resized = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


# ---- as files in memory -------------------------------------------------------------------------


def jpeg_of(picture: Picture, quality: int = SMALL_QUALITY) -> bytes:
    """Pack a picture (H, W, 3) uint8 BGR as a JPEG file; quality 0 to 100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture in memory can always be packed"
    return data.tobytes()


def without_metadata(data: bytes, name: str) -> bytes:
    """Return a picture file without metadata that looks the same; PictureError if it cannot be read.

    Packed anew only if it is larger than the eye works with, or would look otherwise: turned the way the camera was
    held, in colours of its own, cut off.
    """
    picture, scale = shrink_to_work(picture_of(data, name))
    if scale < 1.0:
        return jpeg_of(picture, FINE_QUALITY)
    with suppress(Unreadable):
        plain = strip_metadata(data)
        if np.array_equal(picture_of(plain, name), picture):
            return plain
    return jpeg_of(picture, FINE_QUALITY)


# ---- without the libraries' own words -----------------------------------------------------------


@contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV from logging, and libraries from printing on standard error, within the context.

    If other threads run, standard error is left alone: what they print must not get lost.
    """
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        if threading.active_count() > 1:
            yield
        else:
            with _without_stderr():
                yield
    finally:
        cv2.utils.logging.setLogLevel(before)


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Send standard error nowhere for a while."""
    kept, nowhere = os.dup(STANDARD_ERROR), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, STANDARD_ERROR)
        yield
    finally:
        os.dup2(kept, STANDARD_ERROR)
        os.close(kept)
        os.close(nowhere)
