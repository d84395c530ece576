"""What readings of a table share from frame to frame: its setting, and the networks with the packaged weights.

Where the board was turned or the camera set up anew, pieces lean another way in the board image. What the network made
of the empty board, and all that goes by how pieces lean, is made again for where the camera stands now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from vision.geometry import (
    Camera,
    Floats,
    Grid,
    Maps,
    Matrix,
    Picture,
    board_corners_mm,
    camera_of,
    rectification_maps,
    rectify,
    rectify_by_maps,
    up_field,
)
from vision.memory import once_for
from vision.plan import BoardPlan
from vision.reading.colours import colours_at, light_between, palette_of, with_tone_of
from vision.reading.network import NOTHING_KNOWN, Detections, PieceNetwork, Printed, cells_of, window_of
from vision.reading.piece_sets import DISC, SHIPS, PieceSet, learnt_sets
from vision.reading.pieces import SUPPORT_SLACK_MM, Candidate, Places, candidates, packaged_weights, places_of
from vision.reading.second_look import TurnedViews, doubtful_places, look_again, turned_views, with_looks
from vision.reading.stacks import StackContext, StackNetwork, look_closer, with_disc_samples
from vision.reading.start import NO_START, Start, learn_from_start, start_pieces, tallness
from vision.registration.register import Anchors, Registration, anchors_of, register
from vision.table import Table

CLEARLY_BETTER = 0.02
"""By so much more, in mean log probability of an area, the network that knows any colours has to explain the start.

Chosen on 19 tables of benchmarks/README.md: none is read by a network that gets more than 0.7 % fewer areas right.
"""
SAME_UP = 0.06
"""A camera from which things seem to move by no more than this, in mm per mm of height, is where it was: half a
millimetre for a disc's top.
"""


@lru_cache(maxsize=2)
def network(known: PieceSet = SHIPS) -> PieceNetwork:
    """Return the network with the packaged weights of a set of pieces; the two used last are kept loaded."""
    return PieceNetwork(known=known)


@cache
def stack_network() -> StackNetwork:
    """Return the network that looks again at discs, loaded once."""
    return StackNetwork()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PreparedTable:
    """What stays the same of a table from frame to frame, worked out once.

    It holds places, what the network made of the empty board, looks, the same turned for looking again, the ground of
    the closer look at stacks, points to track, the colours of each side's pieces.

    second: the same for the second eye; support: the support board as a table of its own, where the photos show it, and
    the same of that.
    """

    places: Places
    printed: Printed
    looks: Floats
    again: TurnedViews
    ground: StackContext
    anchors: Anchors
    known: PieceSet = SHIPS
    start: Start = NO_START
    second: PreparedTable | None = None
    support: tuple[Table, PreparedTable] | None = None

    @property
    def eyes(self) -> tuple[PreparedTable, ...]:
        """The settings of all eyes that look at the table, this one first."""
        return (self,) if self.second is None else (self, self.second)


@dataclass(slots=True)
class LastPose:
    """The setting for a camera that has moved since the table's photos, and where it stood; None until it has."""

    camera: Camera | None = None
    setting: PreparedTable | None = None


@once_for
def last_pose(setting: PreparedTable) -> LastPose:
    """Return the holder of a table's last setting for a moved camera; empty at first."""
    return LastPose()


def seen_from(setting: PreparedTable, table: Table, found: Registration) -> PreparedTable:
    """Return a table's setting for where the camera stands in a registered frame, made anew only if it has moved."""
    camera = None if found.still else camera_elsewhere(table, found)
    if camera is None:
        return setting
    last = last_pose(setting)
    if last.setting is None or last.camera is None or is_elsewhere(camera, last.camera, table.plan.size_mm):
        last.camera, last.setting = camera, _leaning(setting, camera)
    return last.setting


def camera_elsewhere(table: Table, found: Registration) -> Camera | None:
    """Return where the camera stands in a registered frame; None if it has not moved since the table's photos."""
    first = table.board_from_reference
    now = first @ found.reference_from_frame
    was, camera = camera_of(first, table.picture_size, now), camera_of(now, table.picture_size, first)
    return camera if is_elsewhere(camera, was, table.plan.size_mm) else None


def is_elsewhere(one: Camera, other: Camera, size_mm: tuple[float, float]) -> bool:
    """Return whether pieces lean clearly differently before one camera than before another."""
    corners = board_corners_mm(size_mm)
    return float(np.linalg.norm(one.up(corners) - other.up(corners), axis=1).max()) > SAME_UP


def _leaning(setting: PreparedTable, camera: Camera) -> PreparedTable:
    """Return the setting with all that goes by how pieces lean before a camera; single pieces look as they did."""
    before, known = setting.printed, network(setting.known)
    height = up_field(camera, before.grid)
    printed = known.prepare_board(before.image_bgr, height, before.grid, before.window)
    again = turned_views(before.image_bgr, height, before.grid, before.window, known)
    pairs = zip(again.views, setting.again.views, strict=True)
    views = tuple(replace(view, looks=as_known.looks) for view, as_known in pairs)
    ground = replace(setting.ground, up_field=height)
    second = None if setting.second is None else _leaning(setting.second, camera)
    return replace(setting, printed=printed, again=replace(again, views=views), ground=ground, second=second)


@once_for
def prepare_table(table: Table) -> PreparedTable:
    """Work out what readings of a table share; raise UnknownPieces if the eye has not learnt the board's pieces.

    The first eye is whichever of two networks explains the photo of the start better; without a photo of it in the
    same light, the one that knows any colours.
    """
    setting, beside = prepare_from_images(table.plan, *_board_images(table)), table.support
    if beside is None:
        return setting
    (empty, _), height, anchors = _board_images(beside)
    support = _with_network(beside.plan, empty, height, anchors, setting.known)
    return replace(setting, support=(beside, _support_setting(setting, support)))


@once_for
def prepare_for_other_light(table: Table) -> PreparedTable:
    """Prepare the table for frames in another light than its photos: by the network that knows any colours."""
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


def prepare_from_images(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors
) -> PreparedTable:
    """Prepare a table from its board images instead of its photos, choosing the first eye as `prepare_table` does.

    pictures: the board images of the empty board (rows, columns, 3) and of the start; height: the up field of the first
    (rows, columns, 2).
    """
    first = choose_setting(settings_of(plan, pictures, height, anchors))
    *_, second = learnt_sets(plan)
    return replace(first, second=setting_of(plan, pictures, height, anchors, second))


def choose_setting(settings: Sequence[PreparedTable]) -> PreparedTable:
    """Return the first setting, unless a later one explains the start clearly better."""
    first, *rest = settings
    return next((other for other in rest if other.start.fit > first.start.fit + CLEARLY_BETTER), first)


def settings_of(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors
) -> list[PreparedTable]:
    """Return a setting for each network that may serve as the first eye.

    Only the one that knows any colours if the start wasn't photographed, or was photographed in another light.
    """
    (empty, start), (exact, varied, _) = pictures, learnt_sets(plan)
    one_way = start is None or light_between(with_tone_of(start, empty), empty).is_other
    return [setting_of(plan, pictures, height, anchors, known) for known in ((varied,) if one_way else (exact, varied))]


def setting_of(
    plan: BoardPlan, pictures: tuple[Picture, Picture | None], height: Floats, anchors: Anchors, known: PieceSet
) -> PreparedTable:
    """Return the setting of one network, with what it learns from the start if that was photographed."""
    empty, start = pictures
    setting = _with_network(plan, empty, height, anchors, known)
    return setting if start is None else with_start_looks(setting, start)


def _with_network(plan: BoardPlan, empty: Picture, height: Floats, anchors: Anchors, known: PieceSet) -> PreparedTable:
    grid = Grid(plan.size_mm)
    window = window_of(grid, [point for area in plan.areas for point in area.polygon_mm])
    printed = network(known).prepare_board(empty, height, grid, window)
    again = turned_views(empty, height, grid, window, network(known))
    ground = StackContext(empty, height, grid)
    return PreparedTable(places_of(plan, grid), printed, NOTHING_KNOWN, again, ground, anchors, known)


def with_start_looks(setting: PreparedTable, board_bgr: Picture) -> PreparedTable:
    """Add to the setting how single pieces look, learnt from the board image of the starting position."""
    board_bgr = with_tone_of(board_bgr, setting.ground.image_bgr)
    board_bgr = light_between(board_bgr, setting.ground.image_bgr).relight(board_bgr)
    finds = network(setting.known).find(board_bgr, setting.printed, NOTHING_KNOWN)
    shown = start_pieces(finds, setting.places)
    if not shown:
        return setting
    points = [piece.at_mm for piece in shown]
    cells = np.column_stack(
        [cells_of(points, setting.places.grid), [setting.known.index_of(piece.faction, piece.kind) for piece in shown]]
    )
    looks = network(setting.known).learn_looks(board_bgr, setting.printed, cells)
    again = with_looks(setting.again, board_bgr, cells, network(setting.known))
    discs = {
        who: np.array([piece.at_mm for piece in shown if (piece.faction, piece.kind) == (who, DISC)]).reshape(-1, 2)
        for who in dict.fromkeys(piece.faction for piece in shown)
    }
    solid = [piece for piece in shown if piece.kind == DISC]
    colours = colours_in(setting, board_bgr, np.array([piece.at_mm for piece in solid]).reshape(-1, 2))
    palette = palette_of(colours, [piece.faction for piece in solid])
    ground = with_disc_samples(setting.ground, board_bgr, discs)
    told = replace(setting, looks=looks, again=again, ground=ground, start=Start(palette))
    _, found = detect(board_bgr, told)
    told = replace(told, start=Start(palette, tall=tallness(found, setting.places.plan)))
    _, found = detect_all(board_bgr, told)
    return replace(
        told, start=learn_from_start(found, setting.places.plan, packaged_weights(setting.known), told.start)
    )


def colours_in(setting: PreparedTable, board_bgr: Picture, points_mm: Matrix) -> Matrix:
    """Return the colours (N, spots, 3), as `palette` has them, of what stands at places (N, 2) mm of a board image."""
    ground = setting.ground
    return colours_at(board_bgr, ground.image_bgr, ground.up_field, ground.grid.px(points_mm))


@once_for
def _still_maps(table: Table) -> Maps:
    """Return the maps of a board image for a camera that has not moved since the reference."""
    return rectification_maps(table.board_from_reference, table.grid)


def release_caches() -> None:
    """Drop what is kept for the next frame, to save memory: networks and tables are then prepared again when needed."""
    for kept in (network, stack_network):
        kept.cache_clear()
    for known in (prepare_table, prepare_for_other_light, last_pose, _still_maps):
        known.forget()


def board_image(table: Table, frame_bgr: Picture, found: Registration) -> Picture:
    """Rectify a registered frame to the table's board image."""
    if np.array_equal(found.reference_from_frame, np.eye(3)):
        return rectify_by_maps(frame_bgr, _still_maps(table))
    return rectify(frame_bgr, table.board_from_reference @ found.reference_from_frame, table.grid)


def detect_all(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """Find pieces on a board image, with a closer look at stacks; return the network's answer and the candidates."""
    finds, found = detect(board_bgr, setting)
    return finds, look_closer(found, board_bgr, setting.ground, stack_network())


def detect(board_bgr: Picture, setting: PreparedTable) -> tuple[Detections, list[Candidate]]:
    """Find pieces on a board image, doubtful places looked at again; return the network's answer and the candidates."""
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
