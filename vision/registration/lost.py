"""Why a board isn't found: it lies the other way round to the camera than it did, or the picture is mirrored.

Features are recognised however they are turned, but never mirrored. They say only which way round the board lies:
turned so far, its pieces and shadows look other than what the eye has learnt of this table.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from vision.geometry import Picture
from vision.registration.register import Anchors, even_contrast, guess_by_features, registered_straight, turn_deg

WayRound = Literal["upside-down", "quarter", "mirrored"]


def way_round(anchors: Anchors, frame_bgr: Picture) -> WayRound | None:
    """Return how the board lies in a frame (of the reference's size) in which it isn't found.

    None where it isn't seen at all, or lies as it did.
    """
    grey = even_contrast(frame_bgr)
    turn = _turn_in(anchors, grey)
    if turn is None:
        return None if _turn_in(anchors, np.asarray(cv2.flip(grey, 1), np.uint8)) is None else "mirrored"
    if turn < 45:
        return None
    return "quarter" if turn < 135 else "upside-down"


def _turn_in(anchors: Anchors, grey: Picture) -> float | None:
    """Return by how many degrees, 0 to 180, the board is turned in an evened picture; None if it isn't seen."""
    guess = guess_by_features(anchors, grey)
    if guess is None:
        return None
    whole = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    found = registered_straight(anchors, grey, whole, np.asarray(np.linalg.inv(guess), np.float64))
    return turn_deg(anchors, guess) if found is not None and found.good else None
