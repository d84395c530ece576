"""A marker whose number is known laid onto its picture: its whole pattern is fitted, not only its four corners.

Gauss-Newton on the pattern's own slopes, with brightness and contrast free (inverse compositional alignment: Baker and
Matthews 2004). In the picture a marker has a known size, up to a small turn and shift, or to an affine change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.bases.markers import marker_cells
from vision.bases.table import CELLS, Points
from vision.geometry import NO_MAP, Floats

PER_CELL = 8
"""Samples along a cell of the pattern."""
MARGIN_CELLS = 0.5
"""How much of the white around a marker belongs to its pattern."""
ROUNDS = 12
STILL = 1e-3
"""A change, in cells and radians, from which on the pattern has come to rest."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """A pattern laid onto a picture.

    warp (2, 3): from the marker's cells (x right, y down, from its middle) to the picture's pixels. like: correlation
    of pattern and picture, 1 for the same. spread (3, 3): covariance of shift (cells) and turn (radians).
    """

    warp: Points
    like: float
    spread: Points

    @property
    def middle(self) -> Points:
        """(2,) px of the marker's middle."""
        return self.warp[:, 2]

    @property
    def corners(self) -> Points:
        """(4, 2) px: top left first, clockwise."""
        half = CELLS / 2
        cells = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        return np.asarray(cells @ self.warp[:, :2].T + self.warp[:, 2], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A marker as it looks blurred: where its samples lie (cells), and how a sample's light answers to what changes.

    answers: (changes + 2, samples) from light to contrast, brightness and the changes, each as a part of the contrast.
    """

    at: Points
    light: Points
    design: Points
    answers: Points
    inner: Points


def warp_of(corners_px: Points) -> Points:
    """Return the (2, 3) affine change nearest to what puts a marker's corners at (4, 2) pixels.

    Corners are counted from top left, clockwise.
    """
    half = CELLS / 2
    cells = np.array([(-half, -half, 1.0), (half, -half, 1.0), (half, half, 1.0), (-half, half, 1.0)])
    found, *_rest = np.linalg.lstsq(cells, np.asarray(corners_px, np.float64), rcond=None)
    return np.asarray(found.T, np.float64)


def upright(warp: Points, cell_px: float) -> Points:
    """Return the (2, 3) warp without stretch and shear: a turn, a shift, and cells of a known size."""
    angle = np.arctan2(warp[1, 0] - warp[0, 1], warp[0, 0] + warp[1, 1])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([turn * cell_px, warp[:, 2]])


@lru_cache(maxsize=512)
def pattern(number: int, blur_cells: float, rigid: bool) -> Pattern:
    """Return a marker's pattern, blurred by `blur_cells` (one standard deviation, in cells)."""
    side = CELLS + 2 * MARGIN_CELLS
    samples = round(side * PER_CELL)
    cells = np.pad(np.array(marker_cells(number), np.float64), 1)  # 1 is black
    fine = np.kron(cells, np.ones((PER_CELL, PER_CELL)))
    soft = cv2.GaussianBlur(1 - fine, (0, 0), max(0.3, blur_cells * PER_CELL))
    cut = round((1 - MARGIN_CELLS) * PER_CELL)
    light = np.asarray(soft[cut : cut + samples, cut : cut + samples], np.float64).ravel()
    across, down = np.gradient(soft, axis=1), np.gradient(soft, axis=0)
    slope_x, slope_y = (shift[cut : cut + samples, cut : cut + samples].ravel() * PER_CELL for shift in (across, down))
    line = (np.arange(samples) + 0.5) / PER_CELL - side / 2
    x, y = (axis.ravel() for axis in np.meshgrid(line, line))
    turns = [x * slope_y - y * slope_x] if rigid else [x * slope_x, y * slope_x, x * slope_y, y * slope_y]
    design = np.stack([light, np.ones(x.size), slope_x, slope_y, *turns], axis=1)
    inner = np.linalg.inv(design.T @ design)
    return Pattern(np.stack([x, y], axis=1), light, design, inner @ design.T, inner)


def fit_pattern(picture: Floats, number: int, start: Points, blur_px: float, rigid: bool = True) -> PatternFit | None:
    """Fit a marker onto a (H, W) float32 picture from a first (2, 3) warp; None if it does not come to rest."""
    cell_px = float(np.sqrt(abs(np.linalg.det(start[:, :2]))))
    known = pattern(number, round(blur_px / cell_px, 2), rigid)
    warp = start.copy()
    for _ in range(ROUNDS):
        seen = _sample(picture, warp, known.at)
        found = known.answers @ seen
        if found[0] < 1e-3:
            return None
        change = found[2:] / found[0]
        warp = _compose_inverse(warp, change, rigid)
        if not np.isfinite(warp).all() or np.abs(warp[:, 2] - start[:, 2]).max() > 1.5 * cell_px:
            return None
        if np.abs(change).max() < STILL:
            break
    return _rate_fit(picture, warp, known)


def _sample(picture: Floats, warp: Points, at: Points) -> Points:
    where = (at @ warp[:, :2].T + warp[:, 2]).astype(np.float32)
    seen = cv2.remap(picture, where[None], NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], np.float64)


def _compose_inverse(warp: Points, change: Points, rigid: bool) -> Points:
    """Return the warp that undoes a change of the pattern."""
    if rigid:
        turn = np.array([[1.0, -change[2]], [change[2], 1.0]]) / np.hypot(1.0, change[2])
    else:
        turn = np.eye(2) + np.array([[change[2], change[3]], [change[4], change[5]]])
    back = np.linalg.inv(turn)
    return np.column_stack([warp[:, :2] @ back, warp[:, 2] - warp[:, :2] @ back @ change[:2]])


def _rate_fit(picture: Floats, warp: Points, known: Pattern) -> PatternFit:
    seen = _sample(picture, warp, known.at)
    like = float(np.corrcoef(seen, known.light)[0, 1]) if seen.std() > 0 else 0.0
    found = known.answers @ seen
    rest = seen - known.design @ found
    noise = float(rest @ rest) / max(1, len(seen) - len(found)) / max(1e-9, found[0] ** 2)
    return PatternFit(warp, like, known.inner[2:5, 2:5] * noise)
