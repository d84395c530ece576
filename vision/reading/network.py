"""A convolutional network that finds pieces on the board image.

It sees the frame beside what it made of the empty board (once for a table), knows how far height moves things at each
place and how single pieces of this table looked in the photo of the start. It answers with heat maps of the pieces'
BASES (where they touch the board, not where their tops appear), after Zhou et al., Objects as Points, 2019.
Weights and how they were made: `vision/weights`, `training/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Grid
from vision.onnx_model import OnnxModel, packaged_model
from vision.reading.piece_sets import DISC, LEADER, SECOND, SHIPS, PieceSet

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Window = tuple[slice, slice]
Class = tuple[str, str]
Cells = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]

CLASSES = SHIPS.classes
"""The answers in their order, named as for the first set of pieces; others have theirs (`reading.piece_sets`)."""
COVERED, STACKED, THING = len(CLASSES), len(CLASSES) + 1, len(CLASSES) + 2
OUTPUTS = THING + 1
"""Heat of each class, what covers the board, a second disc on one, and heat of a piece of any colour."""
STRIDE = 4
"""Pixels of the board image for a cell of the answer."""
STEP = 8
"""Sides of the input are whole steps of this: the network halves them three times."""
DOWN, ACROSS = slice(1, 9, 3), slice(3, 6)
"""Of 3x3 cells, row by row: the middle column, and the middle row."""
# What the network looks at beyond the areas' outlines: the answers are the same as for the whole board, 5 ms sooner.
AROUND_MM = 12.0
# As in training (training/samples.py): the mean that colours are brought to, and what the up field is multiplied by.
BRIGHTNESS = 0.45
UP_GAIN = 2.0
# Heat of anything that may be a piece whose colour the network doubts.
THING_SEEN = 0.12
# Heat is a probability, and its log odds have to be finite.
LEAST = 1e-6
FRAME_MODEL, PRINTED_MODEL = "pieces.onnx", "printed.onnx"
FINE, COARSE = 24, 48
LOOKS_KINDS = tuple(index for index, (_, kind) in enumerate(CLASSES) if kind != LEADER)
LOOKS = len(LOOKS_KINDS) * (FINE + COARSE + 1)
CELLS_AROUND = np.ones((3, 3), np.uint8)
# The least distance of two peaks of one class. Discs are 11 to 13.5 mm wide: two peaks nearer than this are one disc.
APART_MM, FIGURES_APART_MM = {DISC: 7.0, LEADER: 6.0}, 7.5


def gains(board_bgr: Picture, reference_bgr: Picture) -> tuple[Floats, np.float32]:
    """Return the gains of the frame (3,) and of the reference (a number) that give both a fixed mean brightness.

    The frame takes the reference's colours: per channel, the middle of their ratios is made 1.
    """
    board, reference = (  # every ninth pixel of every ninth row is enough for a median
        np.ascontiguousarray(picture[::9, ::9].reshape(-1, 3).T, np.float32) for picture in (board_bgr, reference_bgr)
    )
    # A median, as most of the board is in sight and lies in the same light; 8 keeps dark pixels' noise out of ratios.
    ratio = np.partition((reference + 8) / (board + 8), board.shape[1] // 2, axis=1)[:, board.shape[1] // 2]
    gain = np.float32(BRIGHTNESS / max(4.0, float(reference.mean())))
    return np.asarray(ratio * gain, np.float32), gain


def _blob(picture: Picture | Floats, gain: npt.ArrayLike, bias: float) -> Floats:
    """Return the network's input (1, N, rows, columns) of (rows, columns, N) * gain - bias, sides padded to 8s."""
    rows, columns, count = picture.shape
    full = np.zeros((1, count, -(-rows // STEP) * STEP, -(-columns // STEP) * STEP), np.float32)
    each = np.broadcast_to(np.asarray(gain, np.float32), (count,))
    for layer, times, filled in zip(cv2.split(np.ascontiguousarray(picture)), each.tolist(), full[0], strict=True):
        cv2.addWeighted(layer, times, layer, 0.0, -bias, dst=filled[:rows, :columns], dtype=cv2.CV_32F)
    return full


@dataclass(frozen=True, slots=True)
class Detection:
    """A piece that may be there: where its base is on the board, and what the network says, each 0 to 1.

    heat: of a piece of its own class; rival: of another class in the same place; mass: mean heat of 3x3 cells;
    stacked: that a second one stands on it; thing: of a piece of any colour.
    """

    faction: str
    kind: str
    at_mm: tuple[float, float]
    heat: float
    rival: float
    mass: float
    stacked: float
    thing: float


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The network's answer. `heat` (6, h, w) in the order of `classes`, the rest (h, w), all 0 to 1.

    `covered`: a hand or a card is there; `stacked`: a second disc is; `thing`: heat of a piece of any colour.

    Cell (row, column) has its middle at grid pixel 4 * index + 1.5.
    """

    heat: Floats
    covered: Floats
    stacked: Floats
    thing: Floats
    grid: Grid
    classes: tuple[tuple[str, str], ...] = CLASSES

    def scores(self) -> Floats:
        """Return the detections as log odds (OUTPUTS, h, w): heat by `classes`, then covered, stacked and thing."""
        rest = np.stack([self.covered, self.stacked, self.thing])
        sure = np.clip(np.concatenate([self.heat, rest]), LEAST, 1 - LEAST)
        return np.asarray(np.log(sure / (1 - sure)), np.float32)

    def with_scores(self, scores: Floats) -> Detections:
        """Return new detections on the same grid, made from these log odds (OUTPUTS, h, w)."""
        return _detections(_chances(scores), self.grid, self.classes)

    def cells_to_mm(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Matrix:
        """Return the points (N, 2) of the board, in mm, at these cells; rows and columns may be fractions."""
        middle = (STRIDE - 1) / 2
        pixels = np.stack([np.asarray(columns, float), np.asarray(rows, float)], axis=-1) * STRIDE + middle
        return self.grid.mm(pixels)

    def peaks(self, least: float) -> tuple[Detection, ...]:
        """Return the local maxima of each class, the surest first; no two of one class are closer than pieces can be.

        Where something stands whose colour the network doubts, it may be a unit of each class that has heat there.
        """
        around = np.asarray([cv2.dilate(layer, CELLS_AROUND) for layer in self.heat], np.float32)
        tops = (self.heat >= least) & (self.heat >= around)
        units = np.array([kind != LEADER for _, kind in self.classes])
        doubted = self._things() & (around[~units] < least).all(axis=0)  # a commander is one, whatever it looks like
        tops |= doubted & units[:, None, None] & (self.heat > 0)
        which, rows, columns = np.nonzero(tops)
        order = np.lexsort((-self.heat[which, rows, columns], which))
        finds: dict[Class, list[Detection]] = {piece_class: [] for piece_class in self.classes}
        for find in self._finds((which[order], rows[order], columns[order]), around):
            finds[find.faction, find.kind].append(find)
        return tuple(
            mine[index]
            for (_, kind), mine in finds.items()
            for index in _spaced([find.at_mm for find in mine], APART_MM.get(kind, FIGURES_APART_MM))
        )

    def things(self) -> list[tuple[tuple[float, float], float]]:
        """Return where something of any colour may stand: ((x, y) in mm, heat), the hottest first."""
        rows, columns = np.nonzero(self._things())
        heats = self.thing[rows, columns]
        order = np.argsort(-heats, kind="stable")
        points: list[tuple[float, float]] = [(x, y) for x, y in self.cells_to_mm(rows, columns)[order].tolist()]
        return [(points[index], float(heats[order[index]])) for index in _spaced(points, APART_MM[DISC])]

    def _things(self) -> npt.NDArray[np.bool_]:
        """Return the peaks of things (h, w): each the maximum of its 3x3 cells, as in Zhou et al., section 3."""
        return np.asarray((self.thing >= THING_SEEN) & (self.thing >= cv2.dilate(self.thing, CELLS_AROUND)), np.bool_)

    def _finds(self, peaks: Cells, around: Floats) -> Iterator[Detection]:
        """Yield the detection that each of these peaks would be; `around` (6, h, w): the most heat of 3x3 cells."""
        which, rows, columns = peaks
        near, there = self._near(peaks)
        down, across = (_offsets(near[:, line], there[:, line]) for line in (DOWN, ACROSS))
        at_mm = self.cells_to_mm(rows + down, columns + across)
        rivals = around[:, rows, columns]
        rivals[which, np.arange(len(which))] = 0
        means = near.sum(axis=1) / there.sum(axis=1)
        things = cv2.dilate(self.thing, CELLS_AROUND)[rows, columns]
        measures = [at_mm, near[:, 4], rivals.max(axis=0), means, self.stacked[rows, columns], things]
        for number, (x, y, *rest) in zip(which.tolist(), np.column_stack(measures).tolist(), strict=True):
            heat, rival, mass, stacked, thing = rest
            faction, kind = self.classes[number]
            yield Detection(faction, kind, (x, y), heat, rival, mass, stacked if kind == DISC else 0.0, thing)

    def _near(self, peaks: Cells) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return the heat of 3x3 cells (N, 9), row by row, 0 beyond the rim; and which of these cells exist."""
        which, rows, columns = (part[:, None] for part in peaks)
        down, across = rows + np.repeat((-1, 0, 1), 3), columns + np.tile((-1, 0, 1), 3)
        height, width = self.heat.shape[1:]
        there = (down >= 0) & (down < height) & (across >= 0) & (across < width)
        heat = self.heat[which, np.clip(down, 0, height - 1), np.clip(across, 0, width - 1)]
        return np.where(there, heat, np.float32(0)), there


def cells_of(points_mm: npt.ArrayLike, grid: Grid) -> Matrix:
    """Convert points (N, 2) of the board in mm to (row, column) in cells (N, 2), fractions included."""
    return np.asarray((grid.px(points_mm)[:, ::-1] - (STRIDE - 1) / 2) / STRIDE, np.float64)


def _spaced(points: Sequence[tuple[float, float]], apart: float) -> list[int]:
    """Which of some points to keep so that no two are nearer than `apart`, the first ones first."""
    if not points:
        return []
    places = np.asarray(points)
    near = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) < apart
    free, kept = np.ones(len(places), np.bool_), []
    for index, around in enumerate(near):
        if free[index]:
            kept.append(index)
            free &= ~around
    return kept


def _offsets(lines: Floats, there: npt.NDArray[np.bool_]) -> Matrix:
    """Return how far, in cells, peaks lie beside their cells (N,): a parabola through the logs of three cells."""
    # The network was taught Gaussian peaks; the log of one is a parabola, so that this is exact for them.
    low, middle, high = np.log(np.maximum(lines, 1e-6), dtype=np.float64).T
    bend = low - 2 * middle + high
    curved = (bend < -1e-9) & there.all(axis=1)
    return np.where(curved, np.clip((low - high) / np.where(curved, 2 * bend, 1.0), -0.5, 0.5), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """What the network made of a table's empty board: features at 1/4 and 1/8, and the board image they are of.

    window: the part of the board image that the network looks at, (rows, columns); steps of STEP pixels.
    """

    image_bgr: Picture
    fine: Floats
    coarse: Floats
    grid: Grid
    window: Window


NOTHING_KNOWN = np.zeros((1, LOOKS), np.float32)


class PieceNetwork:
    """The network with the packaged weights of a set of pieces; its models are read when first used."""

    def __init__(
        self, frame: OnnxModel | None = None, printed: OnnxModel | None = None, known: PieceSet = SHIPS
    ) -> None:
        self._given, self._known = (frame, printed), known

    @property
    def looks_again(self) -> bool:
        """Whether a second look helps: the second eye gains nothing by one, and takes three times as long."""
        return self._known.network != SECOND

    @cached_property
    def _frame(self) -> OnnxModel:
        return self._given[0] or packaged_model(self._known.network, FRAME_MODEL)

    def prepare_board(self, image_bgr: Picture, up_field: Floats, grid: Grid, window: Window | None = None) -> Printed:
        """Prepare an empty board from its board image (rows, columns, 3) and up field (rows, columns, 2).

        With a `window` (see `window_of`), prepare that part of the board alone.
        """
        window = window or (slice(0, image_bgr.shape[0]), slice(0, image_bgr.shape[1]))
        _, gain = gains(image_bgr, image_bgr)
        colours = _blob(image_bgr[window], gain, BRIGHTNESS)
        up = _blob(up_field[window], UP_GAIN, 0.0)
        # Not kept: it is used once for a table.
        model = self._given[1] or packaged_model(self._known.network, PRINTED_MODEL)
        fine, coarse = model.run({"printed": np.concatenate([colours, up], axis=1)}, ["fine", "coarse"])
        return Printed(image_bgr, fine, coarse, grid, window)

    def find(self, board_bgr: Picture, printed: Printed, looks: Floats = NOTHING_KNOWN) -> Detections:
        """Find pieces on a board image (rows, columns, 3) on the printed board's grid.

        looks: how single pieces look here, (1, LOOKS).
        """
        (scores,) = self._answers(board_bgr, printed, looks, ["scores"])
        found = decode_scores(scores, printed.grid, printed.window)
        return replace(found, classes=self._known.classes)

    def scores_in(
        self, board_bgr: Picture, printed: Printed, looks: Floats, corners: Sequence[tuple[int, int]], side: int
    ) -> list[Floats]:
        """Return raw scores (OUTPUTS, side / 4, side / 4) of windows so wide, from (row, column) in a board image on.

        The corners are whole steps of STEP pixels of a board image that `printed` is of without a window.
        """
        answers = []
        for row, column in corners:
            near, far = (
                part[:, :, row // step : (row + side) // step, column // step : (column + side) // step]
                for part, step in ((printed.fine, STRIDE), (printed.coarse, STEP))
            )
            window = slice(row, row + side), slice(column, column + side)
            answers += self._answers(
                board_bgr, replace(printed, fine=near, coarse=far, window=window), looks, ["scores"]
            )
        return answers

    def learn_looks(self, board_bgr: Picture, printed: Printed, shown: Matrix) -> Floats:
        """Return how pieces look on this table, (1, LOOKS), from single pieces (N, 3): row, column (cells), class."""
        near, far = self._answers(board_bgr, printed, NOTHING_KNOWN, ["near", "far"])
        first = [side.start / STRIDE for side in printed.window]
        return looks_of(near, far, shown - [*first, 0])

    def _answers(self, board_bgr: Picture, printed: Printed, looks: Floats, wanted: list[str]) -> list[Floats]:
        """Run the network on a board image; return the outputs of the wanted names, (N, h, w) each."""
        gain, _ = gains(board_bgr, printed.image_bgr)
        frame = _blob(board_bgr[printed.window], gain, BRIGHTNESS)
        given = {"frame": frame, "fine": printed.fine, "coarse": printed.coarse, "looks": looks}
        return [answer[0] for answer in self._frame.run(given, wanted)]


def looks_of(near: Floats, far: Floats, shown: Matrix) -> Floats:
    """Return how single pieces look (1, LOOKS), from the features at their cells (N, 3): row, column, class.

    near, far: features (FINE, h, w) and (COARSE, h / 2, w / 2).

    For each kind in turn: the mean of the near features of 3x3 cells, the mean of the far ones, and 1; or all 0.
    """
    # As the export of the training network has it (avg_pool2d with zero padding): nothing beyond the rim.
    smooth = np.stack([cv2.blur(layer, (3, 3), borderType=cv2.BORDER_CONSTANT) for layer in near])
    parts: list[npt.NDArray[np.floating]] = []
    for kind in LOOKS_KINDS:
        mine = shown[shown[:, 2] == kind]
        if not len(mine):
            parts.append(np.zeros(FINE + COARSE + 1))
            continue
        down = np.clip(np.round(mine[:, 0]).astype(int), 0, near.shape[1] - 1)
        across = np.clip(np.round(mine[:, 1]).astype(int), 0, near.shape[2] - 1)
        parts += [smooth[:, down, across].mean(axis=1), far[:, down // 2, across // 2].mean(axis=1), np.ones(1)]
    return np.concatenate(parts)[None].astype(np.float32)


def window_of(grid: Grid, points_mm: npt.ArrayLike) -> Window:
    """Return the part of the board image that shows these points and AROUND_MM about them, in whole steps of STEP."""
    px = grid.px(points_mm)
    around = AROUND_MM * grid.px_per_mm
    lowest = np.maximum(np.floor((px.min(axis=0) - around) / STEP), 0) * STEP
    highest = np.ceil((px.max(axis=0) + around) / STEP) * STEP
    rows, columns = grid.shape
    return slice(int(lowest[1]), min(int(highest[1]), rows)), slice(int(lowest[0]), min(int(highest[0]), columns))


def _chances(scores: Floats) -> Floats:
    """Log odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))), np.float32)


def decode_scores(scores: Floats, grid: Grid, window: Window) -> Detections:
    """Turn the network's raw scores (OUTPUTS, h, w) for a window into probabilities on the whole grid, 0 outside it."""
    cells = tuple(slice(side.start // STRIDE, -(-side.stop // STRIDE)) for side in window)
    rows, columns = (cell.stop - cell.start for cell in cells)
    seen = scores[:, :rows, :columns]
    sure = np.zeros((OUTPUTS, *(-(-side // STRIDE) for side in grid.shape)), np.float32)
    sure[:, cells[0], cells[1]] = _chances(seen)
    return _detections(sure, grid, CLASSES)


def _detections(sure: Floats, grid: Grid, classes: tuple[Class, ...]) -> Detections:
    """Split (OUTPUTS, h, w) probabilities into detections."""
    heat = np.ascontiguousarray(sure[: len(classes)])
    return Detections(heat, sure[COVERED], sure[STACKED], sure[THING], grid, classes)
