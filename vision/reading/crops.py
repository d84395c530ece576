"""Pictures made of a board image for people: areas cut out, before and after a turn, and what the networks see.

Of what lies beside an area nothing is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Grid, Mask, Picture
from vision.plan import BoardPlan
from vision.reading.network import STRIDE, Detections
from vision.reading.setting import detect, prepare_table
from vision.table import Table

# How much board round an area is kept in its picture; what lies further off may be somebody's hand or home.
EDGE_MM = 4.0
GROUND_BGR = (38, 32, 28)
INK_BGR = (214, 220, 224)
LINE_PX = 18
GAP_PX = 6
ACROSS = 5
# Two crops show the same where they differ by fewer grey levels than this, in squares of so many pixels.
OTHER_SIGHT, ABOUT_PX, NOISE_PX = 8.0, 12, 2.5
Window = tuple[slice, slice]
DIMMED = 0.55
STRONGEST = 0.85
COVERED_BGR = (200, 60, 200)
COLOURS_BGR: Mapping[str, tuple[int, int, int]] = {
    "red": (70, 70, 255),
    "black": (190, 255, 190),
    "blue": (255, 160, 50),
    "yellow": (50, 220, 255),
}


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
        """Return the area with its edge (h, w, 3) uint8 BGR, on a plain dark ground.

        KeyError for an unknown area; ValueError for a picture (H, W, 3) that hasn't the size of a board image.
        """
        if board_bgr.shape[:2] != self._shape:
            raise ValueError(f"expected a board image of {self._shape}, not of {board_bgr.shape[:2]}")
        window, mask = self._cuts[area]
        return np.asarray(np.where(mask[..., None], board_bgr[window], np.array(GROUND_BGR, np.uint8)), np.uint8)

    def row(self, boards_bgr: Sequence[Picture | None], area: str) -> Picture:
        """Return the area cut out of each board image, side by side (h, w, 3) uint8 BGR; a None is left blank."""
        window, _ = self._cuts[area]
        high, wide = (side.stop - side.start for side in window)
        return _side_by_side(
            [_ground(high, wide) if board_bgr is None else self.crop(board_bgr, area) for board_bgr in boards_bgr]
        )


def is_same_sight(one: Picture, other: Picture) -> bool:
    """Return whether two crops (h, w, 3) uint8 BGR of one area show the same pieces in the same places.

    A little more or less light doesn't matter.

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
    """Draw one picture (H, W, 3) uint8 BGR of all shots: a column for each area, its name, before, and after."""
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


def evidence_of(table: Table, board_bgr: Picture) -> Detections:
    """Return what the networks find on a board image (H, W, 3) uint8 BGR of a table: their mean, in log odds.

    Takes about as long as a reading.
    """
    finds = [detect(board_bgr, eye)[0] for eye in prepare_table(table).eyes]
    return finds[0].with_scores(np.asarray(np.mean([each.scores() for each in finds], axis=0), np.float32))


def paint_evidence(board_bgr: Picture, finds: Detections) -> Picture:
    """Return the board image grey and dimmed, with each side's colour where its pieces' bases are found.

    What is taken for covered is violet. The stronger the colour, the surer the network.
    """
    grey = cv2.cvtColor(cv2.cvtColor(board_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    canvas: Floats = np.asarray(grey, np.float32) * np.float32(DIMMED)
    sides = list(dict.fromkeys(side for side, _ in finds.classes))
    mine = {side: [i for i, (other, _) in enumerate(finds.classes) if other == side] for side in sides}
    strongest = [(finds.heat[mine[side]].max(axis=0), COLOURS_BGR[side]) for side in sides]
    for layer, colour in [(finds.covered, COVERED_BGR), *strongest]:
        rows, columns = layer.shape
        wide = cv2.resize(layer, (columns * STRIDE, rows * STRIDE), interpolation=cv2.INTER_LINEAR)
        on_board = np.clip(np.asarray(wide, np.float32)[: board_bgr.shape[0], : board_bgr.shape[1]], 0, 1)
        share = np.sqrt(on_board)[..., None] * np.float32(STRONGEST)
        canvas += share * (np.array(colour, np.float32) - canvas)
    return np.asarray(np.clip(np.round(canvas), 0, 255), np.uint8)
