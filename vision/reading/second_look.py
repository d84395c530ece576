"""Looking again where the first look doubts: the network sees windows about doubtful pieces, turned and mirrored.

A network that sees a board mirrored or turned makes other mistakes than with the board as it lies. To look at all of it
several times would take too long; but even a crowded board has only two or three places where a piece, or a second disc
on one, is in doubt. There the log odds of all looks are averaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Grid, Matrix, Picture
from vision.reading.network import NOTHING_KNOWN, STEP, STRIDE, Detections, PieceNetwork, Printed, Window
from vision.reading.pieces import Candidate, logistic

Corner = tuple[int, int]
Models = Mapping[str, Sequence[float]]
Number = TypeVar("Number", np.uint8, np.float32)

# 48 mm of the board. Windows of 64 mm, from a doubt of 0.03 on, read 0.2 % more of drawn tables' areas, but took 20 ms
# in crowded frames instead of 3 to 6.
SIDE_PX = 96
DOUBT = 0.1
"""From so far from knowing on, 0 to 0.5, a piece is looked at again."""
MOST = 6
"""Windows for a frame, 4 ms each; one or two do for most frames."""
TOGETHER_PX = 28.0
"""Points so near to the most doubtful one share its window, which is then centred on them all."""
EDGE_CELLS = 3
"""So many cells at a window's edges see too little around them to be used."""


class Turn(NamedTuple):
    """How a board image is turned for another look: mirrored left to right, then upside down, then transposed."""

    mirrored: bool
    upside_down: bool
    on_its_side: bool

    def apply(self, picture: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Turn a picture (rows, columns, N) this way."""
        picture = picture[:, ::-1] if self.mirrored else picture
        picture = picture[::-1] if self.upside_down else picture
        return picture.swapaxes(0, 1) if self.on_its_side else picture

    def undo(self, layers: Floats) -> Floats:
        """Turn layers (N, rows, columns) back to how the board lies."""
        layers = layers.swapaxes(1, 2) if self.on_its_side else layers
        layers = layers[:, ::-1] if self.upside_down else layers
        return layers[:, :, ::-1] if self.mirrored else layers

    def up(self, up_field: Floats) -> Floats:
        """Turn an up field (rows, columns, 2) this way, its directions included."""
        signs = np.array([-1 if self.mirrored else 1, -1 if self.upside_down else 1], np.float32)
        laid = self.apply(up_field * signs)
        return laid[..., ::-1] if self.on_its_side else laid

    def places(self, places: Matrix, size: tuple[int, int], side: int = 1) -> Matrix:
        """Return where squares of a picture lie once it is turned this way: (N, 2 or more), rows and columns first.

        places: their first rows and columns; size: that of the picture; side: that of the squares.
        """
        laid = np.array(places, np.float64)
        for axis, back in ((1, self.mirrored), (0, self.upside_down)):
            if back:
                laid[:, axis] = size[axis] - side - laid[:, axis]
        if self.on_its_side:
            laid[:, :2] = laid[:, 1::-1]
        return laid


# With the first look four of the eight views that there are; seven more instead of three were no better.
TURNS = (Turn(True, True, False), Turn(True, False, True), Turn(False, True, True))


@dataclass(frozen=True, slots=True, eq=False)
class TurnedView:
    """What the network knows of a table when it looks at it turned: the empty board, and how single pieces look."""

    turn: Turn
    printed: Printed
    looks: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TurnedViews:
    """All views of a table, and the part of the board image that they are of, in whole steps of STEP pixels."""

    window: Window
    views: tuple[TurnedView, ...]

    @property
    def size(self) -> tuple[int, int]:
        """The (rows, columns) in pixels."""
        down, across = self.window
        return down.stop - down.start, across.stop - across.start


def turned_views(
    image_bgr: Picture, up_field: Floats, grid: Grid, window: Window, network: PieceNetwork
) -> TurnedViews:
    """Prepare the turned views of an empty board; none for a network that doesn't look again.

    image_bgr: its board image (rows, columns, 3); up_field: (rows, columns, 2).
    """
    down, across = (slice(side.start, side.stop - (side.stop - side.start) % STEP) for side in window)
    image, up = image_bgr[down, across], up_field[down, across]
    turns = TURNS if network.looks_again else ()
    views = tuple(
        TurnedView(turn, network.prepare_board(turn.apply(image), turn.up(up), grid), NOTHING_KNOWN) for turn in turns
    )
    return TurnedViews((down, across), views)


def with_looks(again: TurnedViews, board_bgr: Picture, pieces: Matrix, network: PieceNetwork) -> TurnedViews:
    """Add to the views how pieces look, learnt from single pieces on a board image.

    pieces: (N, 3) row, column (cells), class.
    """
    board, (rows, columns) = board_bgr[again.window], again.size
    pieces = pieces - [*(side.start // STRIDE for side in again.window), 0]

    def seen(view: TurnedView) -> TurnedView:
        turned = view.turn.places(pieces, (rows // STRIDE, columns // STRIDE))
        return replace(view, looks=network.learn_looks(view.turn.apply(board), view.printed, turned))

    return replace(again, views=tuple(seen(view) for view in again.views))


def doubtful_places(found: Sequence[Candidate], models: Models) -> list[tuple[float, float]]:
    """Return the places, in mm, of the candidates that need a second look, the most doubtful first."""
    doubts = sorted(((candidate_doubt(candidate, models), candidate.at_mm) for candidate in found), reverse=True)
    return [at_mm for doubt, at_mm in doubts if doubt > DOUBT]


def candidate_doubt(candidate: Candidate, models: Models) -> float:
    """Return how doubtful it is that this piece, or another on top of it, is there: 0 for certain, 0.5 at most."""
    there = logistic(float(np.dot(models[candidate.kind], candidate.features)))
    doubt = min(there, 1 - there)
    if candidate.upper is None:
        return doubt
    upper = logistic(float(np.dot(models["upper"], candidate.upper)))
    return max(doubt, there * min(upper, 1 - upper))


def windows_about(points_px: Matrix, size: tuple[int, int]) -> list[Corner]:
    """Return the top left (row, column) of at most MOST windows that show points (N, 2), x and y; first points first.

    size: (rows, columns) of what the windows are cut from; they begin at whole steps of STEP pixels.
    """
    corners: list[Corner] = []
    left = points_px
    while len(left) and len(corners) < MOST:
        near = left[np.abs(left - left[0]).max(axis=1) < TOGETHER_PX]
        middle = (near.min(axis=0) + near.max(axis=0)) / 2
        column, row = (np.round((middle - SIDE_PX / 2) / STEP) * STEP).astype(int).tolist()
        row, column = (min(max(at, 0), most - SIDE_PX) for at, most in zip((row, column), size, strict=True))
        corners.append((row, column))
        beside = np.abs(left - [column + SIDE_PX / 2, row + SIDE_PX / 2]).max(axis=1)
        beside[0] = 0  # the point that the window was made for counts as seen, or this would never end
        left = left[beside > SIDE_PX / 2 - EDGE_CELLS * STRIDE]
    return corners


def look_again(
    finds: Detections, points_mm: Matrix, board_bgr: Picture, again: TurnedViews, network: PieceNetwork
) -> Detections:
    """Average the finds with what the network says of turned windows about these points (N, 2) of the board."""
    board, size = board_bgr[again.window], again.size
    first = np.array([side.start for side in again.window], np.int64)
    corners = windows_about(finds.grid.px(points_mm) - first[::-1], size) if min(size) >= SIDE_PX else []
    if not corners:
        return finds
    scores = finds.scores()
    looks = np.ones(scores.shape[1:], np.float32)
    for view in again.views:
        turned = view.turn.places(np.array(corners), size, SIDE_PX).astype(int).tolist()
        seen = network.scores_in(view.turn.apply(board), view.printed, view.looks, turned, SIDE_PX)
        for corner, answer in zip(corners, seen, strict=True):
            cells, part = _usable_cells(corner, size), view.turn.undo(answer)
            begin = (first + np.array(corner, np.int64)) // STRIDE
            down, across = (slice(c.start + b, c.stop + b) for c, b in zip(cells, begin.tolist(), strict=True))
            at = down, across
            scores[:, *at] += part[:, *cells]
            looks[at] += 1
    return finds.with_scores(scores / looks)


def _usable_cells(corner: Corner, size: tuple[int, int]) -> Window:
    """Return the cells of a window that see enough around them: all but those at edges inside the picture."""
    cells = SIDE_PX // STRIDE
    down, across = (
        slice(EDGE_CELLS if begin else 0, cells - (EDGE_CELLS if begin + SIDE_PX < most else 0))
        for begin, most in zip(corner, size, strict=True)
    )
    return down, across
