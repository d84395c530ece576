"""Printed markers beside the board: cards that lie face up, and the “Yes” that a resting hand presses.

A card's small square marker says which card it is. It counts only where it lies flat on the table, in the size in which
it is printed. A card in a hand is nearer to the camera, or leans: that one doesn't count.

The printed “Yes” is found by itself where one lies in the camera's view, and counts as pressed once a hand has covered
it for a while and is gone again, while nothing else moved: a sheet that is pushed away, an arm on its way to the board
and a lamp that goes out press nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.bases.markers import Grey, Points, Search, detect_markers, in_whole, is_crowded, shrink_grey
from vision.geometry import Matrix, Picture, apply

FIRST, LAST = 200, 239
"""The markers' numbers: the first kind of card in a deck, and the last that there may be."""
CARD_SIDE_MM = 16.0
"""As printed."""
MISFIT = 0.12
"""So far, as a part of it, each side and diagonal may be from what it is printed as: of a card held a hand's breadth
over the table, under a camera 700 mm above it, they are longer by 0.16."""
LEAST_CARD_PX = 14.0
ALERT_S, IDLE_S = 1.0, 5.0
"""How often the picture is searched once there was such a card, and before."""
SAME_MM = 8.0


class LaidCard(NamedTuple):
    """A card: its marker's number, counted from the deck's first card, and the marker's middle in mm of the board."""

    number: int
    at_mm: tuple[float, float]


class FaceUp:
    """Looks now and then for cards that lie face up; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self.cards: tuple[LaidCard, ...] = ()
        self._due_s = float("-inf")
        self._alert = False

    def see(self, frame_bgr: Picture, board_from_frame: Matrix, now_s: float, *, now: bool = False) -> bool:
        """Take a frame (H, W, 3) uint8 BGR of a still table; return whether the cards on it have changed.

        now: the table has just come to rest, so it is searched at once.
        """
        if not now and now_s < self._due_s:
            return False
        before, self.cards = self.cards, find_cards(frame_bgr, board_from_frame)
        self._alert = self._alert or bool(self.cards)
        self._due_s = now_s + (ALERT_S if self._alert else IDLE_S)
        return not _alike(before, self.cards)


def _alike(some: tuple[LaidCard, ...], others: tuple[LaidCard, ...]) -> bool:
    """Return whether the same cards lie where they lay."""
    return len(some) == len(others) and all(
        card.number == other.number and np.hypot(*np.subtract(card.at_mm, other.at_mm)) < SAME_MM
        for card, other in zip(some, others, strict=True)
    )


def find_cards(frame_bgr: Picture, board_from_frame: Matrix) -> tuple[LaidCard, ...]:
    """Find the cards that lie flat on the table, in the order of their numbers.

    board_from_frame: (3, 3) homography from pixels of the frame to mm of the board.
    """
    grey = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    how = Search((LEAST_CARD_PX, max(grey.shape) / 8), (5, 25, 10))
    if is_crowded(grey, how):
        return ()
    quads = [(n, apply(board_from_frame, quad)) for n, quad in detect_markers(grey, how).markers if FIRST <= n <= LAST]
    cards = (LaidCard(n - FIRST, _middle(quad)) for n, quad in quads if _lies_flat(quad))
    return tuple(sorted(cards))


def _middle(quad_mm: Points) -> tuple[float, float]:
    x, y = quad_mm.mean(axis=0)
    return float(x), float(y)


def _lies_flat(quad_mm: Points) -> bool:
    """Return whether a marker's corners (4, 2) mm are those of the printed square."""
    sides = np.linalg.norm(quad_mm - np.roll(quad_mm, 1, axis=0), axis=1) / CARD_SIDE_MM
    across = np.linalg.norm(quad_mm[:2] - quad_mm[2:], axis=1) / (CARD_SIDE_MM * np.sqrt(2))
    return bool(np.abs(np.concatenate([sides, across]) - 1).max() < MISFIT)


NUMBER = 249
"""The last of the markers' dictionary: no corner of a board or a field, and no base of a battle."""
YES_SIDE_MM = 60.0
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
    """Watches the printed “Yes” from frame to frame; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self._at: Points | None = None
        self._due_s = float("-inf")
        self._covered_s: float | None = None
        self._disturbed = False

    def see(self, frame_bgr: Picture, still: bool, now_s: float) -> bool:
        """Take a frame (H, W, 3) uint8 BGR; return whether the square has just been pressed.

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
    """Return the corners (4, 2) px of the printed “Yes” marker, wherever it lies in the frame; None if not found."""
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
