"""A bundle: one file with what a bug report needs, and a regression test once it lies in `tests/bundles`.

It is a zip, readable with any tool:

    bundle.json        kind, version, board, and for each frame what was read in it and what stood there in truth
    table.gunbai       the table file
    game.jsonl         the saved game, if there was one
    frames/01.jpg      the pictures as the camera gave them (or .png)

A bundle may come from anybody. Nothing is unpacked to the disk by its own name, every size is held against a limit
before anything is read, and every value is checked; a fault is one `BundleError` that says where it is.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.content.own_files import text_of
from companion.content.shelves import BOARDS
from companion.core.errors import BundleError, MatchError, blame_file
from companion.core.outputs import write_output
from companion.games.journal import of_orders, parse_journal
from companion.perception.adapters import plan_of
from engine.errors import BadTable, UnknownBoard
from engine.orders.board import Board, add_board, load_board, read_board, remove_board
from intake import pictures
from intake.errors import Unreadable
from intake.files import STANDARD_INPUT, read_file_or_pipe
from intake.jpeg import is_jpeg
from intake.json_text import parse_json
from intake.text import decode_text
from intake.toml_text import MOST_BYTES as MOST_BOARD_BYTES
from intake.zip_file import open_zip
from vision import scoring
from vision.frame import WORK_PX
from vision.table import MOST_BYTES as MOST_TABLE_BYTES

KIND, VERSION = "gunbai-bundle", 1
HEAD, TABLE, GAME, BOARD = "bundle.json", "table.gunbai", "game.jsonl", "board.toml"
FRAME_FORM = re.compile(r"frames/\d{2}\.(jpg|png)")
MOST_FRAMES = 16
MEGABYTE = 1_000_000
LIMITS = {HEAD: 4 * MEGABYTE, TABLE: MOST_TABLE_BYTES, GAME: 4 * MEGABYTE, BOARD: MOST_BOARD_BYTES}
FRAME_LIMIT = 16 * MEGABYTE
WHOLE_LIMIT = 40 * MEGABYTE
TABLE_MEMBERS = 16

Units = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class BundleFrame:
    """A picture in a bundle: its file's bytes, and what was read in it, in the form of `gunbai read --json`.

    shown: the app's own reading at the time, if it had one; step: how many steps the game had; confirmed: the units on
    the board as people confirmed them, {area: {faction: {unit: n}}}, None if nobody did.
    """

    data: bytes
    reading: Mapping[str, Any]
    shown: Mapping[str, Any] | None = None
    step: int | None = None
    confirmed: Units | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle: board's name, frames, and the bytes of the files of table, game and owner's board."""

    board: str
    table: bytes
    frames: tuple[BundleFrame, ...]
    game: bytes | None = None
    own_board: bytes | None = None


# ---- writing ------------------------------------------------------------------------------------


def write_bundle(path: Path, bundle: Bundle) -> None:
    """Write a bundle to a file in one go; BundleError if invalid or too large, OutputError if it can't be written."""
    data = bundle_bytes(bundle)
    parse_bundle(data, str(path))  # never write what can't be read again
    write_output(path, data)


def bundle_bytes(bundle: Bundle) -> bytes:
    """Return the bundle as the bytes of a zip file."""
    names = [
        f"frames/{n:02}.{'png' if frame.data.startswith(pictures.PNG) else 'jpg'}"
        for n, frame in enumerate(bundle.frames, 1)
    ]
    head = {
        "kind": KIND,
        "version": VERSION,
        "board": bundle.board,
        "frames": [_frame_head(name, frame) for name, frame in zip(names, bundle.frames, strict=True)],
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr(HEAD, json.dumps(head, indent=1))
        pack.writestr(TABLE, bundle.table, zipfile.ZIP_STORED)
        if bundle.game is not None:
            pack.writestr(GAME, bundle.game)
        if bundle.own_board is not None:
            pack.writestr(BOARD, bundle.own_board)
        for name, frame in zip(names, bundle.frames, strict=True):
            pack.writestr(name, frame.data, zipfile.ZIP_STORED)
    return out.getvalue()


def _frame_head(name: str, frame: BundleFrame) -> dict[str, Any]:
    known = {"shown": frame.shown, "step": frame.step, "confirmed": frame.confirmed}
    return {"file": name, "reading": frame.reading, **{key: value for key, value in known.items() if value is not None}}


# ---- reading ------------------------------------------------------------------------------------


def read_bundle(path: Path) -> Bundle:
    """Read the bundle in a file; BundleError if it is unreadable, over a limit or broken."""
    with blame_file(path, BundleError):
        if str(path) != STANDARD_INPUT and path.stat().st_size > WHOLE_LIMIT:
            raise BundleError(f"{path}: larger than {WHOLE_LIMIT // MEGABYTE} MB, the limit for a bundle")
        data = read_file_or_pipe(path, WHOLE_LIMIT)
    return parse_bundle(data, str(path))


def parse_bundle(data: bytes, name: str) -> Bundle:
    """Parse the bundle in these bytes; BundleError names the file and what is wrong in it."""
    try:
        members = _members(data)
        with known_board(members.get(BOARD)):
            return _bundle(members)
    except BundleError as error:
        raise BundleError(f"{name}: {error}") from error


def _members(data: bytes) -> dict[str, bytes]:
    """Return {name: content} of a zip; BundleError unless its names, number and sizes are those of a bundle."""
    try:
        with open_zip(data) as pack:
            _check_members(pack.sizes)
            return {name: pack.read(name, _limit(name)) for name in pack.sizes}
    except Unreadable as error:
        raise BundleError(f"not a bundle, or cut off ({error})") from error


def _limit(name: str) -> int:
    return LIMITS.get(name, FRAME_LIMIT)


def _check_members(sizes: Mapping[str, int]) -> None:
    strange = next((name for name in sizes if name not in LIMITS and not FRAME_FORM.fullmatch(name)), None)
    if strange is not None:
        raise BundleError(f"{strange[:60]!r} doesn't belong in a bundle")
    missing = [name for name in (HEAD, TABLE) if name not in sizes]
    if missing:
        raise BundleError(f"{missing[0]} is missing")
    if sum(name not in LIMITS for name in sizes) > MOST_FRAMES:
        raise BundleError(f"more than {MOST_FRAMES} frames")
    large = next((name for name, size in sizes.items() if size > _limit(name)), None)
    if large is not None:
        raise BundleError(f"{large}: too large")
    if sum(sizes.values()) > WHOLE_LIMIT:
        raise BundleError(f"larger than {WHOLE_LIMIT // MEGABYTE} MB once unpacked")


def _bundle(members: Mapping[str, bytes]) -> Bundle:
    head = _json(members[HEAD])
    if head.get("kind") != KIND:
        raise BundleError(f"{HEAD}: not a bundle's")
    if head.get("version") != VERSION:
        raise BundleError(f"{HEAD}: version {head.get('version')!r}; this program reads {VERSION}")
    board = _board(head.get("board"))
    entries = head.get("frames")
    if not isinstance(entries, list) or not entries:
        raise BundleError(f"{HEAD}: frames: expected a list, of at least one")
    frames = tuple(_frame(board, entry, members) for entry in entries)
    files = [entry["file"] for entry in entries]
    if sorted(files) != sorted(name for name in members if name not in LIMITS):
        raise BundleError(f"{HEAD}: frames: expected each picture of the bundle once")
    check_table_pack(members[TABLE])
    return Bundle(board.name, members[TABLE], frames, _game(members.get(GAME), board), members.get(BOARD))


@contextmanager
def known_board(own: bytes | None) -> Iterator[None]:
    """Register an owner's board from a bundle with the engine inside the block, then restore what was registered.

    The shelf isn't changed. own: the bytes of the board's file, None for a board of ours. BundleError if it is invalid.
    """
    if own is None:
        yield
        return
    try:
        board = read_board(BOARD, decode_text(own))
        before = load_board(board.name) if board.name in BOARDS.names() else None
        if before is None or text_of(BOARDS.path_of(board.name)).encode() != own:
            add_board(board)  # boards are told apart by identity: the same one isn't replaced in a running app
    except Unreadable as error:
        raise BundleError(f"{BOARD}: {error}") from error
    except BadTable as error:
        raise BundleError(str(error)) from error
    try:
        yield
    finally:
        if before is None:
            remove_board(board.name)
        else:
            add_board(before)


def _json(data: bytes) -> dict[str, Any]:
    try:
        value = parse_json(data)
    except Unreadable as error:
        raise BundleError(f"{HEAD}: not JSON ({str(error).removeprefix('not JSON: ')})") from error
    if not isinstance(value, dict):
        raise BundleError(f"{HEAD}: not a JSON object")
    return value


def _board(name: object) -> Board:
    if not isinstance(name, str):
        raise BundleError(f"{HEAD}: board: expected a name")
    try:
        return load_board(name)
    except UnknownBoard as error:
        raise BundleError(f"{HEAD}: board: {error}") from error


def _game(data: bytes | None, board: Board) -> bytes | None:
    if data is None:
        return None
    try:
        journal = of_orders(parse_journal(data, GAME), GAME)
    except MatchError as error:
        raise BundleError(str(error)) from error
    if journal.last.board.name != board.name:
        raise BundleError(f"{GAME}: played on {journal.last.board.name}, the bundle is of {board.name}")
    return data


# ---- frames -------------------------------------------------------------------------------------


def _frame(board: Board, entry: object, members: Mapping[str, bytes]) -> BundleFrame:
    if not isinstance(entry, dict):
        raise BundleError(f"{HEAD}: frames: expected an object each")
    name = entry.get("file")
    if not isinstance(name, str) or name in LIMITS or name not in members:
        raise BundleError(f"{HEAD}: frames: file: {str(name)[:60]!r} isn't one of its pictures")
    at = f"{HEAD}: {name}"
    check_picture(members[name], name)
    step, confirmed, shown = entry.get("step"), entry.get("confirmed"), entry.get("shown")
    if step is not None and (not isinstance(step, int) or isinstance(step, bool) or step < 0):
        raise BundleError(f"{at}: step: expected a number from 0")
    return BundleFrame(
        members[name],
        checked_reading(board, entry.get("reading"), f"{at}: reading"),
        None if shown is None else checked_reading(board, shown, f"{at}: shown"),
        step,
        None if confirmed is None else checked_units(board, confirmed, f"{at}: confirmed"),
    )


def check_picture(data: bytes, name: str, most_side_px: int = pictures.MOST_SIDE_PX) -> None:
    """Raise BundleError unless the data are a JPEG or PNG file with no side over `most_side_px`; name: for messages."""
    if not data.startswith(pictures.PNG) and not is_jpeg(data):
        raise BundleError(f"{name}: not a JPEG or PNG picture")
    try:
        pictures.check_picture(data, most_side_px)
    except Unreadable as error:
        raise BundleError(f"{name}: {error}") from error


def check_table_pack(data: bytes) -> None:
    """Raise BundleError if the bytes of a table file aren't a zip, or hold too much, or a bad or too large picture."""
    try:
        with open_zip(data) as pack:
            if len(pack.sizes) > TABLE_MEMBERS or sum(pack.sizes.values()) > LIMITS[TABLE]:
                raise BundleError(f"{TABLE}: too large inside")
            for name in pack.sizes:
                content = pack.read(name, LIMITS[TABLE])
                if not name.endswith(".json"):
                    check_picture(content, f"{TABLE}: {name[:60]!r}", WORK_PX)
    except Unreadable as error:
        raise BundleError(f"{TABLE}: not a table file, or cut off ({error})") from error


# ---- what was read ------------------------------------------------------------------------------


def checked_reading(board: Board, value: object, at: str) -> dict[str, Any]:
    """Check a reading in the form of `gunbai read --json` against the board and return it; BundleError if invalid.

    at: where it was found, for messages.
    """
    if not isinstance(value, dict):
        raise BundleError(f"{at}: expected an object")
    areas = {area.name for area in board.areas}
    commanders, sure, hidden = value.get("commanders"), value.get("confidence"), value.get("unreadable")
    spaces = {space.name for space in board.spaces}
    if not isinstance(commanders, dict) or not all(s in spaces and f in board.factions for s, f in commanders.items()):
        raise BundleError(f"{at}: commanders: expected action spaces and factions")
    if not isinstance(sure, dict) or not all(a in areas and _is_share(p) for a, p in sure.items()):
        raise BundleError(f"{at}: confidence: expected areas with numbers from 0 to 1")
    if not isinstance(hidden, list) or not all(isinstance(area, str) and area in areas for area in hidden):
        raise BundleError(f"{at}: unreadable: expected a list of areas")
    units = checked_units(board, value.get("units"), f"{at}: units")
    return {"units": units, "commanders": commanders, "confidence": sure, "unreadable": hidden}


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def checked_units(board: Board, value: object, at: str) -> dict[str, dict[str, dict[str, int]]]:
    """Check {area: {faction: {unit: n}}} against the board and return it; BundleError if invalid. at: for messages."""
    try:
        return scoring.checked_units(value, plan_of(board))
    except ValueError as error:
        raise BundleError(f"{at}: {error}") from error
