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

CELL_PX = 8
LIKE_WINDOW_PX = 9
LIKE_FLOOR = 9.0
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
LOST = 0.3
PATTERN = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A picture of bare board to compare with, float32: as it is, the least and most of each pixel's neighbourhood.

    spread: (H, W) how far a pixel may stray; shade: (3,) what is left of each channel in full shadow.
    """

    plain: Floats
    low: Floats
    high: Floats
    spread: Floats
    shade: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """What is known of the empty board for weighing frames, once for a table.

    image_bgr: its board image (H, W, 3); ground: the same to compare with; dressed: windows in which tokens lay at the
    start, and the ground with them; cubes: for each faction a cube of log likelihoods by colour; potential: for each
    faction (H, W), how much the sight of the bare board speaks against a piece of it there.
    """

    image_bgr: Picture
    ground: Ground
    dressed: tuple[tuple[tuple[slice, slice], Ground], ...]
    cubes: Mapping[str, Floats]
    potential: Mapping[str, Floats]
    strengths: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The pixels' votes over a board image.

    normal_bgr: (H, W, 3) float32, the frame in the reference's light. votes: for each faction (H, W) float32, log
    of how much more likely a piece of it is than the board, within ±LIMIT. board: (H, W) the board's likelihood;
    foreign: (H, W) bool, neither board nor piece; lost: (H, W) bool, the print's pattern should show and does not.
    """

    normal_bgr: Floats
    votes: Mapping[str, Floats]
    board: Floats
    foreign: Mask
    lost: Mask


def ground_of(image_bgr: Picture, looks: Looks) -> Ground:
    """A picture of bare board (H, W, 3) uint8 BGR made ready to compare with."""
    kernel = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(image_bgr, kernel).astype(np.float32), cv2.dilate(image_bgr, kernel).astype(np.float32)
    plain = image_bgr.astype(np.float32)
    spread = looks.noise * (0.7 + plain.max(axis=2) / 255.0) + 3.0
    return Ground(plain, low, high, spread.astype(np.float32), np.asarray(looks.shade, np.float32))


def print_of(image_bgr: Picture, looks: Looks, dressed_bgr: Picture | None = None) -> Print:
    """What is known of the empty board from its board image and from another with tokens on it, (H, W, 3) BGR."""
    ground = ground_of(image_bgr, looks)
    cubes = {look.faction: colour_cube(look.colours, looks.noise) for look in looks.factions}
    own = np.zeros(ground.spread.shape, np.float32)
    index = _cube_index(ground.plain)
    potential = {faction: -_vote(cube[index], own) for faction, cube in cubes.items()}
    windows = [] if dressed_bgr is None else _windows(image_bgr, dressed_bgr)
    dressed = tuple((window, ground_of(np.asarray(dressed_bgr)[window], looks)) for window in windows)
    strengths = {look.faction: look.strength for look in looks.factions}
    return Print(image_bgr, ground, dressed, cubes, potential, strengths)


def _windows(image_bgr: Picture, dressed_bgr: Picture) -> list[tuple[slice, slice]]:
    """Where two board images differ, as windows."""
    differ = (image_bgr != dressed_bgr).any(axis=2).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(differ, np.ones((5, 5), np.uint8)))
    return [(slice(int(y), int(y + h)), slice(int(x), int(x + w))) for x, y, w, h, _ in stats[1:]]


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


def _grey(image: Floats) -> Floats:
    return np.asarray(cv2.transform(image, np.full((1, 3), 1 / 3, np.float32)), np.float32)


def likeness(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """How alike two grey pictures (H, W) are about each pixel, -1 to 1 in any light; the other's contrast there."""
    window = (LIKE_WINDOW_PX, LIKE_WINDOW_PX)
    mean, mean_other = cv2.blur(one, window), cv2.blur(other, window)
    spread = np.maximum(cv2.blur(one * one, window) - mean * mean, 0)
    spread_other = np.maximum(cv2.blur(other * other, window) - mean_other * mean_other, 0)
    both = cv2.blur(one * other, window) - mean * mean_other
    alike = both / np.sqrt((spread + LIKE_FLOOR) * (spread_other + LIKE_FLOOR))
    return np.asarray(alike, np.float32), np.asarray(np.sqrt(spread_other), np.float32)


def gain_of(frame_bgr: Picture, reference_bgr: Picture) -> Floats:
    """(H, W, 3) float32: by what the reference's board image has to be multiplied to get the frame's light.

    A quadratic surface through the cells' medians of the log ratio. Cells count by how much their pattern is still the
    reference's, and the less the further they are off, so that pieces, hands and shadows matter little.
    """
    frame_log, reference_log = _log_small(frame_bgr), _log_small(reference_bgr)
    cells = _cells(frame_log - reference_log)
    rows, columns = cells.shape[:2]
    alike, _ = likeness(_grey(frame_log) * 100, _grey(reference_log) * 100)
    seen = cv2.resize(alike, (columns, rows), interpolation=cv2.INTER_AREA)
    inner = np.zeros((rows, columns), np.float32)
    inner[2:-2, 2:-2] = np.clip(seen, 0.02, 1)[2:-2, 2:-2] ** 2
    return _smooth(cells, inner, frame_bgr.shape[:2])


def _smooth(cells: Floats, trust: Floats, shape: tuple[int, ...]) -> Floats:
    """(H, W, 3) the exponential of a quadratic surface through the cells, weighed by trust and by closeness."""
    rows, columns = cells.shape[:2]
    terms, values, trusted = _terms(rows, columns).reshape(-1, 6), cells.reshape(-1, 3), trust.ravel()
    fit = np.zeros((6, 3), np.float32)
    fit[0] = np.median(values[trusted > np.median(trusted[trusted > 0])], axis=0)
    for _ in range(GAIN_ROUNDS):
        off = np.abs(values - terms @ fit).max(axis=1)
        scale = max(0.02, 1.5 * float(np.median(off[trusted > np.median(trusted[trusted > 0])])))
        weight = np.sqrt(trusted) / (1 + (off / scale) ** 2)
        ridge = np.diag([0.0] + [0.5] * 5).astype(np.float32)
        rows_of = np.vstack([terms * weight[:, None], ridge])
        fit = np.linalg.lstsq(rows_of, np.vstack([values * weight[:, None], np.zeros((6, 3))]), rcond=None)[0]
    surface = np.exp((terms @ fit).reshape(rows, columns, 3)).astype(np.float32)
    return np.asarray(cv2.resize(surface, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)


def normalised(frame_bgr: Picture, gain: Floats) -> Floats:
    """The frame's board image in the reference's light, (H, W, 3) float32."""
    return np.asarray(np.clip((frame_bgr.astype(np.float32) + DARK) / gain - DARK, 0, 255), np.float32)


def light_of(normal: Floats, ground: Ground) -> Floats:
    """(H, W) how much of the lamp's light falls on the bare board: 1 as in the reference, 0 in full shadow."""
    ones = np.ones((1, 3), np.float32)
    dark = ground.plain * ground.shade
    lamp = ground.plain - dark
    light = cv2.transform((normal - dark) * lamp, ones) / (cv2.transform(lamp * lamp, ones) + 1)
    return np.asarray(light, np.float32)


def board_log(normal: Floats, ground: Ground, lights: tuple[float, float] = LIGHT) -> Floats:
    """(H, W) log likelihood that a pixel shows the printed board, lit or in shadow, moved by a pixel or not."""
    light = np.clip(light_of(normal, ground), *lights)
    shade = ground.shade + (1 - ground.shade) * light[..., None]
    gap = np.maximum(np.maximum(ground.low * shade - normal, normal - ground.high * shade), 0)
    square = cv2.transform(gap * gap, np.ones((1, 3), np.float32))
    cost = SHADOW_COST * ((light < LIT[0]) | (light > LIT[1]))
    return np.asarray(-0.5 * square / (ground.spread * ground.spread) - cost, np.float32)


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
    board = board_log(normal, known.ground)
    for window, ground in known.dressed:
        board[window] = np.maximum(board[window], board_log(normal[window], ground))
    index = _cube_index(normal)
    pieces = {faction: cube[index] for faction, cube in known.cubes.items()}
    votes = {faction: _strengthened(_vote(piece, board), known.strengths[faction]) for faction, piece in pieces.items()}
    foreign = board < OTHER
    for piece in pieces.values():
        foreign &= piece < OTHER
    return Evidence(normal, votes, board, np.asarray(foreign, np.bool_), _lost(normal, known.ground.plain))


def _strengthened(vote: Floats, strength: float) -> Floats:
    """Votes for a piece scaled so that a known piece's come out at full strength."""
    return np.asarray(np.minimum(np.where(vote > 0, vote / strength, vote), LIMIT), np.float32)


def _lost(normal: Floats, plain: Floats) -> Mask:
    half = (cv2.resize(_grey(image), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for image in (normal, plain))
    grey, reference = (np.asarray(image, np.float32) for image in half)
    alike, contrast = likeness(grey, reference)
    lost = ((alike < LOST) & (contrast > PATTERN)).astype(np.uint8)
    return np.asarray(cv2.resize(lost, normal.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0, np.bool_)
