"""The index of the saved games: a file beside them that keeps what was read of each, so that it is read once.

Each line is a JSON object {name of a game's file: its entry}; a later line counts before an earlier one. Lines are
added as games are read: whoever is cut short has lost little, and a damaged line costs its own entries. The file may
come from a stranger, and so may the games: what in it is no entry is passed over, and that game is read again; texts
and lists are short, numbers small, sides those of the game. Facts of a file with a fault say until when they hold: it
is read again once Gunbai is another version, or what the game is played with has come, gone or changed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from companion import __version__
from companion.core.storage import atomic_write, data_dir, read_at
from companion.games.journal import AnyJournal, players_of
from companion.games.summary import SYSTEM_RECORDS, GameSummary, are_known, summary_of
from companion.systems.game_system import game_system
from engine.systems import DEFAULT, SYSTEMS
from intake.errors import Unreadable
from intake.files import AT_ONCE, read_file
from intake.json_text import parse_object

State = tuple[int, int]
"""When a file was last changed, in ns since 1970, and its size in bytes."""

SHELF, COUNTED = "index.json", "counted.json"
"""The names of the indexes for the shelf and for the statistics."""
MOST_ORDER = 10**12
FREE_BYTES, BYTES_A_GAME = 1_000_000, 4_000  # an index longer than this for its number of games isn't ours
SPARE_BYTES, TIDY_BYTES_A_GAME = 100_000, 1_000  # one longer than this is worth rewriting
A_LINE = 8  # entries: a short line is parsed without first measuring how deep it nests
TAIL_BYTES = 16_384
AS_BYTES = "/"  # before the hexadecimal bytes of a name that isn't UTF-8, as no file's name has a slash


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An index's entry for a game's file: its state, when it was played, and what was read from it.

    order: higher for games played later; 0 if not known yet. facts: as JSON; None if the file is still to be read.
    """

    state: State
    order: int = 0
    facts: Mapping[str, Any] | None = None


def entries_in(path: Path, games: int) -> dict[str, IndexEntry]:
    """Read {file name: entry} from an index; {} if it is missing, unreadable or far too long for this many games."""
    try:
        data = read_file(path, FREE_BYTES + BYTES_A_GAME * games)
    except (OSError, Unreadable):
        return {}
    return dict(_entries(data))


def newest_in(path: Path) -> dict[str, IndexEntry]:
    """Read {file name: entry} from the end of an index only; {} if it can't be read or isn't in order of play."""
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
    """Return whether an index is not much longer than this many games need, and ends with its newest entries."""
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
    """Parse the object on a line; {} if it is invalid or too large."""
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
    """Return the file name that an index key stands for, reversing `key_of`; "" for an invalid key."""
    if not key.startswith(AS_BYTES):
        return key
    try:
        return os.fsdecode(bytes.fromhex(key.removeprefix(AS_BYTES)))
    except ValueError:
        return ""


def key_of(name: str) -> str:
    r"""Return the index key for a file's name: the name itself, or its bytes in hexadecimal if it isn't UTF-8.

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
    """Write a whole index; if the disk refuses, do nothing: the games are just read again."""
    with suppress(OSError):
        atomic_write(path, b"\n".join(_lines(entries)), "soon")


def add(path: Path, entries: Mapping[str, IndexEntry]) -> None:
    """Append entries to an index, unsynced; do nothing if there is none or the disk refuses."""
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
    """Yield the index lines of these entries, the one played last at the end."""
    ordered = iter(sorted(entries.items(), key=lambda pair: pair[1].order))
    while some := list(islice(ordered, A_LINE)):
        line = {
            key_of(name): {"state": list(entry.state), "order": entry.order, **(entry.facts or {})}
            for name, entry in some
        }
        yield json.dumps(line, ensure_ascii=False).encode("utf-8", "replace")


# ---- what is kept of each game, as JSON: made from its file -------------------------------------

Facts = Mapping[str, Any]
Form = Mapping[str, Callable[[object], bool]]
"""{fact: a check of its value}, the form that facts must have."""
MOST_LETTERS = 400
MOST_PARTS = 40
MOST = 10**9
FIRST_LINE_BYTES = 1_000_000
NAME = re.compile(r"[a-z][a-z0-9-]{0,79}")


def index_facts(journal: AnyJournal) -> dict[str, Any]:
    """Return what the index keeps of a saved game, read from its journal."""
    fault = journal.fault.message if journal.fault else ""
    found = asdict(summary_of(journal))
    found |= {"steps": len(journal.steps), "players": players_of(journal.request), "fault": fault}
    return _lasting(found | {"look_only": __version__ if journal.look_only else ""})


def index_facts_of_fault(path: Path, fault: str) -> dict[str, Any]:
    """Return what the index keeps of a file that cannot be read as a game."""
    system, needs = system_and_needs(path)
    nothing = asdict(GameSummary(system, "", ("", ""), 0, "", "")) | {"sides": (), "needs": needs}
    return _lasting(nothing | {"steps": 0, "players": {}, "fault": fault, "look_only": ""})


def _lasting(facts: Facts) -> dict[str, Any]:
    """Return the facts clipped as kept; with a fault, or if look-only, they bear the mark of what that depends on."""
    kept: dict[str, Any] = clip(facts)
    holds_for = needs_mark(kept["system"], kept["needs"]) if kept["fault"] or kept["look_only"] else ""
    return kept | {"again": holds_for}


def system_and_needs(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the system of rules of an unreadable file and the boards or decks it needs, going by its first line."""
    try:
        with path.open("rb") as file:
            request = parse_object(file.readline(FIRST_LINE_BYTES))
    except (OSError, Unreadable):
        return DEFAULT, ()
    system = request.get("system", DEFAULT)
    if not isinstance(system, str) or system not in SYSTEMS:
        return DEFAULT, ()
    needs = request.get(game_system(system).needs)
    names = needs.values() if isinstance(needs, dict) else (needs,)
    return system, tuple(name for name in names if isinstance(name, str) and NAME.fullmatch(name))


def needs_mark(system: str, needs: Iterable[str]) -> str:
    """Return a short hash of Gunbai's version and the state of the files a game needs; it changes when they do."""
    folder = data_dir() / game_system(system).folder
    states = [(name, are_known(system, (name,)), _state(folder / f"{name}.toml")) for name in needs]
    return hashlib.sha256(repr((__version__, states)).encode()).hexdigest()[:12]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


# ---- what comes back ------------------------------------------------------------------------------


def saved_values(facts: Facts) -> dict[str, Any] | None:
    """Turn an index entry's facts into fields of `shelf.Saved`; None if they are outdated or malformed."""
    if not has_form(facts, FORM) or not _fits(facts):
        return None
    if facts["again"] and facts["again"] != needs_mark(facts["system"], facts["needs"]):
        return None
    lists = {name: tuple(facts[name]) for name in ("sides", "needs")}
    return {name: value for name, value in facts.items() if name != "again"} | lists


def _fits(facts: Facts) -> bool:
    """Return whether the facts of a game are consistent with one another."""
    sides = facts["sides"]
    if not {facts["to_move"], facts["winner"]} <= {"", *sides}:
        return False
    if not facts["board"]:
        return not sides
    return SYSTEM_RECORDS.of(facts["system"]).fits(facts)


def printable(text: str, most: int = MOST_LETTERS) -> str:
    r"""Return a stranger's text cut to `most` characters, with a space for each unprintable one.

    >>> printable("a\x1b[2Jb\nc")
    'a [2Jb c'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text[:most])


def clip(value: Any) -> Any:
    """Return a JSON value with its texts, lists and mappings cut to the size that is kept."""
    if isinstance(value, str):
        return value[:MOST_LETTERS]
    if isinstance(value, Mapping):
        return {clip(key): clip(part) for key, part in list(value.items())[:MOST_PARTS]}
    if isinstance(value, list | tuple):
        return [clip(part) for part in value[:MOST_PARTS]]
    return value


def has_form(facts: Facts, form: Form) -> bool:
    """Return whether the facts have exactly the keys of this form, each with a valid value."""
    return facts.keys() == form.keys() and all(is_fact(facts[name]) for name, is_fact in form.items())


def is_system(value: object) -> bool:
    """Return whether a value names a system of rules."""
    return isinstance(value, str) and value in SYSTEMS


def is_text(value: object) -> bool:
    """Return whether a value is a text of the length that is kept."""
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def is_count(value: object) -> bool:
    """Return whether a value is an integer, perhaps negative, of the size that is kept."""
    return type(value) is int and -MOST <= value <= MOST


def is_number(value: object) -> bool:
    """Return whether a value is an integer, 0 or more, of the size that is kept."""
    return is_count(value) and isinstance(value, int) and value >= 0


def is_list(values: object, is_one: Callable[[object], bool] = is_text) -> bool:
    """Return whether a value is a short list whose items all pass `is_one`."""
    return isinstance(values, list) and len(values) <= MOST_PARTS and all(map(is_one, values))


def is_map(values: object, is_one: Callable[[object], bool] = is_text) -> bool:
    """Return whether a value is a short mapping from texts to values that pass `is_one`."""
    return isinstance(values, dict) and is_list([*values]) and is_list([*values.values()], is_one)


FORM: Form = {
    "system": is_system,
    **dict.fromkeys(("board", "title", "to_move", "winner", "fault", "look_only", "again"), is_text),
    **dict.fromkeys(("round", "steps"), is_number),
    **dict.fromkeys(("sides", "needs"), is_list),
    **dict.fromkeys(("players", "names"), is_map),
}
"""The form of the facts that the shelf's index keeps of a game."""
