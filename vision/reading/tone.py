"""A frame's tone brought to that of the empty board's picture: cameras change not only exposure but contrast."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, Picture

# Of the pictures' pixels, each way, that are compared; and what keeps the noise of dark ones out of their logs.
EVERY_PX, DARK = 9, 8
ROUNDS = 6
SAME = 0.06
"""So near to 1 a slope is left alone: pieces and shadows bend it that far."""
STEEPEST = 2.0


def with_tone_of(board_bgr: Picture, reference_bgr: Picture) -> Picture:
    """Give the board image (rows, columns, 3) uint8 the contrast of the empty board's, by a power law.

    Brightness and colour of light are matched elsewhere (`network.gains`); a straight line through the logs of both
    pictures' pixels says how much steeper the one is than the other. Pieces and shadows lie off that line and count
    little (iteratively reweighted least squares, Holland and Welsch, 1977).
    """
    now, before = (_logs(picture) for picture in (board_bgr, reference_bgr))
    slope, offset = 1.0, float(np.median(before - now))
    for _ in range(ROUNDS):
        off = before - (slope * now + offset)
        spread = 1.48 * float(np.median(np.abs(off))) + 0.02
        weight = 1 / (1 + (off / spread) ** 2) ** 2
        middle, wanted = np.average(now, weights=weight), np.average(before, weights=weight)
        slope = float(
            (weight * (now - middle) * (before - wanted)).sum() / ((weight * (now - middle) ** 2).sum() + 1e-9)
        )
        offset = float(wanted - slope * middle)
    if abs(slope - 1) < SAME or not 1 / STEEPEST < slope < STEEPEST:
        return board_bgr
    levels = np.exp(slope * np.log(np.arange(256) + DARK) + offset) - DARK
    return np.asarray(cv2.LUT(board_bgr, np.clip(levels + 0.5, 0, 255).astype(np.uint8)), np.uint8)


def _logs(picture_bgr: Picture) -> Floats:
    """(N,) logs of grey levels of some pixels."""
    small = cv2.cvtColor(np.ascontiguousarray(picture_bgr[::EVERY_PX, ::EVERY_PX]), cv2.COLOR_BGR2GRAY)
    return np.log(small.astype(np.float32).ravel() + DARK)
