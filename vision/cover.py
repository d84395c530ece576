"""What hides the board: hands and cards. Areas they cover too much of cannot be read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Mask
from vision.places import Places

LEAST_MM2 = 800.0
OPEN_MM = 3.0
CLOSE_MM = 5.0
MOST_SHARE = 0.12


def _round_kernel(radius_px: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    side = 2 * max(1, round(radius_px)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def cover_of(foreign: Mask, places: Places) -> Mask:
    """(H, W) bool: what a hand or a card covers, out of the pixels that are neither board nor piece.

    Small things (dice, tokens) do not count, as a piece is never wholly under them.
    """
    scale = places.grid.px_per_mm
    solid = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, _round_kernel(OPEN_MM / 2 * scale))
    solid = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, _round_kernel(CLOSE_MM * scale))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid)
    large = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] >= LEAST_MM2 * scale**2]
    return np.asarray(np.isin(labels, large), np.bool_)


def covered_shares(cover: Mask, places: Places) -> dict[str, float]:
    """The share of each area that is covered."""
    return {name: float(cover[mask].mean()) for name, mask in places.masks.items()}
