"""Owners' files of one kind: a folder of their own beside the saved games, made known to the engine at the start.

A file may come from a stranger. A broken one is named and left lying, and takes nothing else down with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from companion.core.errors import OwnFileError, blame_file
from companion.core.outputs import make_folder, write_output
from companion.core.sticks import stick_or
from companion.core.storage import atomic_write, data_dir
from companion.games.sharing import FOLDER
from engine.errors import BadTable
from intake.files import read_text
from intake.toml_text import MOST_BYTES

SUFFIX = ".toml"
MOST_OFFERED = 4
NAME = r"[a-z][a-z0-9-]{0,39}"
OWNER = "owner"


class Owned(Protocol):
    """The content of an owner's file: a board, a deck or a battle."""

    @property
    def name(self) -> str:
        """Its name in files and saved games."""

    @property
    def known(self) -> str:
        """Where it comes from: "printed", "owner" or "practice"."""


T = TypeVar("T", bound=Owned)
Read = Callable[[str, str, str], T]
"""Reads a thing from its file's stem, its text, and the file's name for messages. BadTable lists every fault."""


def owners_reader(read: Read[T], noun: str) -> Read[T]:
    """Wrap a reader so that it accepts only things marked as an owner's, under a valid file name.

    The reader raises OwnFileError for an invalid name, BadTable for a thing marked otherwise.
    """

    def read_owned(name: str, text: str, where: str) -> T:
        if not re.fullmatch(NAME, name):
            raise OwnFileError(f"{where}: a file name here uses lower-case letters, digits and hyphens")
        thing = read(name, text, where)
        if thing.known != OWNER:
            raise BadTable(f'{where}: known: a {noun} of your own is "{OWNER}", not "{thing.known}"')
        return thing

    return read_owned


@dataclass(frozen=True, slots=True)
class ShelfContents(Generic[T]):
    """The things of a shelf that are now registered with the engine; broken: (file, why) of the others."""

    things: tuple[T, ...]
    broken: tuple[tuple[Path, str], ...]


@dataclass(frozen=True, slots=True)
class OwnFiles(Generic[T]):
    """A shelf: a folder of files of one kind, and how its content is registered with the engine.

    subfolder: its name in the data folder; add: registers a thing, BadTable if its name is taken; remove: unregisters
    one by name; names: lists those registered.
    """

    subfolder: str
    read: Read[T]
    add: Callable[[T], None]
    remove: Callable[[str], None]
    names: Callable[[], Sequence[str]]

    def folder(self) -> Path:
        """Return the folder of the files, which need not exist."""
        return data_dir() / self.subfolder

    def path_of(self, name: str) -> Path:
        """Return the path of the file for the thing of that name; it need not exist."""
        return self.folder() / f"{name}{SUFFIX}"

    def register(self) -> ShelfContents[T]:
        """Read all files on the shelf and register them with the engine in place of those registered before."""
        for name in self.names():
            self.remove(name)
        known, broken = [], []
        for path in files_in(self.folder()):
            try:
                thing = self.load(path)
                if thing.name != path.stem:
                    raise OwnFileError(f"{path}: the file of {thing.name} is called {thing.name}{SUFFIX}")
                self.add(thing)
            except (OwnFileError, BadTable) as fault:
                broken.append((path, str(fault)))
            else:
                known.append(thing)
        return ShelfContents(tuple(known), tuple(broken))

    def load(self, path: Path) -> T:
        """Read a file without registering it; OwnFileError if unreadable, BadTable with all faults of its content."""
        return self.read(path.stem, text_of(path), str(path))

    def save(self, name: str, text: str) -> T:
        """Save a text on the shelf, replacing the file of that name, and register and return what it holds.

        name: ignored for a board, whose text names it. BadTable lists every fault of the text; OwnFileError if it can't
        be written.
        """
        return self._put(self.read(name, text, f"{name}{SUFFIX}"), text)

    def import_file(self, path: Path) -> T:
        """Copy a file onto the shelf, and register and return what it holds; OwnFileError if the name is taken."""
        text = text_of(path)
        thing = self.read(path.stem, text, str(path))
        if self.path_of(thing.name).exists():
            raise OwnFileError(f"{self.path_of(thing.name)}: a file with that name already exists")
        return self._put(thing, text)

    def _put(self, thing: T, text: str) -> T:
        """Register a thing and write its file; if the disk refuses, register what is on the shelf again."""
        self.add(thing)
        try:
            write(self.path_of(thing.name), text.encode())
        except OwnFileError:
            self.register()
            raise
        return thing

    def new_files(self, folders: Iterable[Path]) -> list[Path]:
        """Return files in other folders that could be imported, at most `MOST_OFFERED`."""

        def is_new(path: Path) -> bool:
            try:
                # the stem first, as a file that is here already need not be read
                return not self.path_of(path.stem).exists() and not self.path_of(self.load(path).name).exists()
            except (OwnFileError, BadTable):
                return False

        return list(islice(filter(is_new, (path for folder in folders for path in files_in(folder))), MOST_OFFERED))

    def export(self, name: str, to: Path) -> None:
        """Copy a file of the shelf to another path, replacing a plain file; OwnFileError or OutputError if it can't."""
        make_folder(to.parent)
        write_output(to, text_of(self.path_of(name)).encode(), (self.path_of(name),))

    def share(self, name: str) -> Path:
        """Copy a file of the shelf to a memory stick, or else to the folder for sharing; return the copy's path."""
        to = stick_or(shared_folder()) / f"{name}{SUFFIX}"
        write(to, text_of(self.path_of(name)).encode())
        return to

    def delete(self, name: str) -> None:
        """Rename a file of the shelf to `NAME.toml.gone`, so that it can be recovered by hand, and unregister it.

        OwnFileError if it can't be renamed.
        """
        path = self.path_of(name)
        try:
            path.replace(path.with_suffix(f"{SUFFIX}.gone"))
        except OSError as error:
            raise OwnFileError(f"{path}: can't be deleted ({error.strerror})") from error
        self.remove(name)


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the `.toml` files in a folder, by name; none if the folder is missing or unreadable."""
    try:
        yield from sorted(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return


def shared_folder() -> Path:
    """Return the folder for shared copies, which need not exist."""
    return data_dir() / FOLDER


def text_of(path: Path) -> str:
    """Read the text of a file; OwnFileError if it is unreadable, too long or not text."""
    with blame_file(path, OwnFileError):
        return read_text(path, MOST_BYTES)


def write(path: Path, data: bytes) -> None:
    """Write a file in one go, creating its folder if missing; OwnFileError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, data)
    except OSError as error:
        raise OwnFileError(f"{path}: can't be written ({error.strerror})") from error
