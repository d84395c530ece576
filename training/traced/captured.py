"""Captured rooms and photographed surfaces, in a folder filled from packages (`training/README.md` says how)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image

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
        """(rows, columns, 3) linear light from round about, its top row from above; None where none is installed."""
        if not self.rooms:
            return None
        file = self.rooms[int(rng.integers(len(self.rooms)))]
        return np.nan_to_num(np.maximum(self.decode(_exr(file)), 0))

    def surface(self, rng: Rng) -> Image | None:
        """Choose a photograph of wood, stone, paper or cloth; None where none is installed."""
        return _picture(self.surfaces, rng)

    def relief(self, rng: Rng) -> Linear | None:
        """(rows, columns) heights of a canvas, paper or bark, 0 on average and spread by 1."""
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
    """(rows, 2 rows, 3) the room turned about the upright and then tipped, so that other parts of it are overhead."""
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
