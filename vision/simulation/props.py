"""What else lies about: the table's cloth, cards, dice, a mug, bonus tokens, a hand. All invented, all seeded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Colour, Image, add_grain, hexagon, star
from vision.simulation.camera import SimulatedCamera
from vision.simulation.dice import SPOTS
from vision.simulation.draw import Decal, Solid, fill_hull
from vision.simulation.solids import die, drum, mug, place_part, regular_polygon, turned

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

CARD_MM = (63.0, 88.0)


@dataclass(frozen=True, slots=True)
class Cloth:
    """The table top round the board; `kind` is wood, felt, weave or plain."""

    seed: int = 0
    kind: str = "wood"
    bgr: Colour = (40, 55, 80)
    grain: float = 0.2


def draw_cloth(cloth: Cloth, shape: tuple[int, int], px_per_mm: float) -> Image:
    """Draw the table top, flat, (rows, columns, 3)."""
    rng = np.random.default_rng(cloth.seed)
    plain = np.full((*shape, 3), cloth.bgr, np.uint8)
    if cloth.kind == "wood":
        return _wood(plain, rng, cloth.grain, px_per_mm)
    if cloth.kind == "plain":
        return add_grain(plain, rng, cloth.grain * 0.1, 80 * px_per_mm)
    rough = add_grain(plain, rng, cloth.grain * 0.5, 3 * px_per_mm)
    return add_grain(rough, rng, cloth.grain * 0.3, 60 * px_per_mm)


def _wood(plain: Image, rng: np.random.Generator, grain: float, px_per_mm: float) -> Image:
    rows, columns = plain.shape[:2]
    narrow = add_grain(np.full((rows, max(2, columns // 12), 3), 128, np.uint8), rng, grain, 8 * px_per_mm)
    veins = cv2.resize(narrow, (columns, rows), interpolation=cv2.INTER_CUBIC)
    for line in np.arange(rng.uniform(0, 90), rows, 95 * px_per_mm):
        veins[int(line) : int(line) + 2] = 70
    return np.asarray(np.clip(plain.astype(np.float32) * veins / 128, 0, 255), np.uint8)


def draw_card(rng: np.random.Generator, px_per_mm: float = 3.0) -> Image:
    """Draw a card's back or face, flat, (rows, columns, 3): a coloured field with a pattern in a pale rim."""
    width, height = (round(side * px_per_mm) for side in CARD_MM)
    rim = int(rng.integers(4, 12))
    card = np.full((height, width, 3), rng.integers(200, 250, 3), np.uint8)
    field = rng.integers(20, 200, 3)
    card[rim : height - rim, rim : width - rim] = field
    ink = tuple(int(v) for v in rng.integers(20, 250, 3))
    for _ in range(int(rng.integers(0, 22))):
        at = (int(rng.integers(rim, width - rim)), int(rng.integers(rim, height - rim)))
        thick = int(rng.choice([-1, 1, 2]))
        cv2.circle(card, at, int(rng.integers(4, 22)), ink, thick, cv2.LINE_AA)
    for line in range(int(rng.integers(0, 7))):
        y = int(height * 0.6) + line * 9
        cv2.line(card, (rim * 2, y), (width - rim * 2 - int(rng.integers(0, 40)), y), (235, 240, 240), 2)
    return card


def card_corners(at_mm: tuple[float, float], turn_rad: float, height_mm: float) -> Floats:
    """Return (4, 3) corners of a card lying at a place."""
    width, height = CARD_MM
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return np.column_stack([turned(flat, turn_rad) + np.array(at_mm), np.full(4, height_mm)])


def draw_die(rng: np.random.Generator, at_mm: tuple[float, float], height_mm: float = 0.0) -> Solid:
    """Draw a die of any colour, white, black and red above all."""
    side = float(rng.uniform(8, 15))
    dark = rng.random() < 0.5
    plain = rng.choice([np.array([235, 238, 238]), np.array([34, 32, 31]), rng.integers(20, 230, 3)], p=[0.4, 0.4, 0.2])
    turn = float(rng.uniform(0, pi))
    part = place_part(die(side), at_mm, turn, height_mm)
    pips = []
    ink = (30.0, 30.0, 30.0) if plain.sum() > 380 else (230.0, 230.0, 230.0)
    for spot in SPOTS[int(rng.integers(1, 5))]:
        pip = regular_polygon(10, side * 0.09) + np.array(spot) * side * 0.26
        points = np.column_stack([turned(pip, turn) + np.array(at_mm), np.full(10, height_mm + side)])
        pips.append(Decal(points, ink))
    blue, green, red = (float(v) for v in plain)
    return Solid((part,), (blue, green, red), at_mm, 0.3 if dark else 0.1, height_mm, tuple(pips))


def draw_token(rng: np.random.Generator, at_mm: tuple[float, float]) -> Solid:
    """Draw a round bonus token, flat, of any colour, with a pale or dark sign."""
    radius, height = float(rng.uniform(6, 8.5)), float(rng.uniform(1.0, 2.2))
    part = place_part(drum(regular_polygon(28, radius), height, 0.3), at_mm, 0.0)
    colour = tuple(float(v) for v in rng.integers(30, 230, 3))
    ink = (235.0, 240.0, 240.0) if sum(colour) < 380 else (35.0, 32.0, 32.0)
    shape = [star((0, 0), radius * 0.6, int(rng.integers(3, 7))), hexagon((0, 0), radius * 0.5)][int(rng.integers(2))]
    flat = np.array(shape) + np.array(at_mm)
    triangle = flat[: max(3, len(flat) // 2)]
    decal = Decal(np.column_stack([triangle, np.full(len(triangle), height)]), ink)
    return Solid((part,), (colour[0], colour[1], colour[2]), at_mm, 0.05, 0.0, (decal,))


def draw_mug(rng: np.random.Generator, at_mm: tuple[float, float]) -> Solid:
    """Draw a mug standing on the table, below the board's plane."""
    part = place_part(mug(float(rng.uniform(32, 45)), float(rng.uniform(60, 100))), at_mm, 0.0, -2.0)
    blue, green, red = (float(v) for v in rng.integers(30, 235, 3))
    return Solid((part,), (blue, green, red), at_mm, 0.1)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and arm over the board: chains of balls (x, y, height, radius) in mm, and the colours."""

    limbs: tuple[tuple[tuple[float, float, float, float], ...], ...]
    skin_bgr: Colour
    sleeve_bgr: Colour

    def bodies(self) -> list[Floats]:
        """Return (16, 3) vertices round each pair of neighbouring balls, for shadows."""
        found = []
        for limb in self.limbs:
            for start, end in pairwise(limb):
                rings = [
                    np.column_stack([regular_polygon(8, b[3]) + np.array(b[:2]), np.full(8, b[2])])
                    for b in (start, end)
                ]
                found.append(np.concatenate(rings))
        return found


def reach_in(rng: np.random.Generator, at_mm: tuple[float, float], from_rad: float) -> Hand:
    """Return a hand reaching to a place of the board, its arm coming from a direction."""
    back = np.array([cos(from_rad), sin(from_rad)])
    side = np.array([-back[1], back[0]])
    size, height = float(rng.uniform(0.85, 1.1)), float(rng.uniform(18, 45))
    palm = np.array(at_mm) + back * 62 * size

    def ball(along: float, across: float, up: float, radius: float) -> tuple[float, float, float, float]:
        x, y = palm + back * along * size + side * across * size
        return float(x), float(y), up, radius * size

    limbs = [
        (ball(0, 0, height + 22, 38), ball(70, 0, height + 30, 29), ball(150, 0, height + 40, 31)),
        (ball(150, 0, height + 42, 36), ball(420, 8, height + 75, 46)),
    ]
    for i, across in enumerate((-26.0, -9.0, 9.0, 26.0)):
        spread = float(rng.uniform(0.4, 1.2))
        tip = -62.0 + abs(across) * 0.5 + float(rng.uniform(-8, 10))
        limbs.append(
            (
                ball(-12, across, height + 22, 10.5),
                ball(-36, across * 1.1, height + 24, 9.5),
                ball(tip, across * spread, height - 12 + 3 * i, 8.0),
            )
        )
    limbs.append((ball(10, 30, height + 15, 13), ball(-22, 44, height + 10, 10.5), ball(-48, 30, height - 8, 9)))
    tone = float(rng.uniform(0.35, 1.0))
    skin = (int(130 * tone + 20), int(165 * tone + 15), int(225 * tone + 15))
    sleeve = tuple(int(v) for v in rng.integers(20, 235, 3))
    return Hand(tuple(limbs), skin, (sleeve[0], sleeve[1], sleeve[2]))


def draw_hand(image: Image, hand: Hand, camera: SimulatedCamera, gain: Floats) -> Mask:
    """Draw the hand in place, rounded by shading, lit by `gain` (3,); return the mask (0 to 255) of what it covers."""
    covered = np.zeros(image.shape[:2], np.uint8)
    order = [1, 0, *range(2, len(hand.limbs))]
    for which in order:
        colour = np.array(hand.sleeve_bgr if which == 1 else hand.skin_bgr, float) * gain
        for step, share in enumerate(np.linspace(1.0, 0.35, 7)):
            tone = np.clip(colour * (0.55 + 0.5 * step / 6), 0, 255)
            _chain(image, hand.limbs[which], camera, share, [float(v) for v in tone])
        _chain(covered, hand.limbs[which], camera, 1.0, [255.0])
    return covered


def _chain(
    image: npt.NDArray[np.uint8],
    limb: tuple[tuple[float, float, float, float], ...],
    camera: SimulatedCamera,
    share: float,
    colour: list[float],
) -> None:
    depth = camera.centre_mm
    for start, end in pairwise(limb):
        outline = []
        for ball in (start, end):
            at = np.array(ball[:3])
            scale = camera.focal * camera.size_px[0] / max(40.0, float(np.linalg.norm(depth - at)))
            outline.append(regular_polygon(20, ball[3] * share * scale) + camera.px(at))
        fill_hull(image, np.concatenate(outline), colour, cv2.LINE_AA)
