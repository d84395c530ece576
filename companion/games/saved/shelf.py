"""The saved games as a shelf: which there are, their labels, the trash, copies and exports.

Nothing here opens a game to be played; files are moved, copied and named. Games that are thrown away lie in `trash`
beside the others until somebody puts them back. `companion.games.saved.listing` finds out what lies there and what was
played last.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from glob import escape
from pathlib import Path
from typing import Any

from companion.core.errors import MatchError
from companion.core.sticks import stick_or
from companion.core.storage import atomic_write, create, data_dir, free_path, games_dir, is_there, lock
from companion.games.clock import clock_path
from companion.games.journal import read_game
from companion.games.opponent import NAME
from companion.games.saved import index_file
from companion.games.saved.index_file import (
    IndexEntry,
    index_facts,
    index_facts_of_fault,
    key_of,
    name_of,
    printable,
    saved_values,
)
from companion.games.saved.listing import GameListing, ListingKind
from companion.games.summary import are_known
from engine.systems import DEFAULT
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

LABELS = "labels.json"
INDEX = index_file.SHELF
TRASH = "trash"
EXPORTS = "exports"
DEMO = "demo-"
LABELS_BYTES = 4_000_000
LABEL_MOST = 80
NOT_IN_NAMES = frozenset('\\/:*?"<>|')  # not allowed by other operating systems


@dataclass(frozen=True, slots=True)
class Saved:
    """A game on the shelf, of any system.

    label: what people call it, "" if nothing; written: when its file was last changed, by the machine's clock, only for
    showing; players: {side: name}; fault: what is wrong with the file, "" if nothing; order: higher for games played
    later; look_only: the version of Gunbai that can only show the game, as it doesn't understand all of it, "" if it
    can be continued. The rest is as in `companion.games.summary.GameSummary`; if the file is no game, system and needs
    go by its first line, and the others are empty.
    """

    path: Path
    written: datetime
    label: str = ""
    board: str = ""
    round: int = 0
    to_move: str = ""
    winner: str = ""
    steps: int = 0
    players: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    order: int = 0
    system: str = DEFAULT
    title: str = ""
    sides: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    look_only: str = ""

    @property
    def readable(self) -> bool:
        """Whether the file is a game, and the board, battle or decks it needs exist."""
        return bool(self.board) and are_known(self.system, self.needs)

    @property
    def running(self) -> bool:
        """Whether the game is unfinished and can be continued here."""
        return self.readable and not self.winner and not self.look_only

    @property
    def demo(self) -> bool:
        """Whether the game is a demonstration's."""
        return self.path.name.startswith(DEMO)

    @property
    def factions(self) -> tuple[str, ...]:
        """The sides of the game; () if it isn't readable."""
        return self.sides if self.readable else ()

    def position(self) -> Any:
        """Read the file and return the game's last position; None if the file is no game."""
        try:
            about = self.path.stat()
            return _last_of(self.path, (about.st_mtime_ns, about.st_size))
        except (MatchError, OSError):
            return None


@lru_cache(maxsize=8)
def _last_of(path: Path, _state: tuple[int, int]) -> Any:
    """Return the last position of the game in a file, cached while the file stays the same."""
    return read_game(path).last


# ---- what lies there ---------------------------------------------------------------------------


class GameShelf:
    """The games of a folder with their labels, as far as they are known (`listing.GameListing` says how)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listing = GameListing(folder, ListingKind(INDEX, _read, index_facts_of_fault, _saved_game))
        self._labels: Mapping[str, str] = {}
        self._labels_state: tuple[int, ...] = ()
        self._made: tuple[object, object, tuple[Saved, ...]] = (None, None, ())

    @property
    def games(self) -> tuple[Saved, ...]:
        """The games that are known, the one played last first."""
        things, labels = self._listing.things, self._labels
        if self._made[0] is not things or self._made[1] is not labels:
            named = (
                replace(thing, label=labels[thing.path.name]) if thing.path.name in labels else thing
                for thing in things
            )
            self._made = things, labels, tuple(named)
        return self._made[2]

    @property
    def waiting(self) -> int:
        """How many games are still to be read, as far as that is known."""
        return self._listing.waiting

    @property
    def whole(self) -> bool:
        """Whether all games are known."""
        return self._listing.whole

    def look(self) -> GameShelf:
        """Look the games over, at once if they are few; return the shelf itself."""
        self._labels = self._read_labels()
        self._listing.look()
        return self

    def tick(self, now_s: float) -> bool:
        """Go on reading in the background; return whether anything is new."""
        return self._listing.tick(now_s)

    def wait(self) -> None:
        """Wait until the running background task is done; the next `tick` takes its result."""
        self._listing.wait()

    def finish(self) -> GameShelf:
        """Read all games of the folder now, however long that takes; return the shelf itself."""
        self._labels = self._read_labels()
        self._listing.finish()
        return self

    def renew(self, name: str, *, played: bool = False) -> None:
        """Look again at a file that changed, appeared or vanished; played: it is the game played from now on."""
        self._labels = self._read_labels()
        self._listing.renew(name, played=played)

    def _read_labels(self) -> Mapping[str, str]:
        """Return the labels; the same object again while their file is unchanged."""
        state = _state_of(self.folder / LABELS)
        if state != self._labels_state:
            self._labels_state = state
            return labels_in(self.folder)
        return self._labels


def _state_of(path: Path) -> tuple[int, ...]:
    """Return values that change whenever the file does; () if there is no file."""
    try:
        about = path.stat()
    except OSError:
        return ()
    return about.st_ino, about.st_mtime_ns, about.st_size


def shelf() -> GameShelf:
    """Return the shelf of the saved games."""
    return _at(data_dir() / "games")


def trash() -> GameShelf:
    """Return the shelf of the games that were thrown away."""
    return _at(data_dir() / "games" / TRASH)


@lru_cache(maxsize=4)
def _at(folder: Path) -> GameShelf:
    return GameShelf(folder)


def forget() -> None:
    """Drop all that is known of both shelves, after waiting for their background tasks."""
    for place in (shelf(), trash()):
        place.wait()
    _at.cache_clear()


def saved_games() -> tuple[Saved, ...]:
    """Read and return all games on the shelf, the one played last first, however long that takes."""
    return shelf().finish().games


def note_change(path: Path, *, played: bool = False) -> None:
    """Tell the shelf that a game was left or, with `played`, is played from now on and so counts as the last."""
    if path.parent == data_dir() / "games":
        shelf().renew(path.name, played=played)


def last_running(games: Iterable[Saved]) -> Saved | None:
    """Return the first unfinished game that is no demonstration; None if there is none."""
    return next((game for game in games if game.running and not game.demo), None)


def last_system(games: Iterable[Saved]) -> str:
    """Return the system of the first readable game that is no demonstration; General Orders if there is none."""
    return next((game.system for game in games if game.readable and not game.demo), DEFAULT)


def known_names(games: Iterable[Saved]) -> tuple[str, ...]:
    """Return the names of people in these games, each once, in the games' order."""
    names = dict.fromkeys(name for game in games for name in game.players.values())
    return tuple(name for name in names if name not in ("", NAME))


def _read(path: Path) -> dict[str, Any]:
    """Read a file and return the facts that the index keeps of it, also if it is no game."""
    try:
        return index_facts(read_game(path))
    except MatchError as error:
        return index_facts_of_fault(path, str(error).removeprefix(f"{path}: "))


def _saved_game(path: Path, entry: IndexEntry) -> Saved | None:
    """Return the game that an index entry describes; None if the entry is outdated or malformed."""
    facts = saved_values(entry.facts or {})
    return None if facts is None else Saved(path, _moment(entry.state[0] / 1e9), order=entry.order, **facts)


def _moment(time_s: float) -> datetime:
    """Return a file's time as local time; 1970 for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(time_s)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0)


# ---- names ------------------------------------------------------------------------------------


def labels_in(folder: Path) -> dict[str, str]:
    """Read {file name: what people call the game}; {} if the file is missing or broken: the games matter more."""
    try:
        found = parse_object(read_file(folder / LABELS, LABELS_BYTES), LABELS_BYTES)
    except (OSError, Unreadable):
        return {}
    return {name_of(key): printable(label, LABEL_MOST) for key, label in found.items() if isinstance(label, str)}


def set_label(path: Path, label: str) -> None:
    """Set what people call a game, or clear it with ""; its file isn't renamed. OSError if the disk refuses."""
    labels = labels_in(path.parent)
    labels.pop(path.name, None)
    if label:
        labels[path.name] = label
    told = {key_of(name): kept for name, kept in labels.items()}
    atomic_write(path.parent / LABELS, json.dumps(told, ensure_ascii=False, indent=1).encode())


# ---- the trash ----------------------------------------------------------------------------------


def throw_away(path: Path) -> Path:
    """Move a game with its pictures and label into the trash; return its new path. MatchError while it is open."""
    _refuse_open(path)
    folder = games_dir() / TRASH
    folder.mkdir(exist_ok=True)
    return _move(path, folder)


def put_back(path: Path) -> Path:
    """Move a game out of the trash back to the others; return its new path."""
    return _move(path, games_dir())


def discard(path: Path) -> None:
    """Delete a sound game without any step, and the files beside it; leave others. MatchError if open or unreadable."""
    if not path.exists():  # it began in memory, and never got to the disk
        return
    _refuse_open(path)
    journal = read_game(path)
    if journal.steps or journal.fault is not None:
        return
    for beside in _files_beside(path):
        shutil.rmtree(beside) if beside.is_dir() else beside.unlink()
    path.unlink()
    _at(path.parent).renew(path.name)


def _refuse_open(path: Path) -> None:
    with path.open("rb") as file:
        if not lock(file.fileno()):
            raise MatchError(f"{path}: this game is open in another Gunbai")


def _move(path: Path, folder: Path) -> Path:
    """Move a game with the files beside it (pictures, damaged parts) and return its new path."""
    label = labels_in(path.parent).get(path.name, "")
    free = free_path(folder / path.name)
    for beside in _files_beside(path):
        beside.rename(free.with_name(free.name + beside.name.removeprefix(path.name)))
    path.rename(free)
    set_label(path, "")
    set_label(free, label)
    for place in {path, free}:
        _at(place.parent).renew(place.name)
    return free


def _files_beside(path: Path) -> list[Path]:
    """Return the files that lie beside a game under its name."""
    return list(path.parent.glob(f"{escape(path.name)}.*"))


# ---- copies ---------------------------------------------------------------------------------------


def copy(path: Path, data: bytes | None = None) -> Path:
    """Copy a game and its clock and return the copy's path; data: the copy's bytes, if not those of the file."""
    twin = free_path(path)
    create(twin, path.read_bytes() if data is None else data)
    if is_there(clock_path(path)):
        create(clock_path(twin), clock_path(path).read_bytes())
    _at(twin.parent).renew(twin.name)
    return twin


def export(path: Path) -> Path:
    """Copy a game to a memory stick if there is one, else to the folder of exports; return the copy's path.

    MatchError if it can't be written there.
    """
    folder = stick_or(data_dir() / EXPORTS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = free_path(folder / _plain(path.name))
        create(target, path.read_bytes())
    except OSError as error:
        raise MatchError(f"{folder}: can't be written ({error.strerror})") from error
    return target


def _plain(name: str) -> str:
    r"""Return a file name that every operating system accepts.

    >>> _plain("caf\udce9: a\nb.jsonl")
    'caf__ a_b.jsonl'
    """
    return "".join(letter if letter.isprintable() and letter not in NOT_IN_NAMES else "_" for letter in name)
