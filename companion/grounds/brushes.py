"""What a ground is painted with: masks, noise, paper, gold, waves, ink. Pictures are (rows, columns, 3) float32 RGB.

Masks are (rows, columns) float32, 0 to 1. Chance comes from a generator with a seed of its own, so that the same job
gives the same picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.grounds.store import Colour

Picture = npt.NDArray[np.float32]
Mask = npt.NDArray[np.float32]
Chance = np.random.Generator
Point = tuple[float, float]
Size = tuple[int, int]
"""Rows, columns."""

FINE = 8  # OpenCV's fixed point: eighths of a pixel
FINE_BITS = 3


def fixed_point(points: Sequence[Point]) -> npt.NDArray[np.int32]:
    """Return points in eighths of a pixel, as OpenCV's antialiased drawing takes them."""
    return np.round(np.asarray(points, np.float64) * FINE).astype(np.int32)


def fill_mask(outlines: Iterable[Sequence[Point]], size: Size) -> Mask:
    """Return where the outlines cover the picture."""
    mask = np.zeros(size, np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [fixed_point(outline)], 255, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def line_mask(lines: Iterable[Sequence[Point]], size: Size, width: float, *, closed: bool) -> Mask:
    """Return where lines of this width in pixels run."""
    mask = np.zeros(size, np.uint8)
    for line in lines:
        cv2.polylines(mask, [fixed_point(line)], closed, 255, max(1, round(width)), cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def as_mask(levels: npt.NDArray[np.uint8]) -> Mask:
    """Return levels of 0 to 255 as a mask."""
    return np.asarray(levels, np.float32) / np.float32(255)


def mix(picture: Picture, colour: Colour | Picture, strength: npt.NDArray[np.floating[Any]] | float) -> None:
    """Lay a colour, or another picture, over a picture in place, as strongly as the mask says."""
    part = np.clip(np.asarray(strength, np.float32), 0, 1)
    if part.ndim:
        part = part[..., None]
    picture += (np.asarray(colour, np.float32) - picture) * part


def noise(size: Size, chance: Chance, *layers: tuple[float, float]) -> Mask:
    """Return smooth noise around 0: layers of (pixels between its bumps, how strong)."""
    total = np.zeros(size, np.float32)
    for apart, strength in layers:
        rows, columns = (max(2, int(side / apart) + 2) for side in size)
        small = chance.standard_normal((rows, columns)).astype(np.float32)
        total += strength * cv2.resize(small, size[::-1], interpolation=cv2.INTER_CUBIC)
    return total


def distance_within(mask: Mask) -> Mask:
    """Return how far in pixels each place of a mask is from its edge, 0 outside it."""
    return np.asarray(cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)


def paper(size: Size, colour: Colour, grain: float, chance: Chance) -> Picture:
    """Return hand-made paper of a colour: clouds, grain, and fibres."""
    picture = np.empty((*size, 3), np.float32)
    picture[:] = colour
    picture += noise(size, chance, (220, 3.2), (40, 1.6), (2, grain))[..., None]
    fibres = np.zeros(size, np.uint8)
    for _ in range(size[0] * size[1] // 3200):
        turn = chance.uniform(0, 2 * np.pi) + np.cumsum(chance.normal(0, 0.35, 6))
        step = chance.uniform(2, 9)
        start = chance.uniform(0, 1, 2) * size[::-1]
        line = start + np.cumsum(np.stack([np.cos(turn), np.sin(turn)], axis=1) * step, axis=0)
        cv2.polylines(
            fibres, [fixed_point(line.tolist())], False, int(chance.uniform(50, 150)), 1, cv2.LINE_AA, FINE_BITS
        )
    lighter = 255.0 if sum(colour) > 300 else 120.0
    mix(picture, (int(lighter), int(lighter * 0.97), int(lighter * 0.9)), as_mask(fibres) * 0.4)
    return picture


def gold_leaf(size: Size, colour: Colour, leaf_px: int, chance: Chance) -> Picture:
    """Return gold leaf of a colour in squares that overlap a little at their seams."""
    picture = np.empty((*size, 3), np.float32)
    picture[:] = colour
    warm = np.array([1, 0.9, 0.55], np.float32)
    picture += noise(size, chance, (150, 9), (14, 3.5), (2, 4))[..., None] * warm
    for top in range(0, size[0], leaf_px):
        for left in range(0, size[1], leaf_px):
            picture[top : top + leaf_px, left : left + leaf_px] += chance.normal(0, 4)
            picture[top : top + leaf_px, left : left + 2] += 12
            picture[top : top + 2, left : left + leaf_px] += 12
    return picture


def wave_scales(size: Size, radius: float) -> Mask:
    """Return the lines of seigaiha, overlapping scales of waves."""
    mask = np.zeros(size, np.uint8)
    for row in range(int(2 * size[0] / radius) + 4):
        for column in range(int(size[1] / (2 * radius)) + 3):
            middle = fixed_point([((2 * column - 1 + row % 2) * radius, (row - 1) * radius / 2)])[0]
            at = int(middle[0]), int(middle[1])
            cv2.circle(mask, at, round(radius * FINE), 0, -1, cv2.LINE_AA, FINE_BITS)
            for ring in (0.97, 0.66, 0.36):
                cv2.circle(mask, at, round(radius * ring * FINE), 255, 1, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def ink_hill(
    picture: Picture, place: tuple[Point, Point], ink: tuple[Colour, float], clip: Mask, chance: Chance
) -> None:
    """Draw a hill in ink, in place: a ridge that fades downwards.

    place: the middle of its foot; its half width and its height. All in pixels.
    """
    ((x, y), (wide, high)), (colour, strength) = place, ink
    rows, columns = picture.shape[:2]
    top, left = max(0, int(y - 1.3 * high)), max(0, int(x - wide))
    bottom, right = min(rows, int(y + 3)), min(columns, int(x + wide))
    if bottom <= top or right <= left:
        return
    along = np.linspace(-1, 1, 40)
    heights = high * (1 - np.abs(along) ** 1.5) * (1 + 0.13 * np.sin(along * 5 + x)) + chance.normal(0, high * 0.02, 40)
    ridge = np.interp(np.arange(left, right), x + along * wide, y - heights)
    depth = (np.arange(top, bottom)[:, None] - ridge[None]) / high
    wash = np.where(depth > 0, np.exp(-np.maximum(depth, 0) * 2.6) * np.clip(1.05 - depth, 0, 1), 0) * strength
    part, seen = picture[top:bottom, left:right], clip[top:bottom, left:right]
    mix(part, colour, (wash * seen).astype(np.float32))
    points = np.stack([x + along * wide - left, y - heights - top], axis=1)[3:-3]
    line = line_mask([points.tolist()], (bottom - top, right - left), max(1.0, high / 14), closed=False)
    mix(part, colour, line * seen * min(1.0, strength * 1.6))


def pine_mask(places: Iterable[tuple[Point, float]], size: Size) -> Mask:
    """Return where pines stand: (foot, height in pixels) each."""
    mask = np.zeros(size, np.uint8)
    for (x, y), high in places:
        trunk = [(x, y), (x + high * 0.12, y - high * 0.5), (x - high * 0.06, y - high)]
        cv2.polylines(mask, [fixed_point(trunk)], False, 255, max(1, round(high / 9)), cv2.LINE_AA, FINE_BITS)
        for up, wide in ((0.98, 0.34), (0.74, 0.5), (0.5, 0.62)):
            at = fixed_point([(x + (up - 0.7) * high * 0.4, y - up * high)])[0]
            axes = round(wide * high * FINE), round(0.13 * high * FINE)
            cv2.ellipse(mask, (int(at[0]), int(at[1])), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def contour_lines(height: Mask, levels: float, width: float) -> Mask:
    """Return the contour lines of a height field, so many levels between -1 and 1, of this width in pixels."""
    level = height * levels
    down, across = np.gradient(level)
    slope = np.maximum(np.hypot(down, across), 1e-4)
    away = np.abs(level - np.round(level)) / slope
    return np.asarray(np.clip(width / 2 + 0.5 - away, 0, 1), np.float32)
