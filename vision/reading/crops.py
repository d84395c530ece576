"""Small pictures cut out of a board image: an area before and after a turn. Of what lies beside it nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Grid, Mask, Picture
from vision.plan import BoardPlan

# Of board round an area that is kept in its picture; what lies further off may be somebody's hand or home.
EDGE_MM = 4.0
GROUND_BGR = (38, 32, 28)
INK_BGR = (214, 220, 224)
LINE_PX = 18
GAP_PX = 6
ACROSS = 5
# Two crops show the same where they differ by fewer grey levels than this, in squares of so many pixels.
OTHER_SIGHT, ABOUT_PX, NOISE_PX = 8.0, 12, 2.5
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class AreaCrop:
    """An area before and after, each (h, w, 3) uint8 BGR of one size; no `before` where none was seen.

    state: whether what the eye saw there "agrees" with the game, or "differs".
    """

    area: str
    before: Picture | None
    after: Picture
    state: str


class Cropper:
    """Cuts areas out of a board's board images: with a narrow edge of board, nothing from beyond the board."""

    def __init__(self, plan: BoardPlan) -> None:
        grid = Grid(plan.size_mm)
        self._shape = grid.shape
        self._cuts: Mapping[str, tuple[Window, Mask]] = {
            area.name: _cut_out(grid, area.polygon_mm) for area in plan.areas
        }

    def crop(self, board_bgr: Picture, area: str) -> Picture:
        """(h, w, 3) uint8 BGR: the area with its edge, all round it darkened. KeyError for an unknown area.

        ValueError for a board image (H, W, 3) that is not of this board.
        """
        if board_bgr.shape[:2] != self._shape:
            raise ValueError(f"expected a board image of {self._shape}, not of {board_bgr.shape[:2]}")
        window, mask = self._cuts[area]
        return np.asarray(np.where(mask[..., None], board_bgr[window], np.array(GROUND_BGR, np.uint8)), np.uint8)

    def row(self, boards_bgr: Sequence[Picture | None], area: str) -> Picture:
        """(h, w, 3) uint8 BGR: the area cut out of each board image, side by side; ground alone for None."""
        window, _ = self._cuts[area]
        high, wide = (side.stop - side.start for side in window)
        return _side_by_side(
            [_ground(high, wide) if board_bgr is None else self.crop(board_bgr, area) for board_bgr in boards_bgr]
        )


def is_same_sight(one: Picture, other: Picture) -> bool:
    """Whether two crops (h, w, 3) uint8 BGR of one area show the same, in a little more or less light.

    On recorded games, untouched areas mostly differ by 3 or 4 grey levels in the worst place; a piece more or fewer is
    30 at least, but a second disc on one that is seen from straight above in a dark picture only 9. Pieces that were
    pushed about are another sight, too.
    """
    first, second = (cv2.GaussianBlur(crop.astype(np.float32), (0, 0), NOISE_PX) for crop in (one, other))
    middle = [np.maximum(np.median(crop.reshape(-1, 3), axis=0), 1.0) for crop in (first, second)]
    difference = np.abs(second * (middle[0] / middle[1]) - first).max(axis=2)
    return float(cv2.blur(difference, (ABOUT_PX, ABOUT_PX)).max()) < OTHER_SIGHT


def _cut_out(grid: Grid, outline_mm: Sequence[tuple[float, float]]) -> tuple[Window, Mask]:
    """Cut out the window round an area; return it with a mask of what belongs to the area and its edge."""
    rows, columns = grid.shape
    mask = np.zeros((rows, columns), np.uint8)
    cv2.fillPoly(mask, [np.round(grid.px(outline_mm)).astype(np.int32)], 1)
    reach = 2 * round(EDGE_MM * grid.px_per_mm) + 1
    mask = np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))), np.uint8)
    margin = round(grid.margin_mm * grid.px_per_mm)
    inner = np.zeros_like(mask)
    inner[margin : rows - margin, margin : columns - margin] = 1
    mask &= inner
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    window = slice(int(down[0]), int(down[-1]) + 1), slice(int(across[0]), int(across[-1]) + 1)
    return window, np.asarray(mask[window] > 0, np.bool_)


def mosaic(shots: Sequence[AreaCrop]) -> Picture:
    """One picture (H, W, 3) uint8 BGR of all shots: a column an area, named on top, before above after."""
    columns = [_column(shot) for shot in shots]
    rows = [_side_by_side(columns[i : i + ACROSS]) for i in range(0, len(columns), ACROSS)]
    return _padded_stack(rows)


def _column(shot: AreaCrop) -> Picture:
    high, wide = shot.after.shape[:2]
    picture = _ground(LINE_PX + 2 * high + GAP_PX, wide)
    cv2.putText(picture, shot.area, (2, LINE_PX - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.45, INK_BGR, 1, cv2.LINE_AA)
    if shot.before is not None:
        picture[LINE_PX : LINE_PX + high] = shot.before
    picture[LINE_PX + high + GAP_PX :] = shot.after
    return picture


def _ground(high: int, wide: int) -> Picture:
    return np.full((high, wide, 3), GROUND_BGR, np.uint8)


def _side_by_side(columns: Sequence[Picture]) -> Picture:
    wide = sum(column.shape[1] for column in columns) + GAP_PX * (len(columns) + 1)
    row = _ground(max(column.shape[0] for column in columns), wide)
    x = GAP_PX
    for column in columns:
        row[: column.shape[0], x : x + column.shape[1]] = column
        x += column.shape[1] + GAP_PX
    return row


def _padded_stack(rows: Sequence[Picture]) -> Picture:
    whole = _ground(sum(row.shape[0] + GAP_PX for row in rows) + GAP_PX, max(row.shape[1] for row in rows))
    y = GAP_PX
    for row in rows:
        whole[y : y + row.shape[0], : row.shape[1]] = row
        y += row.shape[0] + GAP_PX
    return whole
