"""Opens tables whose truth is known (folders of photos, bundles), reads their frames and reports the eye's figures.

A folder is a table's if it has a truth.json: the units, commanders and covered areas of each frame. Beside it are
reference.jpg (the empty board), start.jpg perhaps, the frames, table.json with the board's name and its corners, and
perhaps the board itself: board.toml as owners trace it, or plan.json as simulated tables have it. A bundle brings its
truth along: what was confirmed in each frame. All of it may come from strangers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from companion.content.shelves import BOARDS
from companion.core.errors import BundleError, InputError, blame_file
from companion.core.language import _
from companion.core.log import tell
from companion.core.printable import progress
from companion.evidence.bundle import opened_table
from companion.evidence.bundle_file import GAME, BundleFrame, known_board, read_bundle
from companion.evidence.recorder import units_of
from companion.games.journal import OrdersJournal, of_orders, parse_journal
from companion.perception.adapters import plan_of
from companion.perception.table_file import read_picture
from companion.terminal.eye import Corners, TablePhotos, table_of_photos
from companion.text.columns import count_text, force_text
from companion.text.percent import percent
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.words import count_words, decimal
from intake.files import STANDARD_INPUT, read_file
from intake.json_text import MOST_BYTES, parse_object
from vision.frame import picture_bytes
from vision.plan import BoardPlan, load_plan
from vision.reading.read import Reading
from vision.scoring import Miss, Tally, Truth, corners_of, counts_by_kind, figures, score_frame, truth_of
from vision.table import Table
from vision.values import text

TRUTH, HEAD, BOARD, PLAN = "truth.json", "table.json", "board.toml", "plan.json"
REFERENCE, START = "reference", "start"
SUFFIXES = (".jpg", ".jpeg", ".JPG", ".JPEG", ".png")
MOST_TABLES, MOST_FRAMES = 1000, 1000


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture, as a path or as a file's bytes, and what was on the board in it."""

    name: str
    picture: Path | bytes
    truth: Truth

    def data(self) -> bytes:
        """Return the picture file's bytes; PictureError if it is unreadable."""
        return self.picture if isinstance(self.picture, bytes) else picture_bytes(self.picture)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A calibrated table with frames whose truth is known. start: the starting position's photo, if known as well."""

    name: str
    table: Table
    frames: tuple[Frame, ...]
    start: Frame | None = None

    def readings(self) -> Iterator[tuple[Frame, Reading]]:
        """Read each frame as `gunbai read` does and yield it with its reading; PictureError if one is unreadable."""
        for frame in self.frames:
            where = frame.picture if isinstance(frame.picture, Path) else f"{self.name}: {frame.name}"
            yield frame, read_picture(self.table, frame.data(), str(where))


# ---- opening ------------------------------------------------------------------------------------


def sources_in(folder: Path) -> list[Path]:
    """Return the paths of all tables in a folder, be they folders or bundles; of a file or "-", that path alone.

    InputError if there are none, or too many.
    """
    if str(folder) == STANDARD_INPUT or folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise InputError(f"{folder}: no such file or folder")
    found = (path for pattern in (TRUTH, "*.zip") for path in folder.rglob(pattern) if path.is_file())
    sources = sorted(path.parent if path.name == TRUTH else path for path in islice(found, MOST_TABLES + 1))
    if not sources:
        raise InputError(f"{folder}: no table with a {TRUTH} and no bundle in it")
    if len(sources) > MOST_TABLES:
        raise InputError(f"{folder}: more than {MOST_TABLES} tables")
    return sources


def open_source(source: Path, *, with_start: bool = True) -> KnownTable:
    """Open a folder or bundle and calibrate its table; CompanionError or VisionError says what is wrong with it."""
    return _of_folder(source, with_start) if source.is_dir() else _of_bundle(source, with_start)


def _of_folder(folder: Path, with_start: bool) -> KnownTable:
    head, truths = object_in(folder / HEAD), object_in(folder / TRUTH)
    plan = _plan(folder, head)
    frames = tuple(frames_of(folder, plan, truths))
    _tell_left_out(folder, sum(path.stem not in truths for path in folder.glob("frame-*") if path.suffix in SUFFIXES))
    start = next((frame for frame in frames if frame.name == START), None)
    photo = _photo(folder, START) if with_start else None
    reference = _photo(folder, REFERENCE)
    if reference is None:
        raise InputError(f"{folder}: no {REFERENCE}.jpg, the photo of the empty board")
    photos = TablePhotos(str(reference), str(photo) if photo else None, _corners(folder / HEAD, head))
    learned = table_of_photos(plan, photos)
    return KnownTable(folder.name, learned.table, tuple(frame for frame in frames if frame is not start), start)


def object_in(path: Path) -> dict[str, Any]:
    """Parse the object in a JSON file; InputError if it is unreadable or invalid."""
    with blame_file(path, InputError):
        return parse_object(read_file(path, MOST_BYTES))


def _plan(folder: Path, head: Mapping[str, Any]) -> BoardPlan:
    """Load the board's plan: from the table's folder, or of the board that the table names."""
    if (folder / PLAN).exists():
        return load_plan(folder / PLAN)
    if (folder / BOARD).exists():
        return plan_of(BOARDS.load(folder / BOARD))
    if not isinstance(head.get("board"), str):
        raise InputError(f"{folder / HEAD}: board: expected a name")
    return plan_of(load_board(head["board"]))


def _corners(path: Path, head: Mapping[str, Any]) -> Corners | None:
    if head.get("corners_px") is None:
        return None
    try:
        return corners_of(head["corners_px"])
    except ValueError as error:
        raise InputError(f"{path}: corners_px: {error}") from error


def _photo(folder: Path, name: str) -> Path | None:
    return next((path for suffix in SUFFIXES if (path := folder / f"{name}{suffix}").exists()), None)


def frames_of(folder: Path, plan: BoardPlan, truths: Mapping[str, Any]) -> Iterator[Frame]:
    """Yield a frame for each entry of a truth.json, the start's only if it has a photo; InputError if one is faulty."""
    if not 0 < len(truths.keys() - {START}) <= MOST_FRAMES:
        raise InputError(f"{folder / TRUTH}: expected 1 to {MOST_FRAMES} frames")
    for name, value in sorted(truths.items()):
        try:
            if Path(text(name)).name != name:
                raise ValueError("expected the name of a picture beside it")
            truth = truth_of(value, plan)
        except ValueError as error:
            raise InputError(f"{folder / TRUTH}: {name[:60]}: {error}") from error
        photo = _photo(folder, name)
        if photo is not None:
            yield Frame(name, photo, truth)
        elif name != START:
            raise InputError(f"{folder / TRUTH}: {name}: there is no such picture beside it")


def _of_bundle(path: Path, with_start: bool) -> KnownTable:
    bundle = read_bundle(path)
    try:
        with known_board(bundle.own_board):
            table = opened_table(bundle)
            journal = None if bundle.game is None else of_orders(parse_journal(bundle.game, GAME), GAME)
    except BundleError as error:
        raise BundleError(f"{path}: {error}") from error
    frames = tuple(
        Frame(f"frame {n}", frame.data, _confirmed(table, frame, journal))
        for n, frame in enumerate(bundle.frames, 1)
        if frame.confirmed is not None
    )
    if not frames:
        raise InputError(f"{path}: nobody has confirmed what was on the board in its pictures")
    _tell_left_out(path, len(bundle.frames) - len(frames))
    return KnownTable(path.name, table if with_start else replace(table, start_bgr=None), frames)


def _tell_left_out(source: Path, pictures: int) -> None:
    if pictures:
        tell("info", f"note: {source}: {count_text(pictures, 'picture')} left out: not confirmed")


def _confirmed(table: Table, frame: BundleFrame, journal: OrdersJournal | None) -> Truth:
    """Return the confirmed units of a frame, with the game's commanders if the game had the same units then."""
    assert frame.confirmed is not None
    position = None
    if journal is not None and frame.step is not None and frame.step < len(journal.positions):
        position = journal.positions[frame.step]
    if position is None or units_of(position) != frame.confirmed:
        return Truth(frame.confirmed)
    return Truth(frame.confirmed, _leaders(table, position))


def _leaders(table: Table, position: Position) -> frozenset[tuple[str, str]]:
    """Return (space, faction) of the commanders on the map and on the support board's spaces in the picture."""
    shown = {space.name for space in table.plan.spaces} | {name for name, _ in table.support_px}
    spaces = (space.name for space in position.board.spaces if space.name in shown)
    return frozenset((space, who) for space in spaces for who in position.commanders_on(space))


# ---- scoring ------------------------------------------------------------------------------------


def tally_of(known: KnownTable) -> Tally:
    """Read and score all frames of a table; VisionError if one can't be read."""
    tally = Tally()
    with progress(known.name, len(known.frames)) as step:
        for frame, reading in known.readings():
            tally.add(score_frame(reading, frame.truth, known.table.plan, frame.name))
            step()
    return tally


def tally_text(name: str, tally: Tally) -> str:
    """Return a table's figures as lines of text."""
    head = _("{name}: areas right: {right}; frames right: {frames} of {most}")
    sight = _("in clear sight: {right} right, {sure} sure")
    wrong = _("sure and wrong: {n} ({most} in clear sight)")
    refused = _("refused: {clear} in clear sight, {hidden} of {most} covered")
    right = _part(tally.right, tally.areas)
    clear, sure = _part(tally.clear_right, tally.clear), _part(tally.clear_sure, tally.clear)
    lines = [
        head.format(name=name, right=right, frames=tally.frames_right, most=tally.frames),
        "  " + sight.format(right=clear, sure=sure),
        "  " + wrong.format(n=tally.silent, most=tally.clear_silent),
        "  " + refused.format(clear=tally.clear_refused, hidden=tally.covered_refused, most=tally.covered),
    ]
    form = _("{units}: {missed} missed, {invented} invented")
    for (faction, unit), there, missed, invented in counts_by_kind(tally):
        units = count_words(there, unit, faction)
        lines.append("  " + form.format(units=units, missed=missed, invented=invented))
    if tally.leaders_there or tally.leaders_read:
        leaders, read = tally.leaders_right, tally.leaders_read
        form = _("commanders: {n} of {most} found, {invented} invented")
        lines.append("  " + form.format(n=leaders, most=tally.leaders_there, invented=read - leaders))
    lines.append("  " + _("median time of a frame: {n} ms").format(n=f"{figures(tally)['median_ms']:.0f}"))
    return "\n".join(lines)


def _part(part: int, whole: int) -> str:
    """Return a share in words: part, whole and percent, rounded down."""
    percent_right = decimal(int(1000 * part / whole) / 10 if whole else 0, 1)
    return _("{n} of {most} ({percent}%)").format(n=part, most=whole, percent=percent_right)


def tally_json(name: str | None, tally: Tally, *, listed: bool) -> dict[str, Any]:
    """Return a table's figures as a JSON object.

    name: None for all tables together; listed: whether to list every wrong area.
    """
    return {
        "table": name,
        **figures(tally),
        **({"wrong": [_miss_json(miss) for miss in tally.wrong]} if listed else {}),
    }


def _miss_json(miss: Miss) -> dict[str, Any]:
    return {
        "frame": miss.frame,
        "place": miss.place,
        "want": miss.want,
        "read": miss.got,
        "confidence": miss.confidence,
        "covered": miss.covered,
    }


def miss_text(name: str, miss: Miss) -> str:
    """Return a line of text on one wrong area or space: what was there and what was read."""
    place = _("{area} (covered)").format(area=miss.place) if miss.covered else miss.place
    form = _("{place}: wanted {units}, read {seen}, {sure} sure")
    if miss.got is None:
        form = _("{place}: wanted {units}, refused")
    seen, where = force_text(miss.got or {}), f"{name}/{miss.frame} {place}"
    return "  " + form.format(place=where, units=force_text(miss.want), seen=seen, sure=percent(miss.confidence))
