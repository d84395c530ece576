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
from companion.core.sticks import out_of_here
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
    """What an owner's file holds: a board, a deck, a battle."""

    @property
    def name(self) -> str:
        """What files and saved games call it."""

    @property
    def known(self) -> str:
        """How sure we are of it: "printed", "owner" or "practice"."""


T = TypeVar("T", bound=Owned)
Read = Callable[[str, str, str], T]
"""A thing from its file's stem, its text and the file that is blamed. BadTable with every fault."""


def owners_reader(read: Read[T], noun: str) -> Read[T]:
    """Make a reader for things that have their file's name, and are known from their owner alone.

    OwnFileError for a name that no file here has; BadTable for a thing that claims to be printed or made up by us.
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
    """What the engine now knows of a shelf, and the files that could not be read: (file, why)."""

    things: tuple[T, ...]
    broken: tuple[tuple[Path, str], ...]


@dataclass(frozen=True, slots=True)
class OwnFiles(Generic[T]):
    """A shelf: the files of one kind, each called as the thing in it, and how the engine gets to know them.

    subfolder: its name in the data folder. add: makes a thing known, BadTable for a name that is taken. remove: forgets
    one by its name. names: of all that were added.
    """

    subfolder: str
    read: Read[T]
    add: Callable[[T], None]
    remove: Callable[[str], None]
    names: Callable[[], Sequence[str]]

    def folder(self) -> Path:
        """Return the folder of the files; not created here."""
        return data_dir() / self.subfolder

    def path_of(self, name: str) -> Path:
        """Return the path of the file of that name."""
        return self.folder() / f"{name}{SUFFIX}"

    def register(self) -> ShelfContents[T]:
        """Read every file on the shelf and make it known; what was known before and has gone is forgotten."""
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
        """Read a file without making its content known; OwnFileError, or BadTable with all its faults."""
        return self.read(path.stem, text_of(path), str(path))

    def save(self, name: str, text: str) -> T:
        """Put a text on the shelf, in place of one of that name, and make it known.

        A board's text brings its own name, which counts. BadTable with every fault of the text; OwnFileError where it
        cannot be written.
        """
        return self._put(self.read(name, text, f"{name}{SUFFIX}"), text)

    def import_file(self, path: Path) -> T:
        """Take a copy of a file onto the shelf. OwnFileError where there is one of that name already."""
        text = text_of(path)
        thing = self.read(path.stem, text, str(path))
        if self.path_of(thing.name).exists():
            raise OwnFileError(f"{self.path_of(thing.name)}: a file with that name already exists")
        return self._put(thing, text)

    def _put(self, thing: T, text: str) -> T:
        """Make a thing known and write its file; where the disk refuses, what lies on the shelf is known as before."""
        self.add(thing)
        try:
            write(self.path_of(thing.name), text.encode())
        except OwnFileError:
            self.register()
            raise
        return thing

    def new_files(self, folders: Iterable[Path]) -> list[Path]:
        """List files in other folders that hold such a thing, under names not on the shelf; a few at most."""

        def is_new(path: Path) -> bool:
            try:
                # by its stem first: a file that is here already need not be read
                return not self.path_of(path.stem).exists() and not self.path_of(self.load(path).name).exists()
            except (OwnFileError, BadTable):
                return False

        return list(islice(filter(is_new, (path for folder in folders for path in files_in(folder))), MOST_OFFERED))

    def export(self, name: str, to: Path) -> None:
        """Copy a file to another place, in place of a plain file that is there. OwnFileError, OutputError."""
        make_folder(to.parent)
        write_output(to, text_of(self.path_of(name)).encode(), (self.path_of(name),))

    def share(self, name: str) -> Path:
        """Copy a file to where people take things away: a memory stick, or a folder for that; the copy."""
        to = out_of_here(shared_folder()) / f"{name}{SUFFIX}"
        write(to, text_of(self.path_of(name)).encode())
        return to

    def delete(self, name: str) -> None:
        """Take a file off the shelf: it is put aside under another name, where it can be fetched back by hand.

        OwnFileError where that cannot be done.
        """
        path = self.path_of(name)
        try:
            path.replace(path.with_suffix(f"{SUFFIX}.gone"))
        except OSError as error:
            raise OwnFileError(f"{path}: can't be deleted ({error.strerror})") from error
        self.remove(name)


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files on a shelf, by name; none if there is no shelf or it cannot be read."""
    try:
        yield from sorted(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return


def shared_folder() -> Path:
    """Return the folder for copies that people take away from the app."""
    return data_dir() / FOLDER


def text_of(path: Path) -> str:
    """Read the text of a file; OwnFileError if it is unreadable, too long or not text."""
    with blame_file(path, OwnFileError):
        return read_text(path, MOST_BYTES)


def write(path: Path, data: bytes) -> None:
    """Write a file whole, and the folder it lies in. OwnFileError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, data)
    except OSError as error:
        raise OwnFileError(f"{path}: can't be written ({error.strerror})") from error
