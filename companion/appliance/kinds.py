"""What a copy of the saved games may bring: each kind of file by its place and name, and how its content is read.

A copy may be a stranger's: what is restored from it is read first, by the reader of its kind, or as far as it takes to
know that it is of this kind. A saved game is read to the end of its first line: it is good up to its first fault.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.appliance.copies import CHOSEN, MOST_FILE_BYTES
from companion.content import deck_draft
from companion.content.decks import DECKS
from companion.content.shelves import BATTLES
from companion.core.errors import CompanionError
from companion.games import checksums, clock, private_hand, reviews
from companion.games.saved.shelf import LABELS_BYTES
from companion.settings import layers
from companion.tracing.draft_file import read_draft
from engine.errors import EngineError
from engine.orders.board import read_board
from intake.errors import Unreadable
from intake.jpeg import is_jpeg
from intake.json_text import parse_object
from intake.pictures import check_picture
from intake.text import decode_text
from intake.toml_text import MOST_CHARACTERS, parse_toml
from intake.zip_file import open_zip

MOST_NAME_BYTES = 230  # folders included: a file being replaced has a longer name for a moment, and disks take 255
MOST_FIRST_LINE = 1_000_000
MOST_TEXT_BYTES = 4 * MOST_CHARACTERS
MOST_SHOWN = 200
MOST_NESTS = 20_000  # brackets in a first line
LINE, JSON, TOML = 1, 10, 40
"""How long a byte takes to parse at worst, relatively: of a line with few lists, of JSON with many, of TOML."""
CAMERA = re.compile(r"[0-9]{1,3}|csi:[0-9]{1,2}")
BY_HAND = ("camera", "inverted", "pins", "table")
"""Settings that can't be chosen in the app, as they name things of one machine."""

Read = Callable[[str, bytes], object]


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file in a copy, and how such a file is checked.

    form: a pattern for its path in a copy; read: checks a file by its name, without folder and suffix, and its bytes,
    and raises Unreadable, CompanionError or EngineError if it isn't valid; lines: whether only the first line is read;
    weight: how long that takes for each byte, relatively.
    """

    form: str
    read: Read
    most_bytes: int = MOST_FILE_BYTES
    lines: bool = False
    weight: int = LINE

    def part(self, data: bytes) -> bytes:
        """Return the part of a file's bytes that `fault` has to read: all, or its first line."""
        return data[: MOST_FIRST_LINE + 1].lstrip().partition(b"\n")[0] if self.lines else data

    def fault(self, name: str, part: bytes) -> str:
        """Return why a file's bytes aren't valid for this kind; "" if they are."""
        try:
            self.read(name.rpartition("/")[2].partition(".")[0], part)
        except (Unreadable, CompanionError, EngineError) as error:
            return str(error)[:MOST_SHOWN]
        return ""


def kind_of(name: str) -> FileKind | None:
    """Return the kind of file that this path in a copy belongs to; None if none, or if the path is too long."""
    if len(name) > MOST_NAME_BYTES or len(os.fsencode(name)) > MOST_NAME_BYTES:
        return None
    return next((kind for kind in KINDS if re.fullmatch(kind.form, name)), None)


# ---- how each is read -----------------------------------------------------------------------------------------------


def _line(_name: str, line: bytes) -> Mapping[str, Any]:
    """Parse the object on a first line; Unreadable if it is not valid."""
    if line.count(b"[") + line.count(b"{") > MOST_NESTS:
        raise Unreadable(f"more than {MOST_NESTS} objects and lists on a line")
    return parse_object(line, MOST_FIRST_LINE)


def _game(name: str, line: bytes) -> None:
    """Raise Unreadable if a first line doesn't start a saved game.

    A line that was damaged since it was written passes if it may be repaired when the game is opened.
    """
    try:
        is_new = _line(name, line).get("do") == "new"
    except Unreadable:
        is_new = len(line) < checksums.LONGEST and checksums.is_sealed(line + b"\n")
        if not is_new:
            raise
    if not is_new:
        raise Unreadable('a saved game starts with {"do": "new", ...}')


def _review(_name: str, data: bytes) -> None:
    if set(parse_object(data, reviews.MOST_BYTES)) != reviews.KEYS:
        raise Unreadable("not a review of a game")


def _labels(_name: str, data: bytes) -> None:
    if not all(isinstance(label, str) for label in parse_object(data).values()):
        raise Unreadable("not a list of game names")


def _board(name: str, data: bytes) -> None:
    board = read_board("the board", decode_text(data))
    if board.name != name:
        raise Unreadable(f"a file for the board {board.name} must be named {board.name}.toml")


def _draft(_name: str, data: bytes) -> None:
    read_draft("the draft", decode_text(data))


def _photo(_name: str, data: bytes) -> None:
    if not is_jpeg(data):
        raise Unreadable("not a JPEG file")
    check_picture(data)


def _deck(name: str, data: bytes) -> None:
    DECKS.read(name, decode_text(data), "the deck")


def _deck_draft(name: str, data: bytes) -> None:
    deck_draft.read_draft(name, decode_text(data))


def _battle(name: str, data: bytes) -> None:
    BATTLES.read(name, decode_text(data), "the battle")


def _table(_name: str, data: bytes) -> None:
    with open_zip(data) as members:
        head = parse_object(members.read("table.json", MOST_TEXT_BYTES))
        if head.get("kind") != "gunbai-table":
            raise Unreadable("not a table")
        if sum(members.sizes.values()) > 2 * len(data):  # pictures are packed already
            raise Unreadable("not a table: it unpacks to more than any")
        for picture in ("reference.png", *({"start.png"} & members.sizes.keys())):
            check_picture(members.read(picture, MOST_FILE_BYTES))


def _experience(_name: str, data: bytes) -> None:
    known = parse_object(data)
    if not isinstance(known.get("table"), str) or not isinstance(known.get("experience"), str):
        raise Unreadable("not a table's experience")
    parse_object(known["experience"])


def _camera(_name: str, data: bytes) -> None:
    camera = decode_text(data).strip()
    if not CAMERA.fullmatch(camera) and not _is_device(camera):
        raise Unreadable("not a camera number or device")


def _tags(_name: str, data: bytes) -> None:
    found = parse_toml(decode_text(data))
    tags = found.get("tags", {})
    if set(found) - {"tags"} or not isinstance(tags, dict) or not all(isinstance(card, str) for card in tags.values()):
        raise Unreadable("not a list of card tags")


def _choices(_name: str, data: bytes) -> None:
    fields = layers.fields_of(parse_toml(decode_text(data)))
    by_hand = sorted(fields.keys() & set(BY_HAND))
    if by_hand:
        raise Unreadable(f"{', '.join(by_hand)}: not chosen in the app")
    for device in (*fields.get("readers", ()), *fields.get("reader_sides", ()), fields.get("controller")):
        if device and not _is_device(device):
            raise Unreadable(f"{device!r} is no device")


def _is_device(path: str) -> bool:
    return path.startswith("/dev/") and path.isprintable() and ".." not in path.split("/")


def _anything(_name: str, _data: bytes) -> None:
    """Accept any bytes: what was set aside is for people alone, nothing here reads it."""


# ---- the kinds ----------------------------------------------------------------------------------------------------

_GAME = r"games/(?:trash/)?[^/.][^/]*\.jsonl"
_NAME = r"[a-z0-9][a-z0-9-]*"
_BROKEN = r"\.broken-[0-9]{1,6}"

KINDS = (
    FileKind(_GAME, _game, lines=True),
    FileKind(rf"{_GAME}\.undone", _line, lines=True),
    FileKind(rf"{_GAME}\.clock\.json", lambda _name, data: clock.parse_spent(data), clock.MOST_BYTES, weight=JSON),
    FileKind(
        rf"{_GAME}\.hand\.json",
        lambda _name, data: private_hand.parse_told_hand(data),
        private_hand.MOST_BYTES,
        weight=JSON,
    ),
    FileKind(rf"{_GAME}{re.escape(reviews.SUFFIX)}", _review, reviews.MOST_BYTES, weight=JSON),
    FileKind(rf"{_GAME}(?:\.clock\.json)?{_BROKEN}", _anything, weight=0),
    FileKind(re.escape(reviews.FILE), lambda _name, data: reviews.parse_tried(data), reviews.MOST_BYTES, weight=JSON),
    FileKind(r"games/(?:trash/)?labels\.json", _labels, LABELS_BYTES, weight=JSON),
    FileKind(rf"boards/{_NAME}\.toml", _board, MOST_TEXT_BYTES, weight=TOML),
    FileKind(rf"boards/drafts/{_NAME}/draft\.toml", _draft, MOST_TEXT_BYTES, weight=TOML),
    FileKind(rf"boards/drafts/{_NAME}/photo\.jpg", _photo, weight=0),
    FileKind(rf"decks/{_NAME}\.toml", _deck, MOST_TEXT_BYTES, weight=TOML),
    FileKind(rf"decks/drafts/{_NAME}\.json", _deck_draft, MOST_TEXT_BYTES, weight=JSON),
    FileKind(rf"scenarios/{_NAME}\.toml", _battle, MOST_TEXT_BYTES, weight=TOML),
    FileKind(rf"(?:boards|decks|scenarios)/{_NAME}\.toml\.gone", _anything, MOST_TEXT_BYTES, weight=0),
    FileKind(rf"tables/{_NAME}\.table", _table, weight=0),
    FileKind(rf"tables/{_NAME}\.table\.experience\.json", _experience, MOST_TEXT_BYTES, weight=JSON),
    FileKind(r"tables/camera", _camera, 1000),
    FileKind(rf"tags/{_NAME}\.toml", _tags, MOST_TEXT_BYTES, weight=TOML),
    FileKind(rf"(?:tags/{_NAME}\.toml|tables/{_NAME}\.table\.experience\.json){_BROKEN}", _anything, weight=0),
    FileKind(re.escape(CHOSEN), _choices, MOST_TEXT_BYTES, weight=TOML),
)
