"""What each pixel of the board image says: printed board, a piece of a faction, or something else.

The frame is first brought to the reference's light (a smooth gain for each colour channel). Then each pixel is
weighed: how well the reference, lit or in shadow, explains it, and how well a faction's colours do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Mask, Picture
from vision.looks import Colour, Looks

CELL_PX = 16
GAIN_ROUNDS = 6
DARK = 8.0
LIGHT = (-0.15, 1.25)
LIT = (0.80, 1.2)
SHADOW_COST = 1.2
COLOUR_SCALE = (0.72, 1.32)
MOST_HAZE = 0.35
HAZE_COST = 3.0
VIVID = 0.4
OTHER = -7.0
LIMIT = 4.0
CUBE_BITS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """What is known of the empty board for weighing frames, once for a table.

    image_bgr: its board image (H, W, 3); low, high: the least and most of each pixel's neighbourhood, float32;
    spread: (H, W) how far a pixel may stray; shade: (3,) what is left of each channel in full shadow; cubes: for each faction a cube of log likelihoods by colour; potential: for
    each faction (H, W), how much the sight of the bare board speaks against a piece of it there.
    """

    image_bgr: Picture
    low: Floats
    high: Floats
    plain: Floats
    spread: Floats
    shade: Floats
    cubes: Mapping[str, Floats]
    potential: Mapping[str, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The pixels' votes over a board image.

    normal_bgr: (H, W, 3) float32, the frame in the reference's light. votes: for each faction (H, W) float32, log
    of how much more likely a piece of it is than the board, within ±LIMIT. board: (H, W) log likelihood of the board;
    foreign: (H, W) bool, neither board nor piece.
    """

    normal_bgr: Floats
    votes: Mapping[str, Floats]
    board: Floats
    foreign: Mask


def print_of(image_bgr: Picture, looks: Looks) -> Print:
    """What is known of the empty board from its board image (H, W, 3) uint8 BGR."""
    kernel = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(image_bgr, kernel).astype(np.float32), cv2.dilate(image_bgr, kernel).astype(np.float32)
    plain = image_bgr.astype(np.float32)
    spread = looks.noise * (0.7 + plain.max(axis=2) / 255.0) + 3.0
    cubes = {look.faction: colour_cube(look.colours, looks.noise) for look in looks.factions}
    own = np.zeros(spread.shape, np.float32)
    index = _cube_index(plain)
    potential = {faction: -_vote(cube[index], own) for faction, cube in cubes.items()}
    shade = np.asarray(looks.shade, np.float32)
    return Print(image_bgr, low, high, plain, spread.astype(np.float32), shade, cubes, potential)


def _cells(log_ratio: Floats) -> Floats:
    """(rows, columns, 3) median of each cell of CELL_PX pixels."""
    rows, columns = (side // CELL_PX for side in log_ratio.shape[:2])
    cut = log_ratio[: rows * CELL_PX, : columns * CELL_PX].reshape(rows, CELL_PX, columns, CELL_PX, 3)
    flat = cut.transpose(0, 2, 1, 3, 4).reshape(rows, columns, CELL_PX * CELL_PX, 3)
    return np.asarray(np.median(flat, axis=2), np.float32)


def _terms(rows: int, columns: int) -> Floats:
    """(rows, columns, 6) the terms of a quadratic surface, over coordinates from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)


def _log_small(image: npt.NDArray[np.uint8]) -> Floats:
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(half.astype(np.float32) + DARK), np.float32)


def gain_of(frame_bgr: Picture, reference_bgr: Picture) -> Floats:
    """(H, W, 3) float32: by what the reference's board image has to be multiplied to get the frame's light.

    A quadratic surface through the cells' medians of the log ratio, reweighted so that pieces, hands
    and shadows count little.
    """
    cells = _cells(_log_small(frame_bgr) - _log_small(reference_bgr))
    rows, columns = cells.shape[:2]
    terms, values = _terms(rows, columns).reshape(-1, 6), cells.reshape(-1, 3)
    inner = np.zeros((rows, columns), np.float32)
    inner[2:-2, 2:-2] = 1.0
    weight = inner.ravel()
    for _ in range(GAIN_ROUNDS):
        fit = np.linalg.lstsq(terms * weight[:, None], values * weight[:, None], rcond=None)[0]
        off = np.abs(values - terms @ fit).max(axis=1)
        scale = max(0.02, 1.5 * float(np.median(off[inner.ravel() > 0])))
        weight = inner.ravel() / (1 + (off / scale) ** 2)
    surface = np.exp((terms @ fit).reshape(rows, columns, 3)).astype(np.float32)
    height, width = frame_bgr.shape[:2]
    return np.asarray(cv2.resize(surface, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def normalised(frame_bgr: Picture, gain: Floats) -> Floats:
    """The frame's board image in the reference's light, (H, W, 3) float32."""
    return np.asarray(np.clip((frame_bgr.astype(np.float32) + DARK) / gain - DARK, 0, 255), np.float32)


def light_of(normal: Floats, known: Print) -> Floats:
    """(H, W) how much of the lamp's light falls on each pixel of the bare board: 1 as in the reference, 0 in full shadow."""
    ones = np.ones((1, 3), np.float32)
    dark = known.plain * known.shade
    lamp = known.plain - dark
    return np.asarray(
        cv2.transform((normal - dark) * lamp, ones) / (cv2.transform(lamp * lamp, ones) + 1), np.float32
    )


def board_log(normal: Floats, known: Print, lights: tuple[float, float] = LIGHT) -> Floats:
    """(H, W) log likelihood that a pixel shows the printed board, lit or in shadow, moved by a pixel or not."""
    light = np.clip(light_of(normal, known), *lights)
    shade = known.shade + (1 - known.shade) * light[..., None]
    gap = np.maximum(np.maximum(known.low * shade - normal, normal - known.high * shade), 0)
    square = cv2.transform(gap * gap, np.ones((1, 3), np.float32))
    cost = SHADOW_COST * ((light < LIT[0]) | (light > LIT[1]))
    return np.asarray(-0.5 * square / (known.spread * known.spread) - cost, np.float32)


def colour_log(colours_bgr: Floats, own: tuple[Colour, ...], noise: float) -> Floats:
    """(N,) log likelihood that these (N, 3) colours are a piece's own, somewhat lighter, darker or hazed by glare."""
    spread = 1.5 * noise + 7.0
    best = np.full(len(colours_bgr), -np.inf, np.float32)
    for colour in own:
        tint = np.asarray(colour, np.float32)
        most = MOST_HAZE if max(colour) - min(colour) > VIVID * max(colour) else 0.0
        for haze in np.arange(0, most + 0.01, 0.05):
            rest = colours_bgr - 255.0 * haze
            scale = np.clip(rest @ tint / float(tint @ tint + 1), *COLOUR_SCALE)
            gap = rest - scale[:, None] * tint
            value = -0.5 * (gap * gap).sum(axis=1) / (spread * spread) - HAZE_COST * haze / MOST_HAZE
            best = np.maximum(best, value)
    return np.asarray(best, np.float32)


def colour_cube(own: tuple[Colour, ...], noise: float) -> Floats:
    """(n, n, n) float32: `colour_log` of all colours, blue, green, red, in steps."""
    side = 1 << CUBE_BITS
    middles = (np.arange(side) + 0.5) * (256 / side)
    grid = np.stack(np.meshgrid(middles, middles, middles, indexing="ij"), axis=-1).reshape(-1, 3)
    return colour_log(grid.astype(np.float32), own, noise).reshape(side, side, side)


def _cube_index(colours_bgr: Floats) -> tuple[npt.NDArray[Any], ...]:
    steps = np.clip(colours_bgr, 0, 255).astype(np.uint8) >> (8 - CUBE_BITS)
    return steps[..., 0], steps[..., 1], steps[..., 2]


def _vote(piece: Floats, board: Floats) -> Floats:
    rest = np.maximum(board, OTHER)
    return np.asarray(np.clip(np.maximum(piece, OTHER - LIMIT) - rest, -LIMIT, LIMIT), np.float32)


def evidence_of(frame_bgr: Picture, known: Print) -> Evidence:
    """Weigh every pixel of a frame's board image (H, W, 3) uint8 BGR against the empty board's."""
    normal = normalised(frame_bgr, gain_of(frame_bgr, known.image_bgr))
    board = board_log(normal, known)
    index = _cube_index(normal)
    pieces = {faction: cube[index] for faction, cube in known.cubes.items()}
    votes = {faction: _vote(piece, board) for faction, piece in pieces.items()}
    foreign = board < OTHER
    for piece in pieces.values():
        foreign &= piece < OTHER
    return Evidence(normal, votes, board, np.asarray(foreign, np.bool_))
