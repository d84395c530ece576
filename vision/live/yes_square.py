"""The printed “Yes”: a square marker on the table that is pressed by resting a hand on it.

Where one lies in the camera's view it is found by itself, and counts as pressed once a hand has covered it for a
while and is gone again, while nothing else moved: a sheet that is pushed away, an arm on its way to the board and a
lamp that goes out press nothing.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.bases.markers import Grey, Search, detect_markers, in_whole, is_crowded, shrink_grey
from vision.bases.table import Points
from vision.geometry import Picture

NUMBER = 249
"""The last of the markers' dictionary: no corner of a board or a field, and no base of a battle."""
SIDE_MM = 60.0
"""As printed: a hand covers it, and the farthest camera that reads a board still finds it."""
REST_S, LONG_S = 0.9, 6.0
"""How long a hand has to rest there; and from when on it is no hand any more."""
SEARCH_EVERY_S = 5.0
MOVED = 0.25
"""So far, in its sides, it may lie elsewhere when the hand is gone."""
ROOM = 0.5
"""So much around it, in its sides, is looked at to see whether it is still there."""
SMALLER = 2
LEAST_PX, MOST_PX = 24.0, 500.0


class YesSquare:
    """Follows the square from frame to frame; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self._at: Points | None = None
        self._due_s = float("-inf")
        self._covered_s: float | None = None
        self._disturbed = False

    def see(self, frame_bgr: Picture, still: bool, now_s: float) -> bool:
        """Take a frame (H, W, 3) uint8 BGR, and return whether the square has just been pressed.

        still: nothing moves on the board or near it, and there is light to see by.
        """
        if self._at is None:
            if still and now_s >= self._due_s:
                self._due_s = now_s + SEARCH_EVERY_S
                self._at, self._covered_s = find_square(frame_bgr), None
            return False
        seen = find_near(frame_bgr, self._at)
        if seen is None:
            self._cover(still, now_s)
            return False
        covered_s, disturbed = self._covered_s, self._disturbed
        apart, side = np.abs(seen - self._at).max(), np.linalg.norm(self._at[1] - self._at[0])
        self._at, self._covered_s, self._disturbed = seen, None, False
        return covered_s is not None and not disturbed and now_s - covered_s >= REST_S and apart < MOVED * side

    def _cover(self, still: bool, now_s: float) -> None:
        """Note that the square is not to be seen; after a long while, look for it everywhere again."""
        if self._covered_s is None:
            self._covered_s = now_s
        self._disturbed = self._disturbed or not still
        if now_s - self._covered_s > LONG_S:
            self._at, self._covered_s, self._disturbed = None, None, False


def find_square(frame_bgr: Picture) -> Points | None:
    """Return the corners (4, 2) px of the square, wherever it lies in a frame; None if it isn't seen."""
    small = shrink_grey(_grey(frame_bgr), SMALLER)
    how = Search((LEAST_PX / SMALLER, MOST_PX / SMALLER), (9, 29, 10))
    if is_crowded(small, how):
        return None
    found = _square_in(small, how)
    return None if found is None else in_whole(found, SMALLER)


def find_near(frame_bgr: Picture, at: Points) -> Points | None:
    """Return the corners (4, 2) px of the square if it is seen close to `at`, where it lay before; else None."""
    side = float(np.linalg.norm(at[1] - at[0]))
    height, width = frame_bgr.shape[:2]
    low = np.clip(at.min(axis=0) - ROOM * side, 0, [width - 1, height - 1]).astype(int)
    high = np.clip(at.max(axis=0) + ROOM * side, low + 1, [width, height]).astype(int)
    cut = frame_bgr[low[1] : high[1], low[0] : high[0]]
    found = _square_in(_grey(cut), Search((0.6 * side, 1.6 * side), (9, 29, 10)))
    return None if found is None else found + low


def _square_in(grey: Grey, how: Search) -> Points | None:
    return next((corners for number, corners in detect_markers(grey, how).markers if number == NUMBER), None)


def _grey(picture_bgr: Picture) -> Grey:
    return np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
