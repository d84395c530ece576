"""Whether something moves before the camera, and whether the whole picture has shifted. Small grey pictures, no clock.

Light is not motion: a lamp that flickers, a rolling shutter that bands the rows and a camera that sets its exposure
anew change every place of a row by one factor, which is taken out. What remains is compared with the picture's noise,
for which the change of most of the picture is taken. Where that is large, it is noise or light only if both pictures
still show the same things; otherwise the camera sees something else, and all of the picture has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Matrix, Picture, apply

WIDTH_PX = 320
CELL_PX = 8
# A cell has changed by more than this many grey levels, and by more than so many times the noise.
LEAST_STEP = 3.0
STEP_NOISES = 5.0
# One cell alone may be an accident of the camera's.
LEAST_CELLS = 2
# A camera's noise is less than this, as a cell is a mean of many pixels; above, the two pictures have to be alike.
MOST_NOISE = 1.2
# Correlation of two evened pictures: 0.5 to 1 where a lamp went on or off or the light fell to a tenth, below 0.2 where
# the camera saw another table, a ceiling or a lens cap, or the same table turned by 5 degrees.
LEAST_ALIKE = 0.35
# The square whose brightness and contrast are evened for that, and what is added to its variance (squared grey levels).
ALIKE_WINDOW_PX = 15
ALIKE_VARIANCE = 4.0
# Grey level that the brightest tenth of a picture has to reach.
DARK_LEVEL = 9.0
# Added to grey levels before they are divided by one another.
BLACK_OFFSET = 1.0
# A picture is compared with one of so long ago as well.
SINCE_S = 1.0
# A shift of the whole picture: points tracked, how many there have to be, the part of them that has to agree on one
# movement, and to within how much.
SHIFT_POINTS = 120
SHIFT_LEAST_POINTS = 12
SHIFT_MAJORITY = 0.55
SHIFT_AGREE_PX = 1.0


def small_of(picture_bgr: Picture) -> Picture:
    """Return (H, WIDTH_PX) uint8: the picture (H, W, 3) uint8 BGR small and grey; every pixel a mean of several."""
    step = max(1, picture_bgr.shape[1] // (4 * WIDTH_PX))
    thinned = picture_bgr[::step, ::step]
    height = round(picture_bgr.shape[0] * WIDTH_PX / picture_bgr.shape[1])
    small = cv2.resize(thinned, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def is_dark(small: Picture) -> bool:
    """Return whether there is too little light to see a board by."""
    return float(np.percentile(small, 90)) < DARK_LEVEL


def changed_cells(before: Picture, now: Picture) -> Mask:
    """Return (rows, columns) the cells of CELL_PX in which two small pictures differ by more than light and noise.

    All of them where the second picture shows something else.
    """
    whole = _gap(before, now)
    rows, columns = whole.shape[0] // CELL_PX, whole.shape[1] // CELL_PX
    cells = whole[: rows * CELL_PX, : columns * CELL_PX]
    # the mean of each cell: what moves is larger than one, noise averages out
    gap = np.asarray(cv2.resize(cells, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
    # 1.4826 times the median of the absolute deviations: the standard deviation of what has not moved, whatever has.
    noise = 1.4826 * float(np.median(np.abs(gap - np.median(gap))))
    if noise > MOST_NOISE and likeness(before, now) < LEAST_ALIKE:
        return np.ones((rows, columns), np.bool_)
    return np.asarray(np.abs(gap) > max(LEAST_STEP, STEP_NOISES * noise), np.bool_)


def likeness(before: Picture, now: Picture) -> float:
    """Return how alike the patterns of two small pictures are, whatever the light: 1 the same, 0 nothing in common."""
    first, second = _evened(before), _evened(now)
    strength = float(np.sqrt((first * first).mean() * (second * second).mean()))
    return float((first * second).mean()) / max(strength, 1e-6)


def _evened(small: Picture) -> Floats:
    """Even out a small picture's local brightness and contrast, a little blurred against noise."""
    grey, window = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32), (ALIKE_WINDOW_PX, ALIKE_WINDOW_PX)
    mean = cv2.boxFilter(grey, cv2.CV_32F, window)
    variance = cv2.sqrBoxFilter(grey, cv2.CV_32F, window) - mean * mean
    return np.asarray((grey - mean) / np.sqrt(np.maximum(variance, 0) + ALIKE_VARIANCE), np.float32)


def cells_within(outline: Matrix, shape: tuple[int, ...]) -> Mask:
    """Return the cells of a small picture that an outline (N, 2), in parts of its width, touches or holds.

    shape: of the small picture.
    """
    rows, columns = shape[0] // CELL_PX, shape[1] // CELL_PX
    mask = np.zeros((rows, columns), np.uint8)
    corners = np.round(outline * (WIDTH_PX / CELL_PX) - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 1)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _gap(before: Picture, now: Picture) -> Floats:
    """Subtract the earlier picture, in the light of the later, from the later: rows are matched by one factor each."""
    first = before.astype(np.float32) + BLACK_OFFSET
    second = now.astype(np.float32) + BLACK_OFFSET
    factor = np.median(second[:, ::2] / first[:, ::2], axis=1, keepdims=True)
    whole = float(np.median(factor))
    factor = np.clip(factor, 0.8 * whole, 1.25 * whole)  # a row that is mostly hand tells nothing of the light
    return np.asarray((second - factor * first) / max(whole, 1.0), np.float32)


class Motion:
    """Compares each small picture with the one before, and with one of a while ago, so that slow hands are seen too."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._anchor: tuple[float, Picture] | None = None

    def moving_cells(self, small: Picture, now_s: float) -> Mask:
        """Return the cells in which something has moved of late.

        All of them for the first picture: nothing is known yet.
        """
        last, self._last = self._last, small
        if last is None or self._anchor is None or last.shape != small.shape:
            self._anchor = (now_s, small)
            return np.ones((small.shape[0] // CELL_PX, small.shape[1] // CELL_PX), np.bool_)
        began_s, anchor = self._anchor
        moved = changed_cells(last, small)
        crept = changed_cells(anchor, small)
        if is_motion(crept) or now_s - began_s >= SINCE_S:
            self._anchor = (now_s, small)
        return np.asarray(moved | crept, np.bool_)


def is_motion(cells: Mask) -> bool:
    """Return whether so many cells changed that it is no accident of the camera's."""
    return int(cells.sum()) >= LEAST_CELLS


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a whole picture has moved: the widest way of its corners as a share of its width, and the turn."""

    share: float
    turn_deg: float


def shift_between(before: Picture, now: Picture) -> Shift | None:
    """Return how far the whole of a small picture was shifted; None if most points do not agree on one movement.

    A hand moves the few points that it covers, a knock against the camera or the table all of them.
    """
    points: Any = cv2.goodFeaturesToTrack(before, SHIFT_POINTS, 0.02, 7, blockSize=5)
    if points is None or len(points) < SHIFT_LEAST_POINTS:
        return None
    moved, found, _ = cv2.calcOpticalFlowPyrLK(before, now, points, points.copy(), winSize=(15, 15), maxLevel=3)
    kept = found.ravel() == 1
    if kept.sum() < SHIFT_LEAST_POINTS:
        return None
    cv2.setRNGSeed(7)
    fitted: Any = cv2.estimateAffinePartial2D(points[kept], moved[kept], ransacReprojThreshold=SHIFT_AGREE_PX)
    matrix, agree = fitted
    if matrix is None or agree.sum() < SHIFT_MAJORITY * len(points):
        return None
    height, width = now.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    way = float(np.hypot(*(apply(np.vstack([matrix, [0.0, 0.0, 1.0]]), corners) - corners).T).max())
    return Shift(way / width, float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))))
