"""A marked table as a camera sees it: surface, markers, bases with figures, light, glare, a hand; with the truth.

Frames: the table's (see `vision.bases.markers`), and the simulated camera's, in mm with y towards the near edge.
Everything is invented and seeded: the same scene gives the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, radians, sin

import numpy as np

from vision.bases.markers import (
    CELLS,
    CORNERS,
    MarkedTable,
    Points,
    corner_at,
    corner_paper,
    corner_places,
    marker_cells,
    square,
    turn_and_move,
)
from vision.simulation.board_art import Colour, Image
from vision.simulation.camera import Lens, SimulatedCamera, expose, falloff, fit_in_picture
from vision.simulation.marked.draw import PAPER, Painter, Surface, draw_surface, paint_corner
from vision.simulation.props import Hand, draw_hand, reach_in

BASE_MM = 40.0
"""How wide a base is in the simulated world; pictures depend only on the camera's distance in bases."""
FAR_MM = (200.0, 20000.0)
"""How far away the camera may be."""
CLEAR_SHARE = 0.99
"""The share of a marker and half a cell round it that has to be in the picture for it to be in clear view."""
GLARE_LEVEL = 230.0
CLEAR_GLARE = 0.2
"""How strong the mirror image of a lamp may be over a marker in clear view."""
CLEAR_CELL_PX = 2.5
"""How high or wide a cell has to be, its shorter way, for a marker to be in clear view."""


@dataclass(frozen=True, slots=True)
class BaseAt:
    """A base on the table: its marker's number, place and facing as `BasePose` has them; how deep it is; its colour.

    figures: how many stand on its front edge.
    """

    number: int
    x: float
    y: float
    facing_deg: float
    depth: float = 1.0
    bgr: Colour = (60, 90, 110)
    figures: int = 0

    @property
    def at(self) -> tuple[float, float]:
        """The middle of the base on the table, in base widths."""
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class Lamp:
    """How the table is lit: how much light falls on its dark end, which way that lies, and the light's colour."""

    dark_end: float = 0.8
    towards_deg: float = 0.0
    bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glare: tuple[float, float, float] | None = None
    """Where a lamp mirrors itself, as parts of the table's width and height, and how strongly (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Astray:
    """A corner marker that does not lie where it should.

    x, y: how far to the right and towards the far edge. turned_deg: how far it is turned clockwise about its middle.
    """

    number: int
    x: float = 0.0
    y: float = 0.0
    turned_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class MarkedScene:
    """All that a picture depends on, with the seed of its moment."""

    table: MarkedTable
    camera: SimulatedCamera
    surface: Surface = field(default_factory=Surface)
    lamp: Lamp = field(default_factory=Lamp)
    lens: Lens = field(default_factory=Lens)
    hands: tuple[tuple[float, float, float], ...] = ()
    """Where each hand points, in base widths, and the direction its arm comes from in radians."""
    without: tuple[int, ...] = ()
    """Corner markers that are not there."""
    astray: tuple[Astray, ...] = ()
    decoys: int = 0
    ink: int = 30
    seed: int = 0


@dataclass(frozen=True, slots=True)
class MarkerTruth:
    """A marker in a picture: the share that is visible, its cells' size in px, and whether it is in clear view."""

    share: float
    cell_px: float
    clear: bool


@dataclass(frozen=True, slots=True, eq=False)
class MarkedShot:
    """A picture (H, W, 3) uint8 BGR, and the truth of each base and corner marker by number."""

    picture: Image
    bases: dict[int, BaseAt]
    markers: dict[int, MarkerTruth]


def camera_over(table: MarkedTable, camera: SimulatedCamera, fill: float = 0.94) -> SimulatedCamera:
    """Move the camera so that the whole table, its lens's bend included, fills at most `fill` of the picture."""
    wide, deep = table.width * BASE_MM, table.height * BASE_MM
    steps = [n / 8 for n in range(9)]
    rim = [(a, b) for a in steps for b in (0.0, 1.0)] + [(a, b) for a in (0.0, 1.0) for b in steps]
    rim_mm = np.array(rim) * (wide, deep)
    camera = replace(camera, target_mm=(wide / 2, deep / 2))
    for _ in range(4):
        camera = fit_in_picture(camera, rim_mm, fill, FAR_MM, 40)
        seen = camera.px(np.column_stack([rim_mm, np.zeros(len(rim_mm))]))
        x, y = camera.board_mm((seen.min(axis=0) + seen.max(axis=0)) / 2)
        camera = replace(camera, target_mm=(float(x), float(y)))
    return fit_in_picture(camera, rim_mm, fill, FAR_MM, 40)


def shoot(scene: MarkedScene, bases: Sequence[BaseAt]) -> MarkedShot:
    """Take the picture of a marked table with these bases on it."""
    rng = np.random.default_rng([scene.seed, 11])
    painter = Painter(scene.camera, (scene.table.width, scene.table.height), BASE_MM)
    draw_surface(painter, scene.surface)
    _corners(painter, scene)
    _decoys(painter, scene, rng)
    painter.shade([_outline(base, 1.12) for base in bases], 0.12)
    foot = painter.foot
    for base in sorted(bases, key=lambda base: -hypot(base.x - foot[0], base.y - foot[1])):
        _base(painter, scene, base, rng)
    hands = _hands(painter, scene, rng)
    picture = _expose(painter, scene, hands, rng)
    return MarkedShot(picture, {base.number: base for base in bases}, _truth(painter, scene, bases))


def _corners(painter: Painter, scene: MarkedScene) -> None:
    """Paint the corners' papers as they are printed, each where it was laid."""
    table = scene.table
    astray = {base.number: base for base in scene.astray}
    for number in CORNERS:
        if number not in scene.without:
            paper = corner_paper(number, table.corner_side).laid(corner_at(number, table))
            wrong = astray.get(number, Astray(number))
            x, y = paper.marker.mean(axis=0)
            about = paper.laid((-x, -y)).laid((x + wrong.x, y + wrong.y), wrong.turned_deg)
            paint_corner(painter, number, about, scene.ink)


def _decoys(painter: Painter, scene: MarkedScene, rng: np.random.Generator) -> None:
    """Paint black squares with white ones in them, as roofs, windows and other people's codes are."""
    for _ in range(scene.decoys):
        side = float(rng.uniform(0.4, 1.2))
        at = rng.uniform(1.6, scene.table.width - 1.6), rng.uniform(1.6, scene.table.height - 1.6)
        cells = rng.random((int(rng.integers(3, 8)),) * 2) < 0.5
        outline = turn_and_move(square(side), (float(at[0]), float(at[1])), float(rng.uniform(0, 360)))
        painter.cells(outline, 0.0, cells, (scene.ink, 225))


def _outline(base: BaseAt, wider: float = 1.0) -> Points:
    """Return (4, 2) corners of a base, front left first, clockwise."""
    return turn_and_move(square(1.0) * (wider, base.depth * wider), base.at, base.facing_deg)


def _base(painter: Painter, scene: MarkedScene, base: BaseAt, rng: np.random.Generator) -> None:
    table = scene.table
    painter.box(_outline(base), table.base_height, base.bgr)
    _marker(painter, scene, base)
    for n in range(base.figures):
        across = (n + 0.5) / base.figures - 0.5
        spot = turn_and_move([(across * 0.9, base.depth / 2 - 0.14)], base.at, base.facing_deg)[0]
        _figure(painter, (float(spot[0]), float(spot[1]), table.base_height), base.bgr, rng)


def _marker(painter: Painter, scene: MarkedScene, base: BaseAt) -> None:
    """Paint a base's marker on white paper, whose margin is a sixth of the marker."""
    side, up = scene.table.base_side, scene.table.base_height
    x, y = turn_and_move([(0.0, scene.table.ahead)], base.at, base.facing_deg)[0]
    paper, marker, with_half_cell = (
        turn_and_move(square(wide), (float(x), float(y)), base.facing_deg)
        for wide in (side + 2 * (side / 6), side, side + side / CELLS)
    )
    painter.cells(paper, up, np.zeros((1, 1), bool), (scene.ink, PAPER))
    painter.cells(marker, up, np.array(marker_cells(base.number), bool), (scene.ink, PAPER))
    painter.own(base.number, with_half_cell, up)


def _figure(painter: Painter, foot: tuple[float, float, float], bgr: Colour, rng: np.random.Generator) -> None:
    """Paint a soldier: a body, a head, and for some a banner on a pole."""
    tall = float(rng.uniform(0.3, 0.5))
    x, y, low = foot
    colour = tuple(int(v) for v in np.clip(np.array(bgr) * rng.uniform(0.5, 1.5) + rng.integers(-20, 20, 3), 0, 255))
    painter.tube([(x, y, low, 0.11), (x, y, low + tall * 0.7, 0.09)], (colour[0], colour[1], colour[2]))
    painter.tube([(x, y, low + tall * 0.85, 0.06), (x, y, low + tall, 0.05)], (150, 180, 215))
    if rng.random() < 0.3:
        painter.tube([(x, y, low, 0.012), (x, y, low + 0.8, 0.012)], (40, 40, 40))
        painter.tube(
            [(x + 0.06, y, low + 0.6, 0.06), (x + 0.06, y, low + 0.8, 0.06)], (colour[2], colour[1], colour[0])
        )


def _hands(painter: Painter, scene: MarkedScene, rng: np.random.Generator) -> list[Hand]:
    hands = []
    for x, y, direction in scene.hands:
        at = painter.mm(np.array([[x, y]]))[0]
        hand = reach_in(rng, (float(at[0]), float(at[1])), direction)
        painter.covered(draw_hand(painter.image, hand, scene.camera, np.ones(3)))
        hands.append(hand)
    return hands


def _expose(painter: Painter, scene: MarkedScene, hands: Sequence[Hand], rng: np.random.Generator) -> Image:
    """Pass the lit picture through lens and sensor."""
    lamp = scene.lamp
    places = painter.places()
    wide, deep = scene.table.width, scene.table.height
    turn = radians(lamp.towards_deg)
    along = ((places[..., 0] / wide - 0.5) * sin(turn) + (places[..., 1] / deep - 0.5) * cos(turn)) + 0.5
    level = np.clip(lamp.dark_end + (1 - lamp.dark_end) * along, 0.08, 1.3).astype(np.float32)
    level *= 1 - 0.45 * painter.shadow_of([body for hand in hands for body in hand.bodies()])
    gain = level[..., None] * np.array(lamp.bgr, np.float32)
    lit = painter.image.astype(np.float32) * painter.full(gain)
    lit += painter.full((_glare(scene, places) * GLARE_LEVEL).astype(np.float32))[..., None]
    seen = np.clip(lit, 0, 255).astype(np.uint8)
    return expose(seen, scene.lens, falloff(scene.lens, scene.camera.size_px), rng)


def _glare(scene: MarkedScene, places: Points) -> Points:
    """Return (...) 0 to 1: how strongly a lamp mirrors itself at (..., 2) places."""
    if scene.lamp.glare is None:
        return np.zeros(places.shape[:-1])
    x, y, strength = scene.lamp.glare
    away = np.hypot((places[..., 0] / scene.table.width - x) / 0.09, (places[..., 1] / scene.table.height - y) / 0.11)
    return np.asarray(strength * np.exp(-(away**2)), np.float64)


def _truth(painter: Painter, scene: MarkedScene, bases: Sequence[BaseAt]) -> dict[int, MarkerTruth]:
    places = {base.number: base.at for base in bases}
    places |= {number: tuple(corners.mean(axis=0)) for number, corners in corner_places(scene.table).items()}
    found = {}
    for number, place in places.items():
        share, shorter_px = painter.share_in_view(number)
        cell_px = shorter_px / 7  # with half a cell of its margin on both sides
        dull = _glare(scene, np.array(place)) < CLEAR_GLARE
        clear = share >= CLEAR_SHARE and cell_px >= CLEAR_CELL_PX and dull
        found[number] = MarkerTruth(share, cell_px, bool(clear))
    return found


def usual_hand(table: MarkedTable, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return a hand that points somewhere on the table, its arm from the near edge or a side."""
    x, y = float(rng.uniform(0.15, 0.85)) * table.width, float(rng.uniform(0.1, 0.7)) * table.height
    return x, y, float(rng.uniform(0.15, 0.85)) * pi
