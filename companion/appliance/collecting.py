"""What a copy of the saved games holds: which files there are, and each as it was at one moment of its game.

Games may be played meanwhile: a journal only grows by whole lines or is replaced in one go, so a file that has not
changed while it and what lies beside it were read is one moment of its game. Of a large shelf only the check values are
kept; the files are read again when the copy is written, and one that is another by then makes the copy begin anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.appliance.copies import (
    CHOSEN,
    FOLDERS,
    HEAD_BYTES,
    MOST_BYTES,
    MOST_FILE_BYTES,
    MOST_FILES,
    MOST_MANIFEST_BYTES,
    digest_of,
    told_bytes,
)
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.evidence.pictures import FOLDER_SUFFIX
from companion.games.saved.index_file import COUNTED, SHELF
from companion.settings import layers
from intake.errors import Unreadable
from intake.files import read_file

TRIES = 20
MADE_ANEW = re.compile(rf".*\.new-[0-9]+|{re.escape(SHELF)}|{re.escape(COUNTED)}", re.DOTALL)
BESIDE = f"{storage.GAME_SUFFIX}."
TODAY = ".today"
"""The suffix of today's photo of the board, beside a table or game (`vision.table.today_path`); it is taken again."""
State = tuple[int, int, int] | None


class FileChanged(Exception):
    """A change in a file since it was found; the message is the file's name in the copy."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to be copied, as it was at one moment.

    path: where it is; size: how many of its bytes count; digest: their check value; data: the bytes, if they are held
    in memory.
    """

    path: str
    size: int
    digest: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class CopyContents:
    """What a copy will hold: {name in the copy: file}; left_out: (name, why) of what can't be copied."""

    files: Mapping[str, File]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def digests(self) -> dict[str, str]:
        """{name in the copy: check value}."""
        return {name: file.digest for name, file in self.files.items()}

    def content(self, name: str) -> bytes:
        """Return a file's bytes as they were when it was found; FileChanged if they have changed."""
        file = self.files[name]
        if file.data is not None:
            return file.data
        with suppress(OSError, Unreadable):
            data = read_file(file.path, MOST_FILE_BYTES)[: file.size]
            if digest_of(data) == file.digest:
                return data
        raise FileChanged(name)


def find_files(held: Collection[str] = ()) -> CopyContents:
    """Find all files that belong in a copy. held: names of files whose bytes are kept in memory.

    Pictures beside games, and what can be made again, are left out. ApplianceError if a file keeps changing.
    """
    gathered = _Gathered(storage.data_dir(), held, MOST_BYTES, MOST_MANIFEST_BYTES)
    gathered.take_chosen(layers.chosen_file())
    for folder, names in gathered.folders():
        for together in _group_by_game(names):
            gathered.take(folder, together)
    return CopyContents(gathered.files, tuple(gathered.left_out))


def _group_by_game(names: Collection[str]) -> Iterator[list[str]]:
    """Yield the names in a folder in groups that must be read at one moment: a game with the files beside it."""
    games: dict[str, list[str]] = {name: [name] for name in names if name.endswith(storage.GAME_SUFFIX)}
    for name in names:
        if name not in games:
            game = game_of(name, games)
            if game:
                games[game].append(name)
            else:
                yield [name]
    yield from games.values()


def game_of(name: str, games: Collection[str]) -> str:
    """Return which of these games a file lies beside, by its name; "" if none."""
    at = name.find(BESIDE)
    while at >= 0:
        game = name[: at + len(storage.GAME_SUFFIX)]
        if game in games:
            return game
        at = name.find(BESIDE, at + 1)
    return ""


@dataclass(slots=True)
class _Gathered:
    """The files found so far. room, told_room: bytes left in the copy and in its manifest."""

    data: Path
    held: Collection[str]
    room: int
    told_room: int
    files: dict[str, File] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def folders(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each folder with the names of its plain files, the games' folders last; links are not followed."""
        waiting = [*FOLDERS]
        while waiting:
            folder = waiting.pop()
            files: list[str] = []
            for name, kind in self._list_folder(folder):
                if kind == "folder":
                    waiting.append(f"{folder}/{name}")
                elif kind:
                    self.left_out.append((f"{folder}/{name}", kind))
                else:
                    files.append(name)
            yield folder, files

    def _list_folder(self, folder: str) -> list[tuple[str, str]]:
        """List a folder by name: (name, "" for a plain file, "folder", or why it is left out).

        [] if there is no such folder, or it can't be listed.
        """
        try:
            with os.scandir(self.data / folder) as there:
                return sorted((entry.name, _kind(entry)) for entry in there if not _is_passed_over(entry))
        except FileNotFoundError:
            return []
        except OSError as error:
            self.left_out.append((folder, f"can't be listed ({error.strerror})"))
            return []

    def take(self, folder: str, together: list[str]) -> None:
        """Read a group of files, again until none of them changes meanwhile; ApplianceError if they never rest."""
        place = self.data / folder
        for again in range(TRIES):
            names = _now(place, together) if again else together
            paths = {f"{folder}/{name}": f"{place}/{name}" for name in names}
            before = _states(paths.values())
            read = {name: self._read(name, path) for name, path in paths.items()}
            if _states(paths.values()) == before:
                for name, data in read.items():
                    self._keep(name, data)
                return
        raise ApplianceError(f"{place}: keeps changing: no copy was made")

    def take_chosen(self, path: Path) -> None:
        """Read the file of the choices made in the app, which lies elsewhere."""
        self._keep(CHOSEN, self._read(CHOSEN, str(path)))

    def _read(self, name: str, path: str) -> File | str:
        """Read a file, or return why it cannot be copied, "" where it is gone."""
        try:
            data = read_file(path, MOST_FILE_BYTES)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"can't be read ({error.strerror})"
        except Unreadable as error:
            return str(error)
        if path.endswith(storage.GAME_SUFFIX):  # whole lines: what follows is not yet written, or was cut off
            data = data[: data.rfind(b"\n") + 1]
        return File(path, len(data), digest_of(data), data if name in self.held else None)

    def _keep(self, name: str, read: File | str) -> None:
        if isinstance(read, str):
            self.left_out += [(name, read)] if read else []
            return
        size, told = read.size + HEAD_BYTES, told_bytes(name)
        if size > self.room or told > self.told_room or len(self.files) == MOST_FILES:
            self.left_out.append((name, "there is no room for it in one copy"))
        else:
            self.files[name] = read
            self.room -= size
            self.told_room -= told


def _kind(entry: os.DirEntry[str]) -> str:
    """Return what lies under a name: "" for a plain file, "folder", or why it is not copied."""
    try:
        if entry.is_symlink():
            return "a link"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "" if entry.is_file(follow_symlinks=False) else "not a plain file"
    except OSError as error:
        return f"cannot be looked at ({error.strerror})"


def _is_passed_over(entry: os.DirEntry[str]) -> bool:
    """Return whether to skip an entry without a word.

    That is one that is hidden, a game's pictures, half written, or made again if it is missing.
    """
    return (
        entry.name.startswith(".")
        or entry.name.endswith((FOLDER_SUFFIX, TODAY))
        or MADE_ANEW.fullmatch(entry.name) is not None
    )


def _now(place: Path, together: list[str]) -> list[str]:
    """Return the names of the same group now: for a game, with the files that lie beside it now."""
    game = together[0]
    if not game.endswith(storage.GAME_SUFFIX):
        return together
    with os.scandir(place) as there:
        beside = [entry.name for entry in there if entry.name.startswith(f"{game}.") and not _is_passed_over(entry)]
    return [game, *sorted(name for name in beside if not name.endswith(storage.GAME_SUFFIX))]


def _states(paths: Iterable[str]) -> list[State]:
    """Return the states of files, to tell whether they have changed: None for one that is not there."""
    return [_state(path) for path in paths]


def _state(path: str) -> State:
    try:
        about = os.lstat(path)
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns, about.st_size
