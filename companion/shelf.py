"""The saved games as a shelf: what lies there, what people call it, the trash, copies and exports.

Nothing here opens a game to be played; files are moved, copied and named. Games that are thrown away lie in `trash`
beside the others until somebody puts them back.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from companion.errors import MatchError
from companion.journal import read_journal
from companion.storage import GAME_SUFFIX, atomic_write, create, data_dir, games_dir, lock
from engine.orders.position import Position

LABELS = "labels.json"
TRASH = "trash"
EXPORTS = "exports"
DEMO = "demo-"
MEDIA = (Path("/media"), Path("/run/media"))


@dataclass(frozen=True, slots=True)
class Saved:
    """A game on the shelf.

    label: what people call it, "" for no name; last: the position it has come to, None where the file is no game;
    players: {faction: name}; written: when its last step was, as far as the machine knows the time; fault: what is
    wrong with the file, "" for nothing.
    """

    path: Path
    label: str
    last: Position | None
    steps: int
    players: Mapping[str, str]
    written: datetime
    fault: str

    @property
    def running(self) -> bool:
        """Whether it can be gone on with."""
        return self.last is not None and self.last.winner_name is None

    @property
    def demo(self) -> bool:
        """Whether it is a demonstration's."""
        return self.path.name.startswith(DEMO)


def saved_games() -> tuple[Saved, ...]:
    """The games on the shelf, the one played last first."""
    return _listed(games_dir())


def trashed_games() -> tuple[Saved, ...]:
    """The games in the trash, the one played last first."""
    return _listed(_trash())


def last_running(games: Iterable[Saved]) -> Saved | None:
    """The game that people most likely want to go on with."""
    return next((one for one in games if one.running and not one.demo), None)


def known_names(games: Iterable[Saved]) -> tuple[str, ...]:
    """The players' names of earlier games, those of the last one first."""
    return tuple(dict.fromkeys(name for one in games for name in one.players.values() if name))


def _listed(folder: Path) -> tuple[Saved, ...]:
    labels = _labels(folder)
    found = [_saved(path) for path in folder.glob(f"*{GAME_SUFFIX}") if path.is_file()]
    named = [replace(one, label=labels.get(one.path.name, "")) for one in found]
    return tuple(sorted(named, key=lambda one: (one.written, one.path.name), reverse=True))


def _saved(path: Path) -> Saved:
    about = path.stat()
    return _read(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=256)
def _read(path: Path, mtime_ns: int, size: int) -> Saved:
    """The game in a file as it was at that time, with that size: a file is read anew only when it has changed."""
    del size
    written = datetime.fromtimestamp(mtime_ns / 1e9)
    try:
        journal = read_journal(path)
    except MatchError as error:
        return Saved(path, "", None, 0, {}, written, str(error))
    players = journal.request.get("players", {})
    names = {str(who): str(name) for who, name in players.items()} if isinstance(players, dict) else {}
    fault = journal.fault.message if journal.fault else ""
    return Saved(path, "", journal.last, len(journal.steps), names, written, fault)


# ---- names ------------------------------------------------------------------------------------


def _labels(folder: Path) -> dict[str, str]:
    """{file name: what people call it}; a file of names that is broken counts as empty: the games are what matters."""
    try:
        found = json.loads((folder / LABELS).read_text())
    except (OSError, ValueError):
        return {}
    return {str(name): str(label) for name, label in found.items()} if isinstance(found, dict) else {}


def call(path: Path, label: str) -> None:
    """Give a game a name, or none with ""; the file keeps its own. OSError where the disk refuses."""
    labels = _labels(path.parent)
    labels.pop(path.name, None)
    if label:
        labels[path.name] = label
    atomic_write(path.parent / LABELS, json.dumps(labels, ensure_ascii=False, indent=1).encode())


# ---- the trash ----------------------------------------------------------------------------------


def throw_away(path: Path) -> Path:
    """Move a game with its pictures and its name into the trash; where it lies now. MatchError while it is open."""
    _refuse_open(path)
    return _move(path, _trash())


def put_back(path: Path) -> Path:
    """Move a game out of the trash; where it lies now."""
    return _move(path, games_dir())


def discard(path: Path) -> None:
    """Remove a game in which nothing has happened yet; any other stays. MatchError while it is open."""
    _refuse_open(path)
    if read_journal(path).steps == ():
        path.unlink()


def _trash() -> Path:
    folder = games_dir() / TRASH
    folder.mkdir(exist_ok=True)
    return folder


def _refuse_open(path: Path) -> None:
    with path.open("rb") as file:
        if not lock(file.fileno()):
            raise MatchError(f"{path}: this game is open in another gunbai")


def _move(path: Path, folder: Path) -> Path:
    """The game and all that lies beside it under its name: pictures, what was damaged."""
    label = _labels(path.parent).get(path.name, "")
    free = _free(folder / path.name)
    for beside in path.parent.glob(f"{path.name}.*"):
        beside.rename(free.with_name(free.name + beside.name.removeprefix(path.name)))
    path.rename(free)
    call(path, "")
    call(free, label)
    return free


def _free(path: Path) -> Path:
    """This name, or the next one with a number that nobody has."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free


# ---- copies ---------------------------------------------------------------------------------------


def copy(path: Path) -> Path:
    """Another game that goes on from where this one stands; its file."""
    twin = _free(path)
    create(twin, path.read_bytes())
    return twin


def export(path: Path) -> Path:
    """A copy of the file for elsewhere: on a memory stick where there is one, else in the folder of exports."""
    folder = next(sticks(), data_dir() / EXPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    target = _free(folder / path.name)
    create(target, path.read_bytes())
    return target


def sticks() -> Iterator[Path]:
    """The memory sticks that are plugged in and may be written to."""
    for place in MEDIA:
        for folder in sorted((*place.glob("*"), *place.glob("*/*"))):
            if folder.is_mount() and _may_write(folder):
                yield folder


def _may_write(folder: Path) -> bool:
    """Whether there is room and leave for a file."""
    try:
        return shutil.disk_usage(folder).free > 0 and _tried(folder / ".gunbai")
    except OSError:
        return False


def _tried(path: Path) -> bool:
    create(path, b"")
    path.unlink()
    return True
