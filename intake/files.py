"""Files and pipes, read up to a limit; nothing here waits for ever."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from intake.errors import Unreadable
from intake.text import decode_text

Reader = Callable[[Path | str, int], bytes]

STANDARD_INPUT = "-"
BINARY = getattr(os, "O_BINARY", 0)
"""For os.open: the bytes as they are, which Windows has to be asked for."""
AT_ONCE = BINARY | getattr(os, "O_NONBLOCK", 0)
"""For os.open: wait for no pipe's writer, where a system knows such pipes."""
CHUNK = 1 << 20
PATIENCE_S = 5.0


def open_file(path: Path | str) -> BinaryIO:
    """Open a regular file for reading, following links; OSError if that fails, Unreadable if it is no regular file."""
    return os.fdopen(_open_descriptor(path, stat.S_ISREG), "rb")


def read_file(path: Path | str, most_bytes: int) -> bytes:
    """Read the bytes of a regular file, following links.

    OSError if it cannot be opened, Unreadable if it is no regular file or longer than `most_bytes`.
    """
    with open_file(path) as file:
        return _refuse_longer(file.read(most_bytes + 1), most_bytes)


def read_text(path: Path | str, most_bytes: int) -> str:
    """Read a file's UTF-8 text; errors as in `read_file`, and Unreadable if it is no UTF-8."""
    return decode_text(read_file(path, most_bytes))


def read_file_or_pipe(path: Path | str, most_bytes: int) -> bytes:
    """Read a file as `read_file` does, or a pipe until its writer ends or pauses for five seconds.

    "-" is standard input, which is read to its end.
    """
    if str(path) == STANDARD_INPUT:
        return _refuse_longer(sys.stdin.buffer.read(most_bytes + 1), most_bytes)
    descriptor = _open_descriptor(path, lambda mode: stat.S_ISREG(mode) or stat.S_ISFIFO(mode))
    with os.fdopen(descriptor, "rb") as file:
        piped = stat.S_ISFIFO(os.fstat(descriptor).st_mode) and hasattr(select, "poll")
        return _refuse_longer(_read_pipe(descriptor, most_bytes) if piped else file.read(most_bytes + 1), most_bytes)


def _open_descriptor(path: Path | str, is_wanted: Callable[[int], bool]) -> int:
    """Open a file of a wanted kind as a descriptor.

    Without AT_ONCE, opening a pipe would wait for its writer.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    except ValueError as error:
        raise Unreadable("not a possible file name") from error
    if is_wanted(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise Unreadable("not a plain file")


def _read_pipe(descriptor: int, most_bytes: int) -> bytes:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    found = bytearray()
    while len(found) <= most_bytes:
        if not poll.poll(PATIENCE_S * 1000):
            raise Unreadable("nothing writes to this pipe")
        chunk = os.read(descriptor, CHUNK)
        if not chunk:
            break
        found += chunk
    return bytes(found)


def _refuse_longer(data: bytes, most_bytes: int) -> bytes:
    if len(data) > most_bytes:
        raise Unreadable(f"longer than {_size(most_bytes)}, the limit")
    return data


def _size(count: int) -> str:
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.0f} MB"
