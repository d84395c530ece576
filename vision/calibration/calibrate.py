"""A table made of its photos: where the board lies in them, how pieces look on it, and the board on another day.

A board is photographed again by the way, in the light that is played in. The printed board is the same, so it is found
by the photo that the table was made of. What comes of it is a table like any other, of the same board: read with it, a
frame is compared with the ground in its own light. Of tables of one board that were photographed in several lights, the
nearest to a frame's light reads it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import PictureError
from vision.frame import checked_picture, fit_to_size, shrink_to_work
from vision.geometry import Floats, Grid, Mask, Matrix, Picture, apply, checked_corners, rectify, up_field
from vision.plan import BoardPlan, check_size
from vision.reading.colours import LightField, light_between, with_tone_of
from vision.reading.piece_sets import learnt_sets
from vision.reading.read import Reading, read
from vision.registration.align import align_corners
from vision.registration.find_board import find_corners
from vision.registration.register import Anchors, Registration, anchors_of, register, register_at
from vision.table import Support, Table, with_support


def calibrate(
    reference_bgr: Picture,
    plan: BoardPlan,
    corners_px: npt.ArrayLike | None = None,
    start_bgr: Picture | None = None,
    support_px: Support = (),
) -> Table:
    """Calibrate a table by pictures (H, W, 3) BGR of the empty board and, better, of the starting position too.

    corners_px: the board's own corners TL, TR, BR, BL in the reference; without them the board is looked for
    (BoardNotFound where it is not seen). A reference larger than 1920 px is kept smaller, its corners with it.
    support_px: the spaces of the support board beside the map with their middles in the reference, where it shows them.
    CornersError, PictureError and TableError say what else is wrong, UnknownPieces that the eye has not learnt the
    board's pieces.
    """
    learnt_sets(plan)
    check_size(plan)
    given = checked_picture(reference_bgr, "the reference picture")
    reference, scale = shrink_to_work(given)
    found = find_corners(given, plan) if corners_px is None else corners_px
    touched = checked_corners(found, (given.shape[1], given.shape[0]))
    del given, reference_bgr  # a large photo takes much of the memory
    corners = align_corners(reference, np.asarray(touched * scale, np.float64), plan)
    points = tuple((float(x), float(y)) for x, y in corners)
    support = tuple((name, (x * scale, y * scale)) for name, (x, y) in support_px)
    table = with_support(Table(plan, reference, points), support)
    return table if start_bgr is None else with_start(table, start_bgr)


def with_start(table: Table, start_bgr: Picture) -> Table:
    """Return the table with a picture of the starting position; PictureError unless it is taken from the same place."""
    start = fit_to_size(start_bgr, table.picture_size, "the picture of the starting position")
    found = register(anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64)), start)
    if found is None or not found.good:
        raise PictureError("the photo of the starting position doesn't show the board from about the same place")
    return replace(table, start_bgr=start)


BARE, STANDS = 0.5, 0.1
"""So likely no piece may stand on an empty board; and from here on the ground about one isn't taken for free."""
Count = dict[tuple[str, str], int]
MOST_UNSEEN = 0.25
"""The part of an empty board's areas that glare may hide, or something strange stand in."""
SAME_PRINT, PRINT_PX, DARK = 0.8, 8.0, 8
"""How alike the print of an area has to be that can't be read, to be taken: light hides none of it, a hand does.

Under glare it was 0.85 to 0.97 on the table of the development tables that has some; with pieces, cards or hands 0.65
at most.
"""
BASE_MM, TOP_MM = 11.0, 26.0
"""How far about the middle of a base a piece hides the ground, and how high the tallest one is."""
SHADOW_MM, DARKER = 26.0, 0.06
"""So far from a piece its shadow may fall, and by so much, in logs, ground is darker there."""


def nearest_in_light(tables: Sequence[Table], frame_bgr: Picture, shown_px: Matrix | None = None) -> Table:
    """Return the table, of several of one board, whose empty board was photographed in the light nearest to a frame's.

    shown_px: the board's corners (4, 2) in the frame, where somebody has shown them. The first table where none of them
    finds the board. PictureError where the frame's size doesn't fit.
    """
    if len(tables) < 2:
        return tables[0]
    lights = [light_of(table, frame_bgr, shown_px) for table in tables]
    changes = [math.inf if light is None else light.change for light in lights]
    return tables[changes.index(min(changes))]


def register_where_shown(table: Table, frame_bgr: Picture, shown_px: Matrix) -> Registration | None:
    """Return how the board lies at corners (4, 2) that somebody has shown in a frame; None if its print isn't there.

    The corners go clockwise from any of them. PictureError where the frame's size doesn't fit.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    scale = table.picture_size[0] / frame_bgr.shape[1]
    return register_at(_anchors(table), frame, np.asarray(shown_px, np.float64) * scale)


def light_of(table: Table, frame_bgr: Picture, shown_px: Matrix | None = None) -> LightField | None:
    """Return how a frame's light differs from that of the empty board's photo; None if the board isn't found.

    shown_px: its corners, as `nearest_in_light` takes them. PictureError where the frame's size doesn't fit.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    if shown_px is not None:
        found = register_where_shown(table, frame_bgr, shown_px)
    else:
        found = register(_anchors(table), frame)
    if found is None or not found.good:
        return None
    empty = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    now = rectify(frame, table.board_from_reference @ found.reference_from_frame, table.grid)
    return light_between(with_tone_of(now, empty), empty)


def is_bare(seen: Reading) -> bool:
    """Return whether a reading shows an empty board, apart from a few areas that can't be read."""
    if seen.registration is None or seen.commanders or seen.cut_off:
        return False
    unseen = {*seen.unreadable, *seen.strange}
    return len(unseen) <= MOST_UNSEEN * len(seen.confidence) and not any(
        piece.score >= BARE and piece.place not in unseen for piece in seen.pieces
    )


def with_new_empty_board(
    table: Table, frame_bgr: Picture, seen: Reading, of: str, but: Collection[str] = ()
) -> Table | None:
    """Return the table with a frame (H, W, 3) BGR as its empty board; None if the board isn't found in it.

    Where something stands, the old photo stays, brought into the frame's light. seen: what was read in the frame; of:
    the mark of the calibration that the table comes from; but: the areas that hold something else than was read. The
    photo of the start stays until there is a newer one.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    found = register(_anchors(table), frame)
    return None if found is None or not found.good else _taken_where(table, (frame, found), seen, of, but)


def with_new_empty_board_at(
    table: Table, frame_bgr: Picture, corners_px: Matrix, of: str, but: Collection[str] = ()
) -> Table | None:
    """Return the table as `with_new_empty_board` does, for a board whose corners (4, 2) in the frame were shown.

    None where the print doesn't agree there.
    """
    frame = fit_to_size(frame_bgr, table.picture_size, "the frame")
    found = register_where_shown(table, frame_bgr, corners_px)
    return None if found is None else _taken_where(table, (frame, found), read(table, frame, found), of, but)


def _anchors(table: Table) -> Anchors:
    return anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))


def _taken_where(
    table: Table, registered: tuple[Picture, Registration], seen: Reading, of: str, but: Collection[str]
) -> Table:
    """Return the table with a registered frame as its empty board, as far as it is free."""
    frame, found = registered
    anew = _placed(table, frame, found, of)
    now = rectify(anew.reference_bgr, anew.board_from_reference, table.grid)
    before = rectify(table.reference_bgr, table.board_from_reference, table.grid)
    relit = light_between(before, now).relight_wholly(before)
    taken = [piece.at_mm for piece in seen.pieces if piece.score >= STANDS]
    free = ~_hidden_ground(relit, now, taken, up_field(anew.camera, anew.grid), anew.grid)
    doubtful = {*seen.unreadable, *seen.strange, *but}
    prints = _print_of(relit), _print_of(now)
    for area in table.plan.areas:
        if area.name in doubtful:
            outline = np.round(table.grid.px(area.polygon_mm)).astype(np.int32)
            inside = cv2.fillPoly(np.zeros(free.shape, np.uint8), [outline], 1) > 0
            if area.name in but or not _is_same_print(prints, inside):
                free &= ~inside
    return replace(anew, reference_bgr=_patched(table, anew, found, relit, free))


def areas_unlike_start(plan: BoardPlan, seen: Reading) -> frozenset[str]:
    """Return the areas that can't be read, or most likely don't hold what they hold at the start."""
    known: dict[str, Count] = {}
    for area, faction, unit, n in plan.start:
        known.setdefault(area, {})[faction, unit] = n
    found = {area: {(faction, unit): n for faction, unit, n in count.best if n} for area, count in seen.counts.items()}
    other = {area.name for area in plan.areas if found.get(area.name, {}) != known.get(area.name, {})}
    return frozenset(other | set(seen.unreadable))


def _placed(table: Table, frame: Picture, found: Registration, of: str) -> Table:
    """Return the table with a registered frame as its reference."""
    frame_from_reference = np.asarray(np.linalg.inv(found.reference_from_frame), np.float64)
    names = [name for name, _ in table.support_px]
    middles = _points(frame_from_reference, [at for _, at in table.support_px]) if names else ()
    corners = _points(frame_from_reference, table.corners_px)
    support = tuple(zip(names, middles, strict=True))
    return replace(table, reference_bgr=frame, corners_px=corners, support_px=support, of=of)


def _points(homography: Matrix, points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in apply(homography, points))


def _hidden_ground(
    relit: Picture, now: Picture, taken_mm: Sequence[tuple[float, float]], up: Floats, grid: Grid
) -> Mask:
    """Return where a piece hides the ground of a board image, or throws its shadow on it, (H, W)."""
    pieces, around = (np.zeros(now.shape[:2], np.uint8) for _ in range(2))
    for at_mm in taken_mm:
        x, y = grid.pixel(at_mm)
        lean = up[min(max(y, 0), now.shape[0] - 1), min(max(x, 0), now.shape[1] - 1)] * TOP_MM * grid.px_per_mm
        top = (round(x + float(lean[0])), round(y + float(lean[1])))
        cv2.line(pieces, (x, y), top, 1, round(2 * BASE_MM * grid.px_per_mm))
        cv2.line(around, (x, y), top, 1, round(2 * SHADOW_MM * grid.px_per_mm))
    grey = [np.log(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARK) for picture in (relit, now)]
    darker = cv2.GaussianBlur(grey[0] - grey[1], (0, 0), grid.px_per_mm) > DARKER
    return np.asarray((pieces > 0) | ((around > 0) & darker), np.bool_)


def _print_of(board_bgr: Picture) -> Floats:
    """Return the print of a board image without its light, (H, W)."""
    logs = np.log(cv2.cvtColor(board_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARK)
    return np.asarray(logs - cv2.GaussianBlur(logs, (0, 0), PRINT_PX), np.float32)


def _is_same_print(prints: tuple[Floats, Floats], inside: Mask) -> bool:
    """Return whether the same print shows in a part of both pictures: light doesn't hide it, a hand or a card does."""
    before, now = (shown[inside] - shown[inside].mean() for shown in prints)
    likeness = float((before * now).sum()) / (float(np.linalg.norm(before) * np.linalg.norm(now)) + 1e-9)
    return likeness >= SAME_PRINT


def _patched(table: Table, anew: Table, found: Registration, relit: Picture, free: Mask) -> Picture:
    """Return the new reference: free ground as it is seen, the rest of the board relit, all beside it as it was."""
    size = anew.picture_size
    to_frame = np.asarray(np.linalg.inv(found.reference_from_frame), np.float64)
    kept = anew.reference_bgr.copy()
    cv2.warpPerspective(table.reference_bgr, to_frame, size, dst=kept, borderMode=cv2.BORDER_TRANSPARENT)
    to_picture = np.asarray(np.linalg.inv(table.grid.grid_from_board @ anew.board_from_reference), np.float64)
    ground = cv2.warpPerspective(relit, to_picture, size, flags=cv2.INTER_LINEAR)
    shown = cv2.warpPerspective(free.astype(np.float32), to_picture, size)[..., None]
    outline = np.zeros(anew.reference_bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(outline, np.round(anew.corners_px).astype(np.int32), 1)
    board = np.asarray(shown * anew.reference_bgr + (1 - shown) * ground + 0.5, np.uint8)
    return np.where(outline[..., None] > 0, board, kept)
