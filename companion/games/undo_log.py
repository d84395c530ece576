"""The steps undone in a game, kept beside it so that they can be redone, after a restart too.

The file `GAME.jsonl.undone` lies beside `GAME.jsonl`. It only grows: a line for each time that steps were taken back or
replaced, with the journal's own lines of these steps, written and synced before the game's file gets shorter. Where the
power goes in between, the game still has the steps, and the list of what can be done again is shorter by them. A broken
line here costs that list and no step of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core import storage
from companion.games import checksums
from companion.games.journal import MOST_BYTES, mark_of, object_of
from intake.files import read_file
from intake.json_text import parse_object

SUFFIX = ".undone"
UNDO, CORRECT = "undo", "correct"


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """Steps that were undone or replaced together.

    after: how many steps stayed; mark: the game's mark up to there; why: "undo" or "correct"; lines: the journal's
    lines of the steps that went; left: how many of the steps that could be redone before can still be redone after
    these.
    """

    after: int
    mark: str
    why: str
    lines: tuple[bytes, ...]
    left: int = 0


def path_of(game: Path) -> Path:
    """Return the path of a game's undo log; the file need not exist."""
    return game.with_name(game.name + SUFFIX)


def read_undone(game: Path) -> tuple[UndoRecord, ...]:
    """Read a game's undo records, oldest first; a broken line gives one without steps, an unfinished last line none.

    OSError or Unreadable if the file exists and cannot be read.
    """
    try:
        data = read_file(path_of(game), MOST_BYTES)
    except FileNotFoundError:
        return ()
    return tuple(_record(line) for line in data.split(b"\n")[:-1])


NOTHING = UndoRecord(0, "", UNDO, ())


def _record(line: bytes) -> UndoRecord:
    try:
        value = parse_object(line, MOST_BYTES)
        if checksums.KEY not in value or not checksums.matches(value, checksums.next_checksum(0, value)):
            return NOTHING
        lines = tuple(str(line).encode() + b"\n" for line in value["lines"])
        after, left = int(value["after"]), int(value["left"])
        if min(after, left) < 0:
            return NOTHING
        return UndoRecord(after, str(value["mark"]), str(value["why"]), lines, left)
    except (ValueError, KeyError, TypeError, OverflowError):
        return NOTHING


def append(game: Path, record: UndoRecord) -> None:
    """Append a record, synced, after cutting off a line that a power cut left unfinished; OSError if that fails."""
    value: dict[str, object] = {
        "after": record.after,
        "mark": record.mark,
        "why": record.why,
        "left": record.left,
        "lines": [line.decode().rstrip("\n") for line in record.lines],
    }
    storage.append_line(path_of(game), checksums.with_checksum(value, ()))


def redoable(records: Sequence[UndoRecord], lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the journal lines of the steps that can be redone, the next one first.

    lines: the game's lines now, its request first. () once another step was taken.
    """
    waiting: tuple[bytes, ...] = ()
    for record in records:
        kept = waiting[len(waiting) - record.left :] if record.left <= len(waiting) else ()
        waiting = (record.lines + kept) if record.why == UNDO else ()
    if not records or len(lines) <= records[-1].after:
        return ()
    last = records[-1]
    since = tuple(lines[last.after + 1 :])
    if mark_of(lines[: last.after + 1]) != last.mark or not _say_the_same(waiting[: len(since)], since):
        return ()
    return waiting[len(since) :]


def _say_the_same(some: Sequence[bytes], others: Sequence[bytes]) -> bool:
    """Return whether two runs of lines are equal but for their check values."""
    try:
        return [checksums.plain(object_of(line)) for line in some] == [
            checksums.plain(object_of(line)) for line in others
        ]
    except ValueError:
        return False
