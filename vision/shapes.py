"""The shapes of the pieces as upright prisms, and the outline each has in the board image.

A point at a height over the board is seen away from the camera's foot; a prism's outline is the convex hull
of its base and of its top so displaced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Camera, Floats, Grid, Matrix
from vision.looks import Looks

SUBPIXEL_BITS = 4
CIRCLE_SIDES = 20


@dataclass(frozen=True, slots=True)
class Shape:
    """An upright prism: kind, what it counts as (`units` pieces of `unit`), its base about (0, 0) in mm, its height.

    radius_mm: of the largest circle that fits in the base; no two bases can come closer than these allow.
    """

    kind: str
    unit: str
    units: int
    base_mm: tuple[tuple[float, float], ...]
    height_mm: float
    radius_mm: float
    turns: tuple[float, ...] = (0.0,)


def _regular(radius_mm: float, sides: int) -> tuple[tuple[float, float], ...]:
    angles = [2 * math.pi * k / sides for k in range(sides)]
    return tuple((radius_mm * math.cos(a), radius_mm * math.sin(a)) for a in angles)


def troop(looks: Looks, stacked: int = 1) -> Shape:
    """A troop's disc, or some of them one on another."""
    radius, height = looks.troop_radius_mm, looks.troop_height_mm * stacked
    kind = "troop" if stacked == 1 else f"troop x{stacked}"
    return Shape(kind, "troop", stacked, _regular(radius, CIRCLE_SIDES), height, radius)


def commander(looks: Looks) -> Shape:
    """A commander's prism, taken as round: it may be turned any way."""
    radius = looks.commander_radius_mm
    return Shape("commander", "commander", 1, _regular(radius, CIRCLE_SIDES), looks.commander_height_mm, radius * 0.9)


def ship(looks: Looks, turns: int = 6) -> Shape:
    """A ship as a box, tried at so many angles over half a turn."""
    length, width, height = looks.ship_mm
    half, side = length / 2, width / 2
    base = ((-half, -side), (half, -side), (half, side), (-half, side))
    angles = tuple(math.pi * k / turns for k in range(turns))
    return Shape("ship", "ship", 1, base, height, min(half, side), angles)


def base_at(shape: Shape, at_mm: tuple[float, float], turn: float) -> Matrix:
    """(N, 2) the base's outline on the board in mm, turned by `turn` radians."""
    c, s = math.cos(turn), math.sin(turn)
    base = np.asarray(shape.base_mm, np.float64)
    return np.asarray(base @ np.array([[c, s], [-s, c]]) + np.asarray(at_mm), np.float64)


def outline(shape: Shape, at_mm: tuple[float, float], turn: float, camera: Camera) -> Matrix:
    """(N, 2) the piece's outline as seen, projected on the board's plane, in mm."""
    base = base_at(shape, at_mm, turn)
    top = base + camera.up(base, shape.height_mm) * shape.height_mm
    hull = cv2.convexHull(np.vstack([base, top]).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A filled outline in the board image: rows top.., columns left.., mask (h, w) uint8 of 0 and 1."""

    top: int
    left: int
    mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]]

    @property
    def window(self) -> tuple[slice, slice]:
        """The stamp's rows and columns in the board image."""
        height, width = self.mask.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def stamp_of(outline_mm: Matrix, grid: Grid) -> Stamp | None:
    """The outline filled in the board image; None where it leaves the image."""
    points = grid.px(outline_mm)
    low = np.floor(points.min(axis=0)).astype(int) - 1
    high = np.ceil(points.max(axis=0)).astype(int) + 2
    rows, columns = grid.shape
    if low.min() < 0 or high[0] > columns or high[1] > rows:
        return None
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    shifted = np.round((points - low) * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(mask, shifted, 1, lineType=cv2.LINE_8, shift=SUBPIXEL_BITS)
    return Stamp(int(low[1]), int(low[0]), mask)


def kernel_of(shape: Shape, at_mm: tuple[float, float], turn: float, camera: Camera, px_per_mm: float) -> Floats:  # noqa: PLR0913, PLR0917
    """(2r+1, 2r+1) float32: 1 inside the outline, negative in a ring round it, with the base's middle in the centre."""
    points = (outline(shape, at_mm, turn, camera) - np.asarray(at_mm)) * px_per_mm
    reach = int(np.ceil(np.abs(points).max() + 2 * px_per_mm))
    mask = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    shifted = np.round((points + reach) * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(mask, shifted, 1, shift=SUBPIXEL_BITS)
    ring_px = max(1, round(1.5 * px_per_mm))
    ring = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * ring_px + 1, 2 * ring_px + 1))) - mask
    weight = 0.6 * mask.sum() / max(int(ring.sum()), 1)
    return np.asarray(mask.astype(np.float32) - weight * ring.astype(np.float32), np.float32)
