"""A photo of a board: where its outline lies in it, the photo made straight, and a grid of equal hexes on it.

A board whose plan is known is found by its print (`registration.find_board`). A copy that is like none that is known
has nothing but its outline, and its proportions are those that a usual camera saw so. It is made straight by its
corners, and by a small smooth bend (lens, bowed board, rough corners).

`board` is the board's true mm; `rough` is mm by the plane through the corners alone. The bend takes one to the other as
cubic polynomials of the place, (10, 2) coefficients in mm over the board's half sides.

A cell is `(column, row)`, the row growing downwards; places are board mm. Where hexes lie flat their points are left
and right, their columns straight, and every second column is half a step lower; where they stand, every second row is
half a step to the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import CornersError
from vision.frame import shrink_to_work
from vision.geometry import (
    FALLBACK_FOCAL,
    NO_MAP,
    Floats,
    Matrix,
    Picture,
    apply,
    board_corners_mm,
    board_from_image,
    checked_corners,
    image_from_board,
)
from vision.plan import MOST_MM2
from vision.registration.find_board import find_outlines

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
Point = tuple[float, float]
ROOT3 = math.sqrt(3.0)


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Steps to the next column, `across_mm`, and the next row, `down_mm`; `origin_mm` is the middle of (0, 0)."""

    origin_mm: Point
    across_mm: Point
    down_mm: Point
    flat: bool = True

    @property
    def side_mm(self) -> float:
        """The side of a hex, averaged over both steps."""
        across, down = math.hypot(*self.across_mm), math.hypot(*self.down_mm)
        return (across / 1.5 + down / ROOT3) / 2 if self.flat else (across / ROOT3 + down / 1.5) / 2

    @property
    def steps(self) -> Matrix:
        """The steps across and down as rows, (2, 2)."""
        return np.array([self.across_mm, self.down_mm], np.float64)

    def centres(self, cells: Iterable[Cell]) -> Matrix:
        """Return the middles of cells, (N, 2)."""
        both = np.array(list(cells), np.float64).reshape(-1, 2)
        odd = (both[:, 1] if not self.flat else both[:, 0]) % 2 / 2
        both[:, 0 if not self.flat else 1] += odd
        return np.asarray(np.array(self.origin_mm) + both @ self.steps, np.float64)

    def centre(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        x, y = self.centres([cell])[0]
        return float(x), float(y)

    def corners(self, cell: Cell) -> Matrix:
        """Return a cell's corners (6, 2), clockwise as seen; the first two end its side to `neighbours(cell)[0]`."""
        ways = np.array([[2 / 3, 0], [1 / 3, 1 / 2], [-1 / 3, 1 / 2], [-2 / 3, 0], [-1 / 3, -1 / 2], [1 / 3, -1 / 2]])
        if not self.flat:
            ways = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
        return np.asarray(np.array(self.centre(cell)) + ways @ self.steps, np.float64)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the six cells around one, clockwise as seen, in the order of the sides from the first corner on."""
        column, row = cell
        half = (column if self.flat else row) % 2
        if self.flat:
            ways = [(1, half), (0, 1), (-1, half), (-1, half - 1), (0, -1), (1, half - 1)]
        else:
            ways = [(half - 1, 1), (-1, 0), (half - 1, -1), (half, -1), (1, 0), (half, 1)]
        return tuple((column + across, row + down) for across, down in ways)

    def cell_at(self, at_mm: Point) -> Cell:
        """Return the cell whose middle is nearest."""
        u, v = np.linalg.solve(self.steps.T, np.array(at_mm) - np.array(self.origin_mm))
        near = [(math.floor(u) + i, math.floor(v) + j) for i in range(-1, 3) for j in range(-1, 3)]
        gaps = np.linalg.norm(self.centres(near) - np.array(at_mm), axis=1)
        return near[int(np.argmin(gaps))]

    def cells(self, size_mm: Point) -> tuple[Cell, ...]:
        """Return all cells that may lie at least partly on a board of this size."""
        reach = 1.05 * self.side_mm
        box = np.array([[-reach, -reach], [size_mm[0] + reach, -reach], [-reach, size_mm[1] + reach],
                        [size_mm[0] + reach, size_mm[1] + reach]])  # fmt: skip
        found = np.linalg.solve(self.steps.T, (box - np.array(self.origin_mm)).T).T
        low, high = np.floor(found.min(axis=0)).astype(int) - 1, np.ceil(found.max(axis=0)).astype(int) + 1
        every = [(c, r) for c in range(low[0], high[0] + 1) for r in range(low[1], high[1] + 1)]
        centres = self.centres(every)
        kept = np.flatnonzero(((centres > -reach) & (centres < np.array(size_mm) + reach)).all(axis=1))
        return tuple(every[number] for number in kept)

    def inside(self, cell: Cell, size_mm: Point, slack_mm: float = 0.0) -> bool:
        """Return whether a cell lies wholly on a board of this size, give or take `slack_mm`."""
        corners = self.corners(cell)
        return bool((corners >= -slack_mm).all() and (corners <= np.array(size_mm) + slack_mm).all())

    def side(self, cell: Cell, other: Cell) -> Matrix:
        """Return the ends (2, 2) of the side that two neighbours share; ValueError if they aren't neighbours."""
        number = self.neighbours(cell).index(other)
        return np.asarray(self.corners(cell)[[number, (number + 1) % 6]], np.float64)


def regular_grid(origin_mm: Point, side_mm: float, flat: bool = True, turn_rad: float = 0.0) -> HexGrid:
    """Return a grid of regular hexes, turned clockwise as seen by `turn_rad`."""
    long, short = ROOT3 * side_mm, 1.5 * side_mm
    across, down = (short, long) if flat else (long, short)
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    return HexGrid(origin_mm, (across * cos, across * sin), (-down * sin, down * cos), flat)


def pair_of(cell: Cell, other: Cell) -> Pair:
    """Return two cells as a sorted pair, the key of what lies between them."""
    return (cell, other) if cell < other else (other, cell)


# How full a board's outline is, 0 to 1, and the least of the picture that it takes.
LEAST_FULL, LEAST_SHARE = 0.95, 0.15
# How far inside a picture a board's outline lies, of the picture's shorter side: what runs along its edge is none.
INSIDE = 0.02
TERMS = 10
# Rounds of the fixed point iteration that inverts a bend, which is small against the board.
BACK_ROUNDS = 6
# Where pixels come from is worked out at the corners of cells so wide, and interpolated between.
CELL_PX = 6
LEAST_MM, LONGER = 50.0, 2.5
"""Of a board's shorter side; and how many times as long the longer one may be."""


def find_outline(picture_bgr: Picture) -> Matrix:
    """Return the corners (4, 2) px of the largest four-sided thing in a picture, clockwise from its top left.

    Where nothing stands out they are the picture's own: a scan that was cut along the board's edge shows nothing else.
    """
    height, width = picture_bgr.shape[:2]
    size, least = np.array([width, height]), INSIDE * min(width, height)
    standing_out = [
        outline
        for full, outline in find_outlines(picture_bgr)
        if full >= LEAST_FULL
        and _area(outline) > LEAST_SHARE * width * height
        and min(outline.min(), (size - outline).min()) > least
    ]
    return max(standing_out, key=_area, default=board_corners_mm((float(width), float(height))))


def _area(outline: Matrix) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def proportion_of(corners_px: npt.ArrayLike, picture_size: tuple[int, int]) -> float:
    """Return a board's width divided by its height, from its corners TL, TR, BR, BL in a picture of (width, height) px.

    The camera is taken for a usual one that looks at the picture's middle; a flat scan has no perspective to undo.
    CornersError where the corners make no sense.
    """
    width, height = picture_size
    middle, focal = np.array([width / 2, height / 2]), FALLBACK_FOCAL * width
    seen = ((checked_corners(corners_px, picture_size) - middle) / focal).astype(np.float32)
    square = board_corners_mm((1.0, 1.0)).astype(np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(square, seen), np.float64)
    across, down = np.linalg.norm(to_picture[:, :2], axis=0)
    return float(across / down)


def terms_at(points_mm: npt.ArrayLike, size_mm: tuple[float, float]) -> Matrix:
    """Return all products up to the third degree of each place, (N, 10), in half sides from the board's middle."""
    middle = np.asarray(size_mm, np.float64) / 2
    u, v = ((np.asarray(points_mm, np.float64).reshape(-1, 2) - middle) / middle).T
    uu, uv, vv = u * u, u * v, v * v
    return np.stack([np.ones_like(u), u, v, uu, uv, vv, uu * u, uu * v, u * vv, vv * v]).T


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A photo (H, W, 3) uint8 BGR, the board's corners TL, TR, BR, BL in it (4, 2) px, its assumed size, the bend."""

    picture_bgr: Picture
    corners_px: Matrix
    size_mm: tuple[float, float]
    bend: Matrix = field(default_factory=lambda: np.zeros((TERMS, 2)))

    def rough(self, points_mm: npt.ArrayLike) -> Matrix:
        """Return where places (N, 2) of the board lie by the corners alone, in mm (N, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.asarray(points + terms_at(points, self.size_mm) @ self.bend, np.float64)

    def px(self, points_mm: npt.ArrayLike) -> Matrix:
        """Return the photo's pixels (N, 2) that show places (N, 2) of the board in mm."""
        return apply(image_from_board(self.corners_px, self.size_mm), self.rough(points_mm))

    def mm(self, points_px: npt.ArrayLike) -> Matrix:
        """Return the places (N, 2) of the board, in mm, that the photo's pixels (N, 2) show."""
        rough = apply(board_from_image(self.corners_px, self.size_mm), points_px)
        points = rough
        for _ in range(BACK_ROUNDS):
            points = rough - terms_at(points, self.size_mm) @ self.bend
        return np.asarray(points, np.float64)

    def flat(self, px_per_mm: float = 3.0, margin_mm: float = 0.0) -> Picture:
        """Return the board rectified, (rows, columns, 3) BGR, with `margin_mm` of the table round it."""
        across, down = (round((side + 2 * margin_mm) * px_per_mm) for side in self.size_mm)
        columns, rows = -(-across // CELL_PX), -(-down // CELL_PX)
        xs, ys = np.meshgrid((np.arange(-1, columns + 1) + 0.5) * CELL_PX, (np.arange(-1, rows + 1) + 0.5) * CELL_PX)
        places = np.stack([xs, ys], axis=-1).reshape(-1, 2) / px_per_mm - margin_mm
        coarse: Floats = self.px(places).reshape(rows + 2, columns + 2, 2).astype(np.float32)
        wide, high = (columns + 2) * CELL_PX, (rows + 2) * CELL_PX
        at = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_LINEAR)
        at = at[CELL_PX : CELL_PX + down, CELL_PX : CELL_PX + across]
        seen = cv2.remap(self.picture_bgr, at, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8)


def open_sheet(picture_bgr: Picture, corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> Sheet:
    """Return the sheet of a photo, with the board's corners TL, TR, BR, BL in it and an assumed size.

    CornersError if the corners make no sense, or no board has such a size.
    """
    short, long = sorted(size_mm)
    if not (short >= LEAST_MM and short * long <= MOST_MM2 and long <= LONGER * short):
        raise CornersError(f"can't trace a board of {size_mm[0]:g} x {size_mm[1]:g} mm")
    height, width = picture_bgr.shape[:2]
    corners = checked_corners(corners_px, (width, height))
    smaller, scale = shrink_to_work(picture_bgr)
    return Sheet(smaller, corners * scale, size_mm)
