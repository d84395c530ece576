"""The commands of the eye: calibrates a table, reads pictures and scores them, and puts that into words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.core.errors import InputError, UsageError
from companion.core.language import _, plural
from companion.core.log import tell
from companion.core.outputs import write_output
from companion.core.printable import progress
from companion.perception.adapters import (
    SURE,
    Seen,
    plan_of,
    position_from_reading,
    reading_json,
    sure_of,
    unsure,
    with_game,
)
from companion.perception.calibration import Learned, learned_with
from companion.perception.table_file import blame_photos, read_frame, tables_of
from companion.terminal.inputs import load_position
from companion.terminal.orders import outcome_json, outcome_text
from companion.terminal.reports import notice
from companion.text.columns import columns, force_text
from companion.text.devices import doubt_words, fault_text, first_fault, other_light
from companion.text.percent import percent
from companion.text.score import BoardOutcome, board_outcome
from engine.orders.board import Board, load_board
from engine.orders.position import Position
from intake.files import read_file_or_pipe
from intake.text import one_line
from vision.calibration.calibrate import calibrate
from vision.calibration.faults import faults_of
from vision.frame import load_picture
from vision.memory import give_back
from vision.plan import BoardPlan
from vision.reading.doubt import LOST
from vision.reading.read import Reading
from vision.table import Support, Table

Corners = list[tuple[float, float]]
NUMBER = r"[-+]?\d+(?:\.\d+)?"
CORNER_FORM = re.compile(rf"({NUMBER}),({NUMBER})")


def parse_corners(text: str) -> Corners:
    """Parse four corners from "x,y x,y x,y x,y" in pixels; UsageError for anything else.

    >>> parse_corners("1,2 3,2 3,4.5 1,4")
    [(1.0, 2.0), (3.0, 2.0), (3.0, 4.5), (1.0, 4.0)]
    """
    points = [CORNER_FORM.fullmatch(part) for part in text.split()]
    if len(points) != 4 or None in points:
        raise UsageError(f'--corners: expected "x,y x,y x,y x,y", in pixels, not {text!r}')
    return [(float(point[1]), float(point[2])) for point in points if point]


def tell_unless_found(frame: str, seen: Reading) -> None:
    """Warn on standard error if the board wasn't found in a picture, and say what helps."""
    if any(LOST in why for why in seen.why.values()):
        form = _('{place}: board not found; show its corners: --corners "x,y x,y x,y x,y"')
        tell("warning", form.format(place=frame))


def parse_support(text: str, board: Board) -> Support:
    """Parse the support board's spaces and the pixels at their middles from "plan:1 x,y plan:2 x,y".

    UsageError for anything else.
    """
    words, known = text.split(), [space.name for space in board.spaces if space.support is not None]
    points = [CORNER_FORM.fullmatch(word) for word in words[1::2]]
    if not words or len(words) % 2 or None in points:
        raise UsageError(f'--support: expected "{known[0]} x,y {known[1]} x,y", in pixels, not {text!r}')
    for name in words[::2]:
        if name not in known:
            raise UsageError(f"--support: {name!r} isn't a space of the support board; choose from: {', '.join(known)}")
    middles = [(float(point[1]), float(point[2])) for point in points if point]
    return tuple(zip(words[::2], middles, strict=True))


@dataclass(frozen=True, slots=True)
class TablePhotos:
    """The photos that a table is made from, and what was marked in that of the empty board.

    Without corners the board is searched for; without support spaces there is no support board.
    """

    reference: str
    start: str | None = None
    corners: Corners | None = None
    support: Support = ()


def calibrate_table(board: Board, photos: TablePhotos, output: str) -> tuple[str, tuple[str, ...]]:
    """Write a table file; return a line on what it was made from, and sentences on what is wrong with its photos.

    Errors as in `table_of_photos`, before anything is written; OutputError if the file can't be written.
    """
    learned = table_of_photos(plan_of(board), photos)
    write_output(Path(output), learned.table.to_bytes(), filter(None, (photos.reference, photos.start)))
    width, height = learned.table.picture_size
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in learned.table.corners_px)
    found = [_("board found at {corners}").format(corners=corners)]
    if photos.corners is not None:
        found = [_("corners as given")]
    if photos.support:
        spaces = len(photos.support)
        found.append(plural("{n} space of the support board", "{n} spaces of the support board", spaces))
    usual = _("usual pieces (a photo with --start teaches yours)")
    found.append(_("pieces as in the starting position") if photos.start else usual)
    form = _("{place}: {board}, {width}x{height} pixels, {found}")
    board_name, place = learned.table.plan.board, one_line(output)
    made = form.format(place=place, board=board_name, width=width, height=height, found=", ".join(found))
    return made, tuple(_doubts(learned, photos))


def table_of_photos(plan: BoardPlan, photos: TablePhotos) -> Learned:
    """Calibrate a table from photos.

    VisionError names the photos; InputError if both show the same.
    """
    reference, start = photos.reference, photos.start
    pictures = [load_picture(reference, read_file_or_pipe)]  # one at a time, and freed early, as they take much memory
    with blame_photos(reference if not start else f"{reference}, {start}"):
        table = calibrate(pictures.pop(), plan, photos.corners, support_px=photos.support)
    give_back()
    learned = Learned(table, None, ())
    if start:
        pictures = [load_picture(start, read_file_or_pipe)]
        with blame_photos(f"{reference}, {start}"):
            learned = learned_with(table, pictures.pop())
    if start and learned.was_full:
        raise InputError(f"{reference}, {start}: {first_fault(learned.faults)}")
    return learned


def _doubts(learned: Learned, photos: TablePhotos) -> Iterator[str]:
    """Yield a sentence for each fault of the photos and each way in which the starting position isn't as printed."""
    table = learned.table
    for name, picture in ((photos.reference, table.reference_bgr), (photos.start, table.start_bgr)):
        if picture is not None:
            yield from (f"{name}: {fault_text(fault)}" for fault in faults_of(picture, table.plan, table.corners_px))
    yield from (f"{photos.start}: {fault_text(fault)}" for fault in learned.faults)


def reading_text(frame: str, seen: Reading) -> str:
    """Return a reading as text: what stands where, and what the eye could not tell."""
    sure = sum(sure_of(seen, area) for area in seen.confidence)
    head = plural(
        "{place}: {sure} of {n} area read for sure, {ms} ms",
        "{place}: {sure} of {n} areas read for sure, {ms} ms",
        len(seen.confidence),
        place=one_line(frame),
        sure=sure,
        ms=f"{seen.ms:.0f}",
    )
    rows = [[_("area"), _("sure"), _("units"), _("why not surer")]]
    for area, confidence in sorted(seen.confidence.items()):
        if seen.units.get(area) or not sure_of(seen, area):
            sureness = percent(confidence) if confidence >= SURE else f"{percent(confidence)} ?"
            why = _("out of the picture") if area in seen.cut_off else _("hidden")
            doubt = "" if sure_of(seen, area) or area in seen.unreadable else doubt_words(seen.why.get(area, ()))
            told = why if area in seen.unreadable else sureness
            rows.append([area, told, force_text(seen.units.get(area, {})), doubt])
    if not any(row[-1] for row in rows[1:]):
        rows = [row[:-1] for row in rows]
    form_of = _("{who} on {space}")
    held = ", ".join(form_of.format(who=_(who), space=space) for space, who in sorted(seen.commanders.items()))
    lines = [head, columns(rows), "  " + _("commanders: {found}").format(found=held or _("none"))]
    if seen.is_in_other_light:
        lines.append("  " + other_light())
    if seen.strange:
        lines.append("  " + _("something that belongs to neither side: {areas}").format(areas=", ".join(seen.strange)))
    if seen.at_a_line:
        lines.append("  " + _("a piece stands on a border: {areas}").format(areas=", ".join(seen.at_a_line)))
    return "\n".join(lines)


def unsure_json(table: Table, seen: Reading) -> dict[str, float]:
    """Return {area: confidence} for the areas that the eye was unsure of."""
    return unsure(load_board(table.plan.board), seen)


def unsure_text(table: Table, seen: Reading) -> str:
    """Return a line for each area that the eye was unsure of, with what it saw; a sentence if there is none."""
    doubtful = unsure_json(table, seen)
    if not doubtful:
        return _("the eye was sure of every area")
    lines = [plural("the eye was unsure of {n} area:", "the eye was unsure of {n} areas:", len(doubtful))]
    for area, confidence in doubtful.items():
        seen_there = force_text(seen.units.get(area, {}))
        if area not in seen.unreadable:
            form = _("{area}: {sure} sure of {units}")
        elif area in seen.cut_off:
            form = _("{area}: out of the picture, taken as {units}")
        else:
            form = _("{area}: hidden, taken as {units}")
        lines.append("  " + form.format(area=area, sure=percent(confidence), units=seen_there))
    return "\n".join(lines)


# ---- the score of a picture ----------------------------------------------------------------------


def hidden_headquarters_warning(board: Board, seen: Seen) -> str | None:
    """Return a sentence on headquarters that could not be read for sure; None if all could."""
    doubtful = [area for area in board.areas if area.hq and not sure_of(seen, area.name)]
    form = _("{who}'s headquarters {area} could not be read for sure, which may decide the game")
    told = [form.format(who=_(area.hq or ""), area=area.name) for area in doubtful]
    return "; ".join(told) or None


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """The score of a photo: the position as read and its outcome; and both, with the eye's doubts, as text and JSON."""

    position: Position
    ended: BoardOutcome
    text: str
    data: Mapping[str, Any]


def photo_score(table_path: str, frame: str, game: str | None, corners: str | None = None) -> PhotoScore:
    """Read a picture and score it; errors name the file or option at fault.

    corners: the board's corners in the picture, in the form of `--corners`; None to search for them.
    """
    shown = None if corners is None else parse_corners(corners)
    tables = tables_of(table_path, game)
    table = tables[0]
    board = load_board(table.plan.board)
    loaded = load_position(game) if game else None
    notice(loaded.notice if loaded else None)
    with progress(frame):
        seen = read_frame(tables, frame, shown)
    tell_unless_found(frame, seen)
    if loaded is not None:
        seen = with_game(seen, loaded.position)
    position = position_from_reading(board, seen, loaded.position if loaded else None)
    ended = board_outcome(position, initiative_known=loaded is not None)
    warning = hidden_headquarters_warning(board, seen)
    if warning:
        ended = replace(ended, why=(*ended.why, warning))
    known = _("as read from the picture; round and initiative are not known")
    if game is not None:
        form = _("as read from the picture; round {n}, initiative {who}, from {place}")
        known = form.format(n=position.round, who=_(position.initiative_name), place=one_line(game))
    parts = [known, outcome_text(position, ended), unsure_text(table, seen)]
    data = outcome_json(position, ended) | reading_json(frame, seen) | {"unsure": unsure_json(table, seen)}
    return PhotoScore(position, ended, "\n".join(parts), data)
