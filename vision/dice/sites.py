"""Where dice may have come to lie: what differs from the empty table in the region where dice are thrown.

The comparison is made on small pictures, about 1 px/mm, in the reference's pixels; the light is evened out first. It
may find too much, such as a cup that was moved: what is no die is told apart later, in windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Camera, Floats, Mask, Matrix, Picture, apply
from vision.plan import BoardPlan, Point
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
    """Where throws are read: inside these outlines (board mm), such as a tray's; none: everywhere round the map."""

    polygons_mm: tuple[tuple[Point, ...], ...] = ()

    def holds(self, at_mm: Point, plan: BoardPlan) -> bool:
        """Return whether a die at this place belongs to a throw."""
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
        """Return (rows, columns) bool: what is new in the region; `reference_from_frame` is None for a still camera."""
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
        """Choose board points where tops may be seen, whose windows together show all that changed.

        At most MOST_SITES.
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
