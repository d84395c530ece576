"""Reading dice beside the board: which lie there, and how many pips each shows on top.

What is new beside the board or on its rim (`sites`) is looked at in windows that are turned and rectified by the
camera's place, so that a top is told from the sides below it; a small network finds tops and counts pips (`network`). A
die that cannot be read is told as such: one of another game, one that leans or lies on another, one cut off by the
picture's border.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from vision.dice.network import CENTRE_PX, CLASSES, STRIDE, TOP_MM, UNREADABLE, DiceNetwork, Top, cut_window, window_at
from vision.dice.sites import Region, Sites
from vision.frame import fit_to_size
from vision.geometry import Camera, Matrix, Picture, apply, camera_of
from vision.plan import Point
from vision.registration.register import Anchors, Registration, anchors_of, register
from vision.table import Table

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
    """A die that lies flat: where its middle is on the board's plane (mm), its pips (0 to 2), how sure, 0 to 1."""

    at_mm: Point
    pips: int
    confidence: float


@dataclass(frozen=True, slots=True)
class DiceReading:
    """The dice of a frame that were not there in the reference, and the places (board mm) of those not to be read.

    seen: whether the board was found in the frame at all; without it nothing is told.
    """

    dice: tuple[Die, ...]
    unreadable: tuple[Point, ...] = ()
    seen: bool = True
    ms: float = 0.0


class DiceReader:
    """Reads throws on one table; makes the reference ready once and keeps the network loaded."""

    def __init__(self, table: Table, region: Region | None = None, network: DiceNetwork | None = None) -> None:
        self.table = table
        self.region = region or Region()
        self._network = network or DiceNetwork()
        self._sites = Sites(table, self.region)
        self._camera = table.camera
        self._anchors: Anchors | None = None

    def read(self, frame_bgr: Picture, found: Registration | None = None) -> DiceReading:
        """Read the dice in a frame (H, W, 3) uint8 BGR; PictureError if its size does not fit the table.

        found: how the frame lies to the reference, where that is known already; else it is found here.
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
    """Return how often readings with the network's raw sureness were right, on simulated tables (logistic fit)."""
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
