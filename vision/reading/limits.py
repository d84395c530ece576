"""What keeps an area from being read, or from being sure, whatever the network sees in it.

A hand or a card hides it. What isn't in the picture can't be read: the board image only repeats the picture's last row
there. A piece whose middle is on the line between two areas may belong to either. And where the print isn't quite where
the registration has it, lines lie under pieces, and nothing else would tell: a board that is bowed, or a camera of
another kind, puts parts of the board where no homography has them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Matrix, apply
from vision.memory import once_for
from vision.plan import BoardPlan
from vision.reading.count import SURE, CountBelief
from vision.reading.network import STRIDE, Detections
from vision.reading.piece_sets import LEADER
from vision.reading.pieces import SAME_MM, Piece, Places
from vision.registration.register import Registration
from vision.table import Table

MOST_SHARE, SOME_SHARE = 0.13, 0.07
"""From the first on an area is not read; from the second on only where what is in sight is sure.

Areas are meant to be refused from 15 % on. Reading those of 7 to 13 % that are not in doubt gave 99.1 % of areas on
drawn tables instead of 98.8 %; those of the covered ones among them were read rightly.
"""
CUT_MM = 1.0
"""An area may lie so far outside the picture: a piece within it is hardly hidden by that."""
BORDER_MM = 3.5
"""A middle so near to a line may be on the other side: 2 mm, and what the middle of a base is missed by."""
BESIDE_MM = 6.0
"""So near is what stands between two areas, as a base is as wide."""
FOOT_MM = 7.0
"""Half the side of the square about a support space's middle that has to be in sight."""
LIKELY = 0.2
AROUND = 16
"""Places on the circle about a middle that are looked at for another area."""
ROUND_MM = 20.0
"""So far from an area's corners the print still says where the area lies."""
LEAST_POINTS = 4
MOST_MM = 0.8
"""On drawn tables set up anew, bowed ones included, the print was never further off than 0.6 mm."""


def cover_of(finds: Detections, places: Places) -> Floats:
    """Return how likely a hand or a card covers each pixel of the board image, (H, W) float32, 0 to 1."""
    rows, columns = places.grid.shape
    height, width = finds.covered.shape
    full = cv2.resize(finds.covered, (width * STRIDE, height * STRIDE), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:rows, :columns], np.float32)


def covered_shares(cover: Floats, places: Places) -> dict[str, float]:
    """Return the share of each area that is covered, 0 to 1, by name."""
    size = _sizes(places)
    hidden = np.bincount(places.labels[cover > 0.5], minlength=len(places.plan.areas) + 1)
    return {area.name: float(hidden[i + 1] / max(size[i + 1], 1)) for i, area in enumerate(places.plan.areas)}


@once_for
def _sizes(places: Places) -> npt.NDArray[np.int64]:
    """Return how many pixels of the board image lie in no area, and in each of the areas, (N + 1,)."""
    return np.asarray(np.bincount(places.labels.ravel(), minlength=len(places.plan.areas) + 1), np.int64)


def hidden_areas(shares: Mapping[str, float], counts: Mapping[str, CountBelief]) -> tuple[str, ...]:
    """Return the names of the areas that are too covered to be read; a sure count bears more cover."""
    most = {area: MOST_SHARE if counts[area].confidence >= SURE else SOME_SHARE for area in shares}
    return tuple(sorted(area for area, share in shares.items() if share > most[area]))


class View(NamedTuple):
    """How a picture of (width, height) `size_px` sees a board: the homography (3, 3) from the board's mm to pixels."""

    picture_from_board: Matrix
    size_px: tuple[int, int]

    def shows(self, points_mm: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Return which points (N, 2) of the board are in the picture, (N,) bool."""
        seen = apply(self.picture_from_board, points_mm)
        return np.asarray(((seen >= 0) & (seen <= np.array(self.size_px) - 1)).all(axis=1), np.bool_)


def view_of(table: Table, found: Registration) -> View:
    """Return how a registered frame sees the board."""
    back = np.asarray(np.linalg.inv(table.board_from_reference @ found.reference_from_frame), np.float64)
    return View(back, table.picture_size)


def cut_off_areas(plan: BoardPlan, view: View) -> set[str]:
    """Return the names of the areas of which a part lies outside the picture."""
    return {area.name for area in plan.areas if not view.shows(_inwards(np.asarray(area.polygon_mm))).all()}


def _inwards(outline_mm: Matrix) -> Matrix:
    """Draw each corner of an outline (N, 2) CUT_MM towards the middle of all corners."""
    ways = outline_mm.mean(axis=0) - outline_mm
    far = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), CUT_MM)
    return np.asarray(outline_mm + ways * (CUT_MM / far), np.float64)


def pieces_in_view(pieces: Sequence[Piece], view: View) -> list[Piece]:
    """Return the pieces that stand inside the picture."""
    return [piece for piece in pieces if view.shows([piece.at_mm])[0]]


def covered_foot(at_mm: tuple[float, float], cover: Floats, places: Places) -> float:
    """Return how much of a commander's base at this place is hidden by a hand or a card, 0 to 1; cover: `cover_of`."""
    (x, y), reach = places.grid.pixel(at_mm), round(FOOT_MM * places.grid.px_per_mm)
    return float((cover[y - reach : y + reach + 1, x - reach : x + reach + 1] > 0.5).mean())


def areas_at_a_line(finds: Detections, places: Places, pieces: Sequence[Piece]) -> set[str]:
    """Return the areas on both sides of each border that a unit, or what may be one, stands on."""
    leaders = [piece.at_mm for piece in pieces if piece.kind == LEADER and piece.score > LIKELY]
    found = [piece.at_mm for piece in pieces if piece.kind != LEADER and piece.score > LIKELY]
    found += [
        at
        for at, heat in finds.things()
        if heat > LIKELY and all(math.dist(at, leader) > SAME_MM for leader in leaders)
    ]
    sides = (_areas_around(at_mm, places) for at_mm in found)
    return {area for areas in sides if len(areas) > 1 for area in areas}


def _areas_around(at_mm: tuple[float, float], places: Places) -> set[str]:
    """Return the areas for units that contain a point of the board or lie close beside it."""
    within = _labels_at(places, np.array([at_mm]))
    reach = BORDER_MM if within else BESIDE_MM
    turns = np.arange(AROUND) * (2 * np.pi / AROUND)
    circle = np.asarray(at_mm) + reach * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    areas = (places.plan.areas[label - 1] for label in within | _labels_at(places, circle))
    return {area.name for area in areas if places.plan.unit_kinds(area)}


def _labels_at(places: Places, points_mm: Matrix) -> set[int]:
    """Return the labels of the areas in which some points (N, 2) of the board lie."""
    rows, columns = places.grid.shape
    px = np.round(places.grid.px(points_mm)).astype(int)
    inside = ((px >= 0) & (px < np.array([columns, rows]))).all(axis=1)
    return set(places.labels[px[inside, 1], px[inside, 0]].tolist()) - {0}


def misplaced_areas(plan: BoardPlan, board_from_reference: Matrix, found: Registration) -> set[str]:
    """Return the areas round which the print is off from where the registration puts it, or too little of it is found.

    Empty where the camera stood still: then every picture is the empty board's own.
    """
    if not len(found.gaps):
        return set()
    at_px, gaps_px = found.gaps[:, :2], found.gaps[:, 2:]
    at_mm = apply(board_from_reference, at_px)
    gaps_mm = apply(board_from_reference, at_px + gaps_px) - at_mm
    return {area.name for area in plan.areas if _is_off(np.asarray(area.polygon_mm, np.float64), at_mm, gaps_mm)}


def _is_off(outline_mm: Matrix, at_mm: Matrix, gaps_mm: Matrix) -> bool:
    """Return whether the print round an outline (N, 2) is off, or can't be told to be right."""
    middle = outline_mm.mean(axis=0)
    reach = float(np.linalg.norm(outline_mm - middle, axis=1).max()) + ROUND_MM
    near = np.linalg.norm(at_mm - middle, axis=1) < reach
    if int(near.sum()) < LEAST_POINTS:
        return True
    return float(np.hypot(*np.median(gaps_mm[near], axis=0))) > MOST_MM
