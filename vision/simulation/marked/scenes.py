"""Seeded marked tables of all kinds, in two casts: what the eye is tuned on, and what it is only measured on.

The casts share no surface, no camera and no light, so that figures of the second tell how the eye does on tables that
nobody tuned it for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Literal, TypeVar

import numpy as np

from vision.bases.markers import MarkedTable
from vision.simulation.board_art import Colour
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.shots import BaseAt, Lamp, MarkedScene, camera_over, usual_hand

Grade = Literal["fair", "usual", "hard"]
GRADES: tuple[Grade, ...] = ("fair", "usual", "hard")
Span = tuple[float, float]
T = TypeVar("T")
TABLES = (
    MarkedTable(24.0, 18.0),
    MarkedTable(18.0, 12.0),
    MarkedTable(24.0, 18.0, base_side=0.45, ahead=-0.22, base_height=0.06),
    MarkedTable(16.0, 16.0, base_side=0.5, ahead=-0.2, base_height=0.12),
)
"""Tables of a scene, by its seed: markers that fill their bases, and small ones behind figures."""
MOST_BASES = 28
RIM = 2.5
"""How far bases stay from the table's edge: the corner markers lie there."""


@dataclass(frozen=True, slots=True)
class Strain:
    """How hard a grade is: spans that are drawn from evenly, and chances."""

    tilt_deg: Span
    dark_end: Span
    exposure: Span
    blur_px: Span
    noise: Span
    jpeg: tuple[int, int]
    sizes_px: tuple[tuple[int, int], ...]
    hands: int
    glare: float


@dataclass(frozen=True, slots=True)
class Cast:
    """What scenes are made of: surfaces, lights' colours, lenses (focal, radial), camera's sides, strain by grade."""

    name: str
    surfaces: tuple[tuple[str, Colour], ...]
    lights_bgr: tuple[tuple[float, float, float], ...]
    focal: Span
    radial: Span
    side_deg: Span
    base_bgr: tuple[Colour, ...]
    grades: Mapping[Grade, Strain]


TUNING = Cast(
    "tuning",
    (("wood", (50, 80, 120)), ("felt", (60, 110, 60)), ("plain", (190, 195, 200)), ("grass", (50, 110, 95))),
    ((1.0, 1.0, 1.0), (0.75, 0.95, 1.12), (1.1, 1.0, 0.9)),
    (0.8, 1.15),
    (-0.16, 0.04),
    (-30.0, 30.0),
    ((60, 90, 110), (40, 60, 40), (150, 150, 150)),
    {
        "fair": Strain(
            (5, 25), (0.8, 1), (0.9, 1.1), (0.5, 0.8), (1, 2.5), (85, 95), ((1600, 1200), (1920, 1080)), 0, 0
        ),
        "usual": Strain(
            (20, 42), (0.5, 0.9), (0.6, 1.1), (0.6, 1.0), (2, 4), (75, 90), ((1600, 1200), (1920, 1080)), 1, 0.3
        ),
        "hard": Strain(
            (35, 55), (0.3, 0.7), (0.35, 0.8), (0.7, 1.3), (3, 6), (60, 85), ((1280, 960), (1920, 1080)), 2, 0.5
        ),
    },
)
HELD_BACK = Cast(
    "held back",
    (("paving", (120, 125, 130)), ("snow", (225, 220, 215)), ("printed", (180, 205, 215)), ("weave", (70, 45, 130))),
    ((0.62, 0.9, 1.15), (1.2, 1.02, 0.82), (0.9, 1.06, 0.95)),
    (0.7, 1.35),
    (-0.22, 0.08),
    (60.0, 300.0),
    ((30, 30, 30), (210, 205, 200), (60, 60, 160)),
    {
        "fair": Strain(
            (0, 25), (0.7, 1), (0.85, 1.15), (0.4, 0.8), (1, 3), (80, 95), ((1640, 1232), (2304, 1296)), 0, 0
        ),
        "usual": Strain(
            (15, 45), (0.45, 0.9), (0.55, 1.15), (0.6, 1.1), (2, 4.5), (70, 90), ((1640, 1232), (1920, 1440)), 1, 0.4
        ),
        "hard": Strain(
            (35, 58), (0.25, 0.7), (0.3, 0.8), (0.7, 1.4), (3, 7), (55, 85), ((1280, 720), (1640, 1232)), 2, 0.6
        ),
    },
)


def random_table(cast: Cast, grade: Grade, seed: int) -> tuple[MarkedScene, tuple[BaseAt, ...]]:
    """Return a scene of a cast and the bases on it: the same seed gives the same."""
    strain = cast.grades[grade]
    rng = np.random.default_rng([seed, GRADES.index(grade), len(cast.name)])

    def within(span: Span) -> float:
        return float(rng.uniform(*span))

    def one_of(things: tuple[T, ...]) -> T:
        return things[int(rng.integers(len(things)))]

    table = one_of(TABLES)
    camera = SimulatedCamera(
        tilt_deg=within(strain.tilt_deg),
        side_deg=within(cast.side_deg),
        roll_deg=within((-4, 4)),
        focal=within(cast.focal),
        radial=within(cast.radial),
        size_px=one_of(strain.sizes_px),
    )
    kind, bgr = one_of(cast.surfaces)
    glare = (within((0.2, 0.8)), within((0.2, 0.8)), within((0.4, 1.0))) if rng.random() < strain.glare else None
    scene = MarkedScene(
        table,
        camera_over(table, camera, 0.95),
        Surface(kind, bgr, seed, within((0.1, 0.35))),
        Lamp(within(strain.dark_end), within((0, 360)), one_of(cast.lights_bgr), glare),
        _lens(strain, within, rng),
        tuple(usual_hand(table, rng) for _ in range(int(rng.integers(0, strain.hands + 1)))),
        decoys=int(rng.integers(0, 5)),
        ink=int(rng.integers(15, 60)),
        seed=seed,
    )
    return scene, random_bases(table, cast, rng)


def _lens(strain: Strain, within: Callable[[Span], float], rng: np.random.Generator) -> Lens:
    return Lens(
        blur_px=within(strain.blur_px),
        vignetting=within((0.05, 0.35)),
        exposure=within(strain.exposure),
        noise=within(strain.noise),
        sharpen=within((0.0, 0.6)),
        jpeg=int(rng.integers(*strain.jpeg)),
    )


def random_bases(table: MarkedTable, cast: Cast, rng: np.random.Generator) -> tuple[BaseAt, ...]:
    """Place bases at random, in lines and alone, none on another, with figures where the markers leave them room."""
    bases: list[BaseAt] = []
    numbers = rng.permutation(246)
    colour = cast.base_bgr[int(rng.integers(len(cast.base_bgr)))]
    for _ in range(MOST_BASES * 8):
        facing = float(rng.choice([0.0, 90.0, 180.0, 270.0])) if rng.random() < 0.4 else float(rng.uniform(0, 360))
        x, y = rng.uniform(RIM, table.width - RIM), rng.uniform(RIM, table.height - RIM)
        if bases and rng.random() < 0.4:  # in line with the last one
            last = bases[-1]
            facing, turn = last.facing_deg, np.radians(last.facing_deg)
            x, y = last.x + 1.08 * np.cos(turn), last.y - 1.08 * np.sin(turn)
        fits = RIM < x < table.width - RIM and RIM < y < table.height - RIM
        if fits and all(
            hypot(x - base.x, y - base.y) > 1.06 * (1 if base.facing_deg == facing else 1.4) for base in bases
        ):
            figures = int(rng.integers(0, 5)) if table.ahead else 0
            bases.append(BaseAt(int(numbers[len(bases)]), float(x), float(y), facing, 1.0, colour, figures))
        if len(bases) == MOST_BASES:
            break
    return tuple(bases)
