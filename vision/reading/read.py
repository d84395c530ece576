"""Reading a frame: where the board is, what hides it, which pieces stand on it, how many in each area."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.frame import fit_to_size
from vision.geometry import Picture
from vision.reading.colours import OTHER_LIGHT, LightField, light_between, with_tone_of
from vision.reading.count import CountBelief, beliefs, calibrate_beliefs, commanders_of, leaders_of, units_of
from vision.reading.doubt import (
    EDGE,
    HIDDEN,
    LINE,
    LOST,
    PLACE,
    Look,
    add_light_reason,
    area_doubts,
    combine_looks,
    never_sure,
    reasons_below_certain,
    reasons_for,
)
from vision.reading.limits import (
    MOST_SHARE,
    View,
    areas_at_a_line,
    cover_of,
    covered_foot,
    covered_shares,
    cut_off_areas,
    hidden_areas,
    misplaced_areas,
    pieces_in_view,
    view_of,
)
from vision.reading.network import Detections
from vision.reading.pieces import Piece, packaged_weights, pieces_of
from vision.reading.setting import (
    PreparedTable,
    board_image,
    detect,
    detect_all,
    prepare_for_other_light,
    prepare_table,
    seen_from,
)
from vision.reading.stacks import without_tops
from vision.registration.register import Registration, register
from vision.table import Table

SUPPORT_SPREAD = 0.3
"""The least part of the support board that the points it is found by have to span: few of them bear no homography."""


@dataclass(frozen=True)
class Reading:
    """What was read from a frame.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction}; confidence: {area: 0 to 1}, the probability that
    the whole count of the area is right; unreadable: areas that cannot be seen; counts: the beliefs behind `units`;
    leaders: {space: {faction: probability}} behind `commanders`; pieces: what was found; board_image: (H, W, 3) BGR,
    None where the board was not found; quality: 0 to 1, the share of the tracked points that agree on its place;
    registration: how the frame lies to the reference, None where that was not found; strange: areas in which something
    stands that is of neither side; support: the spaces of the support board that are in sight; cut_off: those of the
    unreadable areas that lie partly outside the picture; at_a_line: areas on both sides of a line that a piece is on;
    why: {area: reasons}, why the confidence isn't higher, the weightiest first (`vision.reading.doubt`); light: how
    far the frame's light is from that of the empty board's photo (`vision.reading.colours`).
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
    strange: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()
    at_a_line: tuple[str, ...] = ()
    why: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    light: float = 0.0

    @property
    def is_in_other_light(self) -> bool:
        """Whether the empty board was photographed in another light."""
        return self.light >= OTHER_LIGHT


def read(table: Table, frame_bgr: Picture, found: Registration | None = None) -> Reading:
    """Read which pieces stand on the board in a frame (H, W, 3) uint8 BGR; PictureError for another aspect ratio.

    found: how the frame lies to the reference, if that is known already.
    """
    began = time.perf_counter()
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    del frame_bgr  # a large photo takes much of the memory
    setting = prepare_table(table)
    found = found or register(setting.anchors, frame)
    if found is None or not found.good:
        names = tuple(area.name for area in table.plan.areas)
        share = 0.0 if found is None else found.share
        why = dict.fromkeys(names, (LOST,))
        return Reading({}, {}, dict.fromkeys(names, 0.0), names, _ms(began), quality=share, why=why)
    board = with_tone_of(board_image(table, frame, found), setting.ground.image_bgr)
    light = light_between(board, setting.ground.image_bgr)
    used = prepare_for_other_light(table) if light.is_other else setting
    used = seen_from(used, table, found)
    reading = _read_board(used, (light.relight(board), light), found, view_of(table, found))
    reading = replace(reading, board_image=board, light=round(light.change, 4))
    if light.is_other:
        reading = replace(reading, why=add_light_reason(reading.why))
    if setting.support is not None:
        reading = _with_support(reading, *setting.support, (frame, found))
    return replace(reading, ms=_ms(began))


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def measure_doubts(
    setting: PreparedTable, board_bgr: Picture, finds: Detections, pieces: Sequence[Piece], relit: float
) -> dict[str, tuple[float, ...]]:
    """Measure what speaks against each area's count, {area: a value for each of DOUBTS}.

    relit: how far the board image's light was changed.
    """
    pictures = board_bgr, setting.ground.image_bgr
    each = area_doubts(pictures, setting.places, setting.start, finds, pieces)
    return {area: (*measures, relit) for area, measures in each.items()}


def _look(setting: PreparedTable, board: Picture, relit: float, view: View, off: Collection[str]) -> Look:
    """Return what one eye makes of a board image; off: the areas whose print isn't quite where it should be."""
    finds, found = detect_all(board, setting)
    weights = packaged_weights(setting.known)
    pieces = pieces_of(found, weights, setting.start.lifts)
    pieces = pieces_in_view(without_tops(pieces, setting.ground), view)
    doubts, believed = measure_doubts(setting, board, finds, pieces, relit), beliefs(pieces, setting.places.plan)
    caps = never_sure(doubts, setting.start, pieces)
    for reason, areas in ((LINE, areas_at_a_line(finds, setting.places, pieces)), (PLACE, off)):
        caps |= {area: (reason, *caps.get(area, ())) for area in areas}
    return Look(
        pieces=pieces,
        counts=calibrate_beliefs(believed, weights["area"], doubts),
        doubts=doubts,
        caps=caps,
        why=reasons_for(believed, weights["area"], doubts, caps),
        cover=cover_of(finds, setting.places),
    )


def _read_board(setting: PreparedTable, lit: tuple[Picture, LightField], found: Registration, view: View) -> Reading:
    """Read a board image (rows, columns, 3) that was brought to the empty board's light, from the light given."""
    (board, light), plan = lit, setting.places.plan
    from_reference = np.asarray(np.linalg.inv(found.reference_from_frame @ view.picture_from_board), np.float64)
    off = misplaced_areas(plan, from_reference, found)
    looks = [_look(eye, board, light.relit, view, off) for eye in setting.eyes]
    opinion = combine_looks(looks, plan)
    cut_off = cut_off_areas(plan, view)
    hidden = {*hidden_areas(covered_shares(opinion.cover, setting.places), opinion.counts), *cut_off}
    sure = {area: 0.0 if area in hidden else round(count.confidence, 4) for area, count in opinion.counts.items()}
    why = {**opinion.why, **{area: (EDGE if area in cut_off else HIDDEN,) for area in hidden}}
    at_a_line = {area for look in looks for area, reasons in look.caps.items() if LINE in reasons}
    return Reading(
        units={area: units for area, units in units_of(opinion.counts).items() if area not in hidden},
        commanders=commanders_of(opinion.leaders),
        confidence=sure,
        unreadable=tuple(sorted(hidden)),
        ms=0.0,
        counts=opinion.counts,
        leaders=opinion.leaders,
        pieces=opinion.pieces,
        board_image=board,
        quality=found.share,
        registration=found,
        strange=tuple(area for area in opinion.strange if area not in hidden),
        cut_off=tuple(sorted(cut_off)),
        at_a_line=tuple(sorted(at_a_line - hidden)),
        why=reasons_below_certain(why, sure),
    )


def _with_support(
    reading: Reading, table: Table, setting: PreparedTable, seen: tuple[Picture, Registration]
) -> Reading:
    """Add to the reading the commanders on the support board, as far as it is in sight.

    The support board is a sheet of its own: where it shows enough print to be found by itself it may have slid beside
    the map; where it doesn't, it lies to the map as it did. seen: the frame, and how the map lies in it.
    """
    frame, found = seen
    own = register(setting.anchors, frame)
    lies = own if own is not None and own.good and own.spread >= SUPPORT_SPREAD else found
    board = with_tone_of(board_image(table, frame, lies), setting.ground.image_bgr)
    board = light_between(board, setting.ground.image_bgr).relight(board)
    setting = seen_from(setting, table, lies)
    finds, candidates_there = detect(board, setting)
    pieces = pieces_of(candidates_there, packaged_weights(setting.known), setting.start.lifts)
    cover = cover_of(finds, setting.places)
    view = view_of(table, lies)
    in_sight = sorted(
        space.name
        for space in setting.places.plan.spaces
        if view.shows([space.at_mm])[0] and covered_foot(space.at_mm, cover, setting.places) <= MOST_SHARE
    )
    leaders = {space: held for space, held in leaders_of(pieces).items() if space in in_sight}
    return replace(
        reading,
        commanders=dict(sorted({**reading.commanders, **commanders_of(leaders)}.items())),
        leaders=dict(sorted({**reading.leaders, **leaders}.items())),
        support=tuple(in_sight),
    )
