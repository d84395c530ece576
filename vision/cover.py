"""What hides the board: hands and cards. Areas they cover too much of cannot be read.

A cover is told from pieces by its size: a patch in which nothing of the board shows and in which a circle fits that
is far wider than any piece, and what of other than pieces' colour hangs together with it. Dice and tokens are small.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.evidence import OTHER, Evidence
from vision.geometry import Floats, Mask
from vision.looks import Looks
from vision.places import Places

WIDE = 1.75
VERY_WIDE = 2.6
LEAST_MM2 = 700.0
CLEAN_MM = 1.0
GROW_MM = 3.0
PIECE_VOTE = 1.0
MOST_PIECE = 0.7
CROWD_MM2 = 1600.0
MOST_SHARE = 0.105

Bits = npt.NDArray[np.uint8]


def _round_kernel(radius_px: float) -> Bits:
    side = 2 * max(1, round(radius_px)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _closed(mask: Mask, radius_px: float) -> Bits:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _round_kernel(radius_px)), np.uint8)


def _opened(mask: Bits, radius_px: float) -> Bits:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round_kernel(radius_px)), np.uint8)


def _within(mask: Bits, radius_px: float) -> Bits:
    """The union of all circles of that radius that fit in the mask."""
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5) > radius_px
    return np.asarray(cv2.distanceTransform((~inside).astype(np.uint8), cv2.DIST_L2, 5) <= radius_px, np.uint8)


def _covering(mask: Bits, piece: Mask, px_per_mm: float) -> Bits:
    """The patches of a mask that are large, and not merely a crowd of pieces."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    pieces = np.bincount(labels[piece & (mask > 0)], minlength=count)
    size = stats[:, cv2.CC_STAT_AREA]
    crowd = (pieces > MOST_PIECE * size) & (size < CROWD_MM2 * px_per_mm**2)
    kept = (size >= LEAST_MM2 * px_per_mm**2) & ~crowd
    kept[0] = False
    return np.asarray(kept[labels], np.uint8)


def cover_of(evidence: Evidence, places: Places, looks: Looks) -> Mask:
    """(H, W) bool: what a hand or a card covers."""
    scale = places.grid.px_per_mm
    apart, lost = _closed(evidence.board < OTHER, CLEAN_MM * scale), evidence.lost.astype(np.uint8)
    strange = _opened(_closed(evidence.foreign, CLEAN_MM * scale), CLEAN_MM * scale)
    wide = _within(apart, WIDE * looks.troop_radius_mm * scale)
    either = _closed((apart | lost) > 0, 2 * CLEAN_MM * scale)
    wide |= _within(either, VERY_WIDE * looks.troop_radius_mm * scale)
    piece = np.asarray(np.max([vote > PIECE_VOTE for vote in evidence.votes.values()], axis=0), np.bool_)
    cover = _covering(wide | strange, piece, scale)
    grown = np.asarray(cv2.dilate(cover, _round_kernel(GROW_MM * scale)), np.uint8) & (apart | lost)
    return np.asarray((cover | grown) > 0, np.bool_)


def covered_shares(cover: Mask | Floats, places: Places) -> dict[str, float]:
    """The share of each area that is covered; above MOST_SHARE it is not to be read (wanted at 15 %)."""
    return {name: float(cover[mask].mean()) for name, mask in places.masks.items()}
