"""Reading a frame: where the board is, what hides it, which pieces stand on it, how many in each area."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np

from vision.count import CountBelief, beliefs, commanders_of, leaders_of, tempered, units_of
from vision.cover import MOST_SHARE, cover_of, covered_shares
from vision.frame import fitted
from vision.geometry import Matrix, Picture, rectify, up_field
from vision.network import CLASSES, NOTHING_KNOWN, Floats, PieceNetwork, Printed, cells_of
from vision.pieces import FEATURES, Candidate, Piece, candidates, pieces_of, usual_weights
from vision.places import Places, places_of
from vision.register import Anchors, Registration, anchors_of, register
from vision.table import Table


@dataclass(frozen=True)
class Reading:
    """What was read from a frame.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction}; confidence: {area: 0 to 1}, the probability that
    the whole count of the area is right; unreadable: areas that cannot be seen; counts: the beliefs behind `units`;
    leaders: {space: {faction: probability}} behind `commanders`; pieces: what was found; board_image: (H, W, 3) BGR,
    None where the board was not found; quality: 0 to 1, the share of the board's points that agree where it lies;
    registration: how the frame lies to the reference, None where that was not found.
    """

    units: Mapping[str, Mapping[str, Mapping[str, int]]]
    commanders: Mapping[str, str]
    confidence: Mapping[str, float]
    unreadable: tuple[str, ...]
    ms: float
    counts: Mapping[str, CountBelief] = field(default_factory=dict)
    leaders: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()
    board_image: Picture | None = None
    quality: float = 0.0
    registration: Registration | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What stays from frame to frame: places, what the network made of the empty board, looks, points to track."""

    places: Places
    printed: Printed
    looks: Floats
    anchors: Anchors


@cache
def network() -> PieceNetwork:
    """The network with the packaged weights, loaded once."""
    return PieceNetwork()


@lru_cache(maxsize=2)
def prepared(table: Table) -> Setting:
    """What is worked out once for a table."""
    places = places_of(table.plan, table.grid)
    image = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    printed = network().printed(image, up_field(table.camera, table.grid), table.grid)
    anchors = anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))
    setting = Setting(places, printed, NOTHING_KNOWN, anchors)
    return Setting(places, printed, looks_in_start(setting, table), anchors)


def looks_in_start(setting: Setting, table: Table) -> Floats:
    """(1, LOOKS): how single pieces look in the table's picture of the start; nothing known where there is none."""
    if table.start_bgr is None:
        return NOTHING_KNOWN
    found = register(setting.anchors, table.start_bgr)
    if found is None or not found.good:
        return NOTHING_KNOWN
    board = board_image(table, table.start_bgr, found)
    shown = shown_in(candidates_in(setting, board), setting)
    return network().looks(board, setting.printed, shown) if len(shown) else NOTHING_KNOWN


def shown_in(found: list[Candidate], setting: Setting) -> Matrix:
    """(N, 3) row and column in cells, and class, of the sure pieces among the candidates that the start has there."""
    start = {(area, faction, unit) for area, faction, unit, _ in setting.places.plan.start}
    rows = []
    for one in found:
        sure = one.features[FEATURES.index("heat")] > 0
        if sure and (one.place, one.faction, one.kind) in start:
            row, column = cells_of([one.at_mm], setting.places.grid)[0]
            rows.append((row, column, CLASSES.index((one.faction, one.kind))))
    return np.array(rows, np.float64).reshape(-1, 3)


def board_image(table: Table, frame_bgr: Picture, found: Registration) -> Picture:
    """The board image of a registered frame."""
    return rectify(frame_bgr, table.board_from_reference @ found.reference_from_frame, table.grid)


def candidates_in(setting: Setting, board_bgr: Picture) -> list[Candidate]:
    """All pieces that may be on a board image."""
    return candidates(network().find(board_bgr, setting.printed, setting.looks), setting.places)


def read(table: Table, frame_bgr: Picture) -> Reading:
    """Read a frame (H, W, 3) uint8 BGR; PictureError where its size does not fit the table."""
    began = time.perf_counter()
    frame = fitted(frame_bgr, table.picture_size, "the frame")
    setting = prepared(table)
    found = register(setting.anchors, frame)
    if found is None or not found.good:
        return _unseen(table, found, began)
    return _read_board(setting, board_image(table, frame, found), found, began)


def _unseen(table: Table, found: Registration | None, began: float) -> Reading:
    names = tuple(area.name for area in table.plan.areas)
    share = 0.0 if found is None else found.share
    return Reading({}, {}, dict.fromkeys(names, 0.0), names, _ms(began), quality=share)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _read_board(setting: Setting, board: Picture, found: Registration, began: float) -> Reading:
    finds = network().find(board, setting.printed, setting.looks)
    pieces = pieces_of(candidates(finds, setting.places), usual_weights())
    shares = covered_shares(cover_of(finds, setting.places), setting.places)
    hidden = tuple(sorted(area for area, share in shares.items() if share > MOST_SHARE))
    counts = tempered(beliefs(pieces, setting.places.plan), usual_weights()["area"])
    leaders = leaders_of(pieces)
    return Reading(
        units={area: units for area, units in units_of(counts).items() if area not in hidden},
        commanders=commanders_of(leaders),
        confidence={area: 0.0 if area in hidden else round(count.confidence, 4) for area, count in counts.items()},
        unreadable=hidden,
        ms=_ms(began),
        counts=counts,
        leaders=leaders,
        pieces=tuple(pieces),
        board_image=board,
        quality=found.share,
        registration=found,
    )
