"""A very small convolutional network that finds the tops of dice in windows and counts their pips.

A window is a small square picture of a place where a die may lie, turned so that height points up in it. It is
rectified to the plane in which the tops of dice lie, so that a top keeps its shape from whatever side the camera looks,
and what is below a top in the window is a side of that die. Frames: `image` is the frame's pixels, `board` is mm,
`window` is a window's pixels.

The network answers with heat maps at a quarter of a window's size: where the middle of a top is, after Zhou et al.,
Objects as Points, 2019, and which of CLASSES it shows there, or that nobody should read it.
Weights and how they were made: `vision/weights/dice.onnx`, `training/README.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Camera, Floats, Matrix, Picture, apply
from vision.onnx_model import OnnxModel, packaged_model

WINDOW_PX = 96
PX_PER_MM = 2.0
# The height that windows are rectified to: the top of a usual die.
TOP_MM = 13.0
# A frame with more px/mm is shrunk first: a warp that passes pixels over would see noise and aliases.
SHARPEST_PX_PER_MM = 3.2
CENTRE_PX = (WINDOW_PX - 1) / 2
Point = tuple[float, float]

CLASSES = (0, 1, 2)
UNREADABLE = len(CLASSES)
STRIDE = 4
CELLS = WINDOW_PX // STRIDE
# Peaks so near a window's edge are left to another window that shows more of them.
EDGE_CELLS = 3
# Grey levels added to a window's spread before its colours are evened by it, so that plain ground stays plain.
LEAST_SPREAD = 14.0
WEIGHTS = "dice.onnx"


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Where a window lies: `image_from_window` (3, 3), `board_from_window` (3, 3) for points at the height of tops.

    lean: by how much height shifts things there, mm for each mm: 0 is straight from above.
    """

    at_mm: Point
    image_from_window: Matrix
    board_from_window: Matrix
    lean: float

    def mm(self, points_px: npt.ArrayLike) -> Matrix:
        """Return the board points (N, 2), at the height of tops, that pixels (N, 2) of the window show."""
        return apply(self.board_from_window, points_px)


def window_at(at_mm: Point, camera: Camera, image_from_board: Matrix, turn_rad: float = 0.0) -> Window:
    """Return the window round a die's top at a place, turned by `turn_rad` from upright."""
    (lean_x, lean_y), (x, y, z) = camera.up([at_mm], TOP_MM)[0], camera.centre_mm
    lean = math.hypot(lean_x, lean_y)
    way = math.atan2(-lean_y, -lean_x) + turn_rad  # down in the window is towards the camera's foot
    across, down = (math.sin(way), -math.cos(way)), (math.cos(way), math.sin(way))
    turn = np.array([[across[0], down[0], 0], [across[1], down[1], 0], [0, 0, 1]], np.float64)
    scale = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    centred = np.array([[1, 0, -CENTRE_PX], [0, 1, -CENTRE_PX], [0, 0, 1]], np.float64)
    there = np.array([[1, 0, at_mm[0]], [0, 1, at_mm[1]], [0, 0, 1]], np.float64)
    board_from_window = there @ turn @ scale @ centred
    share = TOP_MM / (z - TOP_MM)
    seen_at = np.array([[1 + share, 0, -x * share], [0, 1 + share, -y * share], [0, 0, 1]], np.float64)
    return Window(at_mm, image_from_board @ seen_at @ board_from_window, board_from_window, lean)


def cut_window(frame_bgr: Picture, window: Window) -> Picture:
    """Cut a window out of the frame, (96, 96, 3); beyond the frame its border is repeated."""
    size = (WINDOW_PX, WINDOW_PX)
    corners = apply(window.image_from_window, [[0, 0], [WINDOW_PX, 0], [WINDOW_PX, WINDOW_PX], [0, WINDOW_PX]])
    finer = math.sqrt(cv2.contourArea(corners.astype(np.float32))) / WINDOW_PX * PX_PER_MM / SHARPEST_PX_PER_MM
    if finer <= 1.0:
        warp = window.image_from_window
        source = frame_bgr
    else:
        source, warp = _shrink_around(frame_bgr, corners, finer, window.image_from_window)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(source, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _shrink_around(frame_bgr: Picture, corners: Matrix, finer: float, warp: Matrix) -> tuple[Picture, Matrix]:
    """Shrink the frame round a window so that no pixel is passed over; return that part, and the warp from it."""
    height, width = frame_bgr.shape[:2]
    low = np.clip(np.floor(corners.min(axis=0)) - 2, 0, [width - 2, height - 2]).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)) + 3, low + 2, [width, height]).astype(int)
    part = frame_bgr[low[1] : high[1], low[0] : high[0]]
    columns, rows = (max(2, round(side / finer)) for side in (part.shape[1], part.shape[0]))
    scale_x, scale_y = columns / part.shape[1], rows / part.shape[0]
    fewer = np.array([[scale_x, 0, 0.5 * scale_x - 0.5], [0, scale_y, 0.5 * scale_y - 0.5], [0, 0, 1]], np.float64)
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    small = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), np.asarray(fewer @ shift @ warp, np.float64)


@dataclass(frozen=True, slots=True)
class Top:
    """A die's top in a window: its middle in px, how sure it is a die at all, and the probability of each class."""

    px: tuple[float, float]
    score: float
    chances: tuple[float, ...]


def blob(windows: list[Picture], leans: list[float]) -> Floats:
    """Return the network's input (N, 4, 96, 96): colours with their spread evened out, and the window's lean."""
    full = np.empty((len(windows), 4, WINDOW_PX, WINDOW_PX), np.float32)
    for into, window, lean in zip(full, windows, leans, strict=True):
        middles, spreads = (figure.ravel() for figure in cv2.meanStdDev(window))
        spread = float(np.sqrt((spreads**2).mean() + middles.var()))
        scale = np.float32(1 / (spread + LEAST_SPREAD))
        for channel, middle in enumerate(middles.tolist()):
            np.multiply(window[..., channel] - np.float32(middle), scale, out=into[channel])
        into[3] = lean
    return full


class DiceNetwork:
    """The network with the packaged weights, read when first used."""

    def __init__(self, weights: bytes | None = None) -> None:
        self._weights = weights

    @cached_property
    def _model(self) -> OnnxModel:
        return packaged_model(WEIGHTS) if self._weights is None else OnnxModel(self._weights)

    def find(self, windows: list[Picture], leans: list[float], least: float) -> list[list[Top]]:
        """Return, for each window (96, 96, 3), the tops in its middle that are `least` sure or more, surest first."""
        if not windows:
            return []
        (scores,) = self._model.run({"windows": blob(windows, leans)}, ["scores"])
        return [tops_of(each, least) for each in scores]


def tops_of(scores: Floats, least: float) -> list[Top]:
    """Find the tops in one window's raw scores (5, 24, 24): the heat, then the classes; at least `least` sure."""
    heat = 1 / (1 + np.exp(-np.clip(scores[0], -30, 30)))
    inner = slice(EDGE_CELLS, CELLS - EDGE_CELLS)
    peak = np.zeros(heat.shape, bool)
    peak[inner, inner] = ((heat >= least) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))))[inner, inner]
    found = [_top(heat, scores, int(row), int(column)) for row, column in zip(*np.nonzero(peak), strict=True)]
    return sorted(found, key=lambda top: -top.score)


def _top(heat: Floats, scores: Floats, row: int, column: int) -> Top:
    """Return a peak's middle as the heat's own middle round it, and the classes at the peak."""
    near = heat[row - 1 : row + 2, column - 1 : column + 2]
    steps = np.array([-1.0, 0.0, 1.0])
    x, y = float((near.sum(axis=0) * steps).sum() / near.sum()), float((near.sum(axis=1) * steps).sum() / near.sum())
    raw = scores[1:, row, column]
    odds = np.exp(raw - raw.max())
    middle = (STRIDE - 1) / 2
    chances = tuple(float(share) for share in odds / odds.sum())
    return Top(((column + x) * STRIDE + middle, (row + y) * STRIDE + middle), float(heat[row, column]), chances)
