"""Throws beside a simulated board, from a seed: the game's dice of any colour and size, other dice, other things.

What lies there is told as `Lying`: where the middle of its top is, and its pips, None where nobody should read it
(dice of other games with three pips or more on top, dice that lean on something, dice on top of others).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin

import cv2
import numpy as np

from vision.plan import BoardPlan
from vision.simulation.board_art import BoardMarks, Image
from vision.simulation.camera import Lens, expose, falloff
from vision.simulation.dice import GAME_FACES, Body, Colour, Lamps, add_bodies
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import BOARD_THICKNESS_MM, Moment, PlacedPiece, Scene, Studio

Rng = np.random.Generator
Point = tuple[float, float]

CLEAN = Lens(blur_px=0.0, vignetting=0.0, noise=0.0, sharpen=0.0, jpeg=100)
GROUPS = ("one", "few", "other", "cocked", "stacked", "thing")
SHARES = (0.4, 0.26, 0.1, 0.07, 0.05, 0.12)
RIM_MM = 8.0
ASIDE_MM = 14.0
GROUP_MM = 52.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A die as it lies: the middle of its top, (x, y, height) in board mm; its pips, None if not to be read."""

    top_mm: tuple[float, float, float]
    pips: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """Things that lie together on ground at a height, and what of them is to be read."""

    bodies: tuple[Body, ...]
    lying: tuple[Lying, ...]
    ground_mm: float
    at_mm: Point


@dataclass(frozen=True, slots=True)
class Make:
    """A set of dice: side and rounding in mm, colours, how pips lie."""

    side_mm: float
    edge_mm: float
    bgr: Colour
    ink_bgr: Colour
    pip: float
    spread: float
    dish: float
    gloss: float


def random_make(rng: Rng) -> Make:
    """Return a set of dice of any colour: black ones above all, as the game's are."""
    body, ink = _colours(rng)
    side = float(rng.uniform(11.5, 18.5))
    edge = float(rng.uniform(0.03, 0.2)) * side
    pip = float(rng.uniform(0.075, 0.15))
    spread = float(rng.uniform(0.2, 0.29))
    gloss = float(rng.choice([0.05, rng.uniform(0.1, 0.6)]))
    return Make(side, edge, body, ink, pip, spread, float(rng.choice([0.0, rng.uniform(0.2, 0.9)])), gloss)


def _colours(rng: Rng) -> tuple[Colour, Colour]:
    kind = rng.choice(["dark", "light", "any"], p=[0.5, 0.25, 0.25])
    if kind == "dark":
        body = np.clip(rng.uniform(14, 62) + rng.normal(0, 5, 3), 4, 85)
        inks = [(242.0, 244.0, 244.0), (200.0, 225.0, 235.0), (60.0, 190.0, 225.0), (50.0, 45.0, 225.0)]
        ink = np.array(inks[int(rng.choice(4, p=[0.6, 0.2, 0.1, 0.1]))])
    elif kind == "light":
        body = np.array([225.0, 238.0, 240.0]) - rng.uniform(0, 55) + rng.normal(0, 5, 3)
        ink = np.array([(28.0, 27.0, 26.0), (40.0, 35.0, 190.0), (150.0, 60.0, 25.0)][int(rng.choice(3))])
    else:
        body = rng.uniform(20, 225, 3)
        ink = np.full(3, 240.0 if body.mean() < 125 else 25.0)
    return _colour(body), _colour(ink)


def _colour(values: np.ndarray) -> Colour:
    blue, green, red = (float(v) for v in np.clip(values, 0, 255))
    return blue, green, red


def die_of(make: Make, at_mm: Point, ground_mm: float, faces: Sequence[int], turn_rad: float) -> Body:
    """Return a die of a set, flat on the ground, faces[0] on top."""
    side = make.side_mm
    middle = (at_mm[0], at_mm[1], ground_mm + side / 2)
    return Body(
        middle,
        (side, side, side),
        make.bgr,
        make.ink_bgr,
        tuple(int(face) for face in faces),
        turn_rad,
        0.0,
        make.edge_mm,
        make.pip,
        make.spread,
        make.dish,
        make.gloss,
    )


def _game_die(rng: Rng, make: Make, at_mm: Point, ground_mm: float) -> Body:
    """Return a die of the game; each face comes up top equally often, so that blanks and twos are met."""
    top = int(rng.integers(3))
    rest = list(GAME_FACES)
    rest.remove(top)
    faces = [top, *(int(v) for v in rng.permutation(rest))]
    made = replace(make, spread=make.spread * float(rng.choice([1, -1])))
    return die_of(made, at_mm, ground_mm, faces, float(rng.uniform(0, 2 * pi)))


def lying_of(body: Body, readable: bool = True) -> Lying:
    """Return a die as the truth describes it."""
    x, y, z = body.middle_mm
    top = body.faces[0]
    return Lying((x, y, z + body.sides_mm[2] / 2), top if readable and top <= max(GAME_FACES) else None)


def random_group(rng: Rng, at_mm: Point, ground_mm: float, kind: str | None = None) -> Group:
    """Return a random group of things at a place of the table, of one of the kinds in GROUPS."""
    kind = kind or str(rng.choice(GROUPS, p=SHARES))
    make = random_make(rng)
    if kind == "thing":
        return Group((_thing(rng, at_mm, ground_mm),), (), ground_mm, at_mm)
    if kind == "other":
        return _other(rng, make, at_mm, ground_mm)
    first = _game_die(rng, make, at_mm, ground_mm)
    if kind == "one":
        return Group((first,), (lying_of(first),), ground_mm, at_mm)
    if kind == "few":
        dice = _few(rng, make, first, ground_mm)
        return Group(dice, tuple(lying_of(die) for die in dice), ground_mm, at_mm)
    return _leaning(rng, make, first, kind)


def _other(rng: Rng, make: Make, at_mm: Point, ground_mm: float) -> Group:
    top = int(rng.integers(3, 7))
    around = [face for face in range(1, 7) if face not in (top, 7 - top)]
    faces = [top, 7 - top, around[0], around[3], around[1], around[2]]
    body = die_of(make, at_mm, ground_mm, faces, float(rng.uniform(0, 2 * pi)))
    return Group((body,), (lying_of(body),), ground_mm, at_mm)


def _few(rng: Rng, make: Make, first: Body, ground_mm: float) -> tuple[Body, ...]:
    """Return two to four dice of one set, some touching."""
    dice = [first]
    for _ in range(int(rng.integers(1, 4))):
        x, y, _z = dice[-1].middle_mm
        away, way = make.side_mm * float(rng.choice([1.02, rng.uniform(1.1, 1.8)])), float(rng.uniform(0, 2 * pi))
        touching = rng.random() < 0.4
        if touching:
            away, way = make.side_mm * 1.01, dice[-1].turn_rad
        at = (x + away * cos(way), y + away * sin(way))
        die = _game_die(rng, make, at, ground_mm)
        die = replace(die, turn_rad=dice[-1].turn_rad) if touching else die
        if all(_apart(die, other) for other in dice):
            dice.append(die)
    return tuple(dice)


def _apart(one: Body, other: Body) -> bool:
    """Return whether two dice on the ground leave each other room: by their corners, seen from each other's axes."""
    far = np.hypot(one.middle_mm[0] - other.middle_mm[0], one.middle_mm[1] - other.middle_mm[1]) >= one.sides_mm[0]
    return bool(far and other.gap(_rim(one)).min() > -0.1 and one.gap(_rim(other)).min() > -0.1)


def _rim(body: Body) -> np.ndarray:
    """Return (32, 3) points round a die at half its height."""
    steps = np.linspace(-0.5, 0.5, 8, endpoint=False)
    edge = np.concatenate([np.column_stack([steps, np.full(8, -0.5)]), np.column_stack([np.full(8, 0.5), steps])])
    flat = np.concatenate([edge, -edge]) * body.sides_mm[0]
    points = np.column_stack([flat, np.zeros(len(flat))])
    return np.asarray(points @ body.axes + np.array(body.middle_mm), np.float64)


def _leaning(rng: Rng, make: Make, first: Body, kind: str) -> Group:
    """Return a die that leans over another thing's edge, or lies on another die."""
    x, y, z = first.middle_mm
    side = make.side_mm
    ground = z - side / 2
    if kind == "stacked":
        shift = rng.uniform(-0.25, 0.25, 2) * side
        upper = _game_die(rng, make, (x + float(shift[0]), y + float(shift[1])), ground + side)
        return Group((first, upper), (lying_of(upper, readable=False),), ground, (x, y))
    lean = float(rng.uniform(0.3, 0.95)) * float(rng.choice([1, -1]))
    middle = (x, y, ground + side / 2 * (abs(cos(lean)) + abs(sin(lean))))
    tipped = replace(first, middle_mm=middle, lean_rad=lean)
    group = Group((tipped,), (lying_of(tipped, readable=False),), ground, (x, y))
    if rng.random() < 0.5:
        way = first.turn_rad + pi / 2 * float(rng.choice([1, -1]))
        prop = _game_die(rng, make, (x + 1.28 * side * cos(way), y + 1.28 * side * sin(way)), ground)
        return replace(group, bodies=(tipped, prop), lying=(*group.lying, lying_of(prop)))
    return group


def _thing(rng: Rng, at_mm: Point, ground_mm: float) -> Body:
    """Return something that is no die: a coin, a disc, a stick, a slab."""
    flat = float(rng.uniform(1.2, 3))
    sizes = {
        "coin": (float(rng.uniform(16, 27)), 0.0, flat),
        "disc": (float(rng.uniform(10, 15)), 0.0, float(rng.uniform(3, 7))),
        "stick": (float(rng.uniform(25, 60)), float(rng.uniform(5, 10)), float(rng.uniform(5, 9))),
        "slab": (float(rng.uniform(12, 35)), float(rng.uniform(10, 25)), flat),
    }
    kind = str(rng.choice(list(sizes)))
    long, wide, high = sizes[kind]
    colour = rng.uniform(10, 240, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(15, 235))
    return Body(
        (at_mm[0], at_mm[1], ground_mm + high / 2),
        (long, wide or long, high),
        _colour(colour),
        edge_mm=min(0.4, high / 3),
        turn_rad=float(rng.uniform(0, pi)),
        gloss=float(rng.uniform(0, 0.6)),
        round=kind in ("coin", "disc"),
    )


class ThrowStudio:
    """A table, a random one if no scene is given: its empty board, and frames of it with things beside the board."""

    def __init__(self, seed: int, plan: BoardPlan, marks: BoardMarks | None = None, scene: Scene | None = None) -> None:
        self.seed, self.plan = seed, plan
        self.scene = scene or random_scene(seed, plan)
        self.camera = self.scene.camera
        self.studio = Studio(plan, replace(self.scene, lens=CLEAN), marks)
        self.studio.clutter = tuple(solid for solid in self.studio.clutter if not solid.decals)
        self.lamps = Lamps(self.scene.lights, self.scene.ambient)
        self._falloff = falloff(self.scene.lens, self.camera.size_px)

    def bare(self, pieces: Sequence[PlacedPiece] = (), moment: Moment | None = None) -> Image:
        """Return the table without dice (H, W, 3), as it is before lens and sensor."""
        return self.studio.shoot(pieces, moment or Moment(seed=self.seed)).picture

    def seen(self, bare: Image, groups: Sequence[Group], moment: Moment | None = None) -> Image:
        """Return the camera's picture (H, W, 3) of the bare table of a moment with these groups on it."""
        now = moment or Moment(seed=self.seed)
        camera, picture = self.studio.camera_at(now), bare.copy()
        foot = self.camera.centre_mm[:2]
        for group in sorted(groups, key=lambda group: -float(np.hypot(*(np.array(group.at_mm) - foot)))):
            add_bodies(picture, camera, group.bodies, self.lamps, group.ground_mm)
        return expose(picture, self.scene.lens, self._falloff, np.random.default_rng([self.seed, 21, now.seed]))

    def groups(self, rng: Rng, most: int) -> list[Group]:
        """Return random groups at places beside the board and on its rim, apart from each other."""
        return [random_group(rng, at, ground) for at, ground in self.places(rng, most)]

    def places(self, rng: Rng, most: int) -> list[tuple[Point, float]]:
        """Choose up to `most` places where a throw may come to lie, with the height of the ground there."""
        found: list[tuple[Point, float]] = []
        width, height = self.camera.size_px
        for _ in range(40 * most):
            spot = self.camera.board_mm((float(rng.uniform(30, width - 30)), float(rng.uniform(30, height - 30))))
            at = (float(spot[0]), float(spot[1]))
            ground = self._ground(at)
            apart = all(np.hypot(at[0] - x, at[1] - y) > GROUP_MM for (x, y), _ in found)
            clear = all(  # of a solid's half width, and 16 mm
                np.hypot(at[0] - s.at_mm[0], at[1] - s.at_mm[1]) > float(np.ptp(s.parts[0].vertices[:, 0])) / 2 + 16.0
                for s in self.studio.clutter
            )
            if ground is not None and apart and clear:
                found.append((at, ground))
            if len(found) == most:
                break
        return found

    def _ground(self, at_mm: Point) -> float | None:
        """Return the height of the table or of the board's rim; None on the map, over the board's edge and far away."""
        x, y = at_mm
        width, height = self.plan.size_mm
        inside = min(x, y, width - x, height - y)
        if inside < -ASIDE_MM:
            return -BOARD_THICKNESS_MM
        return 0.0 if inside > RIM_MM and off_map(self.plan, at_mm) > RIM_MM else None


def off_map(plan: BoardPlan, at_mm: Point) -> float:
    """Return how far outside the board's areas a place is, in mm; negative inside one."""
    outlines = [np.array(area.polygon_mm, np.float32) for area in plan.areas]
    return -max(cv2.pointPolygonTest(outline, at_mm, True) for outline in outlines)
