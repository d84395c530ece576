"""A file beside the saved games that keeps what was read of each, so that a game is read once as long as it stays.

Each line is a JSON object {name of a game's file: its entry}; a later line counts before an earlier one. Lines are
added as games are read: whoever is cut short has lost little, and a damaged line costs its own entries. The file may
come from a stranger: what in it is no entry is passed over, and that game is read again.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from companion.core.storage import atomic_write, read_at
from intake.errors import Unreadable
from intake.files import AT_ONCE, read_file
from intake.json_text import parse_object

State = tuple[int, int]
"""When a file was changed last, in ns, and how many bytes it has."""

SHELF, COUNTED = "index.json", "counted.json"
"""What it is called for the list of games, and for the statistics."""
MOST_ORDER = 10**12
FREE_BYTES, BYTES_A_GAME = 1_000_000, 4_000  # an index longer than this for its games is not ours
SPARE_BYTES, TIDY_BYTES_A_GAME = 100_000, 1_000  # one longer than this is worth writing anew
A_LINE = 8  # entries: so few are read without a closer look at how they nest
TAIL_BYTES = 16_384
AS_BYTES = "/"  # ahead of a name that is not UTF-8, in hexadecimal digits: no file's name has a slash


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What is known of a game's file: its state, when it was played, and what was read of it.

    order: the higher, the later it was played; 0 for not known yet. facts: as JSON has them; None where the file is
    still to be read.
    """

    state: State
    order: int = 0
    facts: Mapping[str, Any] | None = None


def entries_in(path: Path, games: int) -> dict[str, IndexEntry]:
    """Read an index for about this many games: {file name: entry}; {} if it is missing or unreadable."""
    try:
        data = read_file(path, FREE_BYTES + BYTES_A_GAME * games)
    except (OSError, Unreadable):
        return {}
    return dict(_entries(data))


def newest_in(path: Path) -> dict[str, IndexEntry]:
    """Return the entries at the end of an index; none unless they are its newest, one after the other."""
    try:
        with _opened(path, os.O_RDONLY) as handle:
            start = max(0, os.fstat(handle).st_size - TAIL_BYTES)
            data = read_at(handle, start, TAIL_BYTES)
    except OSError:
        return {}
    found = list(_entries(data.partition(b"\n")[2] if start else data))
    ordered = all(earlier.order < later.order for (_, earlier), (_, later) in pairwise(found))
    return dict(found) if ordered else {}


def is_tidy(path: Path, games: int) -> bool:
    """Return whether an index for this many games is about as long as it needs to be, newest entries last."""
    try:
        size = path.stat().st_size
    except OSError:
        return False
    return size <= SPARE_BYTES + TIDY_BYTES_A_GAME * games and bool(newest_in(path))


def _entries(data: bytes) -> Iterator[tuple[str, IndexEntry]]:
    for line in filter(None, data.split(b"\n")):
        for key, value in _object(line).items():
            name, entry = name_of(key), _entry(value)
            if name and entry:
                yield name, entry


def _object(line: bytes) -> dict[str, Any]:
    """Return the object on a line; {} if there is none, or it exceeds the limits for strangers' files."""
    try:
        return parse_object(line)
    except Unreadable:
        return {}


def _entry(value: object) -> IndexEntry | None:
    match value:
        case {"state": [int(changed_ns), int(size)], "order": int(order), **facts} if 0 < order <= MOST_ORDER:
            return IndexEntry((changed_ns, size), order, {str(key): fact for key, fact in facts.items()} or None)
    return None


def name_of(key: str) -> str:
    """Return the file name that a key in the index stands for; "" if it cannot be one."""
    if not key.startswith(AS_BYTES):
        return key
    try:
        return os.fsdecode(bytes.fromhex(key.removeprefix(AS_BYTES)))
    except ValueError:
        return ""


def key_of(name: str) -> str:
    r"""Return a file's name in a form that JSON can hold.

    >>> key_of("game.jsonl"), key_of("caf\udce9.jsonl")
    ('game.jsonl', '/636166e92e6a736f6e6c')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return AS_BYTES + os.fsencode(name).hex()
    return name


# ---- writing -------------------------------------------------------------------------------------


def write(path: Path, entries: Mapping[str, IndexEntry]) -> None:
    """Write the index anew; if the disk refuses, do without.

    It saves time, and tells which game was played last where the clock doesn't.
    """
    with suppress(OSError):
        atomic_write(path, b"\n".join(_lines(entries)), "soon")


def add(path: Path, entries: Mapping[str, IndexEntry]) -> None:
    """Add entries at the end of an index; they get to the disk whenever the system writes them."""
    with suppress(OSError), _opened(path, os.O_WRONLY | os.O_APPEND) as handle:
        os.write(handle, b"".join(b"\n" + line for line in _lines(entries)))


@contextmanager
def _opened(path: Path, how: int) -> Iterator[int]:
    """Open a plain file without waiting for anybody; OSError if it is not a plain file."""
    handle = os.open(path, how | AT_ONCE)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a plain file")
        yield handle
    finally:
        os.close(handle)


def _lines(entries: Mapping[str, IndexEntry]) -> Iterator[bytes]:
    """Yield the index lines of these entries, what was played last at the end."""
    ordered = iter(sorted(entries.items(), key=lambda pair: pair[1].order))
    while some := list(islice(ordered, A_LINE)):
        line = {
            key_of(name): {"state": list(entry.state), "order": entry.order, **(entry.facts or {})}
            for name, entry in some
        }
        yield json.dumps(line, ensure_ascii=False).encode("utf-8", "replace")
