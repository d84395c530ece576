"""Cards that lie face up on the table: a small square marker on each of them says which card it is.

A marker counts only where it lies flat on the table, in the size in which it is printed. A card in a hand is nearer to
the camera, or leans: that one doesn't count.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.bases.markers import Search, detect_markers, is_crowded
from vision.bases.table import Points
from vision.geometry import Matrix, Picture, apply

FIRST, LAST = 200, 239
"""The markers' numbers: the first kind of card in a deck, and the last that there may be."""
SIDE_MM = 16.0
"""As printed."""
MISFIT = 0.12
"""So far, as a part of it, each side and diagonal may be from what it is printed as: of a card held a hand's breadth
over the table, under a camera 700 mm above it, they are longer by 0.16."""
LEAST_PX = 14.0
ALERT_S, IDLE_S = 1.0, 5.0
"""How often the picture is searched once there was such a card, and before."""
SAME_MM = 8.0


class LaidCard(NamedTuple):
    """A card: its marker's number, counted from the deck's first card, and the marker's middle in mm of the board."""

    number: int
    at_mm: tuple[float, float]


class FaceUp:
    """Looks for cards now and then; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self.cards: tuple[LaidCard, ...] = ()
        self._due_s = float("-inf")
        self._alert = False

    def see(self, frame_bgr: Picture, board_from_frame: Matrix, now_s: float, *, now: bool = False) -> bool:
        """Take a frame (H, W, 3) uint8 BGR of a still table; return whether other cards lie there than before.

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
    how = Search((LEAST_PX, max(grey.shape) / 8), (5, 25, 10))
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
    sides = np.linalg.norm(quad_mm - np.roll(quad_mm, 1, axis=0), axis=1) / SIDE_MM
    across = np.linalg.norm(quad_mm[:2] - quad_mm[2:], axis=1) / (SIDE_MM * np.sqrt(2))
    return bool(np.abs(np.concatenate([sides, across]) - 1).max() < MISFIT)
