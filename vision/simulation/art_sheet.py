"""A drawing in board mm: what the board's art is drawn with."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from vision.plan import BoardPlan
from vision.simulation.art_style import ArtStyle, Colour, Point

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

SHIFT = 4


class ArtSheet:
    """A picture being drawn, addressed in board mm."""

    def __init__(self, plan: BoardPlan, style: ArtStyle, px_per_mm: float) -> None:
        self.plan, self.style, self.scale = plan, style, px_per_mm
        self.rng = np.random.default_rng(style.seed)
        self.areas = {area.name: area for area in plan.areas}
        width, height = (round(side * px_per_mm) for side in plan.size_mm)
        self.image: Image = np.full((height, width, 3), style.margin_bgr, np.uint8)
        self.image = add_grain(self.image, self.rng, style.grain * 0.5, style.grain_mm * px_per_mm)

    def points(self, points_mm: Sequence[Point] | Floats) -> npt.NDArray[np.int32]:
        """Return points of the drawing for OpenCV, with SHIFT bits of fractions."""
        scaled = (np.asarray(points_mm, float) * self.scale - 0.5) * (1 << SHIFT)
        return np.round(scaled).astype(np.int32)

    def fill(self, points_mm: Sequence[Point] | Floats, colour: Colour) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.image, [self.points(points_mm)], colour, cv2.LINE_AA, SHIFT)

    def line(self, points_mm: Sequence[Point] | Floats, colour: Colour, width_mm: float, closed: bool = False) -> None:
        """Draw a line `width_mm` wide."""
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.image, [self.points(points_mm)], closed, colour, width, cv2.LINE_AA, SHIFT)

    def disc(self, at_mm: Point, radius_mm: float, colour: Colour, width_mm: float = 0.0) -> None:
        """Draw a filled disc, or with a width a ring."""
        centre = self.points([at_mm])[0]
        width = max(1, round(width_mm * self.scale)) if width_mm else -1
        radius = round(radius_mm * self.scale * (1 << SHIFT))
        cv2.circle(self.image, (int(centre[0]), int(centre[1])), radius, colour, width, cv2.LINE_AA, SHIFT)

    def text(self, words: str, at_mm: Point, height_mm: float, colour: Colour) -> None:
        """Write words, their base line beginning at a place."""
        scale = height_mm * self.scale / 22.0
        at = (round(at_mm[0] * self.scale), round(at_mm[1] * self.scale))
        width = max(1, round(scale * 1.6))
        cv2.putText(self.image, words, at, cv2.FONT_HERSHEY_COMPLEX, scale, colour, width, cv2.LINE_AA)


def add_grain(image: Image, rng: np.random.Generator, amount: float, size_px: float) -> Image:
    """Give the picture cloudy brightness of several sizes, `amount` the relative strength."""
    height, width = image.shape[:2]
    cloud = np.zeros((height, width), np.float32)
    for octave in range(4):
        cell = max(1.0, size_px / 2.2**octave)
        shape = (int(height / cell) + 2, int(width / cell) + 2)
        noise = rng.standard_normal(shape).astype(np.float32) / (1 + octave)
        cloud += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    gain = 1 + np.float32(amount) * cloud / 1.3
    return np.clip(image * gain[..., None], 0, 255).astype(np.uint8)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mix `share` of `second` into `first`."""
    blue, green, red = (round(a * (1 - share) + b * share) for a, b in zip(first, second, strict=True))
    return blue, green, red


def star(at: Point, radius_mm: float, tips: int = 5) -> list[Point]:
    """Return the corners of a star round `at`, board mm."""
    rays = [(radius_mm if i % 2 == 0 else radius_mm * 0.45, i * pi / tips) for i in range(2 * tips)]
    return [(at[0] + r * sin(a), at[1] - r * cos(a)) for r, a in rays]


def hexagon(at: Point, side_mm: float, turn_rad: float = 0.0) -> list[Point]:
    """Return the six corners of a hexagon lying on a flat side, board mm."""
    turns = [turn_rad + i * pi / 3 for i in range(6)]
    return [(at[0] + side_mm * cos(t), at[1] + side_mm * sin(t)) for t in turns]
