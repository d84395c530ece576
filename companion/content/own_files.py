"""Owners' files of one kind: a folder of their own beside the saved games, made known to the engine at the start.

A file may come from a stranger. A broken one is named and left lying, and takes nothing else down with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

from companion.core.errors import OwnFileError, blamed
from companion.core.storage import atomic_write, data_dir
from engine.errors import BadTable
from intake.files import read_text
from intake.toml_text import MOST_BYTES

T = TypeVar("T")
SUFFIX = ".toml"
MOST_OFFERED = 4
NAME = r"[a-z][a-z0-9-]{0,39}"


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """What is known now of a shelf, and the files that are none: (file, why)."""

    things: tuple[T, ...]
    broken: tuple[tuple[Path, str], ...]


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """What lies on a shelf, and how the engine has it.

    folder: its name in the data folder. read: a thing from its name, its text and the file that is blamed; BadTable
    with every fault. add: makes it known, BadTable for a name that is taken. remove: forgets one. names: those added.
    """

    folder: str
    read: Callable[[str, str, str], T]
    add: Callable[[T], None]
    remove: Callable[[str], None]
    names: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class OwnFiles(Generic[T]):
    """The files of one kind; a file is called as the thing in it."""

    kind: Kind[T]

    def folder(self) -> Path:
        """Where they lie; not created here."""
        return data_dir() / self.kind.folder

    def path_of(self, name: str) -> Path:
        """The file of that name."""
        return self.folder() / f"{name}{SUFFIX}"

    def register(self) -> Known[T]:
        """Read every file on the shelf and make it known; what was known before and has gone is forgotten."""
        for name in self.kind.names():
            self.kind.remove(name)
        known, broken = [], []
        for path in files_in(self.folder()):
            try:
                thing = self.load(path)
                self.kind.add(thing)
            except (OwnFileError, BadTable) as fault:
                broken.append((path, str(fault)))
            else:
                known.append(thing)
        return Known(tuple(known), tuple(broken))

    def load(self, path: Path) -> T:
        """What is in a file, not made known. OwnFileError, or BadTable with every fault of it."""
        return self._loaded(path)[0]

    def _loaded(self, path: Path) -> tuple[T, str]:
        """What is in a file, and its text."""
        if not re.fullmatch(NAME, path.stem):
            raise OwnFileError(f"{path}: a file here is called by small letters, digits and hyphens")
        text = text_of(path)
        return self.kind.read(path.stem, text, str(path)), text

    def save(self, name: str, text: str) -> T:
        """Put a text on the shelf, in place of one of that name, and make it known.

        BadTable with every fault of the text; OwnFileError where it cannot be written.
        """
        path = self.path_of(name)
        return self._put(self.kind.read(name, text, path.name), path, text)

    def import_file(self, path: Path) -> T:
        """Take a copy of a file onto the shelf. OwnFileError where there is one of that name already."""
        thing, text = self._loaded(path)
        if self.path_of(path.stem).exists():
            raise OwnFileError(f"{self.path_of(path.stem)}: there is a file of that name already")
        return self._put(thing, self.path_of(path.stem), text)

    def _put(self, thing: T, path: Path, text: str) -> T:
        """Make a thing known and write its file; where the disk refuses, what lies on the shelf is known as before."""
        self.kind.add(thing)
        try:
            write(path, text)
        except OwnFileError:
            self.register()
            raise
        return thing

    def offered(self, folders: Iterable[Path]) -> list[Path]:
        """Files in other folders that hold such a thing, and whose name is not on the shelf yet; a few at most."""
        found = (path for folder in folders for path in files_in(folder) if self._is_new(path))
        return list(islice(found, MOST_OFFERED))

    def _is_new(self, path: Path) -> bool:
        if self.path_of(path.stem).exists():
            return False
        try:
            self.load(path)
        except (OwnFileError, BadTable):
            return False
        return True

    def export(self, name: str, to: Path) -> None:
        """Copy a file to another place. OwnFileError where that cannot be done."""
        write(to, text_of(self.path_of(name)))

    def share(self, name: str) -> Path:
        """Copy a file into the folder of what people take away from the app; the copy."""
        to = shared(name)
        self.export(name, to)
        return to

    def delete(self, name: str) -> None:
        """Take a file off the shelf: it is put aside under another name, where it can be fetched back by hand."""
        put_aside(self.path_of(name))
        self.kind.remove(name)


def files_in(folder: Path) -> Iterator[Path]:
    """The files on a shelf, by name; none where there is no shelf or it cannot be looked into."""
    try:
        yield from sorted(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return


def shared(name: str) -> Path:
    """Where a copy lies of what people take away from the app."""
    return data_dir() / "shared" / f"{name}{SUFFIX}"


def put_aside(path: Path) -> None:
    """Take a file off its shelf, where it can be fetched back by hand. OwnFileError where that cannot be done."""
    try:
        path.replace(path.with_suffix(f"{SUFFIX}.gone"))
    except OSError as error:
        raise OwnFileError(f"{path}: cannot be deleted ({error.strerror})") from error


def text_of(path: Path) -> str:
    """The text of a file. OwnFileError where it cannot be read, is too long, or is no text."""
    with blamed(path, OwnFileError):
        return read_text(path, MOST_BYTES)


def write(path: Path, text: str) -> None:
    """Write a file whole. OwnFileError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, text.encode())
    except OSError as error:
        raise OwnFileError(f"{path}: cannot be written ({error.strerror})") from error
