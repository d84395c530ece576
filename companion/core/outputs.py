"""The files that people have commands write: never over what is read, never over anything but a plain file.

Every such file is written here, beside its place, and takes that place when it is whole: what was there before stays
until then. A link is followed to the file it means.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.core.errors import OutputError, reason
from companion.core.storage import name_beside, sweep, sync_folder
from intake.files import BINARY, STANDARD_INPUT

Name = Path | str


def check_outputs(outputs: Iterable[Name], inputs: Iterable[Name]) -> None:
    """Raise OutputError unless every output may be written (`check_output`) and none is named twice."""
    taken = [*inputs]
    for output in outputs:
        check_output(output, taken)
        taken.append(output)


def check_output(path: Name, inputs: Iterable[Name] = ()) -> None:
    """Raise OutputError for "", "-", one of the inputs, or anything there that is not a plain file."""
    _check_name(path)
    found = _status(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise OutputError(f"{path}: not a plain file: nothing is written there")
    for other in inputs:
        if _is_same(path, found, other):
            raise OutputError(f"{path}: this command uses that file already: name another one to write")


def _check_name(path: Name) -> None:
    if str(path) in ("", STANDARD_INPUT):
        raise OutputError("name the file or folder to write: it can't be - or empty")


def _is_same(path: Name, found: os.stat_result | None, other: Name) -> bool:
    """Return whether two paths lead to the same file, through whatever links; "-" is standard input."""
    if str(other) == STANDARD_INPUT:
        with suppress(OSError):
            return found is not None and os.path.samestat(found, os.fstat(0))
        return False
    there = _status(other)
    if found is None or there is None:
        return found is there and os.path.realpath(path) == os.path.realpath(other)
    return os.path.samestat(found, there)


def _status(path: Name) -> os.stat_result | None:
    """Return the status of what a path leads to; None if it doesn't exist or can't be told."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def check_folder(path: Name) -> None:
    """Raise OutputError for "", "-", or anything there that is not a folder."""
    _check_name(path)
    found = _status(path)
    if found is not None and not stat.S_ISDIR(found.st_mode):
        raise OutputError(f"{path}: not a folder")


def make_folder(path: Path) -> Path:
    """Create a folder to write into, with its parents, if it is missing, and return it; OutputError if that fails."""
    check_folder(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be made ({reason(error)})") from error
    return path


def write_output(path: Path, data: bytes, inputs: Iterable[Name] = ()) -> None:
    """Write a file in one go, replacing a plain one; OutputError if `check_output` or the disk refuses."""
    with open_output(path, inputs) as out:
        out.write(data)


@contextmanager
def open_output(path: Path, inputs: Iterable[Name] = ()) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` only when the block ends well; OutputError if it can't."""
    check_output(path, inputs)
    try:
        with written_beside(path) as beside:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o644)
            with os.fdopen(handle, "wb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
    except OSError as error:
        raise OutputError(f"{path}: can't be written ({reason(error)})") from error


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write a file at, which takes the name `path` when the block ends well.

    Leftovers of killed runs are removed. OutputError for an impossible file name, or if
    something other than a plain file is there at the end.
    """
    try:
        real = Path(os.path.realpath(path))
        sweep(real.parent, real.name)
        beside = name_beside(real)
        beside.unlink(missing_ok=True)
    except ValueError as error:  # not a possible file name
        raise OutputError(f"{path}: can't be written ({reason(error)})") from error
    try:
        yield beside
        _put_in_place(beside, real)
    finally:
        with suppress(OSError):  # a read-only disk refuses this even for a missing file
            beside.unlink(missing_ok=True)


def _put_in_place(beside: Path, real: Path) -> None:
    """Rename a finished file to its real name, with the mode of the one it replaces, and sync the folder."""
    check_output(real)  # it may have become something else since
    with suppress(FileNotFoundError):
        beside.chmod(stat.S_IMODE(real.stat().st_mode))
    beside.replace(real)
    sync_folder(real.parent)
