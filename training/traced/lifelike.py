"""Tables nearer to photographs: captured rooms, low lamps, wrinkled gloss, dark grounds, a phone, light that drifts.

`lifelike` changes a table of `training.traced.looks`; everything follows from its seed and the captures installed:
rooms and photographed surfaces, in a folder filled from packages (`training/README.md` says how).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from training.traced.looks import Colour, Finish, Paint, Room, Setup, Sight, aimed_light, random_light, random_room
from training.traced.picture import Phone, linear
from vision.plan import BoardPlan
from vision.simulation.board_art import Image
from vision.simulation.draw import Light
from vision.simulation.table import CLOTH_MARGIN_MM, CLOTH_PX_PER_MM, Moment

Rng = np.random.Generator
Linear = npt.NDArray[np.float32]
ROOMS = ("package/hdri/*.exr.js", "usr/share/blender/datafiles/studiolights/world/*.exr")
TEXTURES = "com/eteks/sweethome3d/io/resources/textures"
SURFACES = (
    "usr/share/pychess/boards/*.png",
    *(
        f"{TEXTURES}/{name}.jpg"
        for name in (
            "beigeTile",
            "darkBlueTile",
            "grass",
            "greyTile",
            "lightBlueTile",
            "marbleWall",
            "oldWoodenFloor",
            "roughcast",
            "stone2Wall",
            "wallBeigeTile",
            "woodenFloor",
        )
    ),
)
RELIEFS = ("usr/share/krita/patterns/0[1-8]*.png", "usr/share/krita/patterns/1[4-9]_texture-*.png")
HELD_EVERY = 5
RIM_PX = 3


class Captures:
    """What a folder holds: rooms, surfaces, reliefs; every fifth of each is for held back tables alone.

    `decode` turns an OpenEXR file's bytes into (rows, columns, 3) linear blue-green-red.
    """

    def __init__(self, folder: Path, decode: Callable[[bytes], Linear], held: bool = False) -> None:
        self.decode = decode
        self.rooms, self.surfaces, self.reliefs = (
            [file for number, file in enumerate(_found(folder, names)) if (number % HELD_EVERY == 0) == held]
            for names in (ROOMS, SURFACES, RELIEFS)
        )

    def room(self, rng: Rng) -> Linear | None:
        """Choose the light of a room, (rows, columns, 3) linear, its top row from above; None if none is installed."""
        if not self.rooms:
            return None
        file = self.rooms[int(rng.integers(len(self.rooms)))]
        return np.nan_to_num(np.maximum(self.decode(_exr(file)), 0))

    def surface(self, rng: Rng) -> Image | None:
        """Choose a photograph of wood, stone, paper or cloth; None if none is installed."""
        return _picture(self.surfaces, rng)

    def relief(self, rng: Rng) -> Linear | None:
        """Choose the heights of a canvas, paper or bark, (rows, columns), mean 0, spread 1; None if none is there."""
        picture = _picture(self.reliefs, rng)
        if picture is None:
            return None
        grey = picture.mean(axis=2).astype(np.float32)
        return np.asarray((grey - grey.mean()) / max(1.0, float(grey.std())), np.float32)


def _found(folder: Path, names: Sequence[str]) -> list[Path]:
    return sorted(file for name in names for file in folder.glob(name))


def _exr(file: Path) -> bytes:
    """Read an OpenEXR file's bytes; in JavaScript files they are a data URL in quotes."""
    data = file.read_bytes()
    return b64decode(data.partition(b"base64,")[2].split(b"'")[0]) if file.suffix == ".js" else data


def _picture(files: Sequence[Path], rng: Rng) -> Image | None:
    if not files:
        return None
    picture = cv2.imread(str(files[int(rng.integers(len(files)))]), cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]


def tiled(texture: Image | Linear, shape: tuple[int, int], px: float, turn_rad: float) -> Linear:
    """Lay the texture over (rows, columns), each piece `px` wide, mirrored at its edges so that no seam shows."""
    rows, columns = shape
    scale = px / texture.shape[1]
    cos, sin = float(np.cos(turn_rad)) * scale, float(np.sin(turn_rad)) * scale
    around = np.array([[cos, -sin, columns / 2], [sin, cos, rows / 2]])
    source = np.asarray(texture, np.float32)
    if scale < 1:
        size = max(1, round(px)), max(1, round(texture.shape[0] * scale))
        source = np.asarray(cv2.resize(source, size, interpolation=cv2.INTER_AREA), np.float32)
        around[:, :2] /= scale
    flags = cv2.INTER_LINEAR
    found = cv2.warpAffine(source, around, (columns, rows), flags=flags, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(found, np.float32)


def turned(room: Linear, about_rad: float, tip_rad: float, rows: int) -> Linear:
    """Return the room (rows, 2 rows, 3) turned about the upright, then tipped: another part of it is overhead."""
    lean, turn = np.meshgrid(
        (np.arange(rows) + 0.5) / rows * np.pi, (np.arange(2 * rows) + 0.5) / rows * np.pi, indexing="ij"
    )
    x, y, z = np.sin(lean) * np.cos(turn), np.sin(lean) * np.sin(turn), np.cos(lean)
    x, z = x * np.cos(tip_rad) + z * np.sin(tip_rad), z * np.cos(tip_rad) - x * np.sin(tip_rad)
    height, width = room.shape[:2]
    column = ((np.arctan2(y, x) + about_rad) / (2 * np.pi) % 1) * width - 0.5
    row = np.arccos(np.clip(z, -1, 1)) / np.pi * height - 0.5
    small = cv2.resize(room, (4 * rows, 2 * rows), interpolation=cv2.INTER_AREA) if height > 2 * rows else room
    scale = small.shape[0] / height
    places = [np.asarray((where + 0.5) * scale - 0.5, np.float32) for where in (column, row)]
    return np.asarray(cv2.remap(small, places[0], places[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.float32)


def levelled(room: Linear, level: float) -> Linear:
    """Scale the room until its light on a level board is `level`, on average over its colours."""
    rows = len(room)
    lean = (np.arange(rows) + 0.5) / rows * np.pi
    facing = np.maximum(np.cos(lean), 0) * np.sin(lean)
    mean = float((room.mean(axis=(1, 2)) * facing).sum() / facing.sum())
    return np.asarray(room * (level / max(mean, 1e-9)), np.float32)


Size = tuple[float, float]
ROOM_ROWS = 128
PX_PER_MM = 2.0
CAPTURED, HARD = 0.5, 0.28
FAINTEST, BRIGHTEST = 0.4, 2.2


def lifelike(setup: Setup, plan: BoardPlan, captures: Captures, held: bool = False) -> Setup:
    """Give the table light, materials and a camera nearer to those of photographs; `held` keeps its reds."""
    rng = np.random.default_rng([setup.seed, 48, int(held)])
    sight = Sight(plan.size_mm, setup.scene.camera)
    lights, room = _light(rng, setup, (sight, captures))
    black = random_dark(rng)
    own = {"black": black} if held else {"black": black, "red": random_wide_red(rng)}
    look = replace(setup.scene.look, bgr=tuple((who, own.get(who, plain)) for who, plain in setup.scene.look.bgr))
    phone = random_phone(rng) if rng.random() < 0.7 else None
    lens = replace(setup.scene.lens, jpeg=97, sharpen=0.0) if phone else setup.scene.lens
    paint = random_paint(rng, plan, captures)
    finish = _finish(rng, setup.finish)
    if paint is not None:  # a camera shows a dark board brighter than it is
        finish = replace(finish, key=finish.key * float(paint.gain.mean()) ** -float(rng.uniform(0.3, 1.0)))
    return replace(
        setup,
        scene=replace(setup.scene, lights=lights, look=look, lens=lens),
        finish=finish,
        room=room,
        cloth=_table_top(rng, plan.size_mm, captures),
        paint=paint,
        relief_mm=random_relief(rng, plan.size_mm, captures) if rng.random() < 0.6 else None,
        phone=phone,
        drift=float(rng.choice([0.0, 0.4, 1.0], p=[0.25, 0.35, 0.4])),
    )


def in_other_light(setup: Setup, rng: Rng, captures: Captures | None, held: bool = False) -> Setup:
    """Return the same table under other lamps or in another room, exposed and balanced anew by the same camera."""
    sight = Sight(setup.slab.size_mm, setup.scene.camera)
    lights, room = random_light(rng, sight, held)
    setup = replace(setup, scene=replace(setup.scene, lights=lights), room=room)
    if captures is not None:
        lights, room = _light(rng, setup, (sight, captures))
    key = setup.finish.key * float(np.exp2(rng.uniform(-0.8, 0.5)))
    finish = replace(setup.finish, key=float(np.clip(key, 0.3, 3.0)), balance=float(rng.uniform(0.2, 1.0)))
    return replace(setup, scene=replace(setup.scene, lights=lights), room=room, finish=finish)


def _light(rng: Rng, setup: Setup, place: tuple[Sight, Captures]) -> tuple[tuple[Light, ...], Room]:
    """One low lamp, or a captured room with or without the table's lamps, or the table's own light."""
    sight, captures = place
    mood = rng.random()
    room = _captured_room(rng, captures) if mood < HARD / 2 or mood > 1 - CAPTURED else None
    if mood < HARD:
        sky = float(rng.uniform(0.01, 0.1))
        reach = (700.0, 1800.0, 55.0, 80.0, 10.0, 45.0)
        lamp = aimed_light(rng, sight, reach, (1 - sky, float(rng.uniform(-0.05, 0.4))))
        return (lamp,), levelled(room, sky) if room is not None else random_room(rng, sky)
    if room is None:
        return setup.scene.lights, setup.room
    level = 1.0 if rng.random() < 0.4 else float(rng.uniform(0.35, 0.95))
    given = sum(light.bgr[1] for light in setup.scene.lights)
    lamps = tuple(light.dimmed((1 - level) / max(given, 1e-6)) for light in setup.scene.lights)
    return lamps if level < 1 else (), levelled(room, level)


def _captured_room(rng: Rng, captures: Captures) -> Room | None:
    about, tip = float(rng.uniform(0, 2 * np.pi)), float(np.radians(rng.uniform(-40, 40)))
    room = captures.room(rng)
    return None if room is None else turned(room, about, tip, ROOM_ROWS)


def random_dark(rng: Rng) -> Colour:
    """Draw a black for pieces as it really is: 2 to 20 % of the light, neutral, brown or cool."""
    share = float(np.exp(rng.uniform(np.log(0.02), np.log(0.2))))
    tints = {"neutral": (1.0, 1.0, 1.0), "brown": (0.6, 0.85, 1.25), "cool": (1.15, 1.0, 0.9)}
    tint = np.array(tints[str(rng.choice(list(tints), p=[0.5, 0.35, 0.15]))]) * rng.normal(1, 0.06, 3)
    blue, green, red = (float(v) for v in 255 * np.clip(share * tint, 0.006, 0.24) ** (1 / 2.2))
    return blue, green, red


def random_wide_red(rng: Rng) -> Colour:
    """Draw a red from orange to a dark crimson."""
    dark = rng.random() < 0.35
    hue = float(rng.uniform(-12, 4)) if dark else float(rng.uniform(-9, 11))
    value = int(rng.integers(75, 140)) if dark else int(rng.integers(130, 250))
    hsv = np.array([[[round(hue) % 180, int(rng.integers(150, 252)), value]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def _finish(rng: Rng, finish: Finish) -> Finish:
    """Half of the boards laminated, four in ten sets of black pieces polished."""
    if rng.random() < 0.5:
        rough, shine = float(rng.uniform(0.05, 0.25)), float(rng.uniform(0.35, 0.9))
        finish = replace(finish, board_rough=rough, board_shine=shine)
    if rng.random() < 0.4:
        polished = float(rng.uniform(0.08, 0.3))
        finish = replace(finish, rough=tuple((w, polished if w == "black" else r) for w, r in finish.rough))
    return finish


def _table_top(rng: Rng, size_mm: Size, captures: Captures) -> Image | None:
    """On half of the tables a photographed surface, lighter or darker and of another tint than it was."""
    surface = captures.surface(rng) if rng.random() < 0.5 else None
    if surface is None:
        return None
    columns, rows = (round((side + 2 * CLOTH_MARGIN_MM) * CLOTH_PX_PER_MM) for side in size_mm)
    wide = float(np.exp(rng.uniform(np.log(90), np.log(420)))) * CLOTH_PX_PER_MM
    laid = tiled(surface, (rows, columns), wide, float(rng.uniform(0, 2 * np.pi)))
    return np.asarray(np.clip(laid * rng.uniform(0.35, 1.15) * rng.normal(1, 0.08, 3), 0, 255), np.uint8)


def random_paint(rng: Rng, plan: BoardPlan, captures: Captures) -> Paint | None:
    """Draw at random what the board's print is on, and where it is dark.

    Dark areas, squares or blots give back 3 to 10 % of the light. None where the print is left as it is.
    """
    columns, rows = (round(side * PX_PER_MM) for side in plan.size_mm)
    gain, under, share = np.ones((rows, columns, 3), np.float32), None, 0.0
    surface = captures.surface(rng) if rng.random() < 0.35 else None
    if surface is not None:
        wide = float(np.exp(rng.uniform(np.log(40), np.log(200)))) * PX_PER_MM
        under = tiled(linear(surface), (rows, columns), wide, float(rng.uniform(0, 2 * np.pi)))
        share = float(rng.uniform(0.2, 0.8))
    if rng.random() < 0.45:
        mask = _dark_parts(rng, plan, (rows, columns))[..., None]
        left = float(rng.uniform(0.07, 0.3)) * np.clip(rng.normal(1, 0.25, 3), 0.4, 1.8)
        gain = np.asarray(1 - mask * (1 - left), np.float32)
    return Paint(gain, under, share) if under is not None or gain.min() < 1 else None


def _dark_parts(rng: Rng, plan: BoardPlan, shape: tuple[int, int]) -> Linear:
    """Return 1 where the print is dark, 0 elsewhere, (rows, columns)."""
    mask = np.zeros(shape, np.float32)
    kind, share = str(rng.choice(["areas", "squares", "blots"])), float(rng.uniform(0.25, 0.75))
    if kind == "areas":
        for area in plan.areas:
            if rng.random() < share:
                cv2.fillPoly(mask, [np.round(np.array(area.polygon_mm) * PX_PER_MM).astype(np.int32)], 1.0)
    elif kind == "squares":
        side = float(rng.uniform(14, 40)) * PX_PER_MM
        ys, xs = (np.arange(length) // side for length in shape)
        mask[:] = (ys[:, None] + xs[None]) % 2
    else:
        noise = cv2.GaussianBlur(rng.standard_normal(shape).astype(np.float32), (0, 0), rng.uniform(15, 60))
        mask[:] = noise > np.quantile(noise, 1 - share)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)


def random_relief(rng: Rng, size_mm: Size, captures: Captures) -> Linear:
    """Draw the heights of the board's sheet in mm, (rows, columns): wrinkles, at times the grain of linen or paper."""
    columns, rows = (round(side * PX_PER_MM) for side in size_mm)
    heights = np.zeros((rows, columns), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        wide = float(np.exp(rng.uniform(np.log(3), np.log(30)))) * PX_PER_MM
        stretch = float(np.exp(rng.uniform(-1.0, 1.0)))
        noise = rng.standard_normal((rows, columns)).astype(np.float32)
        wave = cv2.GaussianBlur(noise, (0, 0), wide * stretch, sigmaY=wide / stretch)
        creased = rng.random() < 0.4
        heights += _of_slope(
            np.asarray(np.abs(wave) if creased else wave, np.float32),
            float(np.exp(rng.uniform(np.log(0.004), np.log(0.05)))),
        )
    grain = captures.relief(rng) if rng.random() < 0.35 else None
    if grain is not None:
        laid = tiled(grain, (rows, columns), float(rng.uniform(30, 90)) * PX_PER_MM, 0.0)
        heights += _of_slope(laid, float(rng.uniform(0.01, 0.08)))
    return np.asarray(heights, np.float32)


def _of_slope(heights: Linear, slope: float) -> Linear:
    """Scale the heights until they are on average as steep as wanted (rise over run)."""
    down, across = np.gradient(heights, 1 / PX_PER_MM)
    return np.asarray(heights * (slope / max(float(np.hypot(down, across).mean()), 1e-9)), np.float32)


def random_phone(rng: Rng) -> Phone:
    """Draw how a phone works its pictures over, from hardly at all to visibly."""
    much = float(rng.uniform(0.2, 1))
    return Phone(
        lift=float(rng.uniform(0, 0.55)) * much,
        crisp=float(rng.uniform(0, 0.7)) * much,
        smear=float(rng.choice([0.0, rng.uniform(4, 22)])) * much,
        sharpen=float(rng.uniform(0.2, 1.6)) * much,
        halo_px=float(rng.uniform(0.8, 3.0)),
        vivid=float(rng.uniform(0.85, 1.15 + 0.35 * much)),
        jpeg=int(rng.integers(40, 93)),
    )


@dataclass(frozen=True, slots=True)
class Drift:
    """How a picture's light differs from the table's own: the lamps' gains and moves, the room's and camera's gains."""

    gains: tuple[float, ...]
    moves_mm: tuple[tuple[float, float, float], ...]
    room: float = 1.0
    exposure_bgr: Colour = (1.0, 1.0, 1.0)

    def lamps(self, lights: tuple[Light, ...]) -> list[Light]:
        """Return the lamps as they are after the drift."""
        return [
            replace(light.dimmed(gain), at_mm=(light.at_mm[0] + x, light.at_mm[1] + y, light.at_mm[2] + z))
            for light, gain, (x, y, z) in zip(lights, self.gains, self.moves_mm, strict=True)
        ]


def drift_of(setup: Setup, moment: Moment) -> Drift:
    """Return the drift of the light at a moment.

    The empty board's picture, whose moment has the table's seed, has the table's own light.
    """
    lights = setup.scene.lights
    gains = np.array(moment.light_gains or (1.0,) * len(lights))
    if not setup.drift or moment.seed == setup.seed:
        return Drift(tuple(float(v) for v in gains), ((0.0, 0.0, 0.0),) * len(lights))
    rng, much = np.random.default_rng([moment.seed, 49]), setup.drift
    given = np.array([light.bgr[1] for light in lights])
    gains = gains * np.exp2(rng.uniform(-0.8, 0.8, len(lights)) * much)
    room = float(np.exp2(rng.uniform(-0.7, 0.7) * much))
    if rng.random() < 0.15 * much:  # the sun is gone, or a lamp switched off
        gains, room = (gains * 0, room) if given.sum() < 0.85 else (gains, room * 0.3)
    moves = rng.normal(0, (30 * much, 30 * much, 8 * much), (len(lights), 3))
    level = float((given * gains).sum() + (1 - given.sum()) * room)
    wanted = float(np.exp2(rng.uniform(-0.7, 0.7) * much)) * level ** (1 - float(rng.choice([0.0, 0.7, 1.0])))
    exposure = float(np.clip(wanted, FAINTEST, BRIGHTEST)) / max(level, 1e-3) * rng.normal(1, 0.04 * much, 3)
    return Drift(
        tuple(float(v) for v in gains),
        tuple((float(x), float(y), float(z)) for x, y, z in moves),
        room,
        (float(exposure[0]), float(exposure[1]), float(exposure[2])),
    )
