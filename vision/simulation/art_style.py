"""How a drawn board looks: palettes, textures, symbols, all invented from a seed; and what it prints besides areas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

Colour = tuple[int, int, int]
Point = tuple[float, float]

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
    """Draw a style by lot from many: dark or pale grounds, any land and water hues, other symbols."""
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
    hsv = np.array([[[int(rng.integers(0, 180)), depth, value]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _water(rng: np.random.Generator) -> Colour:
    hue = int(rng.integers(85, 130)) if rng.random() < 0.8 else int(rng.integers(0, 180))
    hsv = np.array([[[hue, int(rng.integers(15, 190)), int(rng.integers(70, 210))]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _shades(rng: np.random.Generator, colour: Colour, count: int) -> tuple[Colour, ...]:
    return tuple(_jitter(rng, colour, 20) for _ in range(count))
