"""`gunbai backup`: copies of all that `companion.appliance.collecting` finds, in a folder, read again and thinned."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from companion.appliance import collecting, copies
from companion.appliance.collecting import TRIES, CopyContents, FileChanged
from companion.appliance.rights import as_owner
from companion.core import storage
from companion.core.errors import ApplianceError
from intake.errors import Unreadable
from intake.tar_file import CHUNK

KEPT = 14
SPARE_BYTES = 100_000_000
NAME = re.compile(r"gunbai-([0-9]{6})-[0-9]{4}-[0-9]{2}-[0-9]{2}\.tar\.gz")
Fill = Callable[[copies.Writable], None]
LeftOut = tuple[tuple[str, str], ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Copied:
    """The result of a backup.

    path: the copy, or the newest one if nothing has changed since, None if there was nothing to copy; files: how many
    it holds; made: whether it is new; gone: names of old copies that were deleted; left_out: (name, why) of what could
    not be copied.
    """

    path: Path | None
    files: int = 0
    made: bool = False
    gone: tuple[str, ...] = ()
    left_out: LeftOut = ()


def default_folder() -> Path:
    """Return the folder where copies go by default."""
    return storage.data_dir() / "backups"


def back_up(folder: Path, kept: int = KEPT, today: date | None = None, spare: int = SPARE_BYTES) -> Copied:
    """Copy all that `collecting` finds into a folder, keeping the newest `kept` copies and `spare` bytes free.

    ApplianceError if there is no room, or the files keep changing.

    Root reads with the rights of the games' owner, and writes with those of the folder's.
    """
    owner = storage.data_dir() if folder == default_folder() else folder
    place = _Place(folder, owner, kept, today or date.today(), spare)
    return _at_rest(lambda contents: _keep_in(place, contents))


def stream(out: BinaryIO) -> LeftOut:
    """Write a copy of all that `collecting` finds, nothing if it finds none; return (name, why) of what is left out."""
    return _at_rest(lambda contents: _stream_to(out, contents))


def keep(given: BinaryIO, folder: Path, kept: int = KEPT, today: date | None = None) -> Copied:
    """Save in a folder, with its owner's rights, a copy that `stream` wrote; ApplianceError if damaged or no room."""
    with copies.open_piped_copy(given) as file:
        if not file.tell():
            return Copied(None)
        digests = copies.verify_copy(file)
        file.seek(0)
        return _Place(folder, folder, kept, today or date.today()).take(digests, lambda out: _copy_into(file, out))


def _copy_into(file: BinaryIO, out: copies.Writable) -> None:
    while chunk := file.read(CHUNK):
        out.write(chunk)


def _at_rest(use: Callable[[CopyContents], T]) -> T:
    """Call `use` with all files found; retry if any changed meanwhile, holding those in memory.

    Return what `use` returns; ApplianceError if they keep changing.
    """
    held: set[str] = set()
    for _try in range(TRIES):
        with as_owner(storage.data_dir()):
            contents = collecting.find_files(held)
        try:
            return use(contents)
        except FileChanged as changed:
            held.add(str(changed))
    raise ApplianceError(f"{storage.data_dir()}: keeps changing: no copy was made")


def _keep_in(place: _Place, contents: CopyContents) -> Copied:
    if not contents.files:
        return Copied(None, left_out=contents.left_out)
    return replace(place.take(contents.digests, partial(_write, contents)), left_out=contents.left_out)


def _stream_to(out: BinaryIO, contents: CopyContents) -> LeftOut:
    """Write a copy to `out`, through a temporary file, as a retry can't take back what was streamed out."""
    with tempfile.TemporaryFile() as file:
        if contents.files:
            _write(contents, file)
        file.seek(0)
        _copy_into(file, out)
    return contents.left_out


def _write(contents: CopyContents, out: copies.Writable) -> None:
    copies.write(out, contents.digests, partial(_read, contents))


def _read(contents: CopyContents, name: str) -> bytes:
    with as_owner(storage.data_dir()):
        return contents.content(name)


def find_copies(folder: Path) -> list[Path]:
    """Return the copies in a folder, the oldest first."""
    return sorted(path for path in folder.glob("gunbai-*.tar.gz") if NAME.fullmatch(path.name))


def newest_copy(folder: Path) -> Path | None:
    """Return the newest copy in a folder, by number; None if there is none."""
    return next(reversed(find_copies(folder)), None)


def _number(path: Path | None) -> int:
    """Return the number in a copy's name, 0 for None; copies are ordered by it, as a Pi's clock may be wrong."""
    match = NAME.fullmatch(path.name) if path else None
    return int(match[1]) if match else 0


def _holds(path: Path, digests: dict[str, str]) -> bool:
    """Return whether a copy is undamaged and holds exactly these files."""
    try:
        with copies.open_copy(path) as file:
            return copies.verify_copy(file) == digests
    except ApplianceError:
        return False


@dataclass(slots=True)
class _Place:
    """A folder of copies: how many it keeps, how much room it leaves, and whose rights it is written with."""

    folder: Path
    owner: Path
    kept: int
    today: date
    spare: int = SPARE_BYTES
    gone: list[str] = field(default_factory=list)

    def take(self, digests: dict[str, str], fill: Fill) -> Copied:
        """Return the newest copy if it holds exactly these files, else have `fill` write a new one."""
        with as_owner(self.owner):
            last = newest_copy(self.folder)
            if last is not None and _holds(last, digests):
                return Copied(last, len(digests))
        path = self._put(digests, fill)
        return Copied(path, len(digests), made=True, gone=tuple(self.gone))

    def _put(self, digests: dict[str, str], fill: Fill) -> Path:
        """Write a copy under a temporary name, verify it from the disk and rename it; return its path.

        ApplianceError if there is no room, or it reads back differently.
        """
        with as_owner(self.owner):
            self.folder.mkdir(parents=True, exist_ok=True)
            for half in self.folder.glob("gunbai-*.tar.gz.new-*"):
                storage.sweep(self.folder, half.name.rpartition(".new-")[0])
            path = self.folder / f"gunbai-{_number(newest_copy(self.folder)) + 1:06}-{self.today}.tar.gz"
            beside = storage.name_beside(path)
            beside.unlink(missing_ok=True)
            file = beside.open("x+b")
        try:
            with file:
                fill(_Roomy(self, file))
                if not _is_on_disk(file, digests):
                    raise ApplianceError(f"{self.folder}: the disk didn't keep what was written: no copy was made")
            with as_owner(self.owner):
                beside.rename(path)
                storage.sync_folder(self.folder)
                for old in find_copies(self.folder)[: -self.kept]:
                    self._remove(old)
        finally:
            with as_owner(self.owner):
                beside.unlink(missing_ok=True)
        return path

    def make_room(self, size: int) -> None:
        """Delete the oldest copies until `size` more bytes fit; ApplianceError if only the newest could still go."""
        while (free := shutil.disk_usage(self.folder).free) < size + self.spare:
            with as_owner(self.owner):
                old = find_copies(self.folder)
                if len(old) < 2:
                    told = f"the disk is nearly full ({free // 1_000_000} MB free): no copy was made"
                    raise ApplianceError(f"{self.folder}: {told}") from OSError(errno.ENOSPC, told)
                self._remove(old[0])

    def _remove(self, path: Path) -> None:
        path.unlink()
        self.gone.append(path.name)


@dataclass(frozen=True, slots=True)
class _Roomy:
    """A file that makes room on the disk before each write."""

    place: _Place
    file: BinaryIO

    def write(self, data: bytes, /) -> int:
        """Write all bytes, deleting old copies if needed; ApplianceError if the disk would be too full."""
        if data:
            self.place.make_room(len(data))
        return self.file.write(data)


def _is_on_disk(file: BinaryIO, digests: dict[str, str]) -> bool:
    """Sync a new copy, read it back and return whether it holds exactly these files."""
    file.flush()
    os.fsync(file.fileno())
    if hasattr(os, "posix_fadvise"):  # so that reading asks the disk
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    try:
        return copies.verify_copy(file) == digests
    except Unreadable:
        return False
