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
    """Raise OutputError unless every output may be written: a plain file or none yet, no input, none of them twice."""
    taken = [*inputs]
    for output in outputs:
        check_output(output, taken)
        taken.append(output)


def check_output(path: Name, inputs: Iterable[Name] = ()) -> None:
    """Raise OutputError unless there is a plain file of this name, or none yet, and it is none of the inputs."""
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
    """Return whether two names mean one file, whatever links lead to it; standard input may be a file too."""
    if str(other) == STANDARD_INPUT:
        with suppress(OSError):
            return found is not None and os.path.samestat(found, os.fstat(0))
        return False
    there = _status(other)
    if found is None or there is None:
        return found is there and os.path.realpath(path) == os.path.realpath(other)
    return os.path.samestat(found, there)


def _status(path: Name) -> os.stat_result | None:
    """Return the status of what a path leads to; None if that is nothing, or cannot be told."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def check_folder(path: Name) -> None:
    """Raise OutputError where something other than a folder has this name, or it is none."""
    _check_name(path)
    found = _status(path)
    if found is not None and not stat.S_ISDIR(found.st_mode):
        raise OutputError(f"{path}: not a folder")


def make_folder(path: Path) -> Path:
    """Make the folder that files are written into, with those above it, unless it is there. OutputError."""
    check_folder(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: can't be made ({reason(error)})") from error
    return path


def write_output(path: Path, data: bytes, inputs: Iterable[Name] = ()) -> None:
    """Write a file whole, in place of a plain file that is there. OutputError as `check_output`, or the disk's."""
    with open_output(path, inputs) as out:
        out.write(data)


@contextmanager
def open_output(path: Path, inputs: Iterable[Name] = ()) -> Iterator[BinaryIO]:
    """Open a new file that takes this name once it is whole; where that fails, what was there stays. OutputError."""
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
    """Hand out the name that a file has until it is whole; then it takes this one. What killed runs left of it goes."""
    try:
        real = Path(os.path.realpath(path))
        sweep(real.parent, real.name)
        beside = name_beside(real)
        beside.unlink(missing_ok=True)
    except ValueError as error:  # no name of a file
        raise OutputError(f"{path}: can't be written ({reason(error)})") from error
    try:
        yield beside
        _put_in_place(beside, real)
    finally:
        with suppress(OSError):  # a disk that may only be read refuses this too, of a file that isn't there
            beside.unlink(missing_ok=True)


def _put_in_place(beside: Path, real: Path) -> None:
    """Give a whole file its name and, where one was there, that one's rights."""
    check_output(real)  # it may have become something else since
    with suppress(FileNotFoundError):
        beside.chmod(stat.S_IMODE(real.stat().st_mode))
    beside.replace(real)
    sync_folder(real.parent)
