"""Pictures as files in memory: packed as JPEG, and unpacked from JPEG or PNG."""

from __future__ import annotations

import cv2
import numpy as np

from vision.errors import PictureError
from vision.frame import checked_picture
from vision.geometry import Picture

SMALL_QUALITY = 72


def jpeg_of(picture: Picture, quality: int = SMALL_QUALITY) -> bytes:
    """A picture (H, W, 3) uint8 BGR as a JPEG file; quality 0 to 100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture in memory can always be packed"
    return data.tobytes()


def picture_of(data: bytes, name: str) -> Picture:
    """(H, W, 3) uint8 BGR of a picture file's bytes, fit to be read; PictureError names what cannot be."""
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{name}: no picture that can be read") from error
    if picture is None:
        raise PictureError(f"{name}: no picture that can be read")
    return checked_picture(np.asarray(picture, np.uint8), name)
