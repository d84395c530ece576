"""Why a board isn't found: the picture is mirrored, or the board fits in two places alike.

Features are recognised however they are turned, but never mirrored.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from vision.geometry import Picture
from vision.registration.anew import LEAST_SHARE, fitting_places, leading_place
from vision.registration.tracking import Anchors, even_contrast

WhyLost = Literal["mirrored", "twofold"]


def why_lost(anchors: Anchors, frame_bgr: Picture) -> WhyLost | None:
    """Return why the board isn't found in a frame of the reference's size; None where it isn't seen at all."""
    grey = even_contrast(frame_bgr)
    fits = fitting_places(anchors, grey)
    if fits and fits[0].share >= LEAST_SHARE:
        return "twofold" if leading_place(fits) is None else None
    mirrored = fitting_places(anchors, np.asarray(cv2.flip(grey, 1), np.uint8))
    return None if leading_place(mirrored) is None else "mirrored"
