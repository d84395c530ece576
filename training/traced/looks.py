"""What a path-traced table is like, from its seed: pieces, materials, light, room, camera; for training or held back.

A held back table draws from other ranges than a training table does: other forms, hues, rooms and lamps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from training.traced.meshes import Slab
from training.traced.picture import Linear, Phone, linear, tone
from training.traced.shapes import Forms
from vision.plan import BoardPlan
from vision.simulation.board_art import Image, random_style
from vision.simulation.camera import SimulatedCamera, fit_in_picture
from vision.simulation.draw import Light
from vision.simulation.placing import Habits
from vision.simulation.random_scenes import FIGURES, random_hue, random_scene, with_other_kinds
from vision.simulation.solids import PieceLook
from vision.simulation.table import Scene
from vision.simulation.tables import Manner

Rng = np.random.Generator
Room = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

ROOM_SHAPE = (32, 64)
GLARE = 0.4


@dataclass(frozen=True, slots=True)
class Finish:
    """Materials: roughness 0 to 1 and strength of the reflection 0 to 1; wear; how far the camera corrects the light.

    `key` is how bright the camera makes the empty board, as a share of its printed colours.
    """

    board_rough: float = 0.5
    board_shine: float = 0.3
    table_rough: float = 0.6
    table_shine: float = 0.3
    rough: tuple[tuple[str, float], ...] = (("red", 0.4), ("black", 0.4), ("yellow", 0.4), ("blue", 0.4))
    shine: float = 0.5
    wear: float = 0.0
    varied: float = 0.05
    balance: float = 0.8
    key: float = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """What a print lies on and where it is dark, both (rows, columns, 3) linear blue-green-red, of any size.

    `under` shows through by its `share`; `gain` is then left of the light.
    """

    gain: Linear
    under: Linear | None = None
    share: float = 0.0

    def over(self, art: Image) -> Image:
        """Blend what the print lies on into the print, and darken the print where it is dark."""
        size = art.shape[1::-1]
        light = linear(art)
        if self.under is not None:
            light += np.float32(self.share) * (cv2.resize(self.under, size) - light)
        return tone(light * cv2.resize(self.gain, size))


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """A table made ready to be built: `room` is what surrounds it, (rows, 2 rows, 3) linear blue-green-red.

    The last five are those of `training.traced.lifelike`: a photographed table top, the board's paint and its relief
    (heights in mm), how a phone works the pictures over, how much their light drifts from that of the empty board's.
    """

    scene: Scene
    forms: Forms
    finish: Finish
    slab: Slab
    room: Room
    manner: Manner
    seed: int
    cloth: Image | None = None
    paint: Paint | None = None
    relief_mm: Linear | None = None
    phone: Phone | None = None
    drift: float = 0.0


def random_setup(seed: int, plan: BoardPlan, held: bool = False) -> Setup:
    """Draw a table of any kind; `held` from the ranges that training never draws from."""
    rng = np.random.default_rng([seed, 41, int(held)])
    flat = random_scene(seed, plan)
    camera = random_camera(rng, plan)
    lights, room = random_light(rng, Sight(plan.size_mm, camera), held)
    look = with_other_kinds(random_look(rng, held), plan, np.random.default_rng([seed, 46, int(held)]))
    look = _held_look(look, np.random.default_rng([seed, 47])) if held else look
    scene = replace(
        flat,
        style=random_style(seed * 7 + (3 if held else 1)),
        camera=camera,
        look=look,
        lights=lights,
        clutter_seed=seed,
    )
    bowed, folded = rng.random(2) < (0.45, 0.3)
    slab = Slab(
        plan.size_mm,
        float(rng.uniform(1.6, 3.2)),
        float(rng.uniform(-1.8, 2.5)) if bowed else 0.0,
        float(rng.uniform(0.3, 2.0)) if folded else 0.0,
        float(rng.choice([0.5, 0.5, 1 / 3, 2 / 3])),
    )
    finish = random_finish(rng, scene.cloth.kind)
    return Setup(scene, random_forms(rng, held), finish, slab, room, random_manner(rng, look), seed)


def random_camera(rng: Rng, plan: BoardPlan) -> SimulatedCamera:
    """Place a camera at any side of the board, leaning 0 to 40 degrees, 8 to 35 above all."""
    width, height = plan.size_mm
    camera = SimulatedCamera(
        target_mm=(width / 2 + float(rng.normal(0, 8)), height / 2 + float(rng.normal(0, 8))),
        tilt_deg=float(rng.uniform(5, 38)) if rng.random() < 0.85 else float(rng.uniform(0, 42)),
        side_deg=float(rng.integers(4)) * 90 + float(rng.normal(0, 12)),
        roll_deg=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.7, 1.35)),
        radial=float(rng.uniform(-0.06, 0.06)),
    )
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    fill = float(rng.uniform(0.8, 0.98)) if rng.random() < 0.6 else float(rng.uniform(0.62, 0.85))
    return fit_in_picture(camera, corners, fill)


def random_look(rng: Rng, held: bool) -> PieceLook:
    """Draw sizes and colours of a copy's pieces."""
    size = float(rng.uniform(0.89, 1.17))
    troop = 12 * size
    low = float(rng.uniform(3.0, 7.0))
    return PieceLook(
        troop_mm=troop,
        troop_height_mm=low,
        ship_mm=float(rng.uniform(13.0, 18.5)) * size,
        ship_width_mm=float(rng.uniform(4.3, 7.5)) * size,
        ship_shape=int(rng.integers(2000, 4000) if held else rng.integers(2000)),
        ships_stand=bool(rng.random() < 0.55),
        commander_mm=troop * float(rng.uniform(0.95, 1.2)),
        commander_height_mm=low * float(rng.uniform(1.5, 2.5)),
        bgr=(("red", random_red(rng, held)), ("black", random_black(rng, held))),
        grain=float(rng.choice([0.0, rng.uniform(0.01, 0.1)])),
    )


def _held_look(look: PieceLook, rng: Rng) -> PieceLook:
    """Draw figures' forms, yellows and blues from held back ranges: pale or orange yellows, green or violet blues."""
    hues = {"yellow": [(14.5, 17.5), (32.5, 35.0)], "blue": [(93.0, 98.0), (120.0, 126.0)]}
    ends = {faction: ranges[int(rng.integers(2))] for faction, ranges in hues.items()}
    least = {"yellow": 150, "blue": 70}
    colours = {faction: random_hue(rng, end, (130, 245), least[faction]) for faction, end in ends.items()}
    return replace(
        look,
        bgr=tuple((faction, colours.get(faction, plain)) for faction, plain in look.bgr),
        siege_shape=look.siege_shape + FIGURES,
        aircraft_shape=look.aircraft_shape + FIGURES,
    )


def random_red(rng: Rng, held: bool) -> Colour:
    """Draw a red from orange-red to crimson; held back ones are the ends of that range."""
    hue = float(rng.choice([rng.uniform(-12, -8), rng.uniform(5, 8)])) if held else float(rng.uniform(-9, 7))
    hsv = np.array([[[round(hue) % 180, int(rng.integers(155, 248)), int(rng.integers(115, 240))]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def random_black(rng: Rng, held: bool) -> Colour:
    """Draw a black of 2 to 12 % of the light, neutral or a little warm or cool; held back ones are more tinted."""
    share = float(np.exp(rng.uniform(np.log(0.011), np.log(0.1))))
    tint = rng.normal(0, 0.16 if held else 0.09, 3)
    blue, green, red = (float(v) for v in 255 * np.clip(share * (1 + tint), 0.004, 0.16) ** (1 / 2.2))
    return blue, green, red


def random_forms(rng: Rng, held: bool) -> Forms:
    """Draw how the pieces are cut."""
    ships = ("lozenge", "hull", "profile") if held else ("profile", "profile", "hull", "lozenge")
    commanders = ("hexagon", "drum") if held else ("hexagon",) * 7 + ("pawn",)
    return Forms(
        edge_mm=float(rng.uniform(0.15, 1.3)),
        ship=str(rng.choice(ships)),
        commander=str(rng.choice(commanders)),
        cabin=float(rng.random()),
        mast=bool(rng.random() < 0.4),
        dish_mm=float(rng.uniform(0.2, 0.8)) if rng.random() < (0.3 if held else 0.1) else 0.0,
    )


def random_finish(rng: Rng, cloth: str) -> Finish:
    """Draw materials: paint, stain or plastic; matt card or laminated board; cloth or varnish."""
    rough = float(rng.uniform(0.1, 0.75))
    other = float(np.clip(rough + rng.normal(0, 0.08), 0.08, 0.85))
    shiny = rng.random() < 0.35
    hard = cloth in ("wood", "plain")
    return Finish(
        board_rough=float(rng.uniform(0.18, 0.4) if shiny else rng.uniform(0.4, 0.9)),
        board_shine=float(rng.uniform(0.1, 0.6)),
        table_rough=float(rng.uniform(0.15, 0.7)) if hard else float(rng.uniform(0.8, 1.0)),
        table_shine=float(rng.uniform(0.2, 0.6)) if hard else 0.1,
        rough=(("red", rough), ("black", other), ("yellow", rough), ("blue", other)),
        shine=float(rng.uniform(0.25, 0.8)),
        wear=float(rng.choice([0.0, rng.uniform(0.0, 0.06)])),
        varied=float(rng.uniform(0.0, 0.12)),
        balance=float(rng.uniform(0.3, 1.0)),
        key=float(rng.uniform(0.35, 0.7)) if rng.random() < 0.25 else float(rng.uniform(0.7, 1.25)),
    )


def random_manner(rng: Rng, look: PieceLook) -> Manner:
    """Draw how people play: on half of the tables a quarter of the troops is stacked."""
    still = rng.random() < 0.4
    stacks = float(rng.choice([0.0, rng.uniform(0.02, 0.15), rng.uniform(0.2, 0.32)], p=[0.25, 0.25, 0.5]))
    habits = Habits(
        look=look,
        stacks=stacks,
        together=float(rng.uniform(0.1, 0.85)),
        on_symbols=float(rng.uniform(0, 0.4)),
        overhang_mm=float(rng.choice([0.0, rng.uniform(0, 1.5)])),
        untidy_mm=float(rng.uniform(0, 1.4)),
    )
    drift = float(rng.choice([0.0, 0.15, 0.3]))
    nudge = 0.0 if still else float(rng.uniform(1, 6))
    return Manner(habits, nudge, 0.0 if still else 0.8, drift, things=0.25, hands=0.15, cards=0.12)


@dataclass(frozen=True, slots=True)
class Sight:
    """The size of the board that is lit, and the camera that sees it."""

    size_mm: tuple[float, float]
    camera: SimulatedCamera


def random_light(rng: Rng, sight: Sight, held: bool) -> tuple[tuple[Light, ...], Room]:
    """Draw lamps and windows, and the room round them; together they give about 1 at the board's middle."""
    moods = ("window", "lamp", "evening", "lamps", "window and lamp", "ceiling")
    odds = (0.15, 0.1, 0.1, 0.35, 0.1, 0.2) if held else (0.2, 0.27, 0.15, 0.13, 0.15, 0.1)
    mood = str(rng.choice(moods, p=odds))
    sky = {"window": (0.15, 0.5), "lamp": (0.03, 0.3), "evening": (0.02, 0.2), "ceiling": (0.6, 0.95)}
    share = 1 - float(rng.uniform(*sky.get(mood, (0.05, 0.4))))
    makers = {"window": (_window,), "lamp": (_lamp,), "evening": (_evening,), "lamps": (_lamp, _lamp)}
    chosen = makers.get(mood, (_window, _lamp) if mood == "window and lamp" else (_window,))
    parts = rng.dirichlet(np.full(len(chosen), 2.0)) * share
    lights = tuple(make(rng, sight, float(part)) for make, part in zip(chosen, parts, strict=True))
    return lights, random_room(rng, 1 - share)


def aimed_light(rng: Rng, sight: Sight, ranges: tuple[float, ...], colour: tuple[float, float]) -> Light:
    """Place a light somewhere in the ranges of distance, angle from the upright and size.

    colour: the light that it gives (part, warmth).
    """
    near, far, low, high, small, large = ranges
    part, warm = colour
    turn, lean, away = rng.uniform(0, 2 * pi), np.radians(rng.uniform(low, high)), float(rng.uniform(near, far))
    x, y = sight.size_mm[0] / 2 + float(rng.normal(0, 60)), sight.size_mm[1] / 2 + float(rng.normal(0, 60))
    at = (float(x + away * sin(lean) * cos(turn)), float(y + away * sin(lean) * sin(turn)), float(away * cos(lean)))
    radius = float(np.exp(rng.uniform(np.log(small), np.log(large))))
    return Light(at, radius, (part * (1 - warm), part, part * (1 + warm)))


def _window(rng: Rng, sight: Sight, part: float) -> Light:
    return aimed_light(rng, sight, (900, 2600, 35, 68, 300, 900), (part, float(rng.normal(-0.05, 0.06))))


def _lamp(rng: Rng, sight: Sight, part: float) -> Light:
    if rng.random() < GLARE:
        return _glaring_lamp(rng, sight, part)
    return aimed_light(rng, sight, (550, 1500, 0, 55, 18, 130), (part, float(rng.uniform(0.0, 0.35))))


def _glaring_lamp(rng: Rng, sight: Sight, part: float) -> Light:
    """Place a lamp whose mirror image the camera sees on the board, and so on the tops of pieces there."""
    spot = np.append(rng.uniform(0.15, 0.85, 2) * sight.size_mm, 0.0)
    ray = (spot - sight.camera.centre_mm) * np.array([1.0, 1.0, -1.0])
    x, y, height = (float(v) for v in spot + ray / np.linalg.norm(ray) * float(rng.uniform(450, 1400)))
    warm, radius = float(rng.uniform(0.0, 0.35)), float(np.exp(rng.uniform(np.log(18), np.log(110))))
    return Light((x, y, height), radius, (part * (1 - warm), part, part * (1 + warm)))


def _evening(rng: Rng, sight: Sight, part: float) -> Light:
    return aimed_light(rng, sight, (700, 1800, 25, 65, 40, 220), (part, float(rng.uniform(0.15, 0.45))))


def random_room(rng: Rng, level: float) -> Room:
    """Draw the light from round about, (32, 64, 3): ceiling, walls, a few bright or dark things; `level` on average.

    Rows run from straight up to straight down, columns once round.
    """
    rows, columns = ROOM_SHAPE
    up = np.cos(np.linspace(0, pi, rows, dtype=np.float32))[:, None]
    ceiling, wall, floor = (float(v) for v in rng.uniform([0.4, 0.15, 0.02], [1.6, 1.2, 0.3]))
    soft = 1 / (1 + np.exp(-(up - float(rng.uniform(0.3, 0.75))) / float(rng.uniform(0.02, 0.3))))
    plain = np.where(up > 0, wall + (ceiling - wall) * soft, floor) * np.ones((1, columns), np.float32)
    gain = np.ones((rows, columns), np.float32)
    for _ in range(int(rng.integers(2, 8))):
        row, column = int(rng.integers(0, rows // 2)), int(rng.integers(columns))
        tall, wide = int(rng.integers(2, 9)), int(rng.integers(2, 16))
        block = np.zeros((rows, columns), np.float32)
        block[row : row + tall, :wide] = 1
        gain *= 1 + np.roll(block, column, axis=1) * float(rng.choice([-0.8, -0.5, 1.0, 3.0]))
    tint = 1 + rng.normal(0, 0.08, 3)
    room = cv2.GaussianBlur(plain * gain, (0, 0), 0.8)[..., None] * tint
    facing = np.maximum(up, 0)[..., None] * np.sin(np.linspace(0, pi, rows))[:, None, None]
    mean = float((room * facing).sum() / (facing.sum() * columns * 3))
    return np.asarray(room * level / mean, np.float32)
