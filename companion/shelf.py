"""The saved games as a shelf: what lies there, what people call it, the trash, copies and exports.

Nothing here opens a game to be played; files are moved, copied and named. Games that are thrown away lie in `trash`
beside the others until somebody puts them back. Which game was played last does not hang on the machine's time, which
may jump by years: whatever has changed since the last look was played after all that has not.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.errors import MatchError
from companion.game_clock import clock_path
from companion.gist import Gist, are_known, gist_of
from companion.journal import players_of, read_game
from companion.storage import GAME_SUFFIX, atomic_write, create, data_dir, games_dir, lock
from engine.systems import SYSTEMS

LABELS = "labels.json"
INDEX = "index.json"
FACTS = (
    "system",
    "board",
    "title",
    "sides",
    "needs",
    "names",
    "round",
    "to_move",
    "winner",
    "steps",
    "players",
    "fault",
)
LISTS = ("sides", "needs")
ENTRY = frozenset({"state", "order", *FACTS})
"""The keys of the index; a file whose entry has others is read anew."""
TRASH = "trash"
EXPORTS = "exports"
DEMO = "demo-"
MEDIA = (Path("/media"), Path("/run/media"))


@dataclass(frozen=True, slots=True)
class Saved:
    """A game on the shelf, of any system.

    label: what people call it, "" for no name; system to names: what `companion.gist.Gist` tells, empty where the file
    is no game; players: {side: name}; written: when its last step was, as far as the machine knows the time, a label
    only; order: the higher, the later it was played; fault: what is wrong with the file, "" for nothing.
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
    system: str = SYSTEMS[0]
    title: str = ""
    sides: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def readable(self) -> bool:
        """Whether it is a game at all, and what it is played with is there."""
        return bool(self.board) and are_known(self.system, self.needs)

    @property
    def running(self) -> bool:
        """Whether it can be gone on with."""
        return self.readable and not self.winner

    @property
    def demo(self) -> bool:
        """Whether it is a demonstration's."""
        return self.path.name.startswith(DEMO)

    @property
    def factions(self) -> tuple[str, ...]:
        """The sides that play it."""
        return self.sides if self.readable else ()

    def position(self) -> Any:
        """Where it stands, by the rules of its system; None where the file is no game."""
        try:
            about = self.path.stat()
            return _last_of(self.path, (about.st_mtime_ns, about.st_size))
        except (MatchError, OSError):
            return None


@lru_cache(maxsize=8)
def _last_of(path: Path, state: tuple[int, int]) -> Any:
    """Where the game in a file stands, judged once as long as the file stays the same: a battle takes its time."""
    del state
    return read_game(path).last


def saved_games() -> tuple[Saved, ...]:
    """The games on the shelf, the one played last first."""
    return _listed(data_dir() / "games")


def trashed_games() -> tuple[Saved, ...]:
    """The games in the trash, the one played last first."""
    return _listed(data_dir() / "games" / TRASH)


def last_running(games: Iterable[Saved]) -> Saved | None:
    """The game that people most likely want to go on with."""
    return next((one for one in games if one.running and not one.demo), None)


def last_system(games: Iterable[Saved]) -> str:
    """The system that was played last at this table."""
    return next((one.system for one in games if one.readable and not one.demo), SYSTEMS[0])


def known_names(games: Iterable[Saved]) -> tuple[str, ...]:
    """The players' names of earlier games, those of the last one first."""
    return tuple(dict.fromkeys(name for one in games for name in one.players.values() if name))


# ---- the index: what was read of each file, so that a shelf of many games opens at once -------------------


def _listed(folder: Path) -> tuple[Saved, ...]:
    labels, known = _texts(folder / LABELS), _objects(folder / INDEX)
    found = _files(folder)
    index = _ordered({path: _entry(path, about, known.get(path.name)) for path, about in found.items()})
    if index != known:
        with suppress(OSError):  # it saves time, and tells what was played last where the clock does not
            atomic_write(folder / INDEX, json.dumps(index, ensure_ascii=False).encode(), "soon")
    games = [_saved(path, about, index[path.name], labels.get(path.name, "")) for path, about in found.items()]
    return tuple(sorted(games, key=lambda one: one.order, reverse=True))


def _files(folder: Path) -> dict[Path, os.stat_result]:
    """The games' files; none where the disk does not tell."""
    found = {}
    with suppress(OSError):
        for path in folder.glob(f"*{GAME_SUFFIX}"):
            with suppress(FileNotFoundError):  # it went a moment ago
                about = path.stat()
                if stat.S_ISREG(about.st_mode):
                    found[path] = about
    return found


def _entry(path: Path, about: os.stat_result, known: dict[str, Any] | None) -> dict[str, Any]:
    """What is known of a file, read anew only where it has changed since; its order is 0 then.

    A file that was no game is always read anew: the deck or the battle that it needs may be there now.
    """
    state = [about.st_mtime_ns, about.st_size]
    if known is None or known.get("state") != state or not _is_whole(known):
        return {"state": state, "order": 0, **_read(path)}
    return known if known["board"] else {**known, **_read(path)}


def _is_whole(known: Mapping[str, Any]) -> bool:
    """Whether an entry has the form of today."""
    return (
        known.keys() == ENTRY
        and isinstance(known["order"], int)
        and all(isinstance(known[name], list) for name in LISTS)
    )


def _ordered(found: Mapping[Path, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """{file name: entry}, what has changed since the last look numbered behind the rest: by time among itself alone."""
    changed = sorted((path for path, entry in found.items() if not entry["order"]), key=lambda path: _age(path, found))
    before = max((entry["order"] for entry in found.values()), default=0)
    for n, path in enumerate(changed, before + 1):
        found[path]["order"] = n
    return {path.name: entry for path, entry in found.items()}


def _age(path: Path, found: Mapping[Path, dict[str, Any]]) -> tuple[int, str]:
    return found[path]["state"][0], path.name


def _read(path: Path) -> dict[str, Any]:
    """The facts of a saved game, as the index keeps them."""
    try:
        journal = read_game(path)
    except MatchError as error:
        return {**NOTHING, "fault": str(error).removeprefix(f"{path}: ")}
    gist = asdict(gist_of(journal))
    return gist | {
        "sides": list(gist["sides"]),
        "needs": list(gist["needs"]),
        "steps": len(journal.steps),
        "players": players_of(journal.request),
        "fault": journal.fault.message if journal.fault else "",
    }


NOTHING: Mapping[str, Any] = asdict(Gist(SYSTEMS[0], "", ("", ""), 0, "", "")) | {
    "sides": [],
    "needs": [],
    "steps": 0,
    "players": {},
}


def _saved(path: Path, about: os.stat_result, entry: Mapping[str, Any], label: str) -> Saved:
    facts = {name: value for name, value in entry.items() if name != "state"}
    facts |= {name: tuple(entry[name]) for name in LISTS}
    return Saved(path, _moment(about.st_mtime), label, **facts)


def _moment(time_s: float) -> datetime:
    """A file's time as far as a calendar goes: a clock may stand anywhere."""
    try:
        return datetime.fromtimestamp(time_s)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0)


def _objects(path: Path) -> dict[str, dict[str, Any]]:
    """{name: object} of a JSON file of ours."""
    return {name: one for name, one in _kept(path).items() if isinstance(one, dict)}


def _kept(path: Path) -> dict[str, Any]:
    """What a JSON file of ours holds; nothing where it is missing or broken: the games are what matters."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


# ---- names ------------------------------------------------------------------------------------


def _texts(path: Path) -> dict[str, str]:
    """{file name: what people call it}."""
    return {name: str(label) for name, label in _kept(path).items()}


def call(path: Path, label: str) -> None:
    """Give a game a name, or none with ""; the file keeps its own. OSError where the disk refuses."""
    labels = _texts(path.parent / LABELS)
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
    """Remove a game without steps, and all beside it; any other stays. MatchError while it is open."""
    if not path.exists():  # it began in memory, and never got to the disk
        return
    _refuse_open(path)
    if read_game(path).steps:
        return
    for beside in _beside(path):
        shutil.rmtree(beside) if beside.is_dir() else beside.unlink()
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
    label = _texts(path.parent / LABELS).get(path.name, "")
    free = _free(folder / path.name)
    for beside in _beside(path):
        beside.rename(free.with_name(free.name + beside.name.removeprefix(path.name)))
    path.rename(free)
    call(path, "")
    call(free, label)
    return free


def _beside(path: Path) -> list[Path]:
    """What lies beside a game under its name."""
    return list(path.parent.glob(f"{path.name}.*"))


def _free(path: Path) -> Path:
    """This name, or the next one with a number that nobody has."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free


# ---- copies ---------------------------------------------------------------------------------------


def copy(path: Path) -> Path:
    """Another game that goes on from where this one stands, its clock too; its file."""
    twin = _free(path)
    create(twin, path.read_bytes())
    if clock_path(path).exists():
        create(clock_path(twin), clock_path(path).read_bytes())
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
