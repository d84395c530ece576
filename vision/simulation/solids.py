"""The solids on a simulated table: troops, figures, commanders, dice, as convex parts with flat faces. All invented.

Figures are made of a few convex outlines that touch; boards print them as symbols as well. A part is a stack of rings:
the same outline scaled at rising heights, closed by its top. Vertices are (x, y, height) in mm round the piece's base;
faces are indices counted so that the outside is on the normal's side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, radians, sin

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Point = tuple[float, float]
Outline = tuple[Point, ...]
"""A convex outline, counter-clockwise, in lengths of the figure."""
Rng = np.random.Generator

SIDES_OF_A_DISC = 26


@dataclass(frozen=True, slots=True)
class Part:
    """A convex body: (V, 3) vertices in mm, faces as vertex indices, and how dark each face is (1 is plain)."""

    vertices: Floats
    faces: tuple[tuple[int, ...], ...]
    tones: tuple[float, ...]

    @property
    def normals(self) -> Floats:
        """(F, 3) unit outside normals, from each face's first three vertices."""
        corners = self.vertices[np.array([face[:3] for face in self.faces])]
        one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1]
        normals = one[:, [1, 2, 0]] * two[:, [2, 0, 1]] - one[:, [2, 0, 1]] * two[:, [1, 2, 0]]
        return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


@dataclass(frozen=True, slots=True)
class PieceLook:
    """How this copy's pieces look: sizes in mm, whether ships stand, which ship and how its parts are cut.

    Siege weapons stand or lie as ships do; aircraft lie.
    """

    troop_mm: float = 12.0
    troop_height_mm: float = 5.0
    ship_mm: float = 16.0
    ship_width_mm: float = 6.0
    ship_shape: int = 0
    ships_stand: bool = False
    commander_mm: float = 12.0
    commander_height_mm: float = 10.0
    bevel_mm: float = 0.5
    bgr: tuple[tuple[str, tuple[float, float, float]], ...] = (
        ("red", (40, 36, 190)),
        ("black", (40, 37, 36)),
        ("yellow", (45, 180, 225)),
        ("blue", (135, 75, 35)),
    )
    gloss: float = 0.2
    sheen: float = 60.0
    grain: float = 0.03
    siege_mm: float = 14.0
    siege_width_mm: float = 7.0
    siege_shape: int = 0
    sieges_stand: bool = True
    aircraft_mm: float = 13.0
    aircraft_height_mm: float = 4.0
    aircraft_shape: int = 0


SHIP_PROFILES: tuple[tuple[Outline, ...], ...] = (
    (((-0.34, 0.0), (0.34, 0.0), (0.5, 0.25), (-0.5, 0.25)), ((-0.26, 0.27), (0.26, 0.27), (0.2, 0.55), (-0.2, 0.55))),
    (
        ((-0.5, 0.0), (0.5, 0.0), (0.5, 0.18), (-0.5, 0.18)),
        ((-0.24, 0.18), (0.24, 0.18), (0.24, 0.5), (-0.24, 0.5)),
        ((-0.14, 0.5), (0.14, 0.5), (0.1, 0.62), (-0.1, 0.62)),
    ),
    (
        ((-0.34, 0.0), (0.34, 0.0), (0.44, 0.22), (-0.44, 0.22)),
        ((-0.44, 0.22), (-0.22, 0.22), (-0.5, 0.55)),
        ((0.22, 0.22), (0.44, 0.22), (0.5, 0.55)),
        ((-0.1, 0.22), (0.1, 0.22), (0.0, 0.5)),
    ),
    (((-0.36, 0.0), (0.36, 0.0), (0.5, 0.22), (-0.5, 0.22)), ((-0.05, 0.22), (0.3, 0.22), (-0.05, 0.62))),
    (((-0.42, 0.0), (0.42, 0.0), (0.5, 0.3), (0.2, 0.42), (-0.2, 0.42), (-0.5, 0.3)),),
    (
        ((-0.35, 0.0), (0.35, 0.0), (0.5, 0.2), (-0.5, 0.2)),
        ((-0.32, 0.2), (0.1, 0.2), (0.1, 0.42), (-0.32, 0.42)),
        ((-0.05, 0.42), (0.08, 0.42), (0.08, 0.66), (-0.05, 0.66)),
    ),
)
"""Ships from the side: (along, up); each a few outlines that touch."""


@lru_cache(maxsize=64)
def ship_profile(shape: int) -> tuple[Outline, ...]:
    """Return a ship from the side: one of SHIP_PROFILES, or for higher numbers one made up from the number."""
    if shape < len(SHIP_PROFILES):
        return SHIP_PROFILES[shape]
    rng = np.random.default_rng([shape, 31])
    deck = float(rng.uniform(0.12, 0.34))
    keel = float(rng.uniform(0.22, 0.5))
    hull = ((-keel, 0.0), (keel, 0.0), (0.5, deck), (-0.5, deck))
    makers = (_cabin, _ends, _dome, _sail)
    chosen = rng.choice(len(makers), int(rng.integers(1, 3)), replace=False)
    return (hull, *(part for which in chosen for part in makers[int(which)](rng, deck)))


def _cabin(rng: Rng, deck: float) -> list[Outline]:
    middle, half, height = (float(v) for v in rng.uniform([-0.12, 0.12, 0.14], [0.12, 0.36, 0.42]))
    top = half * float(rng.uniform(0.5, 1.05))
    low, high = deck + float(rng.choice([0.0, 0.03])), deck + height
    return [((middle - half, low), (middle + half, low), (middle + top, high), (middle - top, high))]


def _ends(rng: Rng, deck: float) -> list[Outline]:
    width, high = float(rng.uniform(0.12, 0.25)), deck + float(rng.uniform(0.15, 0.4))
    bow: Outline = ((0.5 - width, deck), (0.5, deck), (0.5, high))
    return [bow, tuple((-x, y) for x, y in reversed(bow))]


def _dome(rng: Rng, deck: float) -> list[Outline]:
    half, height = float(rng.uniform(0.15, 0.4)), float(rng.uniform(0.15, 0.4))
    turns = np.linspace(0, pi, 9)
    return [tuple((half * cos(t), deck + height * float(np.sin(t))) for t in turns)]


def _sail(rng: Rng, deck: float) -> list[Outline]:
    foot, width, height = (float(v) for v in rng.uniform([-0.2, 0.12, 0.25], [0.1, 0.4, 0.5]))
    return [((foot, deck), (foot + width, deck), (foot + width * float(rng.uniform(0, 0.6)), deck + height))]


STURDY, SLIM = 1.0, 0.45
"""How much of a siege weapon's width its parts have."""


def _round(at: Point, radius: float, corners: int = 10) -> Outline:
    turns = [2 * pi * i / corners for i in range(corners)]
    return tuple((at[0] + radius * cos(t), at[1] + radius * sin(t)) for t in turns)


def _bar(start: Point, end: Point, width: float) -> Outline:
    """Return a straight bar between two points."""
    along = np.subtract(end, start) / max(float(np.hypot(*np.subtract(end, start))), 1e-9)
    across = np.array([along[1], -along[0]]) * width / 2
    corners = (start + across, end + across, end - across, start - across)
    return tuple((float(x), float(y)) for x, y in corners)


@lru_cache(maxsize=64)
def siege_profile(shape: int) -> tuple[tuple[Outline, float], ...]:
    """Return a siege weapon made up from a number, seen from the side: (outline, share of its width), its feet at 0."""
    rng = np.random.default_rng([shape, 51])
    low, high = float(rng.uniform(0.06, 0.14)), float(rng.uniform(0.2, 0.32))
    end = float(rng.uniform(0.36, 0.5))
    bed = ((-end, low), (end, low), (end, high), (-end, high))
    parts: list[tuple[Outline, float]] = [(bed, STURDY)]
    if rng.random() < 0.7:
        radius = float(rng.uniform(0.1, 0.17))
        parts += [(_round((x, radius), radius), STURDY) for x in (-end + 0.1, end - 0.1)]
    else:
        parts.append((((-end, 0.0), (end, 0.0), (end, low), (-end, low)), STURDY))
    return (*parts, *(_catapult, _catapult, _frame, _gun)[int(rng.integers(4))](rng, high))


def _catapult(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return an arm with a bowl, leaning back on a stand."""
    top = (float(rng.uniform(-0.5, -0.3)), float(rng.uniform(0.55, 0.85)))
    foot = (float(rng.uniform(0.1, 0.35)), high)
    stand = float(rng.uniform(0.4, 0.65))
    half = float(rng.uniform(0.12, 0.2))
    middle = float(rng.uniform(-0.1, 0.12))
    arm = _bar(foot, top, float(rng.uniform(0.08, 0.14)))
    bowl = _round(top, float(rng.uniform(0.09, 0.15)))
    return [(((middle - half, high), (middle + half, high), (middle, stand)), STURDY), (arm, SLIM), (bowl, SLIM + 0.2)]


def _frame(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return a tall frame with a beam across it, as a trebuchet has."""
    top = float(rng.uniform(0.6, 0.8))
    half = float(rng.uniform(0.18, 0.3))
    beam = _bar((0.42, top - 0.22), (-0.48, top + float(rng.uniform(0.0, 0.15))), float(rng.uniform(0.08, 0.13)))
    weight = _round((0.4, top - 0.24), float(rng.uniform(0.1, 0.16)), 6)
    return [(((-half, high), (half, high), (0.04, top), (-0.04, top)), STURDY), (beam, SLIM), (weight, STURDY)]


def _gun(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return a block with a thick barrel that points up ahead."""
    rise = float(rng.uniform(0.08, 0.3))
    block = ((-0.34, high), (0.16, high), (0.06, high + 0.22), (-0.26, high + 0.22))
    return [
        (block, STURDY),
        (_bar((-0.2, high + 0.1), (0.48, high + 0.1 + rise), float(rng.uniform(0.14, 0.22))), SLIM + 0.15),
    ]


@lru_cache(maxsize=64)
def aircraft_outlines(shape: int) -> tuple[Outline, ...]:
    """Return an aircraft made up from a number, from above, its nose at 0.5: body, wings, two halves of its tail."""
    rng = np.random.default_rng([shape, 52])
    body, nose = float(rng.uniform(0.06, 0.12)), float(rng.uniform(0.25, 0.42))
    span, chord = float(rng.uniform(0.4, 0.56)), float(rng.uniform(0.2, 0.36))
    lead, sweep = float(rng.uniform(0.08, 0.28)), float(rng.uniform(-0.04, 0.2))
    tip = chord * float(rng.uniform(0.35, 1.0))
    tail, depth = float(rng.uniform(0.16, 0.27)), float(rng.uniform(0.1, 0.18))
    thin = body * float(rng.uniform(0.4, 1.0))
    hull = ((-0.5, -thin), (nose, -body), (0.5, -body * 0.4), (0.5, body * 0.4), (nose, body), (-0.5, thin))
    wing = ((lead - chord, 0.0), (lead, 0.0), (lead - sweep, span), (lead - sweep - tip, span))
    fin = ((-0.5, 0.0), (-0.5 + depth, 0.0), (-0.5 + depth * 0.75, tail), (-0.5, tail))
    return hull, wing, _mirror(wing), fin, _mirror(fin)


def _mirror(outline: Outline) -> Outline:
    return tuple((x, -y) for x, y in reversed(outline))


def rings(outline: Floats, levels: Sequence[tuple[float, float]], tones: Sequence[float]) -> Part:
    """Build a part from an outline (N, 2), counter-clockwise, at (scale, height) levels; tones: bands, then the top."""
    count, middle = len(outline), outline.mean(axis=0)
    scaled = [middle + (outline - middle) * scale for scale, _ in levels]
    heights = [np.full(count, height) for _, height in levels]
    vertices = np.concatenate([np.column_stack(pair) for pair in zip(scaled, heights, strict=True)])
    faces: list[tuple[int, ...]] = []
    shades: list[float] = []
    for level in range(len(levels) - 1):
        for i in range(count):
            j = (i + 1) % count
            low, high = level * count, (level + 1) * count
            faces.append((low + i, low + j, high + j, high + i))
            shades.append(tones[level])
    faces.append(tuple(range((len(levels) - 1) * count, len(levels) * count)))
    return Part(vertices, tuple(faces), (*shades, tones[-1]))


def regular_polygon(corners: int, radius_mm: float, turn_rad: float = 0.0) -> Floats:
    """Return the corners (corners, 2) of a regular polygon, counter-clockwise, x and y."""
    turns = turn_rad + 2 * pi * np.arange(corners) / corners
    return np.stack([radius_mm * np.cos(turns), radius_mm * np.sin(turns)], axis=1)


def drum(outline: Floats, height_mm: float, bevel_mm: float) -> Part:
    """Return an upright body with a bevelled top and a darker foot."""
    reach = float(np.abs(outline - outline.mean(axis=0)).max())
    inner = max(0.5, 1 - bevel_mm / reach)
    bevel = min(bevel_mm, height_mm * 0.4)
    levels = [(1.0, 0.0), (1.0, 0.25 * height_mm), (1.0, height_mm - bevel), (inner, height_mm)]
    return rings(outline, levels, (0.8, 0.97, 1.08, 1.0))


def upright(outline: Floats, width_mm: float) -> Part:
    """Stand an outline (along, up) on its foot, `width_mm` thick; with an under side, which is never seen."""
    flat = rings(outline, [(1.0, -width_mm / 2), (1.0, width_mm / 2)], (1.0, 0.97))
    raised = flat.vertices[:, [0, 2, 1]] * np.array([1.0, -1.0, 1.0])
    back = tuple(range(len(outline) - 1, -1, -1))
    return Part(raised, (*flat.faces, back), (*flat.tones, 0.97))


def turned(points: Floats, turn_rad: float) -> Floats:
    """Return (N, 2) points turned about the origin."""
    turn = np.array([[cos(turn_rad), sin(turn_rad)], [-sin(turn_rad), cos(turn_rad)]])
    return np.asarray(points @ turn, np.float64)


def place_part(part: Part, at_mm: Point, turn_rad: float, height_mm: float = 0.0) -> Part:
    """Turn the part about its base and put it at a place of the board."""
    level = turned(part.vertices[:, :2], turn_rad) + np.array(at_mm)
    return Part(np.column_stack([level, part.vertices[:, 2] + height_mm]), part.faces, part.tones)


def piece_parts(kind: str, look: PieceLook) -> tuple[Part, ...]:
    """Return the parts of a `troop`, `ship`, `siege`, `aircraft` or `commander` round its own base."""
    if kind == "commander":
        return (drum(regular_polygon(6, look.commander_mm / 2), look.commander_height_mm, look.bevel_mm),)
    figure = {"ship": _ship, "siege": _siege, "aircraft": _aircraft}.get(kind)
    if figure is not None:
        return figure(look)
    return (drum(regular_polygon(SIDES_OF_A_DISC, look.troop_mm / 2), look.troop_height_mm, look.bevel_mm),)


def _ship(look: PieceLook) -> tuple[Part, ...]:
    profile = [np.array(part) * look.ship_mm for part in ship_profile(look.ship_shape)]
    if look.ships_stand:
        return tuple(upright(part, look.ship_width_mm) for part in profile)
    middle = np.array([0.0, max(float(part[:, 1].max()) for part in profile) / 2])
    return tuple(drum(part - middle, look.ship_width_mm, look.bevel_mm * 0.3) for part in profile)


def _siege(look: PieceLook) -> tuple[Part, ...]:
    profile = [(np.array(part) * look.siege_mm, share) for part, share in siege_profile(look.siege_shape)]
    if look.sieges_stand:
        return tuple(upright(part, look.siege_width_mm * share) for part, share in profile)
    middle = np.array([0.0, siege_height(look) / 2])
    return tuple(drum(part - middle, look.siege_width_mm * 0.7, look.bevel_mm * 0.3) for part, _ in profile)


def _aircraft(look: PieceLook) -> tuple[Part, ...]:
    outlines = [np.array(part) * look.aircraft_mm for part in aircraft_outlines(look.aircraft_shape)]
    body, *wings = outlines
    thin = look.aircraft_height_mm * 0.9
    return (
        *(drum(wing, thin, look.bevel_mm * 0.3) for wing in wings),
        drum(body, look.aircraft_height_mm, look.bevel_mm * 0.3),
    )


def footprint(kind: str, look: PieceLook) -> list[tuple[float, float, float]]:
    """Return circles (x, y, radius) in mm that cover a piece's foot before it is turned."""
    if kind == "ship":
        return _long_foot(look.ship_mm, look.ship_width_mm if look.ships_stand else ship_height(look))
    if kind == "siege":
        return _long_foot(look.siege_mm, look.siege_width_mm if look.sieges_stand else siege_height(look))
    if kind == "aircraft":
        return _winged_foot(look)
    return [(0.0, 0.0, (look.troop_mm if kind == "troop" else look.commander_mm) / 2)]


def _long_foot(length_mm: float, across_mm: float) -> list[tuple[float, float, float]]:
    reach = max(0.0, (length_mm - across_mm) / 2)
    return [(x, 0.0, across_mm / 2) for x in (-reach, 0.0, reach)]


def _winged_foot(look: PieceLook) -> list[tuple[float, float, float]]:
    size, (wing, *_) = look.aircraft_mm, aircraft_outlines(look.aircraft_shape)[1:]
    tip = np.mean(wing[2:], axis=0) * size
    x, y, radius = float(tip[0]), float(tip[1]) - 0.1 * size, 0.12 * size
    along = [(at * size, 0.0, radius) for at in (-0.38, -0.15, 0.1, 0.38)]
    return [*along, *((x, side * share * y, radius) for side in (-1, 1) for share in (0.5, 1.0))]


def ship_height(look: PieceLook) -> float:
    """Return how high a ship is in mm if it stands; how far it reaches across if it lies."""
    return look.ship_mm * max(y for part in ship_profile(look.ship_shape) for _, y in part)


def siege_height(look: PieceLook) -> float:
    """Return how high a siege weapon is in mm if it stands; how far it reaches across if it lies."""
    return look.siege_mm * max(y for part, _ in siege_profile(look.siege_shape) for _, y in part)


def piece_height(kind: str, look: PieceLook) -> float:
    """Return the height of a piece in mm."""
    if kind == "ship":
        return ship_height(look) if look.ships_stand else look.ship_width_mm
    if kind == "siege":
        return siege_height(look) if look.sieges_stand else look.siege_width_mm * 0.7
    heights = {"commander": look.commander_height_mm, "aircraft": look.aircraft_height_mm}
    return heights.get(kind, look.troop_height_mm)


def die(side_mm: float) -> Part:
    """Return the cube of a die, its edges bevelled."""
    return drum(regular_polygon(4, side_mm / 2**0.5, radians(45)), side_mm, 0.6)


def mug(radius_mm: float, height_mm: float) -> Part:
    """Return a closed mug, its drink being the dark top."""
    return rings(regular_polygon(40, radius_mm), [(0.92, 0.0), (1.0, height_mm), (0.9, height_mm)], (1.0, 1.2, 0.4))
