"""Reading dice beside the board: which lie there, and how many pips each shows on top.

Dice may have come to lie where something differs from the empty table in the region where they are thrown. Small
pictures are compared, about 1 px/mm, in the reference's pixels, the light evened out first; it may find too much, such
as a cup that was moved. There the picture is looked at in windows that are turned and rectified by the camera's place,
so that a top is told from the sides below it; a small network finds tops and counts pips (`network`). A die that cannot
be read is told as such: one of another game, one that leans or lies on another, one cut off by the picture's border.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.network import CENTRE_PX, CLASSES, STRIDE, TOP_MM, UNREADABLE, DiceNetwork, Top, cut_window, window_at
from vision.frame import fit_to_size
from vision.geometry import Camera, Floats, Mask, Matrix, Picture, apply, camera_of
from vision.plan import BoardPlan, Point
from vision.registration.register import Anchors, Registration, anchors_of, register
from vision.table import Table

# Of the small pictures: a die is some 13 px wide then.
PX_PER_MM = 0.9
# Light is compared in cells so wide, which a die does not fill: the median of 5x5 of them is the table's.
LIGHT_PX = 12
DARK = 8.0
# Grey levels by which a new pixel differs at least: so many, and 1.5 times what nine tenths of the picture stay below.
LEAST_GAP = 7.0
NOISE_GAPS = 1.5
USUAL = 90
# Pixels of a patch; smaller ones are specks.
LEAST_PX = 10
# The board in cells of 4 mm, and how many a window shows well on each side of its middle one: 28 mm of its 48.
CELL_MM = 4.0
HALF_CELLS = 3
SIDE_CELLS = 2 * HALF_CELLS + 1
LEAST_CELLS = 2
# Half the height of a die: what is seen of one lies so far up on average.
MIDDLE_MM = 6.0
BORDER_PX = 2
# Windows for a frame, about 5 ms each.
MOST_SITES = 48


@dataclass(frozen=True, slots=True)
class Region:
    """Where throws are read: inside these outlines (board mm), such as a tray's; without any, all round the map."""

    polygons_mm: tuple[tuple[Point, ...], ...] = ()

    def holds(self, at_mm: Point, plan: BoardPlan) -> bool:
        """Return whether a die at this place is part of a throw."""
        if self.polygons_mm:
            return _depth(self.polygons_mm, at_mm) >= 0
        return _depth([area.polygon_mm for area in plan.areas], at_mm) < 0


def _depth(polygons_mm: Iterable[npt.ArrayLike], at_mm: Point) -> float:
    """Return how deep a point lies inside the outline that it is deepest in, mm; negative outside all."""
    outlines = [np.asarray(polygon, np.float32) for polygon in polygons_mm]
    return max(float(cv2.pointPolygonTest(outline, at_mm, True)) for outline in outlines)


class Sites:
    """The empty table's surroundings, made small and ready to be compared with frames of the reference's size."""

    def __init__(self, table: Table, region: Region) -> None:
        width, height = table.picture_size
        self._board_from_reference = table.board_from_reference
        area_px, (across, down) = cv2.contourArea(np.asarray(table.corners_px, np.float32)), table.plan.size_mm
        self.scale = min(1.0, PX_PER_MM / float(np.sqrt(float(area_px) / (across * down))))
        self.size = (round(width * self.scale), round(height * self.scale))
        small = self._small(table.reference_bgr)
        self._plain = small
        self._low, self._high = cv2.erode(small, np.ones((3, 3))), cv2.dilate(small, np.ones((3, 3)))
        self._where = self._mask(table.plan, region)
        self._whole = _without_border(np.full(self.size[::-1], 255, np.uint8))

    def _small(self, picture_bgr: Picture) -> Picture:
        seen = picture_bgr
        while seen.shape[1] >= 2 * self.size[0]:  # halving is the fast way
            seen = np.asarray(cv2.resize(seen, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(seen, self.size, interpolation=cv2.INTER_AREA), np.uint8)

    def _mask(self, plan: BoardPlan, region: Region) -> Picture:
        """Return the (rows, columns) mask, 255 where changes count."""
        inside = 255 if region.polygons_mm else 0
        whole = np.full(self.size[::-1], 255 - inside, np.uint8)
        from_board = np.asarray(np.linalg.inv(self._board_from_reference), np.float64)
        for polygon in region.polygons_mm or [area.polygon_mm for area in plan.areas]:
            outline = (apply(from_board, polygon) * self.scale).round().astype(np.int32)
            cv2.fillPoly(whole, [outline], inside)
        return _without_border(whole)

    def changes(self, frame_bgr: Picture, reference_from_frame: Matrix | None) -> Mask:
        """Return what is new in the region, (rows, columns) bool; reference_from_frame: None for a still camera."""
        small, where = self._small(frame_bgr), self._where
        if reference_from_frame is not None:
            step = np.diag([self.scale, self.scale, 1.0])
            warp = np.asarray(step @ reference_from_frame @ np.linalg.inv(step), np.float64)
            where = np.asarray(cv2.min(where, cv2.warpPerspective(self._whole, warp, self.size)), np.uint8)
            moved = cv2.warpPerspective(small, warp, self.size, borderMode=cv2.BORDER_REPLICATE)
            small = np.asarray(moved, np.uint8)
        even = cv2.multiply(small, _gain(small, self._plain), dtype=cv2.CV_8U)
        gaps = cv2.max(cv2.subtract(self._low, even), cv2.subtract(even, self._high))
        blue, green, red = cv2.split(gaps)
        gap = cv2.min(cv2.max(cv2.max(blue, green), red), where)
        usual = float(np.percentile(gap[::3, ::3], USUAL))
        new = cv2.threshold(gap, LEAST_GAP + NOISE_GAPS * usual, 1, cv2.THRESH_BINARY)[1]
        return _without_specks(np.asarray(new, np.uint8))

    def places(self, changed: Mask, camera: Camera) -> list[Point]:
        """Choose board points for windows that together show what has changed.

        At most MOST_SITES; changes of less than LEAST_CELLS are left out.
        """
        rows, columns = np.nonzero(changed)
        if not len(rows):
            return []
        pixels = np.column_stack([columns, rows]) / self.scale
        points = apply(self._board_from_reference, pixels)
        points -= camera.up(points) * MIDDLE_MM
        return _cover_with_squares(np.round(points / CELL_MM).astype(np.int64))


def _cover_with_squares(cells: npt.NDArray[np.int64]) -> list[Point]:
    """Return middles (mm) of squares that together hold (N, 2) cells, those that hold the most first."""
    low = cells.min(axis=0)
    across, down = cells.max(axis=0) - low + 1
    left = np.zeros((int(down), int(across)), np.float32)
    left[cells[:, 1] - low[1], cells[:, 0] - low[0]] = 1
    found: list[Point] = []
    while len(found) < MOST_SITES:
        held = cv2.boxFilter(left, -1, (SIDE_CELLS, SIDE_CELLS), normalize=False, borderType=cv2.BORDER_CONSTANT)
        _, most, _, (column, row) = cv2.minMaxLoc(held)
        if most < LEAST_CELLS:
            break
        top, edge = max(0, row - HALF_CELLS), max(0, column - HALF_CELLS)
        window = slice(top, row + HALF_CELLS + 1), slice(edge, column + HALF_CELLS + 1)
        rows, columns = np.nonzero(left[window])
        middle = np.array([columns.min() + columns.max(), rows.min() + rows.max()]) / 2
        at = (middle + low + np.array([edge, top])) * CELL_MM
        found.append((float(at[0]), float(at[1])))
        left[window] = 0
    return found


def _without_specks(new: npt.NDArray[np.uint8]) -> Mask:
    """Return the changed pixels without specks smaller than LEAST_PX."""
    closed = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, facts, _ = cv2.connectedComponentsWithStats(closed)
    large = facts[:, cv2.CC_STAT_AREA] >= LEAST_PX
    large[0] = False
    return np.asarray(large[labels] if count > 1 else closed > 1, np.bool_)


def _gain(small: Picture, plain: Picture) -> Floats:
    """Return the (rows, columns, 3) gain to the reference's light, whatever small things lie there."""
    ratio = (plain.astype(np.float32) + np.float32(DARK)) / (small.astype(np.float32) + np.float32(DARK))
    rows, columns = (max(1, side // LIGHT_PX) for side in small.shape[:2])
    cells = cv2.resize(ratio, (columns, rows), interpolation=cv2.INTER_AREA)
    smooth = cv2.blur(cv2.medianBlur(cells, 5), (3, 3))
    return np.asarray(cv2.resize(smooth, (small.shape[1], small.shape[0])), np.float32)


def _without_border(mask: Picture) -> Picture:
    """Clear the mask along the picture's border."""
    inner = np.zeros_like(mask)
    within = (slice(BORDER_PX, -BORDER_PX), slice(BORDER_PX, -BORDER_PX))
    inner[within] = mask[within]
    return inner


__all__ = ["DiceReader", "DiceReading", "Die", "Region"]
# Heat from which on a top is looked at, and after two looks is a die; the chance that its face needs to be read.
LEAST_DIE = 0.4
LEAST_SEEN = 0.6
LEAST_CHANCE = 0.6
# Tops nearer than this are one die; the eye was trained on dice of 11.5 to 18.5 mm. Half of a large one's top.
APART_MM = 10.0
HALF_MM = 8.0
# In the second look: heat from which on a top counts, and how far from the window's middle it may be.
LEAST_AGAIN = 0.1
SAME_PX = 8.0
HALF_CELL_PX = STRIDE / 2
# The logistic fit of `confidence_of`; above MOST_RAW the tables for tuning had too few mistakes to tell.
GAIN, SHIFT = 2.008, -1.228
MOST_RAW = 0.97


@dataclass(frozen=True, slots=True)
class Die:
    """A die that lies flat: its middle on the board's plane (mm), its pips (0 to 2), and how sure they are, 0 to 1."""

    at_mm: Point
    pips: int
    confidence: float


@dataclass(frozen=True, slots=True)
class DiceReading:
    """The dice of a frame that the reference does not show, and the places (board mm) of those that can't be read.

    seen: whether the board was found in the frame; if not, nothing was read.
    """

    dice: tuple[Die, ...]
    unreadable: tuple[Point, ...] = ()
    seen: bool = True
    ms: float = 0.0


class DiceReader:
    """Reads throws on one table; prepares the reference once and keeps the network loaded."""

    def __init__(self, table: Table, region: Region | None = None, network: DiceNetwork | None = None) -> None:
        self.table = table
        self.region = region or Region()
        self._network = network or DiceNetwork()
        self._sites = Sites(table, self.region)
        self._camera = table.camera
        self._anchors: Anchors | None = None

    def read(self, frame_bgr: Picture, found: Registration | None = None) -> DiceReading:
        """Read the dice in a frame (H, W, 3) uint8 BGR; PictureError if its size does not fit the table.

        found: how the frame lies to the reference, if known already; else it is worked out here.
        """
        began = time.perf_counter()
        frame = fit_to_size(frame_bgr, self.table.picture_size, "the frame")
        if found is None:
            corners = np.asarray(self.table.corners_px, np.float64)
            self._anchors = self._anchors or anchors_of(self.table.reference_bgr, corners)
            found = register(self._anchors, frame)
        if found is None or not found.good:
            return DiceReading((), (), seen=False, ms=_ms(began))
        board_from_frame = self.table.board_from_reference @ found.reference_from_frame
        camera = self._camera if found.still else camera_of(board_from_frame, self.table.picture_size)
        image_from_board = np.asarray(np.linalg.inv(board_from_frame), np.float64)
        tops = self._tops(frame, found, (camera, image_from_board))
        dice, unreadable = [], []
        for at, top in tops:
            best = _face_of(top)
            if best is None or not self._is_whole(at, camera, image_from_board):
                unreadable.append(at)
            else:
                dice.append(Die(at, *best))
        return DiceReading(tuple(dice), tuple(unreadable), ms=_ms(began))

    def _tops(self, frame: Picture, lies: Registration, view: tuple[Camera, Matrix]) -> list[tuple[Point, Top]]:
        """Find the tops of dice in the region, each once, with where they are."""
        changed = self._sites.changes(frame, None if lies.still else lies.reference_from_frame)
        windows = [window_at(at, *view) for at in self._sites.places(changed, view[0])]
        found = self._network.find([cut_window(frame, w) for w in windows], [w.lean for w in windows], LEAST_DIE)
        placed = [(window.mm([top.px])[0], top) for window, tops in zip(windows, found, strict=True) for top in tops]
        here = [(at, top) for at, top in _without_repeats(placed) if self.region.holds(at, self.table.plan)]
        return self._looked_again(frame, here, view)

    def _looked_again(
        self, frame: Picture, tops: list[tuple[Point, Top]], view: tuple[Camera, Matrix]
    ) -> list[tuple[Point, Top]]:
        """Look at the same dice a second time, mirrored, each in the middle of one of the network's cells."""
        beside = [(CENTRE_PX + HALF_CELL_PX, CENTRE_PX - HALF_CELL_PX)]
        middles = [window_at(at, *view).mm(beside)[0] for at, _top in tops]
        windows = [window_at((float(x), float(y)), *view) for x, y in middles]
        pictures = [np.ascontiguousarray(cut_window(frame, window)[:, ::-1]) for window in windows]
        found = self._network.find(pictures, [window.lean for window in windows], LEAST_AGAIN)
        seen = [(at, _merge_looks(top, again)) for (at, top), again in zip(tops, found, strict=True)]
        return [(at, top) for at, top in seen if top.score >= LEAST_SEEN]

    def _is_whole(self, at_mm: Point, camera: Camera, image_from_board: Matrix) -> bool:
        """Return whether a die's whole top is in the picture."""
        around = np.array(at_mm) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * HALF_MM
        seen = apply(image_from_board, around + camera.up(around, TOP_MM) * TOP_MM)
        width, height = self.table.picture_size
        return bool((seen > 0).all() and (seen < np.array([width - 1, height - 1])).all())


def _face_of(top: Top) -> tuple[int, float] | None:
    """Return pips and confidence of a top; None for one that is not to be read."""
    best = int(np.argmax(top.chances))
    if best == UNREADABLE or top.chances[best] < LEAST_CHANCE:
        return None
    return CLASSES[best], round(confidence_of(top.score * top.chances[best]), 4)


def confidence_of(raw: float) -> float:
    """Return the probability that a reading is right, by the network's raw sureness (fitted on simulated tables)."""
    sure = min(max(raw, 0.001), MOST_RAW)
    return 1 / (1 + math.exp(-(GAIN * math.log(sure / (1 - sure)) + SHIFT)))


def _merge_looks(top: Top, again: list[Top]) -> Top:
    """Combine two looks at one die; a die that is not seen again is half as sure."""
    middle = CENTRE_PX + HALF_CELL_PX
    near = [other for other in again if np.hypot(other.px[0] - middle, other.px[1] - middle) < SAME_PX]
    if not near:
        return replace(top, score=top.score / 2)
    chances = tuple((first + second) / 2 for first, second in zip(top.chances, near[0].chances, strict=True))
    return replace(top, score=max(top.score, near[0].score), chances=chances)


def _without_repeats(placed: list[tuple[Matrix, Top]]) -> list[tuple[Point, Top]]:
    """Keep each die once, though several windows show it: as the window that is surest sees it."""
    kept: list[tuple[Point, Top]] = []
    for at, top in sorted(placed, key=lambda pair: -pair[1].score):
        if all(np.hypot(at[0] - x, at[1] - y) > APART_MM for (x, y), _ in kept):
            kept.append(((float(at[0]), float(at[1])), top))
    return kept


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)
