"""Where games lie on the disk, and how a line gets there and stays there.

A line counts as written once it has been flushed and synced; a new file also needs its folder synced,
or a power cut can take the name away with the file.
"""

from __future__ import annotations

import glob
import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from intake.files import BINARY

if sys.platform == "win32":
    import ctypes
    import msvcrt
else:
    import fcntl

DATA_VARIABLE = "GUNBAI_DATA"
GAME_SUFFIX = ".jsonl"
MOST_NAME_BYTES = 200
"""The longest stem of a numbered name: files beside a game have longer names, and file systems take 255."""
LOCKED_BYTE = 0x7FFFFFF0
SYNCHRONIZE = 0x00100000
"""On Windows: the least access right that tells whether a process exists."""
RENAMES_OPEN_FILES = sys.platform != "win32"
LEFT_OVER = re.compile(r".+\.new-([0-9]{1,9})", re.DOTALL | re.ASCII)


def data_dir() -> Path:
    """Return the folder for Gunbai's data, not created: $GUNBAI_DATA, else the usual one for a user's data."""
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named)
    import platformdirs  # `gunbai pack` writes files before there is any package

    return platformdirs.user_data_path("gunbai")


def games_dir() -> Path:
    """Return the folder of the saved games, created if missing."""
    folder = data_dir() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_game_path(label: str) -> Path:
    """Return a free path for a new game, which is not created: `label.jsonl`, or `label-2.jsonl` and so on."""
    return free_path(data_dir() / "games" / f"{label}{GAME_SUFFIX}")


def free_path(path: Path) -> Path:
    """Return this path, or with a number added if it is taken; a very long name is cut."""
    suffix = GAME_SUFFIX if path.name.endswith(GAME_SUFFIX) else path.suffix
    stem = path.name.removesuffix(suffix)
    if len(os.fsencode(stem)) > MOST_NAME_BYTES:
        stem = os.fsencode(stem)[:MOST_NAME_BYTES].decode(errors="ignore")
    number, free = 2, path
    while is_there(free):
        free = path.with_name(f"{stem}-{number}{suffix}")
        number += 1
    return free


def is_there(path: Path) -> bool:
    """Return whether the path exists; False if the disk can't tell."""
    try:
        return path.exists()
    except OSError:
        return False


def line_of(value: Mapping[str, object]) -> bytes:
    """Write a JSON object as one line of UTF-8, newline included."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new names in it survive a power cut; do nothing on Windows, which sees to that itself."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(handle: int, data: bytes, *, sync: bool = True) -> None:
    """Write all bytes to an open file, synced if `sync`; OSError if the disk refuses."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    if sync:
        os.fsync(handle)


def append(handle: int, size: int, data: bytes) -> None:
    """Cut an open file to `size` bytes and append the data, synced; on an OSError, cut it again and raise that."""
    if os.fstat(handle).st_size != size:
        os.ftruncate(handle, size)
    try:
        os.lseek(handle, size, os.SEEK_SET)
        write_whole(handle, data)
    except OSError:
        with suppress(OSError):  # if the disk refuses this, too, the next write tries it again
            os.ftruncate(handle, size)
        raise


def append_line(path: Path, line: bytes) -> None:
    """Append a line to a file, synced, after cutting off one that a power cut left unfinished.

    A missing file is created, and its folder synced. OSError if the disk refuses; nothing is added then.
    """
    created = not path.exists()
    handle = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o644)
    try:
        whole_lines = read_at(handle, 0, os.fstat(handle).st_size).rfind(b"\n") + 1
        append(handle, whole_lines, line)
        if created:
            sync_folder(path.parent)
    except OSError:
        if created:
            with suppress(OSError):
                path.unlink()
        raise
    finally:
        os.close(handle)


def read_at(handle: int, start: int, count: int) -> bytes:
    """Read up to `count` bytes of an open file from offset `start`, and leave its position behind them."""
    os.lseek(handle, start, os.SEEK_SET)
    return os.read(handle, count)


def write_new(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a new file, synced if `sync`, but not its folder; FileExistsError if it exists. OSError leaves no file."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o644)
    try:
        write_whole(handle, data, sync=sync)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        os.close(handle)


def create(path: Path, data: bytes) -> None:
    """Write a new file and sync it and its folder; FileExistsError if it exists. OSError leaves no file."""
    write_new(path, data)
    try:
        sync_folder(path.parent)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise


Lasting = Literal["at once", "soon", "some time"]
"""When a replaced file has to be on the disk. "at once": when the call returns, with its name synced; "soon": when the
system gets to the name, with the content synced, so that the old or the new content is there; "some time": when the
system gets to it, perhaps never, for files that nobody misses and whose readers reject broken ones."""


def atomic_write(path: Path, data: bytes, lasting: Lasting = "at once") -> None:
    """Replace a file in one go: unless `lasting` is "some time", a power cut leaves the old or the new content.

    lasting: when it must be on the disk (`Lasting`); each sync costs an SD card more than the bytes do.
    """
    beside = name_beside(path)
    beside.unlink(missing_ok=True)
    try:
        write_new(beside, data, sync=lasting != "some time")
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    if lasting == "at once":
        sync_folder(path.parent)


def name_beside(path: Path) -> Path:
    """Return the temporary path at which this process writes a file before renaming it: `FILE.new-PID`."""
    return path.with_name(f"{path.name}.new-{os.getpid()}")


def sweep(folder: Path, name: str = "") -> None:
    """Delete temporary files (`FILE.new-PID`) whose process has ended.

    name: only those of this file. Any that can't be deleted stay.
    """
    for path in folder.glob(f"{glob.escape(name) or '*'}.new-*"):
        found = LEFT_OVER.fullmatch(path.name)
        if found is not None and not is_running(int(found[1])):
            with suppress(OSError):
                path.unlink()


def sweep_data() -> None:
    """Delete leftover temporary files in the data folder and its subfolders; OSError if that folder can't be listed."""
    for folder in (data_dir(), *filter(Path.is_dir, data_dir().iterdir())):
        sweep(folder)


def is_running(process: int) -> bool:
    """Return whether a process with this id exists, whoever's it is."""
    if sys.platform == "win32":  # os.kill(process, 0) would be a Ctrl-C there
        handle = ctypes.windll.kernel32.OpenProcess(SYNCHRONIZE, False, process)
        return bool(handle and ctypes.windll.kernel32.CloseHandle(handle))
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def keep_aside(path: Path, data: bytes) -> Path:
    """Write data to the first free of `FILE.broken-1`, `FILE.broken-2` ... and return that path."""
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.broken-{number}")
        try:
            create(aside, data)
        except FileExistsError:
            number += 1
        else:
            return aside


def set_aside(path: Path) -> Path:
    """Rename a path, whatever is there, to the first free of `FILE.broken-1`, `.broken-2` ...; return the new one."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.broken-{number}")):
        number += 1
    path.rename(aside)
    sync_folder(path.parent)
    return aside


def lock(handle: int) -> bool:
    """Lock an open file for this process, without waiting; return False if another process holds it.

    The system unlocks it when the process ends, however it ends. Others may read the file meanwhile: Windows, where
    a locked byte can't be read, locks one that no file here is long enough to have.
    """
    try:
        if sys.platform == "win32":
            os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def is_writable(handle: int) -> bool:
    """Return whether a file was opened for both reading and writing; always True on Windows."""
    if sys.platform == "win32":
        return True
    return fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR
