"""Reading a frame: where the board is, what hides it, which pieces stand on it, how many in each area."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.frame import fit_to_size
from vision.geometry import Floats, Grid, Maps, Matrix, Picture, rectification_maps, rectify, rectify_by_maps, up_field
from vision.plan import BoardPlan
from vision.reading.colours import OTHER_LIGHT, LightField, colours_at, light_between, palette_of, with_tone_of
from vision.reading.count import (
    CountBelief,
    beliefs,
    calibrate_beliefs,
    commanders_of,
    leaders_of,
    units_of,
)
from vision.reading.doubt import (
    EDGE,
    HIDDEN,
    LINE,
    LOST,
    PLACE,
    Look,
    area_doubts,
    named_where_it_counts,
    never_sure,
    reasons_for,
    together,
    with_light,
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
from vision.reading.network import NOTHING_KNOWN, Detections, cells_of, window_of
from vision.reading.once import once_for
from vision.reading.piece_sets import DISC, PieceSet, learnt_sets
from vision.reading.pieces import Candidate, Piece, candidates, packaged_weights, pieces_of
from vision.reading.places import SUPPORT_SLACK_MM, places_of
from vision.reading.second_look import doubtful_places, look_again, turned_views, with_looks
from vision.reading.setting import PreparedTable, last_pose, network, seen_from, stack_network
from vision.reading.stacks import StackContext, look_closer, with_singles, without_tops
from vision.reading.start import Start, learnt_from, start_pieces, tallness
from vision.registration.register import Anchors, Registration, anchors_of, register
from vision.table import Table

CLEARLY_BETTER = 0.02
"""By so much more, in mean log probability of an area, the network that knows any colours has to explain the start.

Chosen on 19 tables of benchmarks/README.md: none is read by a network that gets more than 0.7 % fewer areas right.
"""
SUPPORT_SPREAD = 0.3
"""The least part of the support board that the points it is found by have to span: few of them bear no homography."""


@dataclass(frozen=True)
class Reading:
    """What was read from a frame.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction}; confidence: {area: 0 to 1}, the probability that
    the whole count of the area is right; unreadable: areas that cannot be seen; counts: the beliefs behind `units`;
    leaders: {space: {faction: probability}} behind `commanders`; pieces: what was found; board_image: (H, W, 3) BGR,
    None where the board was not found; quality: 0 to 1, the share of the board's points that agree where it lies;
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


@once_for
def prepare_table(table: Table) -> PreparedTable:
    """Work out what readings of a table share; raise UnknownPieces where the eye has not learnt its board's pieces.

    The first eye is that of two networks which explains the photo of the start better; without such a photo the one
    that knows any colours.
    """
    setting, beside = prepared(table.plan, *_board_images(table)), table.support
    if beside is None:
        return setting
    (empty, _), height, anchors = _board_images(beside)
    support = _with_network(beside.plan, empty, height, anchors, setting.known)
    return replace(setting, support=(beside, _support_setting(setting, support)))


@once_for
def prepare_for_other_light(table: Table) -> PreparedTable:
    """Return what is worked out once for frames in another light than the photos': by the network of any colours."""
    setting, (_, varied, _) = prepare_table(table), learnt_sets(table.plan)
    if setting.known == varied:
        return setting
    (empty, start), height, anchors = _board_images(table)
    other = setting_of(table.plan, (empty, start), height, anchors, varied)
    return replace(other, second=setting.second)


def _board_images(table: Table) -> tuple[tuple[Picture, Picture | None], Floats, Anchors]:
    """Return the board images of the empty board and of the start, the empty board's up field, and points to track.

    The start's image is None where there is no photo of the start, or where the board isn't found well in it.
    """
    image = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    height = up_field(table.camera, table.grid)
    anchors = anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))
    found = None if table.start_bgr is None else register(anchors, table.start_bgr)
    start = board_image(table, table.start_bgr, found) if table.start_bgr is not None and found and found.good else None
    return (image, start), height, anchors


def _support_setting(known: PreparedTable, setting: PreparedTable) -> PreparedTable:
    """Return a support board's setting with what the photo of the start has taught of the pieces on its map."""
    pairs = zip(setting.again.views, known.again.views, strict=True)
    again = replace(setting.again, views=tuple(replace(view, looks=other.looks) for view, other in pairs))
    places = replace(setting.places, slack_mm=SUPPORT_SLACK_MM)
    return replace(setting, places=places, looks=known.looks, again=again, start=known.start)


def prepared(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors
) -> PreparedTable:
    """Prepare a table from its board images instead of its photos, choosing the first eye as `prepare_table` does.

    pictures: the board images of the empty board (rows, columns, 3) and of the start; height: the up field of the first
    (rows, columns, 2).
    """
    first = chosen(settings_of(plan, pictures, height, anchors))
    *_, second = learnt_sets(plan)
    return replace(first, second=setting_of(plan, pictures, height, anchors, second))


def chosen(settings: Sequence[PreparedTable]) -> PreparedTable:
    """Choose the first setting, unless another explains the start clearly better."""
    first, *rest = settings
    return next((other for other in rest if other.start.fit > first.start.fit + CLEARLY_BETTER), first)


def settings_of(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors
) -> list[PreparedTable]:
    """Return a setting for each network that may be chosen.

    Only that which knows any colours may be where no start shows which sees more, or only one in another light.
    """
    (empty, start), (exact, varied, _) = pictures, learnt_sets(plan)
    one_way = start is None or light_between(with_tone_of(start, empty), empty).is_other
    return [setting_of(plan, pictures, height, anchors, known) for known in ((varied,) if one_way else (exact, varied))]


def setting_of(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors, known: PieceSet
) -> PreparedTable:
    """Return the setting of one network, with what it learns from the start where that is shown."""
    empty, start = pictures
    setting = _with_network(plan, empty, height, anchors, known)
    return setting if start is None else with_start_looks(setting, start)


def _with_network(plan: BoardPlan, empty: Picture, height: Floats, anchors: Anchors, known: PieceSet) -> PreparedTable:
    grid = Grid(plan.size_mm)
    window = window_of(grid, [point for area in plan.areas for point in area.polygon_mm])
    printed = network(known).printed(empty, height, grid, window)
    again = turned_views(empty, height, grid, window, network(known))
    ground = StackContext(empty, height, grid)
    return PreparedTable(places_of(plan, grid), printed, NOTHING_KNOWN, again, ground, anchors, known)


def with_start_looks(setting: PreparedTable, board_bgr: Picture) -> PreparedTable:
    """Add to the setting how single pieces look, learnt from the board image of the starting position."""
    board_bgr = with_tone_of(board_bgr, setting.ground.image_bgr)
    board_bgr = light_between(board_bgr, setting.ground.image_bgr).matched(board_bgr)
    finds = network(setting.known).find(board_bgr, setting.printed, NOTHING_KNOWN)
    shown = start_pieces(finds, setting.places)
    if not shown:
        return setting
    points = [piece.at_mm for piece in shown]
    cells = np.column_stack(
        [cells_of(points, setting.places.grid), [setting.known.which(piece.faction, piece.kind) for piece in shown]]
    )
    looks = network(setting.known).looks(board_bgr, setting.printed, cells)
    again = with_looks(setting.again, board_bgr, cells, network(setting.known))
    discs = {
        who: np.array([piece.at_mm for piece in shown if (piece.faction, piece.kind) == (who, DISC)]).reshape(-1, 2)
        for who in dict.fromkeys(piece.faction for piece in shown)
    }
    solid = [piece for piece in shown if piece.kind == DISC]
    colours = colours_in(setting, board_bgr, np.array([piece.at_mm for piece in solid]).reshape(-1, 2))
    palette = palette_of(colours, [piece.faction for piece in solid])
    ground = with_singles(setting.ground, board_bgr, discs)
    told = replace(setting, looks=looks, again=again, ground=ground, start=Start(palette))
    _, found = detect(board_bgr, told)
    told = replace(told, start=Start(palette, tall=tallness(found, setting.places.plan)))
    _, found = detect_all(board_bgr, told)
    return replace(told, start=learnt_from(found, setting.places.plan, packaged_weights(setting.known), told.start))


def colours_in(setting: PreparedTable, board_bgr: Picture, points_mm: Matrix) -> Matrix:
    """(N, spots, 3) the colours, as `palette` has them, of what stands at places (N, 2) of a board image."""
    ground = setting.ground
    return colours_at(board_bgr, ground.image_bgr, ground.up_field, ground.grid.px(points_mm))


@once_for
def _still_maps(table: Table) -> Maps:
    """Return the maps of a board image for a camera that has not moved since the reference."""
    return rectification_maps(table.board_from_reference, table.grid)


def release_caches() -> None:
    """Keep nothing for the next frame, where memory is short: networks are loaded again, a table is prepared again."""
    for kept in (network, stack_network):
        kept.cache_clear()
    for known in (prepare_table, prepare_for_other_light, last_pose, _still_maps):
        known.forget()


def board_image(table: Table, frame_bgr: Picture, found: Registration) -> Picture:
    """Straighten a registered frame into the table's board image."""
    if np.array_equal(found.reference_from_frame, np.eye(3)):
        return rectify_by_maps(frame_bgr, _still_maps(table))
    return rectify(frame_bgr, table.board_from_reference @ found.reference_from_frame, table.grid)


def detect_all(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """Return what the networks find on a board image, and which pieces may be there, stacks looked at closer."""
    finds, found = detect(board_bgr, setting)
    return finds, look_closer(found, board_bgr, setting.ground, stack_network())


def detect(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """Look at a board image, and again at doubtful places; return what is found and which pieces may be there."""
    finds = network(setting.known).find(board_bgr, setting.printed, setting.looks)
    found = _candidates(finds, board_bgr, setting)
    points = doubtful_places(found, packaged_weights(setting.known)) if setting.again.views else []
    if points:
        finds = look_again(finds, np.array(points), board_bgr, setting.again, network(setting.known))
        found = _candidates(finds, board_bgr, setting)
    return finds, found


def _candidates(finds: Detections, board_bgr: Picture, setting: PreparedTable) -> list[Candidate]:
    palette, tall = setting.start.palette, setting.start.tall
    if palette is None:
        return candidates(finds, setting.places, tall=tall)

    def far_from(at_mm: Matrix) -> dict[str, Matrix]:
        far = palette.distances(colours_in(setting, board_bgr, at_mm))
        return {faction: each.min(axis=1) for faction, each in far.items()}

    return candidates(finds, setting.places, far_from, tall)


# ---- a frame -----------------------------------------------------------------------------------


def read(table: Table, frame_bgr: Picture, found: Registration | None = None) -> Reading:
    """Read a frame (H, W, 3) uint8 BGR; PictureError where its size does not fit the table.

    found: how it lies to the reference, where that is known already.
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
    reading = _read_board(used, (light.matched(board), light), found, view_of(table, found))
    reading = replace(reading, board_image=board, light=round(light.change, 4))
    if light.is_other:
        reading = replace(reading, why=with_light(reading.why))
    if setting.support is not None:
        reading = _with_support(reading, *setting.support, (frame, found))
    return replace(reading, ms=_ms(began))


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def doubts_in(
    setting: PreparedTable, board_bgr: Picture, finds: Detections, pieces: Sequence[Piece], relit: float
) -> dict[str, tuple[float, ...]]:
    """{area: what DOUBTS names}, what speaks against its count; relit: how far the board image's light was changed."""
    pictures = board_bgr, setting.ground.image_bgr
    each = area_doubts(pictures, setting.places, setting.start, finds, pieces)
    return {area: (*measures, relit) for area, measures in each.items()}


def _look(setting: PreparedTable, board: Picture, relit: float, view: View, off: Collection[str]) -> Look:
    """Return what one eye makes of a board image; off: the areas whose print isn't quite where it should be."""
    finds, found = detect_all(board, setting)
    weights = packaged_weights(setting.known)
    pieces = pieces_of(found, weights, setting.start.lifts)
    pieces = pieces_in_view(without_tops(pieces, setting.ground), view)
    doubts, believed = doubts_in(setting, board, finds, pieces, relit), beliefs(pieces, setting.places.plan)
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
    opinion = together(looks, plan)
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
        why=named_where_it_counts(why, sure),
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
    board = light_between(board, setting.ground.image_bgr).matched(board)
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
