"""How a drawn board looks, invented from a seed, and the sheet in board mm that its art is drawn on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from vision.plan import BoardPlan

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]
Point = tuple[float, float]

SHIFT = 4
"""OpenCV's fixed point: sixteenths of a pixel."""
FACTION_BGR: Mapping[str, Colour] = {
    "red": (44, 36, 205),
    "black": (36, 31, 30),
    "blue": (190, 90, 40),
    "yellow": (50, 190, 230),
}
SHIP_SIDES: tuple[tuple[Point, ...], ...] = (
    ((-0.5, 0.05), (-0.3, 0.32), (0.3, 0.32), (0.5, 0.05), (0.25, 0.05), (0.18, -0.3), (-0.18, -0.3), (-0.25, 0.05)),
    ((-0.5, -0.3), (-0.32, 0.3), (0.32, 0.3), (0.5, -0.3), (0.2, 0.0), (0.0, -0.28), (-0.2, 0.0)),
    ((-0.5, 0.0), (-0.3, 0.25), (0.3, 0.25), (0.5, 0.0), (0.3, -0.25), (-0.3, -0.25)),
    ((-0.45, 0.1), (-0.35, 0.35), (0.35, 0.35), (0.45, 0.1), (0.06, 0.1), (0.06, -0.4), (-0.3, 0.1)),
)


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """What a board prints besides areas and spaces, by area name; all of it may be missing.

    `slots` gives the place of each round bonus slot in board mm; `zones` the air zone above a land area, `printed` the
    bonus printed on one; `forts` are fortified, `no_drop` carry the sign that forbids a Paradrop.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    headquarters: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slots: Mapping[str, Point] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[str, str] = field(default_factory=dict)
    forts: tuple[str, ...] = ()
    no_drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArtStyle:
    """One way to draw a board; `seed` decides the scattered details, the other fields the look."""

    seed: int
    margin_bgr: Colour = (62, 48, 54)
    land_bgr: tuple[Colour, ...] = ((110, 170, 205), (100, 160, 195))
    water_bgr: tuple[Colour, ...] = ((190, 175, 120),)
    ink_bgr: Colour = (30, 28, 26)
    paper_bgr: Colour = (225, 240, 245)
    star_bgr: Colour = (150, 40, 200)
    grain: float = 0.10
    grain_mm: float = 14.0
    border_mm: float = 0.9
    border: str = "solid"
    decoration: int = 4
    waves: str = "waves"
    symbols: str = "one"
    symbol_scale: float = 1.0
    symbol_ring_mm: float = 0.6
    symbol_shift_mm: float = 0.0
    print_bgr: Mapping[str, Colour] = field(default_factory=lambda: dict(FACTION_BGR))
    ship_side: int = 0
    space_dark: bool = True
    pictogram: int = 0
    folds: int = 1
    title: str = "DRAWN BOARD"
    title_left: bool = True


def random_style(seed: int) -> ArtStyle:
    """Choose a board's style at random: dark or pale grounds, any land and water hues, various symbols."""
    rng = np.random.default_rng(seed)
    pale = bool(rng.random() < 0.35)
    prints = {name: _jitter(rng, colour, 18) for name, colour in FACTION_BGR.items()}
    return ArtStyle(
        seed=seed,
        margin_bgr=_random_bgr(rng, (170, 235) if pale else (15, 110), 60),
        land_bgr=_shades(rng, _random_bgr(rng, (110, 215), 110), int(rng.integers(1, 4))),
        water_bgr=_shades(rng, _water(rng), int(rng.integers(1, 3))),
        ink_bgr=_jitter(rng, (40, 38, 38), 28),
        paper_bgr=_jitter(rng, (222, 232, 238), 17),
        star_bgr=_random_bgr(rng, (40, 220), 200),
        grain=float(rng.uniform(0.02, 0.2)),
        grain_mm=float(rng.uniform(4, 30)),
        border_mm=float(rng.uniform(0.5, 1.6)),
        border=str(rng.choice(["solid", "stitched", "double"])),
        decoration=int(rng.integers(0, 8)),
        waves=str(rng.choice(["waves", "rings", "lines", "none"])),
        symbols=str(rng.choice(["one", "each"])),
        symbol_scale=float(rng.uniform(0.75, 1.2)),
        symbol_ring_mm=float(rng.choice([0.0, rng.uniform(0.3, 1.2)])),
        symbol_shift_mm=float(rng.uniform(0, 6)),
        print_bgr=prints,
        ship_side=int(rng.integers(len(SHIP_SIDES))),
        space_dark=bool(rng.random() < 0.75),
        pictogram=int(rng.integers(0, 3)),
        folds=int(rng.integers(0, 3)),
        title_left=bool(rng.random() < 0.5),
    )


def _jitter(rng: np.random.Generator, colour: Colour, amount: int) -> Colour:
    moved = np.clip(np.array(colour) + rng.integers(-amount, amount + 1, 3), 0, 255)
    return int(moved[0]), int(moved[1]), int(moved[2])


def _random_bgr(rng: np.random.Generator, brightness: tuple[int, int], saturation: int) -> Colour:
    value, depth = int(rng.integers(*brightness)), int(rng.integers(0, saturation + 1))
    return bgr_of(int(rng.integers(0, 180)), depth, value)


def _water(rng: np.random.Generator) -> Colour:
    hue = int(rng.integers(85, 130)) if rng.random() < 0.8 else int(rng.integers(0, 180))
    return bgr_of(hue, int(rng.integers(15, 190)), int(rng.integers(70, 210)))


def bgr_of(hue: int, depth: int, value: int) -> Colour:
    """Return a colour by its hue (0 to 180, 0 red, 60 green), its depth and its brightness (0 to 255)."""
    blue, green, red = cv2.cvtColor(np.array([[[hue, depth, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _shades(rng: np.random.Generator, colour: Colour, count: int) -> tuple[Colour, ...]:
    return tuple(_jitter(rng, colour, 20) for _ in range(count))


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
        """Return places in board mm as OpenCV takes them, with SHIFT bits of fractions."""
        scaled = (np.asarray(points_mm, float) * self.scale - 0.5) * (1 << SHIFT)
        return np.round(scaled).astype(np.int32)

    def fill(self, points_mm: Sequence[Point] | Floats, colour: Colour) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.image, [self.points(points_mm)], colour, cv2.LINE_AA, SHIFT)

    def fill_with_grain(
        self, points_mm: Sequence[Point] | Floats, colour: Colour, amount: float, size_px: float
    ) -> None:
        """Fill an outline with a colour in clouds, as `add_grain` makes them."""
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self.points(points_mm)], 255, cv2.LINE_AA, SHIFT)
        x, y, width, height = cv2.boundingRect(mask)
        patch = add_grain(np.full((height, width, 3), colour, np.uint8), self.rng, amount, size_px)
        blend = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
        old = self.image[y : y + height, x : x + width]
        self.image[y : y + height, x : x + width] = (old * (1 - blend) + patch * blend).astype(np.uint8)

    def line(self, points_mm: Sequence[Point] | Floats, colour: Colour, width_mm: float, closed: bool = False) -> None:
        """Draw a line `width_mm` wide."""
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.image, [self.points(points_mm)], closed, colour, width, cv2.LINE_AA, SHIFT)

    def disc(self, at_mm: Point, radius_mm: float, colour: Colour, width_mm: float = 0.0) -> None:
        """Draw a filled disc, or a ring if a width is given."""
        centre = self.points([at_mm])[0]
        width = max(1, round(width_mm * self.scale)) if width_mm else -1
        radius = round(radius_mm * self.scale * (1 << SHIFT))
        cv2.circle(self.image, (int(centre[0]), int(centre[1])), radius, colour, width, cv2.LINE_AA, SHIFT)

    def text(self, words: str, at_mm: Point, height_mm: float, colour: Colour) -> None:
        """Write a text, its baseline starting at a place."""
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


def hexagon(at: Point, side_mm: float) -> list[Point]:
    """Return the six corners of a hexagon lying on a flat side, board mm."""
    return [(at[0] + side_mm * cos(i * pi / 3), at[1] + side_mm * sin(i * pi / 3)) for i in range(6)]
