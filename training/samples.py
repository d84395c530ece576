"""Training samples: random crops of rendered tables, turned, mirrored, with other light; and the heat maps wanted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import BRIGHTNESS, CLASSES, COVERED, STACKED, STRIDE, UP_GAIN, gains, network_grid

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

SPREAD = 1.15
CROP = 320


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A frame on the grid: pictures and cover (quarter size) as uint8, pieces (N, 5), camera (x, y, z) in mm, gains."""

    board: npt.NDArray[np.uint8]
    reference: npt.NDArray[np.uint8]
    cover: npt.NDArray[np.uint8]
    pieces: npt.NDArray[np.float64]
    camera: npt.NDArray[np.float64]
    gains: tuple[Floats, np.float32]


def read_table(path: Path) -> list[Sample]:
    """The samples of one rendered table."""
    data = np.load(path)
    reference = _image(data["reference"])
    count = sum(name.startswith("frame") for name in data.files)
    return [
        Sample(
            board,
            reference,
            _image(data[f"cover{i}"])[..., 0],
            data[f"pieces{i}"],
            data[f"camera{i}"],
            gains(board, reference),
        )
        for i, board in enumerate(_image(data[f"frame{i}"]) for i in range(count))
    ]


def _image(data: Any) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def crop_of(sample: Sample, rng: Rng) -> tuple[Floats, Floats, Floats]:
    """A random crop: input (8, CROP, CROP), targets and weights (8, CROP / 4, CROP / 4)."""
    rows, columns = sample.board.shape[:2]
    top = int(rng.integers(0, max(0, rows - CROP) // STRIDE + 1)) * STRIDE
    left = int(rng.integers(0, max(0, columns - CROP) // STRIDE + 1)) * STRIDE
    height, width = min(CROP, rows - top), min(CROP, columns - left)
    window = slice(top, top + height), slice(left, left + width)
    image = np.zeros((CROP, CROP, 8), np.float32)
    board_gain, reference_gain = sample.gains
    board, reference = (sample.board[window] * board_gain, sample.reference[window] * reference_gain)
    image[:height, :width, :3], image[:height, :width, 3:6] = _relit(board, reference, rng)
    camera = sample.camera * np.array([1, 1, rng.uniform(0.88, 1.14)])
    image[:height, :width, 6:] = up_of((top, left), (height, width), camera) * np.float32(UP_GAIN)
    target, weight = wanted(sample, (top, left))
    return _turned(image.transpose(2, 0, 1), target, weight, rng)


def up_of(start: tuple[int, int], shape: tuple[int, int], camera: npt.NDArray[np.float64]) -> Floats:
    """(rows, columns, 2) up field on part of the grid for a camera at (x, y, z) mm."""
    grid = network_grid((1.0, 1.0))
    xs = ((np.arange(shape[1]) + start[1]) / grid.px_per_mm - grid.margin_mm - camera[0]) / camera[2]
    ys = ((np.arange(shape[0]) + start[0]) / grid.px_per_mm - grid.margin_mm - camera[1]) / camera[2]
    return np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float32)


def wanted(sample: Sample, start: tuple[int, int]) -> tuple[Floats, Floats]:
    """Targets (8, h, w) and weights (8, h, w) of a crop at the network's stride."""
    size, row, column = CROP // STRIDE, start[0] // STRIDE, start[1] // STRIDE
    target = np.zeros((len(CLASSES) + 2, size, size), np.float32)
    weight = np.ones_like(target)
    weight[STACKED] = 0
    cover = sample.cover[row : row + size, column : column + size]
    target[COVERED, : cover.shape[0], : cover.shape[1]] = cover / np.float32(255)
    stacks = {(x, y) for x, y, _, level, _ in sample.pieces.round(2).tolist() if level}
    for x, y, which, level, hidden in sample.pieces.tolist():
        if not level:
            at = (y - 1.5) / STRIDE - row, (x - 1.5) / STRIDE - column
            stacked = (round(x, 2), round(y, 2)) in stacks
            _mark(target, weight, at, (-1 if hidden else int(which), stacked))
    return target, weight


def _mark(target: Floats, weight: Floats, at: tuple[float, float], what: tuple[int, bool]) -> None:
    """Draw one piece's peak; a hidden one (class -1) only takes the weight away."""
    size, reach = target.shape[1], 6
    rows = slice(max(0, round(at[0]) - reach), min(size, round(at[0]) + reach + 1))
    columns = slice(max(0, round(at[1]) - reach), min(size, round(at[1]) + reach + 1))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    ys, xs = np.ogrid[rows, columns]
    square = ((xs - at[1]) ** 2 + (ys - at[0]) ** 2).astype(np.float32)
    which, stacked = what
    if which < 0:
        weight[: len(CLASSES), rows, columns][:, square < 16] = 0
        return
    peak = np.exp(-square / np.float32(2 * SPREAD**2))
    peak[(ys == round(at[0])) & (xs == round(at[1]))] = 1.0
    target[which, rows, columns] = np.maximum(target[which, rows, columns], peak)
    weight[STACKED, rows, columns][square < 2.2] = 1
    target[STACKED, rows, columns][square < 2.2] = float(stacked)


def _turned(seen: Floats, target: Floats, weight: Floats, rng: Rng) -> tuple[Floats, Floats, Floats]:
    """One of the eight ways to lay a square; the up field's directions follow."""
    seen = seen.copy()
    if rng.random() < 0.5:
        seen, target, weight = seen[:, :, ::-1].copy(), target[:, :, ::-1], weight[:, :, ::-1]
        seen[6] *= -1
    if rng.random() < 0.5:
        seen, target, weight = seen[:, ::-1].copy(), target[:, ::-1], weight[:, ::-1]
        seen[7] *= -1
    if rng.random() < 0.5:
        seen, target, weight = (one.transpose(0, 2, 1) for one in (seen, target, weight))
        seen = seen[[0, 1, 2, 3, 4, 5, 7, 6]]
    return np.ascontiguousarray(seen), np.ascontiguousarray(target), np.ascontiguousarray(weight)


def _relit(board: Floats, reference: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Other exposure, balance and noise than rendered, the same for both, and a little apart; drifting light."""
    common = rng.normal(1, 0.08, 3) * rng.normal(1, 0.12)
    apart = rng.normal(1, 0.03, 3) * rng.normal(1, 0.03)
    patches = rng.normal(1, float(rng.uniform(0, 0.06)), (3, 3)).astype(np.float32)
    shade = cv2.resize(patches, (board.shape[1], board.shape[0]), interpolation=cv2.INTER_CUBIC)
    board = board * (common * apart).astype(np.float32) * shade[..., None] - np.float32(BRIGHTNESS)
    reference = reference * common.astype(np.float32) - np.float32(BRIGHTNESS)
    if rng.random() < 0.5:
        strength = np.float32(rng.uniform(0, 0.04))
        board += _noise(board.shape, rng) * strength
        reference += _noise(board.shape, rng) * strength
    return board, reference


NOISE = np.random.default_rng(1).standard_normal((CROP * 2, CROP * 2, 3), np.float32)


def _noise(shape: tuple[int, ...], rng: Rng) -> Floats:
    """A random part of one sheet of noise: new noise for each crop would cost more than all else."""
    row, column = (int(v) for v in rng.integers(0, CROP, 2))
    return NOISE[row : row + shape[0], column : column + shape[1]]
