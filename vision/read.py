"""Reading a frame: where the board is, what hides it, which pieces stand on it, how many in each area."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from vision.count import CountBelief, beliefs, commanders_of, units_of
from vision.cover import MOST_SHARE, covered_shares
from vision.evidence import print_of
from vision.frame import fitted
from vision.geometry import Picture, rectify
from vision.pieces import Piece, PieceFinder, Setting, setting_of
from vision.pieces_both import BothFinder
from vision.places import places_of
from vision.register import Anchors, Registration, anchors_of, register
from vision.table import Table


@dataclass(frozen=True)
class Reading:
    """What was read from a frame.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction}; confidence: {area: 0 to 1}, the probability that
    the whole count of the area is right; unreadable: areas that cannot be seen; counts: the beliefs behind `units`;
    pieces: what was found; board_image: (H, W, 3) BGR, None where the board was not found; quality: 0 to 1, the share
    of the board's points that agree where the board lies.
    """

    units: Mapping[str, Mapping[str, Mapping[str, int]]]
    commanders: Mapping[str, str]
    confidence: Mapping[str, float]
    unreadable: tuple[str, ...]
    ms: float
    counts: Mapping[str, CountBelief] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()
    board_image: Picture | None = None
    quality: float = 0.0


@lru_cache(maxsize=4)
def prepared(table: Table) -> tuple[Setting, Anchors]:
    """What is worked out once for a table."""
    places = places_of(table.plan, table.grid)
    image = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    printed = print_of(image, table.looks, table.dressed_bgr)
    setting = setting_of(printed, places, table.camera, table.looks)
    return setting, anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))


@lru_cache(maxsize=1)
def usual_finder() -> PieceFinder:
    """The finder that reads best; it keeps its network loaded."""
    return BothFinder()


def read(table: Table, frame_bgr: Picture, finder: PieceFinder | None = None) -> Reading:
    """Read a frame (H, W, 3) uint8 BGR; PictureError where its size does not fit the table."""
    began = time.perf_counter()
    frame = fitted(frame_bgr, table.picture_size, "the frame")
    setting, anchors = prepared(table)
    found = register(anchors, frame)
    if found is None or not found.good:
        return _unseen(table, found, began)
    board = rectify(frame, table.board_from_reference @ found.reference_from_frame, table.grid)
    return _read_board(setting, finder or usual_finder(), (board, found.share), began)


def _unseen(table: Table, found: Registration | None, began: float) -> Reading:
    names = tuple(area.name for area in table.plan.areas)
    share = 0.0 if found is None else found.share
    return Reading({}, {}, dict.fromkeys(names, 0.0), names, _ms(began), quality=share)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _read_board(setting: Setting, finder: PieceFinder, seen: tuple[Picture, float], began: float) -> Reading:
    board, quality = seen
    found = finder.find(board, setting)
    shares = covered_shares(found.cover, setting.places)
    hidden = tuple(sorted(area for area, share in shares.items() if share > MOST_SHARE))
    counts = beliefs(found.pieces, setting.places.plan)
    return Reading(
        units={area: units for area, units in units_of(counts).items() if area not in hidden},
        commanders=commanders_of(found.pieces),
        confidence={area: 0.0 if area in hidden else round(count.confidence, 4) for area, count in counts.items()},
        unreadable=hidden,
        ms=_ms(began),
        counts=counts,
        pieces=found.pieces,
        board_image=board,
        quality=quality,
    )
