"""A very small convolutional network that finds the tops of dice in windows and counts their pips.

It sees windows (`vision/dice/windows.py`) and answers with heat maps at a quarter of their size: where the middle of a
top is, after Zhou et al., Objects as Points, 2019, and which of CLASSES it shows there, or that nobody should read it.
Weights and how they were made: `vision/weights/dice.onnx`, `training/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.windows import WINDOW_PX
from vision.onnx_model import OnnxModel, packaged_model

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

CLASSES = (0, 1, 2)
UNREADABLE = len(CLASSES)
STRIDE = 4
CELLS = WINDOW_PX // STRIDE
# Peaks so near a window's edge are left to another window that shows more of them.
EDGE_CELLS = 3
# Grey levels added to a window's spread before its colours are evened by it, so that plain ground stays plain.
LEAST_SPREAD = 14.0
WEIGHTS = "dice.onnx"


@dataclass(frozen=True, slots=True)
class Top:
    """A die's top found in a window: its middle in px, how sure it is a die at all, and the chance of each class."""

    px: tuple[float, float]
    score: float
    chances: tuple[float, ...]


def blob(windows: list[Picture], leans: list[float]) -> Floats:
    """Return the (N, 4, 96, 96) input of the network: colours with their spread evened out, and the lean everywhere."""
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
        """Return for each (96, 96, 3) window the tops in its middle part that are at least so sure, surest first."""
        if not windows:
            return []
        (scores,) = self._model.run({"windows": blob(windows, leans)}, ["scores"])
        return [tops_of(each, least) for each in scores]


def tops_of(scores: Floats, least: float) -> list[Top]:
    """Find the peaks of one window's raw scores (5, 24, 24): the heat, then the classes."""
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
