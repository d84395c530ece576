"""Dice and small change beside a simulated board, ray by ray: rounded cubes with pips, shaded, with soft shadows.

A body is described by how far each point lies from it; a ray is followed in steps of that distance until it touches
(Hart 1996, sphere tracing). Points are (x, y, height) in board mm; colours blue, green, red, 0 to 255.
The game's dice have faces 0, 1, 1, 1, 1, 2 and are black cubes; how the pips lie on a face, and their colour, is not
known: both are varied here, and so is the colour of the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin

import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image
from vision.simulation.camera import SimulatedCamera
from vision.simulation.draw import GAMMA, Light, strength, towards

Floats = npt.NDArray[np.float64]
Colour = tuple[float, float, float]
Point = tuple[float, float]

SPOTS: dict[int, tuple[Point, ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Where the pips of a face lie, in `Body.spread` from its middle."""
GAME_FACES = (0, 1, 1, 1, 1, 2)
FACE_AXES = (2, 0, 1)
STEPS = 28
SHADOW_STEPS = 10
TOUCH_MM = 0.08
FINE = 2
ROOM = 1.6


@dataclass(frozen=True, slots=True)
class Body:
    """A die, a block or (`round`) a disc such as a coin; `lean_rad` tips it over its x axis.

    middle_mm: (x, y, height) of its middle; faces: pips on +z, -z, +x, -x, +y, -y, empty for what is no die;
    pip: radius of a pip and `spread` its distance from the middle, both in sides; `edge_mm`: how rounded it is.
    """

    middle_mm: tuple[float, float, float]
    sides_mm: tuple[float, float, float]
    bgr: Colour
    ink_bgr: Colour = (240.0, 240.0, 240.0)
    faces: tuple[int, ...] = ()
    turn_rad: float = 0.0
    lean_rad: float = 0.0
    edge_mm: float = 1.0
    pip: float = 0.12
    spread: float = 0.24
    dish: float = 0.5
    gloss: float = 0.2
    round: bool = False

    @property
    def axes(self) -> Floats:
        """The body's own axes on the table, as rows (3, 3)."""
        turn, lean = self.turn_rad, self.lean_rad
        level = np.array([[cos(turn), sin(turn), 0.0], [-sin(turn), cos(turn), 0.0], [0.0, 0.0, 1.0]])
        tip = np.array([[1.0, 0.0, 0.0], [0.0, cos(lean), sin(lean)], [0.0, -sin(lean), cos(lean)]])
        return np.asarray(tip @ level, np.float64)

    def own(self, points: Floats) -> Floats:
        """Return points (N, 3) in the body's own axes, from its middle."""
        return np.asarray((points - np.array(self.middle_mm)) @ self.axes.T, np.float64)

    def gap(self, points: Floats) -> Floats:
        """Return how far points (N, 3) are from the surface, (N,), negative inside."""
        own = np.abs(self.own(points))
        if self.round:
            own = np.stack([np.hypot(own[:, 0], own[:, 1]), np.zeros(len(own)), own[:, 2]], axis=1)
        beyond = own - (np.array(self.sides_mm) / 2 - self.edge_mm)
        outside = np.sqrt((np.maximum(beyond, 0) ** 2).sum(axis=1))
        return np.asarray(outside + np.minimum(beyond.max(axis=1), 0) - self.edge_mm, np.float64)

    def painted(self, own: Floats) -> tuple[Floats, Floats]:
        """Return (N,) 1 where a pip is painted at (N, 3) own points, and (N, 3) how the pips tilt the normal."""
        inked, tilt = np.zeros(len(own)), np.zeros(own.shape)
        if not self.faces:
            return inked, tilt
        foremost = np.argmax(np.abs(own), axis=1)
        for face, pips in enumerate(self.faces):
            axis, positive = FACE_AXES[face // 2], face % 2 == 0
            side = np.flatnonzero((foremost == axis) & ((own[:, axis] > 0) == positive))
            across = np.array([other for other in range(3) if other != axis])
            flat = own[np.ix_(side, across)] / np.array(self.sides_mm)[across]
            for spot in SPOTS[pips]:
                away = flat - np.array(spot) * self.spread
                within = (away**2).sum(axis=1) < self.pip**2
                inked[side[within]] = 1
                tilt[np.ix_(side[within], across)] = -self.dish * away[within] / self.pip
        return inked, tilt

    @property
    def reach_mm(self) -> float:
        """The radius of a ball that encloses the body."""
        return float(np.linalg.norm(self.sides_mm)) / 2


@dataclass(frozen=True, slots=True)
class Lamps:
    """The light over a table: lamps, and the sky's colour."""

    lights: tuple[Light, ...]
    ambient: Colour


def add_bodies(picture: Image, camera: SimulatedCamera, bodies: Sequence[Body], lamps: Lamps, ground_mm: float) -> None:
    """Draw bodies that lie close together on ground at a height, with their shadows, into (H, W, 3), in place."""
    window = _window(picture, camera, bodies)
    if window is None:
        return
    left, top, right, bottom = window
    part = picture[top:bottom, left:right]
    rows, columns = part.shape[:2]
    coarse = _ground(camera, window, 1, ground_mm)
    shaded = part.reshape(-1, 3) * _shade(coarse, bodies, lamps, _fading(rows, columns))
    fine = np.repeat(np.repeat(shaded.reshape(part.shape), FINE, axis=0), FINE, axis=1).reshape(-1, 3)
    _draw(fine, camera.centre_mm, _ground(camera, window, FINE, ground_mm), bodies, lamps)
    blocks = np.clip(fine, 0, 255).reshape(rows, FINE, columns, FINE, 3)
    part[:] = blocks.mean(axis=(1, 3)).astype(np.uint8)


def _ground(camera: SimulatedCamera, window: tuple[int, int, int, int], fine: int, height_mm: float) -> Floats:
    """Return (N, 3) the ground's points seen in a window, row by row, `fine` by `fine` for each pixel."""
    left, top, right, bottom = window
    xs, ys = ((np.arange((b - a) * fine) + 0.5) / fine - 0.5 + a for a, b in ((left, right), (top, bottom)))
    flat = camera.board_mm(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2), height_mm)
    return np.column_stack([flat, np.full(len(flat), height_mm)])


def _window(picture: Image, camera: SimulatedCamera, bodies: Sequence[Body]) -> tuple[int, int, int, int] | None:
    """Return the pixels (left, top, right, bottom) round bodies and most of their shadows, cut to the picture."""
    corners = []
    for body in bodies:
        x, y, z = body.middle_mm
        for dx in (-ROOM, ROOM):
            for dy in (-ROOM, ROOM):
                corners += [(x + dx * body.reach_mm, y + dy * body.reach_mm, h) for h in (0.0, z + body.reach_mm)]
    spread = camera.px(np.array(corners))
    low, high = np.floor(spread.min(axis=0)).astype(int), np.ceil(spread.max(axis=0)).astype(int)
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(picture.shape[1], int(high[0])), min(picture.shape[0], int(high[1]))
    return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else None


def _fading(rows: int, columns: int) -> Floats:
    """Return (rows * columns,) 1, falling to 0 at the window's border, so that no shadow ends in a straight line."""
    down, across = (np.minimum(np.arange(n) + 0.5, n - 0.5 - np.arange(n)) / (0.12 * n) for n in (rows, columns))
    return np.asarray(np.minimum(np.minimum.outer(down, across), 1.0).ravel(), np.float64)


def gap_of(points: Floats, bodies: Sequence[Body]) -> Floats:
    """Return how far points (N, 3) are from the nearest body, (N,)."""
    return np.asarray(np.min([body.gap(points) for body in bodies], axis=0), np.float64)


def _shade(points: Floats, bodies: Sequence[Body], lamps: Lamps, weight: Floats) -> Floats:
    """Return (N, 3) what is left of the ground's brightness in the shadow of bodies, as a gain on grey levels."""
    open_sky = np.clip(gap_of(points, bodies) / 5.0, 0.35, 1.0)[:, None]
    total, full = open_sky * np.array(lamps.ambient), np.array(lamps.ambient)
    for light in lamps.lights:
        total = total + light_past(points, bodies, light)[:, None] * np.array(light.bgr)
        full = full + np.array(light.bgr)
    share = 1 - weight[:, None] * (1 - total / full)
    return np.asarray(share ** (1 / GAMMA), np.float64)


def light_past(points: Floats, bodies: Sequence[Body], light: Light) -> Floats:
    """Return the share of a lamp's light that reaches points (N, 3) past the bodies, (N,); softer for a wider lamp."""
    ways = towards(light, points)
    hardness = max(2.0, float(np.linalg.norm(light.at_mm)) / max(light.radius_mm, 1.0))
    reach = np.full(len(points), 0.6)
    share = np.ones(len(points))
    for _ in range(SHADOW_STEPS):
        gap = gap_of(points + ways * reach[:, None], bodies)
        share = np.minimum(share, np.clip(0.5 + 0.5 * hardness * gap / reach, 0, 1))
        reach += np.clip(gap, 0.7, 8.0)
    return share


def _draw(seen: Floats, eye: Floats, ends: Floats, bodies: Sequence[Body], lamps: Lamps) -> None:
    """Colour the rays from the eye to `ends` (N, 3) that meet a body, in place."""
    near = _near(eye, ends, bodies)
    rays = ends[near] - eye
    lengths = np.linalg.norm(rays, axis=1)
    rays /= lengths[:, None]
    top = max(body.middle_mm[2] + body.reach_mm for body in bodies)
    begin = (eye[2] - top) / -rays[:, 2]
    hit, at = _met(eye, rays, (begin, lengths), bodies)
    if not len(hit):
        return
    which = np.argmin([body.gap(at) for body in bodies], axis=0)
    for index, body in enumerate(bodies):
        own = which == index
        if own.any():
            seen[near[hit[own]]] = _lit(body, at[own], (eye, bodies), lamps)


def _near(eye: Floats, ends: Floats, bodies: Sequence[Body]) -> npt.NDArray[np.intp]:
    """Return which of the rays from the eye to `ends` (N, 3) pass through the ball round a body."""
    ways = ends - eye
    square = (ways**2).sum(axis=1)
    close = np.zeros(len(ends), bool)
    for body in bodies:
        to = np.array(body.middle_mm) - eye
        close |= (to**2).sum() - (ways @ to) ** 2 / square < body.reach_mm**2
    return np.flatnonzero(close)


def _met(
    eye: Floats, rays: Floats, reaches: tuple[Floats, Floats], bodies: Sequence[Body]
) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return which of (N, 3) unit rays meet a body between two reaches, and where."""
    reach, limit = reaches[0].copy(), reaches[1]
    left = np.arange(len(rays))
    hits: list[npt.NDArray[np.intp]] = []
    for _ in range(STEPS):
        gap = gap_of(eye + rays[left] * reach[left, None], bodies)
        hits.append(left[gap < TOUCH_MM])
        reach[left] += gap
        left = left[(gap >= TOUCH_MM) & (reach[left] < limit[left])]
        if not len(left):
            break
    hit = np.concatenate(hits) if hits else left
    return hit, eye + rays[hit] * reach[hit, None]


def _lit(body: Body, at: Floats, others: tuple[Floats, Sequence[Body]], lamps: Lamps) -> Floats:
    """Return (N, 3) grey levels of points of a body's surface."""
    eye, bodies = others
    inked, tilt = body.painted(body.own(at))
    normals = _normals(body, at) + tilt @ body.axes
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    plain = np.where(inked[:, None] > 0, np.array(body.ink_bgr), np.array(body.bgr))
    near = np.clip(0.55 + gap_of(at + normals * 4.0, bodies) / 9.0, 0.5, 1.0)[:, None]
    total = (0.62 + 0.38 * normals[:, 2:]) * np.array(lamps.ambient) * near
    mirrored = np.zeros(at.shape)
    to_eye = (eye - at) / np.linalg.norm(eye - at, axis=1, keepdims=True)
    for light in lamps.lights:
        ways = towards(light, at)
        lamp = (light_past(at + normals * 0.3, bodies, light) * strength(light, at, at[0, :2]))[:, None]
        facing = np.maximum((normals * ways).sum(axis=1, keepdims=True), 0) / np.maximum(ways[:, 2:], 0.2)
        total += lamp * facing * np.array(light.bgr)
        half = (ways + to_eye) / np.linalg.norm(ways + to_eye, axis=1, keepdims=True)
        shine = np.maximum((normals * half).sum(axis=1, keepdims=True), 0) ** 40
        mirrored += lamp * shine * np.array(light.bgr) * body.gloss
    linear = (plain / 255) ** GAMMA * total + mirrored
    return np.asarray(255 * np.clip(linear, 0, 1) ** (1 / GAMMA), np.float64)


def _normals(body: Body, at: Floats) -> Floats:
    """Return (N, 3) unit normals of a body's surface, from how the distance grows."""
    step = 0.05
    shifts = np.eye(3) * step
    grown = np.stack([body.gap(at + shift) - body.gap(at - shift) for shift in shifts], axis=1)
    return np.asarray(grown / np.maximum(np.linalg.norm(grown, axis=1, keepdims=True), 1e-9), np.float64)
