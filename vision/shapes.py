"""The shapes of the pieces as upright solids, and the outline each has in the board image.

A point at a height over the board is seen away from the camera's foot, so a solid covers its base, its top so
displaced, and what lies between. Outlines are drawn once for each shape, turn and part of the board, and kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Camera, Floats, Grid, Matrix
from vision.looks import Looks

SUBPIXEL_BITS = 4
CIRCLE_SIDES = 20
TILE_PX = 40

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """A convex prism of a solid: its outline about (0, 0) in mm, from `low_mm` to `high_mm` over the board."""

    outline_mm: Outline
    low_mm: float
    high_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A solid made of prisms: kind, what it counts as (`units` pieces of `unit`), and the turns to try in radians.

    radius_mm: no two bases come closer than the sum of these allows.
    """

    kind: str
    unit: str
    units: int
    layers: tuple[Layer, ...]
    radius_mm: float
    turns: tuple[float, ...] = (0.0,)

    @property
    def surface_mm2(self) -> float:
        """The surface of its largest layer."""
        return max(float(cv2.contourArea(np.asarray(layer.outline_mm, np.float32))) for layer in self.layers)


def _regular(radius_mm: float, sides: int) -> Outline:
    angles = [2 * math.pi * k / sides for k in range(sides)]
    return tuple((radius_mm * math.cos(a), radius_mm * math.sin(a)) for a in angles)


def troop(looks: Looks, stacked: int = 1) -> Shape:
    """A troop's disc, or some of them one on another."""
    radius, height = looks.troop_radius_mm, looks.troop_height_mm * stacked
    kind = "troop" if stacked == 1 else f"troop x{stacked}"
    return Shape(kind, "troop", stacked, (Layer(_regular(radius, CIRCLE_SIDES), 0.0, height),), radius)


def commander(looks: Looks, turns: int = 3) -> Shape:
    """A commander's hexagonal prism of the surface of a disc of the commander's radius, tried at some turns."""
    radius = looks.commander_radius_mm
    corner = radius * math.sqrt(math.pi / (1.5 * math.sqrt(3)))
    layer = Layer(_regular(corner, 6), 0.0, looks.commander_height_mm)
    angles = tuple(math.pi / 3 * k / turns for k in range(turns))
    return Shape("commander", "commander", 1, (layer,), radius * 0.95, angles)


def ship(looks: Looks, turns: int = 8) -> Shape:
    """A ship as a box, tried at so many turns over half a circle."""
    length, width, height = looks.ship_mm
    half, side = length / 2, width / 2
    layer = Layer(((-half, -side), (half, -side), (half, side), (-half, side)), 0.0, height)
    angles = tuple(math.pi * k / turns for k in range(turns))
    return Shape("ship", "ship", 1, (layer,), 1.1 * min(half, side), angles)


def layer_outline(layer: Layer, at_mm: tuple[float, float], turn: float, camera: Camera) -> Matrix:
    """(N, 2) a layer's outline as seen, projected on the board's plane, in mm."""
    c, s = math.cos(turn), math.sin(turn)
    base = np.asarray(layer.outline_mm, np.float64) @ np.array([[c, s], [-s, c]]) + np.asarray(at_mm)
    low = base + camera.up(base, layer.low_mm) * layer.low_mm
    high = base + camera.up(base, layer.high_mm) * layer.high_mm
    hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Stamp:
    """A filled outline: mask (h, w) uint8 of 0 and 1, whose pixel (0, 0) lies `top`, `left` of the base's middle.

    solid: the mask as float32.
    """

    mask: npt.NDArray[np.uint8]
    top: int
    left: int
    solid: Floats

    def window(self, at_px: tuple[int, int], image: tuple[int, int]) -> tuple[slice, slice] | None:
        """The stamp's rows and columns in an image of that shape with its base at x, y; None where it leaves it."""
        y, x = at_px[1] + self.top, at_px[0] + self.left
        height, width = self.mask.shape
        if y < 0 or x < 0 or y + height > image[0] or x + width > image[1]:
            return None
        return slice(y, y + height), slice(x, x + width)


@dataclass(slots=True)
class Stamps:
    """The outlines of shapes in a board image, drawn when first asked for and kept."""

    camera: Camera
    grid: Grid
    kept: dict[tuple[Shape, float, int, int], Stamp] = field(default_factory=dict)
    kernels: dict[tuple[Shape, float, int, int, float], Floats] = field(default_factory=dict)
    halves: dict[tuple[Shape, float, int, int, float], Floats] = field(default_factory=dict)

    def stamp(self, shape: Shape, turn: float, at_px: tuple[int, int]) -> Stamp:
        """The outline of a shape with its base near (x, y) px."""
        key = (shape, turn, at_px[0] // TILE_PX, at_px[1] // TILE_PX)
        if key not in self.kept:
            self.kept[key] = self._draw(key)
        return self.kept[key]

    def kernel(self, shape: Shape, turn: float, at_px: tuple[int, int], ring: float) -> Floats:
        """(2r+1, 2r+1) float32 about the base's middle: 1 inside, negative in a ring round it, `ring` in all."""
        key = (shape, turn, at_px[0] // TILE_PX, at_px[1] // TILE_PX, ring)
        if key not in self.kernels:
            self.kernels[key] = self._kernel(self.stamp(shape, turn, at_px), ring)
        return self.kernels[key]

    def half_kernel(self, shape: Shape, turn: float, at_px: tuple[int, int], ring: float) -> Floats:
        """The same for pictures of half the size, with an odd number of rows and columns."""
        key = (shape, turn, at_px[0] // TILE_PX, at_px[1] // TILE_PX, ring)
        if key not in self.halves:
            whole = self.kernel(shape, turn, at_px, ring)[:-1, :-1]
            half = cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            rows, columns = (1 - side % 2 for side in half.shape[:2])
            self.halves[key] = np.asarray(np.pad(half, ((0, rows), (0, columns))), np.float32)
        return self.halves[key]

    @staticmethod
    def _kernel(stamp: Stamp, ring: float) -> Floats:
        height, width = stamp.mask.shape
        edge = 3
        reach = max(-stamp.top, -stamp.left, stamp.top + height, stamp.left + width) + edge
        mask = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
        mask[reach + stamp.top :, reach + stamp.left :][:height, :width] = stamp.mask
        if not ring:
            return mask.astype(np.float32)
        wide = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * edge + 1, 2 * edge + 1))) - mask
        return np.asarray(mask - (ring * mask.sum() / max(int(wide.sum()), 1)) * wide.astype(np.float32), np.float32)

    def _draw(self, key: tuple[Shape, float, int, int]) -> Stamp:
        shape, turn, column, row = key
        middle_px = np.array([column * TILE_PX + TILE_PX // 2, row * TILE_PX + TILE_PX // 2])
        x, y = self.grid.mm([middle_px])[0]
        outlines = [layer_outline(layer, (float(x), float(y)), turn, self.camera) for layer in shape.layers]
        points = [self.grid.px(outline) - middle_px for outline in outlines]
        every = np.vstack(points)
        low, high = np.floor(every.min(axis=0)).astype(int) - 1, np.ceil(every.max(axis=0)).astype(int) + 2
        mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
        for part in points:
            shifted = np.round((part - low) * (1 << SUBPIXEL_BITS)).astype(np.int32)
            cv2.fillPoly(mask, [shifted], 1, lineType=cv2.LINE_8, shift=SUBPIXEL_BITS)
        return Stamp(mask, int(low[1]), int(low[0]), mask.astype(np.float32))
