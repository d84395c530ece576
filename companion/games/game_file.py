"""The file of a game, kept equal to the game as far as the disk allows.

The disk holds at every moment the game as it is, or as it was at an earlier moment: lines are appended and synced; if
steps are removed, the file is replaced in one go. What the disk refuses waits in memory, noted in `fault`, and is
written in order by the next `update`. A line that was only partly written is cut off before anything else is written.
"""

from __future__ import annotations

import errno
import os
import weakref
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

from companion.core import storage
from companion.core.errors import MatchError
from companion.games import undo_log
from companion.games.journal import MOST_BYTES, AnyJournal
from companion.games.undo_log import UndoRecord
from intake.files import BINARY

NOBODY = -1
IN_USE = "this game is open in another Gunbai"
UNSOUND = frozenset({errno.EIO, errno.ESTALE, errno.EUCLEAN})
"""Errors after which the system's cache of a file may differ from what is on the disk."""


class GameFile:
    """One game's file, locked for this process. `fault`: why the last write failed; None if it didn't."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: OSError | None = None
        self.damaged_copy: Path | None = None  # where the damaged part of the file is kept
        self.is_closed = False
        self._handle = NOBODY
        self._release: weakref.finalize[..., GameFile] | None = None
        self._lines: tuple[bytes, ...] = ()  # the game as the disk has it
        self._size = 0  # bytes of the file that are sound
        self._records = 0  # how many records of undone steps are on the disk
        self._damage: AnyJournal | None = None
        self._ragged = False  # part of a line may be left after the others by a failed write
        self._doubted = False  # the disk may hold something else than was written
        self._named = True  # the folder was synced since the file got its name

    # ---- taking hold ------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path) -> GameFile:
        """Open an existing game file and lock it for this process; MatchError if that fails."""
        file = cls(path)
        try:
            file._hold(_open_locked(path))
        except BlockingIOError as error:
            raise MatchError(f"{path}: {IN_USE}") from error
        except OSError as error:
            raise MatchError(f"{path}: can't be opened ({error.strerror})") from error
        return file

    def content(self) -> bytes:
        """Read all bytes of the file; MatchError if unreadable, or longer than a saved game may be."""
        try:
            size = os.fstat(self._handle).st_size
            if size <= MOST_BYTES:
                return storage.read_at(self._handle, 0, size)
        except OSError as error:
            raise MatchError(f"{self.path}: can't be read ({error.strerror})") from error
        raise MatchError(f"{self.path}: longer than such a file may be")

    def set_content(self, journal: AnyJournal, records: int) -> None:
        """Record what the file holds: the journal read from it, and how many records of undone steps lie beside it.

        The next `update` repairs whatever is damaged in the file.
        """
        self._lines, self._size, self._records = journal.lines, journal.whole, records
        sound = not journal.mended and journal.fault is None and journal.data[: journal.whole].endswith(b"\n")
        self._damage = None if sound else journal

    def close(self) -> None:
        """Unlock and close the file; `update` fails from then on."""
        self.is_closed = True
        self._let_go()

    def _hold(self, handle: int) -> None:
        before, self._release = self._release, weakref.finalize(self, os.close, handle)
        self._handle = handle
        if before is not None:
            before()

    def _let_go(self) -> None:
        if self._release is not None:
            self._release()
        self._release, self._handle = None, NOBODY

    # ---- what it lacks ----------------------------------------------------------------------------

    def steps_behind(self, lines: Sequence[bytes]) -> int:
        """Return how many steps follow the common ones in these lines or on the disk, whichever are more."""
        same = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(lines, self._lines, strict=False)))
        return max(len(lines), len(self._lines), 1) - max(same, 1)

    # ---- bringing it up ---------------------------------------------------------------------------

    def update(self, lines: Sequence[bytes], records: Sequence[UndoRecord]) -> bool:
        """Make the file hold exactly these lines, with the records of undone steps beside it; return whether it worked.

        If not, `fault` tells why, and nothing that the disk had of the game is lost.
        """
        try:
            self._update(tuple(lines), records)
        except OSError as error:
            self.fault = error
            self._doubted = self._doubted or error.errno in UNSOUND
            return False
        self.fault = None
        return True

    def _update(self, lines: tuple[bytes, ...], records: Sequence[UndoRecord]) -> None:
        if self.is_closed:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if not self._lines:
            self._create(lines)
        if lines != self._lines or self._damage is not None or self._ragged:
            self._make_writable()
        self._mend()
        grows = lines[: len(self._lines)] == self._lines
        if not grows:  # undone steps are saved before they are removed
            self._keep(records)
        if not grows or not self._stands():
            self._replace(lines)
        elif len(lines) > len(self._lines) or self._ragged:
            self._add(lines[len(self._lines) :])
        if not self._named:
            storage.sync_folder(self.path.parent)
            self._named = True
        self._keep(records)

    def _create(self, lines: tuple[bytes, ...]) -> None:
        """Write a new file under a free name; remove what was begun of it if that fails."""
        if self._handle == NOBODY:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            path = storage.free_path(self.path)
            self._hold(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY, 0o644))
            self.path = path
            storage.lock(self._handle)
        try:
            storage.append(self._handle, 0, b"".join(lines))
        except OSError:
            with suppress(OSError):  # if it can't be removed, the next try uses it
                self.path.unlink()
                self._let_go()
            raise
        self._lines, self._size, self._named = lines, sum(map(len, lines)), False

    def _stands(self) -> bool:
        """Return whether the file at our path is still the one we hold, and no shorter than we left it."""
        if self._doubted:
            return False
        mine = os.fstat(self._handle)
        try:
            return os.path.samestat(mine, self.path.stat()) and mine.st_size >= self._size
        except (FileNotFoundError, NotADirectoryError):
            return False

    def _add(self, lines: tuple[bytes, ...]) -> None:
        """Append these lines; without any, only cut off what a failed write has left at the end."""
        data = b"".join(lines)
        self._ragged = True
        storage.append(self._handle, self._size, data)
        self._ragged = False
        self._lines += lines
        self._size += len(data)

    def _make_writable(self) -> None:
        """Reopen the file for writing if it was opened read-only."""
        if self._handle != NOBODY and storage.is_writable(self._handle):
            return
        handle = os.open(self.path, os.O_RDWR | BINARY)
        self._let_go()
        if not storage.lock(handle):
            os.close(handle)
            raise BlockingIOError(errno.EAGAIN, IN_USE)
        self._hold(handle)

    def _replace(self, lines: tuple[bytes, ...]) -> None:
        """Replace our file by a new one with these lines, locked before it takes the name (except on Windows)."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f"{self.path.name}.new-{os.getpid()}")
        beside.unlink(missing_ok=True)
        try:
            storage.write_new(beside, b"".join(lines))
            self._spare_stranger(lines)
            handle = self._put_in_place(beside)
        except OSError:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
        self._hold(handle)
        self._lines, self._size = lines, sum(map(len, lines))
        self._damage, self._ragged, self._doubted, self._named = None, False, False, False

    def _put_in_place(self, beside: Path) -> int:
        """Rename a new file to our path and return its locked handle; OSError if that fails."""
        if not storage.RENAMES_OPEN_FILES:
            self._let_go()
            beside.replace(self.path)
            return _open_locked(self.path)
        handle = _open_locked(beside)
        try:
            beside.replace(self.path)
        except OSError:
            os.close(handle)
            raise
        return handle

    def _spare_stranger(self, lines: tuple[bytes, ...]) -> None:
        """Save a copy of a file that somebody put in our place, unless it is our own game at an earlier moment."""
        if not self.path.exists() or os.path.samestat(os.fstat(self._handle), self.path.stat()):
            return
        data = self.path.read_bytes()
        if not any(b"".join(known).startswith(data) for known in (lines, self._lines)):
            self.damaged_copy = storage.keep_aside(self.path, data)

    def _keep(self, records: Sequence[UndoRecord]) -> None:
        """Append the records of undone steps that are not on the disk yet."""
        for record in records[self._records :]:
            undo_log.append(self.path, record)
            self._records += 1

    def _mend(self) -> None:
        """Repair a damaged file so that it holds what its journal says, up to the last whole step.

        A copy is kept beside: of the whole file if bytes were corrected, else of what was cut off.
        """
        journal = self._damage
        if journal is None:
            return
        content = storage.read_at(self._handle, 0, os.fstat(self._handle).st_size)
        if journal.mended or journal.fault is not None:
            if self.damaged_copy is None:
                self.damaged_copy = storage.keep_aside(
                    self.path, content if journal.mended else content[journal.whole :]
                )
            if journal.mended:
                os.lseek(self._handle, 0, os.SEEK_SET)
                storage.write_whole(self._handle, journal.data[: journal.whole], sync=False)
            os.ftruncate(self._handle, journal.whole)
            os.fsync(self._handle)
        if not journal.data[: journal.whole].endswith(b"\n"):
            storage.append(self._handle, journal.whole, b"\n")
        self._size = os.fstat(self._handle).st_size
        self._damage = None


def _open_locked(path: Path) -> int:
    """Open the file, read-only on a read-only disk, lock it for this process and return its handle.

    BlockingIOError if another process holds it.
    """
    while True:
        handle = _open(path)
        if not storage.lock(handle):
            os.close(handle)
            raise BlockingIOError(errno.EAGAIN, IN_USE)
        if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
            return handle
        os.close(handle)  # another process has replaced the file meanwhile: open that one


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | BINARY)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
    return os.open(path, os.O_RDONLY | BINARY)
