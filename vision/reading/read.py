"""Reading a frame: where the board is, what hides it, which pieces stand on it, how many in each area."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import fit_to_size
from vision.geometry import Floats, Maps, Matrix, Picture, rectification_maps, rectify, rectify_by_maps, up_field
from vision.reading.count import SURE, CountBelief, beliefs, calibrate_beliefs, commanders_of, leaders_of, units_of
from vision.reading.network import NOTHING_KNOWN, STRIDE, Detections, PieceNetwork, Printed, cells_of, window_of
from vision.reading.once import once_for
from vision.reading.piece_sets import SHIPS, PieceSet, learnt_set
from vision.reading.pieces import FEATURES, Candidate, Piece, candidates, packaged_weights, pieces_of
from vision.reading.places import Places, places_of
from vision.reading.second_look import TurnedViews, doubtful_places, look_again, turned_views, with_looks
from vision.reading.stacks import StackContext, StackNetwork, look_closer, stack_context, with_singles
from vision.registration.register import Anchors, Registration, anchors_of, register
from vision.table import Table

MOST_SHARE, SOME_SHARE = 0.13, 0.07
"""From the first on an area is not read; from the second on only where what is in sight is sure.

Areas are meant to be refused from 15 % on. Reading those of 7 to 13 % that are not in doubt gave 99.1 % of areas on
drawn tables instead of 98.8 %; those of the covered ones among them were read rightly.
"""


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
class PreparedTable:
    """What stays from frame to frame: places, what the network made of the empty board, looks, the same turned for
    looking again, the ground of the closer look at stacks, points to track.
    """

    places: Places
    printed: Printed
    looks: Floats
    again: TurnedViews
    ground: StackContext
    anchors: Anchors
    known: PieceSet = SHIPS


@lru_cache(maxsize=1)
def network(known: PieceSet = SHIPS) -> PieceNetwork:
    """The network with the packaged weights of a set of pieces, kept for the set in use: it holds 20 MB of its own."""
    return PieceNetwork(known=known)


@lru_cache(maxsize=1)
def window_network(known: PieceSet = SHIPS) -> PieceNetwork:
    """The same once more, for windows: a network that is given pictures of one size in turn with another is slower."""
    return PieceNetwork(known=known)


@cache
def stack_network() -> StackNetwork:
    """The network that looks again at discs, loaded once."""
    return StackNetwork()


@once_for
def prepare_table(table: Table) -> PreparedTable:
    """What is worked out once for a table; UnknownPieces where the eye has not learnt its board's pieces."""
    known = learnt_set(table.plan)
    places = places_of(table.plan, table.grid)
    image = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    height = up_field(table.camera, table.grid)
    window = window_of(table.grid, [point for area in table.plan.areas for point in area.polygon_mm])
    printed = network(known).printed(image, height, table.grid, window)
    again = turned_views(image, height, table.grid, window, network(known))
    anchors = anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))
    setting = PreparedTable(
        places, printed, NOTHING_KNOWN, again, stack_context(image, height, table.grid), anchors, known
    )
    return with_start_looks(setting, table)


def with_start_looks(setting: PreparedTable, table: Table) -> PreparedTable:
    """The setting with how single pieces look in the table's picture of the start, where there is one."""
    if table.start_bgr is None:
        return setting
    found = register(setting.anchors, table.start_bgr)
    if found is None or not found.good:
        return setting
    board = board_image(table, table.start_bgr, found)
    shown = start_pieces(candidates_in(setting, board), setting)
    if not shown:
        return setting
    cells = cells_and_classes(shown, setting)
    looks = network(setting.known).looks(board, setting.printed, cells)
    again = with_looks(setting.again, board, cells, network(setting.known))
    discs = {who: points_of(shown, (who, "troop")) for who in dict.fromkeys(one.faction for one in shown)}
    return replace(setting, looks=looks, again=again, ground=with_singles(setting.ground, board, discs))


def start_pieces(found: list[Candidate], setting: PreparedTable) -> list[Candidate]:
    """The sure pieces among the candidates that the start has where they are."""
    start = {(area, faction, unit) for area, faction, unit, _ in setting.places.plan.start}
    heat = FEATURES.index("heat")
    return [one for one in found if one.features[heat] > 0 and (one.place, one.faction, one.kind) in start]


def cells_and_classes(shown: Sequence[Candidate], setting: PreparedTable) -> Matrix:
    """(N, 3) row and column in cells, and class, of pieces."""
    cells = cells_of([one.at_mm for one in shown], setting.places.grid)
    return np.column_stack([cells, [setting.known.which(one.faction, one.kind) for one in shown]])


def points_of(shown: Sequence[Candidate], which: tuple[str, str]) -> Matrix:
    """(N, 2) mm of the pieces of a faction and kind."""
    return np.array([one.at_mm for one in shown if (one.faction, one.kind) == which], np.float64).reshape(-1, 2)


@once_for
def _still_maps(table: Table) -> Maps:
    """The maps of a board image where the camera has not moved since the reference."""
    return rectification_maps(table.board_from_reference, table.grid)


def release_caches() -> None:
    """Keep nothing for the next frame, where memory is short: networks are loaded again, a table is prepared again."""
    for kept in (network, window_network, stack_network):
        kept.cache_clear()
    for known in (prepare_table, _still_maps):
        known.forget()


def board_image(table: Table, frame_bgr: Picture, found: Registration) -> Picture:
    """The board image of a registered frame."""
    if np.array_equal(found.reference_from_frame, np.eye(3)):
        return rectify_by_maps(frame_bgr, _still_maps(table))
    return rectify(frame_bgr, table.board_from_reference @ found.reference_from_frame, table.grid)


def candidates_in(setting: PreparedTable, board_bgr: Picture) -> list[Candidate]:
    """All pieces that may be on a board image."""
    return _detect_all(board_bgr, setting)[1]


def _detect_all(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """What the networks find on a board image, and which pieces may be there."""
    finds, found = detect(board_bgr, setting)
    return finds, look_closer(found, board_bgr, setting.ground, stack_network())


def detect(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """What the first look and looking again find on a board image, and which pieces may be there by that."""
    finds = network(setting.known).find(board_bgr, setting.printed, setting.looks)
    found = candidates(finds, setting.places)
    points = doubtful_places(found, packaged_weights(setting.known))
    if points:
        finds = look_again(finds, np.array(points), board_bgr, setting.again, window_network(setting.known))
        found = candidates(finds, setting.places)
    return finds, found


# ---- what hides the board ----------------------------------------------------------------------


def cover_of(finds: Detections, places: Places) -> Floats:
    """(H, W) float32 of the board image, 0 to 1: how likely a hand or a card covers it, as the network says."""
    rows, columns = places.grid.shape
    height, width = finds.covered.shape
    full = cv2.resize(finds.covered, (width * STRIDE, height * STRIDE), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:rows, :columns], np.float32)


def covered_shares(cover: Floats, places: Places) -> dict[str, float]:
    """The share of each area that is covered."""
    size = _sizes(places)
    hidden = np.bincount(places.labels[cover > 0.5], minlength=len(places.plan.areas) + 1)
    return {area.name: float(hidden[i + 1] / max(size[i + 1], 1)) for i, area in enumerate(places.plan.areas)}


@once_for
def _sizes(places: Places) -> npt.NDArray[np.int64]:
    """(N + 1,) how many pixels of the board image lie in no area, and in each of the areas."""
    return np.asarray(np.bincount(places.labels.ravel(), minlength=len(places.plan.areas) + 1), np.int64)


def hidden_areas(shares: Mapping[str, float], counts: Mapping[str, CountBelief]) -> tuple[str, ...]:
    """The areas that are too much covered to be read, by name."""
    most = {area: MOST_SHARE if counts[area].confidence >= SURE else SOME_SHARE for area in shares}
    return tuple(sorted(area for area, share in shares.items() if share > most[area]))


# ---- a frame -----------------------------------------------------------------------------------


def read(table: Table, frame_bgr: Picture) -> Reading:
    """Read a frame (H, W, 3) uint8 BGR; PictureError where its size does not fit the table."""
    began = time.perf_counter()
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    del frame_bgr  # a large photo takes much of the memory
    setting = prepare_table(table)
    found = register(setting.anchors, frame)
    if found is None or not found.good:
        names = tuple(area.name for area in table.plan.areas)
        share = 0.0 if found is None else found.share
        return Reading({}, {}, dict.fromkeys(names, 0.0), names, _ms(began), quality=share)
    return _read_board(setting, board_image(table, frame, found), found, began)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _read_board(setting: PreparedTable, board: Picture, found: Registration, began: float) -> Reading:
    finds, found_pieces = _detect_all(board, setting)
    pieces = pieces_of(found_pieces, packaged_weights(setting.known))
    shares = covered_shares(cover_of(finds, setting.places), setting.places)
    counts = calibrate_beliefs(beliefs(pieces, setting.places.plan), packaged_weights(setting.known)["area"])
    hidden = hidden_areas(shares, counts)
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
