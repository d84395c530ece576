"""Light and shadow on a simulated table: lamps and windows as discs, sampled at points, and what stands in their way.

Light is linear; colours are blue-green-red floats. A plane's light is a picture on a `LightGrid` round the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

GAMMA = 2.2


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp or window: a level disc at `at_mm` (x, y, height) of `radius_mm`; `bgr` is its gift to the middle."""

    at_mm: tuple[float, float, float] = (-300.0, -200.0, 900.0)
    radius_mm: float = 150.0
    bgr: Colour = (0.6, 0.6, 0.6)

    def dimmed(self, gain: float) -> Light:
        """Return the same light, stronger or weaker."""
        blue, green, red = (value * gain for value in self.bgr)
        return replace(self, bgr=(blue, green, red))

    def samples(self, count: int) -> Floats:
        """Return (count, 3) points spread evenly over the disc, by the golden angle."""
        steps = np.arange(count) + 0.5
        reach, turn = self.radius_mm * np.sqrt(steps / count), steps * 2.39996
        around = np.stack([reach * np.cos(turn), reach * np.sin(turn), np.zeros(count)], axis=1)
        return np.asarray(around + np.array(self.at_mm), np.float64)


@dataclass(frozen=True, slots=True)
class LightGrid:
    """A grid on the board's plane that reaches `margin_mm` beyond the board, where light is computed."""

    size_mm: tuple[float, float]
    margin_mm: float = 110.0
    px_per_mm: float = 1.5

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the grid."""
        width, height = (round((side + 2 * self.margin_mm) * self.px_per_mm) for side in self.size_mm)
        return height, width

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 2) board points."""
        return np.asarray((np.asarray(points_mm, float) + self.margin_mm) * self.px_per_mm - 0.5, np.float64)

    def mm(self) -> Floats:
        """Return (rows / 8, columns / 8, 2) board points, every eighth of the grid's pixels."""
        rows, columns = (side // 8 + 2 for side in self.shape)
        xs, ys = np.meshgrid(np.arange(columns) * 8.0, np.arange(rows) * 8.0)
        return (np.stack([xs, ys], axis=-1) + 0.5) / self.px_per_mm - self.margin_mm


def strength(light: Light, points: Floats, middle_mm: npt.ArrayLike) -> Floats:
    """Return (...,) how much of the light reaches (..., 3) points facing it, as a share of the board's middle."""
    away = np.array(light.at_mm) - points
    middle = np.array(light.at_mm) - np.append(np.asarray(middle_mm, float), 0.0)
    square = (away**2).sum(axis=-1)
    return np.asarray((middle**2).sum() / square, np.float64)


def towards(light: Light, points: Floats) -> Floats:
    """Return (..., 3) unit vectors from points to the light's middle."""
    away = np.array(light.at_mm) - points
    return np.asarray(away / np.linalg.norm(away, axis=-1, keepdims=True), np.float64)


def cast(occluders: Sequence[Floats], light: Light, ground: LightGrid, count: int) -> Field:
    """Return the (rows, columns) share of the light hidden from the ground by convex bodies of (V, 3) vertices."""
    hidden = np.zeros(ground.shape, np.uint8)
    layer = np.zeros(ground.shape, np.uint8)
    for sample in light.samples(count):
        layer[:] = 0
        for body in occluders:
            reach = sample[2] / np.maximum(sample[2] - np.maximum(body[:, 2:], 0.0), 1.0)
            fallen = ground.px(sample[:2] + (body[:, :2] - sample[:2]) * reach)
            fill_hull(layer, fallen, 255 // count)
        cv2.add(hidden, layer, hidden)
    return np.asarray(hidden / np.float32(255 // count * count), np.float32)


def fill_hull(
    picture: npt.NDArray[Any], points_px: Floats, value: float | Sequence[float], line: int = cv2.LINE_8
) -> None:
    """Fill the convex hull of (N, 2) points, in place."""
    hull = cv2.convexHull(np.round(points_px * 16).astype(np.int32))
    cv2.fillConvexPoly(picture, hull, value, line, 4)


def contact(occluders: Sequence[Floats], ground: LightGrid) -> Field:
    """Return (rows, columns) 0 to 1: how much of the open sky is shut out close to bodies that stand on the board."""
    layer = np.zeros(ground.shape, np.uint8)
    for body in occluders:
        if float(body[:, 2].min()) < 1.0:
            fill_hull(layer, ground.px(body[body[:, 2] < 1.0][:, :2]), 255)
    near = cv2.GaussianBlur(layer, (0, 0), 2.2 * ground.px_per_mm)
    return np.asarray(near / np.float32(255), np.float32)


def plane_light(
    lights: Sequence[Light], ambient: Colour, ground: LightGrid, occluders: Sequence[Floats], samples: int
) -> Field:
    """Return (rows, columns, 3) linear light on the board's plane, shadows and all."""
    rows, columns = ground.shape
    middle = np.array(ground.size_mm) / 2
    flat = ground.mm()
    points = np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], axis=-1)
    sky = 1 - np.float32(0.55) * contact(occluders, ground)
    total = np.asarray(sky[..., None] * np.array(ambient, np.float32), np.float32)
    for light in lights:
        level = strength(light, points, middle) * towards(light, points)[..., 2]
        level /= towards(light, np.append(middle, 0.0))[2]
        field = cv2.resize(level.astype(np.float32), (flat.shape[1] * 8, flat.shape[0] * 8))[:rows, :columns]
        seen = field * (1 - cast(occluders, light, ground, samples))
        total += seen[..., None] * np.array(light.bgr, np.float32)
    return total


def face_light(lights: Sequence[Light], ambient: Colour, normals: Floats, at: Floats) -> Floats:
    """Return (F, 3) linear light on faces with (F, 3) normals at one (3,) place; the sky is dimmer from the side."""
    total = (0.62 + 0.38 * normals[:, 2:3]) * np.array(ambient)
    for light in lights:
        way = towards(light, at)
        facing = np.maximum(normals @ way, 0.0) / max(0.2, float(way[2]))
        total = total + facing[:, None] * np.array(light.bgr)
    return np.asarray(total, np.float64)


def highlight(lights: Sequence[Light], normals: Floats, ends: tuple[Floats, Floats], sheen: float) -> Floats:
    """Return (F, 3) light that faces mirror from a place (3,) to the eye (3,); a low sheen is wide (Blinn 1977)."""
    at, eye = ends
    to_eye = (eye - at) / float(np.linalg.norm(eye - at))
    total = np.zeros((len(normals), 3))
    for light in lights:
        half = towards(light, at) + to_eye
        half = half / np.linalg.norm(half)
        total += np.maximum(normals @ half, 0.0)[:, None] ** sheen * np.array(light.bgr)
    return total
