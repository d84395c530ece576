"""Pictures as files in memory, packed as JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from intake.bare_pictures import bare
from intake.errors import Unreadable
from vision.frame import picture_of
from vision.geometry import Picture

SMALL_QUALITY = 72
FINE_QUALITY = 95


def jpeg_of(picture: Picture, quality: int = SMALL_QUALITY) -> bytes:
    """A picture (H, W, 3) uint8 BGR as a JPEG file; quality 0 to 100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture in memory can always be packed"
    return data.tobytes()


def bare_of(data: bytes, name: str) -> bytes:
    """A picture file that is read as this one and has nothing else in it; PictureError names what cannot be read.

    Packed anew only where it would look otherwise: turned the way the camera was held, in colours of its own, cut off.
    """
    picture = picture_of(data, name)
    plain = _bare(data)
    if plain is not None and np.array_equal(picture_of(plain, name), picture):
        return plain
    return jpeg_of(picture, FINE_QUALITY)


def _bare(data: bytes) -> bytes | None:
    try:
        return bare(data)
    except Unreadable:
        return None
