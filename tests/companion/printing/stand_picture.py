"""The picture of the camera's stand beside a board, drawn from the numbers that the paper and the solid are made of.

python -m tests.companion.printing.stand_picture docs/pictures/stand.png
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from companion.printing import stand_solid as solid
from companion.printing.stand import GAP_MM, PLATE_MM, REACH_MM, WIDE_MM, stand_for
from engine.orders.board import load_board

BOARD = "sengoku-rivers"
SIZE_PX, FINER = (800, 560), 2
PX_PER_MM = 1.12
TURN_DEG, FALL_DEG = 32.0, 24.0
"""How far the looker stands to the side, and above."""
MIDDLE_MM = (0.0, 60.0, 120.0)
PAPER = (247, 244, 238)
CARD, PRINT, BODY = (196, 160, 112), (205, 219, 205), (58, 62, 70)
LIGHT = np.array([0.45, -0.55, 0.7])
Floats = npt.NDArray[np.float64]


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Floats:
    return np.array([*solid._surface([(True, tuple(zip(low, high, strict=True)))])])  # type: ignore[list-item]


def _parts() -> Iterator[tuple[Floats, tuple[int, int, int]]]:
    """Yield the triangles (N, 3, 3) of each part as it stands, and its colour."""
    board = load_board(BOARD)
    stand = stand_for(board.size_mm)
    along, away = max(board.size_mm), min(board.size_mm)
    start = WIDE_MM / 2 + GAP_MM
    yield _box((-along / 2, start, 0), (along / 2, start + away, 4)), PRINT
    yield np.array([*solid._surface(solid.foot_solid())]), CARD
    for number in range(stand.pieces):
        top = number == stand.pieces - 1
        shape = solid._sloping(stand) if top else None
        piece = np.array([*solid._surface(solid.tube_solid(stand.piece_mm - 1, plug=not top), shape)])
        yield piece + np.array([0, 0, PLATE_MM + number * stand.piece_mm]), CARD
    tilt = radians(stand.tilt_deg)
    lean = np.array([[1, 0, 0], [0, cos(tilt), sin(tilt)], [0, -sin(tilt), cos(tilt)]])
    at = np.array([0, 0, stand.lens_mm - REACH_MM * stand.slope])
    plate = np.array([*solid._surface(solid.plate_solid(stand), solid._leaning(stand))])
    yield (plate * np.array([1, 1, -1]))[:, ::-1] @ lean + at + np.array([0, 0, PLATE_MM]), CARD
    camera = _box((-15, stand.window_mm - 13, PLATE_MM), (15, stand.window_mm + 13, PLATE_MM + 12))
    yield camera @ lean + at, BODY


def stand_picture() -> Image.Image:
    """Draw the stand beside the board."""
    width, height = (side * FINER for side in SIZE_PX)
    picture = np.full((height, width, 3), PAPER, np.float64)
    depth = np.full((height, width), -np.inf)
    turn, fall = radians(TURN_DEG), radians(FALL_DEG)
    right = np.array([cos(turn), sin(turn), 0])
    towards = np.array([sin(turn) * cos(fall), -cos(turn) * cos(fall), sin(fall)])
    up = np.cross(towards, right)
    view = np.stack([right, up, towards]).T
    for triangles, colour in _parts():
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        shades = 0.55 + 0.45 * np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0, 1)
        seen = (triangles - MIDDLE_MM) @ view
        seen[..., 0] = width / 2 + seen[..., 0] * PX_PER_MM * FINER
        seen[..., 1] = height / 2 - seen[..., 1] * PX_PER_MM * FINER
        for corners, shade in zip(seen, shades, strict=True):
            _fill(picture, depth, corners, np.array(colour) * shade)
    whole = Image.fromarray(picture.round().astype(np.uint8))
    return whole.resize(SIZE_PX, Image.Resampling.BOX)


def _fill(picture: Floats, depth: Floats, corners: Floats, colour: Floats) -> None:
    """Fill a triangle where nothing is before it; corners: (3, 3), x and y in pixels and the nearness."""
    (x0, y0), (x1, y1) = np.floor(corners[:, :2].min(axis=0)), np.ceil(corners[:, :2].max(axis=0))
    xs, ys = np.meshgrid(np.arange(x0, x1 + 1), np.arange(y0, y1 + 1))
    (ax, ay, _a), (bx, by, _b), (cx, cy, _c) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return
    first = ((bx - xs) * (cy - ys) - (cx - xs) * (by - ys)) / area
    second = ((cx - xs) * (ay - ys) - (ax - xs) * (cy - ys)) / area
    near = first * corners[0, 2] + second * corners[1, 2] + (1 - first - second) * corners[2, 2]
    place = np.s_[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1]
    shown = (first >= 0) & (second >= 0) & (first + second <= 1) & (near > depth[place])
    picture[place][shown] = colour
    depth[place][shown] = near[shown]


if __name__ == "__main__":
    stand_picture().quantize(64, dither=Image.Dither.NONE).save(Path(sys.argv[1]), optimize=True)
