"""What each pixel of the board image says: printed board, a piece of a faction, or something else.

The frame is first brought to the reference's light (a smooth gain for each colour channel). Then each pixel is
weighed: how well the reference, lit or in shadow, explains it, and how well a faction's colours do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Picture
from vision.looks import Colour, Looks

CELL_PX = 16
GAIN_ROUNDS = 6
DARK = 8.0
SHADOW = (0.30, 1.15)
LIT = (0.90, 1.10)
SHADOW_COST = 1.2
COLOUR_SCALE = (0.72, 1.32)
OTHER = -7.0
LIMIT = 4.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pixels' votes over a board image.

    normal_bgr: (H, W, 3) float32, the frame in the reference's light. votes: for each faction (H, W) float32, log
    of how much more likely a piece of it is than the board, within ±LIMIT. potential: the same shape, what
    the vote would be lost if the board were seen (0 where print and piece look alike). foreign: (H, W) bool, neither board nor piece.
    """

    normal_bgr: Floats
    votes: Mapping[str, Floats]
    potential: Mapping[str, Floats]
    foreign: Mask


def _cells(log_ratio: Floats) -> Floats:
    """(rows, columns, 3) median of each cell of CELL_PX pixels."""
    rows, columns = (side // CELL_PX for side in log_ratio.shape[:2])
    cut = log_ratio[: rows * CELL_PX, : columns * CELL_PX].reshape(rows, CELL_PX, columns, CELL_PX, 3)
    flat = cut.transpose(0, 2, 1, 3, 4).reshape(rows, columns, CELL_PX * CELL_PX, 3)[:, :, ::5]
    return np.asarray(np.median(flat, axis=2), np.float32)


def _terms(rows: int, columns: int) -> Floats:
    """(rows, columns, 6) the terms of a quadratic surface, over coordinates from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)


def gain_of(frame_bgr: Picture, reference_bgr: Picture) -> Floats:
    """(H, W, 3) float32: by what the reference's board image has to be multiplied to get the frame's light.

    A quadratic surface through the cells' medians of the log ratio, reweighted so that pieces, hands
    and shadows count little.
    """
    ratio = np.log(frame_bgr.astype(np.float32) + DARK) - np.log(reference_bgr.astype(np.float32) + DARK)
    cells = _cells(ratio)
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
    return np.asarray(np.maximum((frame_bgr.astype(np.float32) + DARK) / gain - DARK, 0), np.float32)


def _noise(reference: Floats, noise: float) -> Floats:
    """(H, W) how far a pixel may stray: more where it is bright, never less than the picture's noise."""
    return np.asarray(noise * (0.7 + reference.max(axis=2) / 255.0) + 3.0, np.float32)


def board_log(
    normal: Floats, reference_bgr: Picture, noise: float, shades: tuple[float, float] = SHADOW
) -> Floats:
    """(H, W) log likelihood that a pixel shows the printed board, lit or in shadow, moved by a pixel or not."""
    kernel = np.ones((3, 3), np.uint8)
    low = cv2.erode(reference_bgr, kernel).astype(np.float32)
    high = cv2.dilate(reference_bgr, kernel).astype(np.float32)
    reference = reference_bgr.astype(np.float32)
    light = (normal * reference).sum(axis=2) / ((reference * reference).sum(axis=2) + 1)
    shade = np.clip(light, *shades)
    gap = np.maximum(np.maximum(low * shade[..., None] - normal, normal - high * shade[..., None]), 0)
    spread = _noise(reference, noise)
    cost = SHADOW_COST * ((shade < LIT[0]) | (shade > LIT[1]))
    return np.asarray(-0.5 * (gap * gap).sum(axis=2) / (spread * spread) - cost, np.float32)


def colour_log(normal: Floats, colours: tuple[Colour, ...], noise: float) -> Floats:
    """(H, W) log likelihood that a pixel shows one of these colours, somewhat lighter or darker."""
    best = np.full(normal.shape[:2], np.inf, np.float32)
    for colour in colours:
        tint = np.asarray(colour, np.float32)
        scale = np.clip(normal @ tint / float(tint @ tint + 1), *COLOUR_SCALE)
        gap = normal - scale[..., None] * tint
        best = np.minimum(best, (gap * gap).sum(axis=2))
    spread = 1.5 * noise + 7.0
    return np.asarray(-0.5 * best / (spread * spread), np.float32)


def _vote(piece: Floats, board: Floats) -> Floats:
    rest = np.logaddexp(board, OTHER)
    return np.asarray(np.clip(np.maximum(piece, OTHER - LIMIT) - rest, -LIMIT, LIMIT), np.float32)


def evidence_of(frame_bgr: Picture, reference_bgr: Picture, looks: Looks) -> Evidence:
    """Weigh every pixel of a frame's board image against the reference's, both (H, W, 3) uint8 BGR."""
    normal = normalised(frame_bgr, gain_of(frame_bgr, reference_bgr))
    board = board_log(normal, reference_bgr, looks.noise)
    own = np.zeros(board.shape, np.float32)
    plain = reference_bgr.astype(np.float32)
    votes, potential, best = {}, {}, board
    for look in looks.factions:
        piece = colour_log(normal, look.colours, looks.noise)
        votes[look.faction] = _vote(piece, board)
        potential[look.faction] = -_vote(colour_log(plain, look.colours, looks.noise), own)
        best = np.maximum(best, piece)
    return Evidence(normal, votes, potential, np.asarray(best < OTHER, np.bool_))
