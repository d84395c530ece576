"""Random whole tables, from a seed: scenes of every kind, crowded positions, folders of pictures with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import cos, pi, sin
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.errors import VisionError
from vision.plan import BoardPlan, plan_text
from vision.simulation.board_art import BoardMarks, random_style
from vision.simulation.camera import SimulatedCamera, fit_in_picture
from vision.simulation.draw import Mask
from vision.simulation.lens import Lens
from vision.simulation.light import Colour, Light
from vision.simulation.placing import Placer
from vision.simulation.props import Cloth, reach_in
from vision.simulation.solids import PieceLook
from vision.simulation.support_board import SupportBoard, support_beside
from vision.simulation.table import Habits, Moment, PlacedPiece, Scene, Shot, Studio, place_pieces

Rng = np.random.Generator

MOST = {"land": 5, "water": 3, "air": 5}
SHIPS = FIGURES = 2000
WITH_SUPPORT_FILL = 0.95
"""The part of a picture that map and support board fill together."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table's pictures differ from one another: is the camera nudged, does the light drift, do people stack."""

    habits: Habits
    nudge_mm: float = 0.0
    nudge_deg: float = 0.0
    drift: float = 0.0
    things: float = 0.15
    hands: float = 0.1
    cards: float = 0.08


def random_scene(seed: int, plan: BoardPlan, size_px: tuple[int, int] = (1280, 960)) -> Scene:
    """A scene of any kind a table may be: art, pieces, lights, cloth, camera, lens."""
    rng = np.random.default_rng([seed, 11])
    lights, ambient = _lights(rng, plan)
    return Scene(
        style=random_style(seed * 7 + 1),
        camera=_camera(rng, plan, size_px),
        look=with_other_kinds(random_look(rng), plan, np.random.default_rng([seed, 16])),
        lights=lights,
        ambient=ambient,
        cloth=_cloth(rng),
        lens=_lens(rng),
        clutter_seed=seed if rng.random() < 0.9 else None,
        bow_mm=float(rng.uniform(-2.0, 2.5)) if rng.random() < 0.5 else 0.0,
        gloss=float(rng.random() < 0.4),
        shadow_samples=int(rng.choice([4, 8, 12])),
    )


def _camera(rng: Rng, plan: BoardPlan, size_px: tuple[int, int]) -> SimulatedCamera:
    width, height = plan.size_mm
    camera = SimulatedCamera(
        target_mm=(width / 2 + float(rng.normal(0, 8)), height / 2 + float(rng.normal(0, 8))),
        tilt_deg=float(abs(rng.normal(0, 18))) if rng.random() < 0.5 else float(rng.uniform(0, 42)),
        side_deg=float(rng.integers(4)) * 90 + float(rng.normal(0, 12)),
        roll_deg=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.7, 1.4)),
        radial=float(rng.uniform(-0.06, 0.06)),
        size_px=size_px,
    )
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    return fit_in_picture(camera, corners, float(rng.uniform(0.72, 0.98)))


def with_support_board(scene: Scene, plan: BoardPlan, support: SupportBoard) -> Scene:
    """The scene with a support board beside the map, and its camera so far away that it sees both."""
    width, height = plan.size_mm
    corners = np.array([(0.0, 0.0), (width, height), *support.corners_mm])
    low, high = corners.min(axis=0), corners.max(axis=0)
    camera = replace(scene.camera, target_mm=tuple(((low + high) / 2).tolist()))
    box = [low, (high[0], low[1]), high, (low[0], high[1])]
    return replace(scene, support=support, camera=fit_in_picture(camera, np.array(box), WITH_SUPPORT_FILL))


def random_look(rng: Rng) -> PieceLook:
    """Sizes, shapes and colours of a copy's pieces."""
    size = float(rng.uniform(0.87, 1.17))
    stand = bool(rng.random() < 0.5)
    return PieceLook(
        troop_mm=12 * size,
        troop_height_mm=float(rng.uniform(3.8, 7)) * size,
        ship_mm=float(rng.uniform(13.5, 18)) * size,
        ship_width_mm=float(rng.uniform(4.5, 8)) * size,
        ship_shape=int(rng.integers(SHIPS)),
        ships_stand=stand,
        commander_mm=float(rng.uniform(11.5, 14.5)) * size,
        commander_height_mm=float(rng.uniform(7, 15)) * size,
        bevel_mm=float(rng.uniform(0.2, 1.0)),
        bgr=(("red", _red(rng)), ("black", _black(rng))),
        gloss=float(rng.choice([0.0, rng.uniform(0, 0.6)])),
        sheen=float(np.exp(rng.uniform(2, 4.5))),
        grain=float(rng.uniform(0, 0.07)),
    )


def with_other_kinds(look: PieceLook, plan: BoardPlan, rng: Rng) -> PieceLook:
    """The look with siege weapons, aircraft and colours of its own where the plan's board has them."""
    size = look.troop_mm / 12
    makers = {"yellow": lambda: random_hue(rng, (18, 32), (120, 250)), "blue": lambda: _blue(rng)}
    colours = {faction: makers[faction]() for faction in sorted(plan.factions) if faction in makers}
    return replace(
        look,
        bgr=tuple(
            (faction, colours.get(faction, plain))
            for faction, plain in (dict(PieceLook().bgr) | dict(look.bgr)).items()
        ),
        siege_mm=float(rng.uniform(12.5, 17)) * size,
        siege_width_mm=float(rng.uniform(5, 9)) * size,
        siege_shape=int(rng.integers(FIGURES)),
        sieges_stand=bool(rng.random() < 0.65),
        aircraft_mm=float(rng.uniform(11.5, 15)) * size,
        aircraft_height_mm=float(rng.uniform(2.6, 6.5)) * size,
        aircraft_shape=int(rng.integers(FIGURES)),
    )


def random_hue(rng: Rng, hues: tuple[float, float], depths: tuple[int, int], least: int = 145) -> Colour:
    """A colour from ranges of hue (0 to 180, 0 red, 60 green) and depth, at least so bright."""
    hsv = [round(float(rng.uniform(*hues))) % 180, int(rng.integers(*depths)), int(rng.integers(least, 250))]
    blue, green, red = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def _blue(rng: Rng) -> Colour:
    """From sky to navy, and a dark set that is hardly blue."""
    share = float(np.exp(rng.uniform(np.log(0.25), np.log(1.0))))
    blue, green, red = (share * part for part in random_hue(rng, (99, 119), (110, 245), 190))
    return blue, green, red


def _red(rng: Rng) -> Colour:
    hue, depth, value = int(rng.integers(-7, 9)) % 180, int(rng.integers(150, 245)), int(rng.integers(125, 235))
    blue, green, red = cv2.cvtColor(np.array([[[hue, depth, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def _black(rng: Rng) -> Colour:
    value = rng.uniform(14, 62) + rng.normal(0, 4, 3)
    blue, green, red = (float(v) for v in np.clip(value, 4, 80))
    return blue, green, red


def _lights(rng: Rng, plan: BoardPlan) -> tuple[tuple[Light, ...], Colour]:
    """One to three lamps or windows and the sky, together about 1 at the board's middle."""
    count = int(rng.choice([1, 2, 3], p=[0.5, 0.4, 0.1]))
    share = float(rng.uniform(0.3, 0.8)) if rng.random() < 0.5 else float(rng.uniform(0.75, 0.97))
    parts = rng.dirichlet(np.ones(count) * 2) * share
    warm = float(rng.uniform(-0.12, 0.2))
    lights = tuple(_light(rng, plan, float(part), warm) for part in parts)
    cool = float(rng.uniform(-0.1, 0.15))
    rest = 1 - share
    return lights, (rest * (1 + cool), rest, rest * (1 - cool))


def _light(rng: Rng, plan: BoardPlan, part: float, warm: float) -> Light:
    turn, lean = rng.uniform(0, 2 * pi), rng.uniform(0, 1.22)
    away = float(rng.uniform(450, 2200))
    x, y = plan.size_mm[0] / 2, plan.size_mm[1] / 2
    at = (x + away * sin(lean) * cos(turn), y + away * sin(lean) * sin(turn), max(250.0, away * cos(lean)))
    tint = warm + float(rng.normal(0, 0.05))
    radius = away * float(rng.choice([rng.uniform(0.01, 0.05), rng.uniform(0.05, 0.5)]))
    return Light(at, radius, (part * (1 - tint), part, part * (1 + tint)))


def _cloth(rng: Rng) -> Cloth:
    kind = str(rng.choice(["wood", "felt", "weave", "plain"]))
    bright = float(rng.uniform(0.1, 0.95))
    colour = np.clip(bright * rng.uniform(60, 255, 3), 5, 250)
    blue, green, red = (int(v) for v in (np.sort(colour) if kind == "wood" else colour))
    return Cloth(int(rng.integers(1 << 30)), kind, (blue, green, red), float(rng.uniform(0.05, 0.35)))


def _lens(rng: Rng) -> Lens:
    dim = bool(rng.random() < 0.25)
    tint = rng.normal(1, 0.05, 3)
    return Lens(
        blur_px=float(rng.uniform(0.3, 1.5)),
        vignetting=float(rng.uniform(0, 0.5)),
        balance_bgr=(float(tint[0]), float(tint[1]), float(tint[2])),
        exposure=float(rng.uniform(0.45, 0.8)) if dim else float(rng.uniform(0.75, 1.2)),
        contrast=float(rng.uniform(-0.3, 0.6)),
        noise=float(rng.uniform(4, 11)) if dim else float(rng.uniform(0.5, 5)),
        noise_px=float(rng.uniform(0, 1.2)),
        sharpen=float(rng.uniform(0, 0.8)),
        jpeg=int(rng.integers(55, 97)),
    )


def random_manner(seed: int, look: PieceLook) -> Manner:
    """How a table is played on, from its seed."""
    rng = np.random.default_rng([seed, 12])
    still = rng.random() < 0.5
    return Manner(
        habits=Habits(
            look=look,
            stacks=float(rng.choice([0.0, 0.0, rng.uniform(0.03, 0.25)])),
            together=float(rng.uniform(0.1, 0.8)),
            on_symbols=float(rng.uniform(0, 0.4)),
            untidy_mm=float(rng.uniform(0, 1.2)),
            overhang_mm=float(rng.choice([0.0, rng.uniform(0, 1.5)])),
        ),
        nudge_mm=0.0 if still else 5.0,
        nudge_deg=0.0 if still else 0.8,
        drift=0.0 if rng.random() < 0.5 else 0.15,
    )


def random_units(plan: BoardPlan, rng: Rng, crowded: bool) -> dict[str, dict[str, dict[str, int]]]:
    """Units by area: crowded late positions or thin early ones, mostly of one faction an area."""
    units = {}
    for area in plan.areas:
        if rng.random() > (0.88 if crowded else 0.55):
            continue
        faction = plan.factions[int(rng.integers(len(plan.factions)))]
        names = plan.units_of(area)
        most = MOST.get(area.kind, 3)
        count = int(rng.integers(2 if crowded else 1, most + 1)) if rng.random() < 0.8 else 1
        counts = {faction: _mixed(names, rng, count)} if names else {}
        units[area.name] = _contested(plan, rng, counts, most)
    return {name: counts for name, counts in units.items() if counts}


def _mixed(names: tuple[str, ...], rng: Rng, count: int) -> dict[str, int]:
    """So many units of the kinds an area can hold: of one of them, or where there are more of several."""
    first = int(rng.integers(len(names)))
    if len(names) == 1:
        return {names[first]: count}
    others = int(rng.binomial(count, 0.3))
    parts = {names[first]: count - others, names[first - 1]: others}
    return {name: n for name, n in parts.items() if n}


def _contested(plan: BoardPlan, rng: Rng, counts: dict[str, dict[str, int]], most: int) -> dict[str, dict[str, int]]:
    """Rarely, a unit of another faction in the area too, as in the middle of a conflict."""
    if rng.random() < 0.03:
        others = [faction for faction in plan.factions if faction not in counts]
        total = sum(n for units in counts.values() for n in units.values())
        if others and 0 < total < most:
            unit = next(iter(next(iter(counts.values()))))
            return {**counts, others[0]: {unit: 1}}
    return counts


def random_commanders(plan: BoardPlan, rng: Rng) -> dict[str, str]:
    """Up to five commanders a faction, on spaces of their own."""
    count = min(len(plan.spaces), int(rng.integers(0, 11)))
    chosen = rng.choice(len(plan.spaces), count, replace=False)
    return {plan.spaces[int(i)].name: plan.factions[int(rng.integers(len(plan.factions)))] for i in chosen}


def random_pieces(plan: BoardPlan, rng: Rng, habits: Habits) -> tuple[PlacedPiece, ...]:
    """A random position that fits: an area without room for its units stays empty."""
    units, commanders = random_units(plan, rng, bool(rng.random() < 0.75)), random_commanders(plan, rng)
    placer = Placer(plan, rng, habits)
    for space, faction in commanders.items():
        placer.commander(space, faction)
    for name, counts in units.items():
        wanted = [(faction, unit) for faction, held in counts.items() for unit, n in held.items() for _ in range(n)]
        with suppress(VisionError):
            placer.area(name, wanted)
    return tuple(placer.pieces)


def start_units(plan: BoardPlan) -> dict[str, dict[str, dict[str, int]]]:
    """The printed starting position, by area."""
    units: dict[str, dict[str, dict[str, int]]] = {}
    for area, faction, unit, count in plan.start:
        units.setdefault(area, {}).setdefault(faction, {})[unit] = count
    return units


def random_moment(rng: Rng, scene: Scene, manner: Manner, plan: BoardPlan) -> Moment:
    """A picture's own nudge, light, and things on or over the board."""
    width, height = plan.size_mm

    def somewhere() -> tuple[float, float]:
        return float(rng.uniform(15, width - 15)), float(rng.uniform(15, height - 15))

    hand = None
    if rng.random() < manner.hands:
        hand = reach_in(rng, somewhere(), float(rng.uniform(0, 2 * pi)))
    some = rng.random() < manner.things
    return Moment(
        seed=int(rng.integers(1 << 30)),
        shift_mm=(float(rng.normal(0, manner.nudge_mm)), float(rng.normal(0, manner.nudge_mm))),
        turn_deg=float(rng.normal(0, manner.nudge_deg)),
        light_gains=tuple(float(rng.uniform(1 - manner.drift, 1 + manner.drift)) for _ in scene.lights),
        dice=tuple(somewhere() for _ in range(int(rng.integers(1, 4)))) if some else (),
        cards=(somewhere(),) if rng.random() < manner.cards else (),
        hand=hand,
    )


class Photographer(Protocol):
    """Who takes a table's pictures: `vision.simulation.table.Studio`, or another with the same scene and plan."""

    @property
    def plan(self) -> BoardPlan:
        """The board's plan."""

    @property
    def scene(self) -> Scene:
        """What stays from picture to picture."""

    def shoot(self, pieces: Sequence[PlacedPiece], moment: Moment | None = None) -> Shot:
        """The picture of these pieces at a moment."""

    def camera_at(self, moment: Moment) -> SimulatedCamera:
        """The camera as nudged at a moment."""

    def sides(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mask:
        """(H, W) whose piece each pixel shows: 1 the plan's first faction, 2 its second, 0 neither."""


@dataclass(frozen=True, slots=True)
class TableShots:
    """A table's pictures: the empty board, then (name, shot) one at a time."""

    studio: Photographer
    manner: Manner
    seed: int
    slots: tuple[tuple[float, float], ...] = ()

    def reference(self) -> Shot:
        """The empty board."""
        return self.studio.shoot((), Moment(seed=self.seed))

    def start(self) -> Shot:
        """The printed starting position with bonus tokens."""
        rng = np.random.default_rng([self.seed, 13])
        plan = self.studio.plan
        pieces = place_pieces(plan, start_units(plan), {}, rng, replace(self.manner.habits, stacks=0.0))
        return self.studio.shoot(pieces, Moment(seed=self.seed + 1, tokens=self.slots))

    def frames(self, count: int) -> Iterator[tuple[Shot, tuple[PlacedPiece, ...], Moment]]:
        """Random positions, each with its pieces and its moment."""
        rng = np.random.default_rng([self.seed, 14])
        plan, scene = self.studio.plan, self.studio.scene
        places = plan if scene.support is None else scene.support.joined_to(plan)
        for _ in range(count):
            pieces = random_pieces(places, rng, self.manner.habits)
            moment = random_moment(rng, scene, self.manner, plan)
            moment = replace(moment, tokens=self.slots if rng.random() < 0.9 else ())
            yield self.studio.shoot(pieces, moment), pieces, moment


def table_shots(seed: int, plan: BoardPlan, marks: BoardMarks | None = None, support: Sequence[str] = ()) -> TableShots:
    """A random table, ready to be photographed; beside the map a support board with these spaces, where there are any.

    The camera then stands further away, so that it sees both.
    """
    marks, scene = marks or BoardMarks(), random_scene(seed, plan)
    if support:
        scene = with_support_board(scene, plan, support_beside(plan, support, np.random.default_rng([seed, 17])))
    studio = Studio(plan, scene, marks)
    return TableShots(studio, random_manner(seed, studio.scene.look), seed, tuple(marks.slots.values()))


def make_table(seed: int, plan: BoardPlan, folder: Path, marks: BoardMarks | None = None, frames: int = 12) -> Path:
    """A random table as a folder: reference.jpg, start.jpg, frame-01.jpg ..., table.json, truth.json, plan.json.

    The corners of table.json are some 2 px off, as a finger tap is. OSError where the folder cannot be written.
    """
    return save_table(table_shots(seed, plan, marks), folder, f"simulated, seed {seed}", frames)


def save_table(shots: TableShots, folder: Path, conditions: str, frames: int) -> Path:
    """Take a table's pictures and write them to a folder; OSError where it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    reference = shots.reference()
    truth = {"start": _saved(shots.start(), folder / "start.jpg")}
    _saved(reference, folder / "reference.jpg")
    for number, (shot, _, _) in enumerate(shots.frames(frames), 1):
        truth[f"frame-{number:02}"] = _saved(shot, folder / f"frame-{number:02}.jpg")
    rng = np.random.default_rng([shots.seed, 15])
    corners = np.array(reference.truth["corners_px"]) + rng.normal(0, 1.4, (4, 2))
    board = shots.studio.plan.board
    head = {"board": board, "corners_px": np.round(corners, 1).tolist(), "conditions": conditions}
    (folder / "table.json").write_text(json.dumps(head, indent=1))
    (folder / "plan.json").write_text(plan_text(shots.studio.plan))
    (folder / "truth.json").write_text(json.dumps(truth))
    return folder


def _saved(shot: Shot, path: Path) -> dict[str, object]:
    _, data = cv2.imencode(".jpg", shot.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    path.write_bytes(data.tobytes())
    return shot.truth
