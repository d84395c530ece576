"""A small convolutional network that finds pieces on the board image, run by OpenCV's dnn.

It sees the frame and the empty board side by side, both as board images on `network_grid`, and how far height moves
things there; it answers with heat maps of the pieces' BASES (where they touch the board, not where their tops appear),
after Zhou et al., Objects as Points, 2019. Weights and how they were made: `vision/weights`, `training/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError
from vision.geometry import Grid

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

CLASSES = tuple((faction, kind) for faction in ("red", "black") for kind in ("troop", "ship", "commander"))
COVERED, STACKED = len(CLASSES), len(CLASSES) + 1
PX_PER_MM = 2.0
STRIDE = 4
STEP = 8
BRIGHTNESS = 0.45
UP_GAIN = 2.0
WEIGHTS = "pieces.onnx"


def network_grid(size_mm: tuple[float, float]) -> Grid:
    """The board image that the network looks at: 2 px/mm, 8 mm margin."""
    return Grid(size_mm, PX_PER_MM, 8.0)


def gains(board_bgr: Picture, reference_bgr: Picture) -> tuple[Floats, np.float32]:
    """What to multiply the frame (3,) and the reference with: its mean then has a fixed brightness.

    The frame takes the reference's colours: per channel, the middle of their ratios is made 1.
    """
    board, reference = (np.asarray(one[::5, ::5], np.float32) for one in (board_bgr, reference_bgr))
    ratio = np.median((reference + 8) / (board + 8), axis=(0, 1))
    gain = np.float32(BRIGHTNESS / max(4.0, float(reference.mean())))
    return np.asarray(ratio * gain, np.float32), gain


def blob(board_bgr: Picture, reference_bgr: Picture, up_field: Floats) -> Floats:
    """(1, 8, rows, columns) input of the network; the sides grow to multiples of 8."""
    board_gain, reference_gain = gains(board_bgr, reference_bgr)
    board, reference = (
        board_bgr * board_gain - np.float32(BRIGHTNESS),
        reference_bgr * reference_gain - np.float32(BRIGHTNESS),
    )
    rows, columns = board.shape[:2]
    full = np.zeros((1, 8, -(-rows // STEP) * STEP, -(-columns // STEP) * STEP), np.float32)
    full[0, :3, :rows, :columns] = board.transpose(2, 0, 1)
    full[0, 3:6, :rows, :columns] = reference.transpose(2, 0, 1)
    full[0, 6:, :rows, :columns] = up_field.transpose(2, 0, 1) * np.float32(UP_GAIN)
    return full


@dataclass(frozen=True, slots=True)
class Find:
    """A piece found: where its base is on the board, how sure 0 to 1, and how likely a second one stands on it."""

    faction: str
    kind: str
    at_mm: tuple[float, float]
    score: float
    stacked: float


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """The network's answer. `heat` (6, h, w) in the order of CLASSES, `covered` and `stacked` (h, w), all 0 to 1.

    Cell (row, column) has its middle at grid pixel 4 * index + 1.5; `grid` is the board image's, or `network_grid`.
    """

    heat: Floats
    covered: Floats
    stacked: Floats
    grid: Grid

    def mm(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """(N, 2) board points of cells, which may be fractions."""
        middle = (STRIDE - 1) / 2
        pixels = np.stack([np.asarray(columns, float), np.asarray(rows, float)], axis=-1) * STRIDE + middle
        return self.grid.mm(pixels)

    def cells(self, points_mm: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """(N, 2) row and column, as fractions, of board points."""
        pixels = self.grid.px(points_mm)
        return np.asarray((pixels[:, ::-1] - (STRIDE - 1) / 2) / STRIDE, np.float64)

    def peaks(self, least: float = 0.3) -> tuple[Find, ...]:
        """Pieces found, the surest first: local maxima of each class, and of two classes at one place the surer."""
        found = [find for which in range(len(CLASSES)) for find in self._of_class(which, least)]
        kept: list[Find] = []
        for find in sorted(found, key=lambda one: -one.score):
            if all(_apart(find, other) for other in kept):
                kept.append(find)
        return tuple(kept)

    def _of_class(self, which: int, least: float) -> list[Find]:
        heat = self.heat[which]
        highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((heat >= least) & (heat >= highest))
        faction, kind = CLASSES[which]
        found = []
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            x, y = self.mm([row + _offset(heat, row, column, 0)], [column + _offset(heat, row, column, 1)])[0]
            stacked = float(self.stacked[row, column]) if kind == "troop" else 0.0
            found.append(Find(faction, kind, (float(x), float(y)), float(heat[row, column]), stacked))
        return found


APART_MM = {"troop": 7.0, "commander": 6.0, "ship": 7.5}


def _apart(one: Find, other: Find) -> bool:
    least = min(APART_MM[one.kind], APART_MM[other.kind])
    return bool(np.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1]) >= least)


def _offset(heat: Floats, row: int, column: int, axis: int) -> float:
    """How far, in cells, the top of a peak lies beside its cell: a parabola through the logs of three cells."""
    line, index = (heat[:, column], row) if axis == 0 else (heat[row], column)
    if not 0 < index < len(line) - 1:
        return 0.0
    low, middle, high = np.log(np.maximum(line[index - 1 : index + 2], 1e-6)).tolist()
    bend = low - 2 * middle + high
    return float(np.clip((low - high) / (2 * bend), -0.5, 0.5)) if bend < -1e-9 else 0.0


class PieceNetwork:
    """The network with the packaged weights, read when first used."""

    def __init__(self, weights: bytes | None = None) -> None:
        self._weights = weights

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        data = self._weights
        if data is None:
            data = resources.files("vision").joinpath("weights", WEIGHTS).read_bytes()
        try:
            return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except cv2.error as error:
            raise VisionError("the piece network's weights cannot be read: this OpenCV has no use for them") from error

    def find(self, board_bgr: Picture, reference_bgr: Picture, up_field: Floats, grid: Grid) -> Finds:
        """Pieces on a board image (rows, columns, 3), given the empty board's and the up field (rows, columns, 2).

        All three lie on `grid`; where that has another scale than `network_grid`, they are resampled to it.
        """
        own = grid
        if grid.px_per_mm != PX_PER_MM:
            own = network_grid(grid.size_mm)
            board_bgr, reference_bgr = _resampled(board_bgr, grid, own), _resampled(reference_bgr, grid, own)
            up_field = _resampled(up_field, grid, own)
        self._net.setInput(blob(board_bgr, reference_bgr, up_field))
        return finds(np.asarray(self._net.forward()[0], np.float32), own)


def finds(scores: Floats, grid: Grid) -> Finds:
    """The network's raw (8, h, w) scores as probabilities on the grid, without the cells that were padding."""
    rows, columns = (-(-side // STRIDE) for side in grid.shape)
    sure = 1 / (1 + np.exp(-np.clip(scores[:, :rows, :columns], -30, 30)))
    sure = np.asarray(sure, np.float32)
    return Finds(np.ascontiguousarray(sure[: len(CLASSES)]), sure[COVERED], sure[STACKED], grid)


def _resampled(image: npt.NDArray[Any], grid: Grid, own: Grid) -> npt.NDArray[Any]:
    rows, columns = own.shape
    scale = own.px_per_mm / grid.px_per_mm
    shift = (own.margin_mm - grid.margin_mm) * own.px_per_mm
    move = np.array([[scale, 0, shift], [0, scale, shift]])
    return np.asarray(cv2.warpAffine(image, move, (columns, rows), borderMode=cv2.BORDER_REPLICATE))
