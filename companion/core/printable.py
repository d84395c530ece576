"""What reaches a terminal or the journal: texts of strangers' files are in it, and none of them may steer either.

Everything that the command line prints goes through here. Newlines and tabs are our own layout; any other control
character, those that turn the direction of writing or break a line, and halves of characters are written out by their
number. JSON means the same afterwards, as the numbers are JSON's own escapes.

How far a work of some seconds has come is a line that is overwritten, and gone when the work is over. Where standard
error is no terminal nothing of it is ever written: programs and log files see no trace of it.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TextIO, cast

from companion.core.own_process import memory_file
from intake.text import escape_controls, one_line

STANDARD_ERROR = 2
STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


class EscapedStream:
    """A stream that writes control characters as escapes, so that no text can steer the terminal.

    name: of the stream, for people; the error in `fault` has it as its file. fault: why the stream could not be
    written, None if it could.
    """

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream, self._name = stream, name
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        """Write a text, control characters escaped; OSError, noted in `fault`, if that fails."""
        with self._noting():
            return self._stream.write(escape_controls(text))

    def flush(self) -> None:
        """Flush the stream; OSError, noted in `fault`, if that fails."""
        with self._noting():
            self._stream.flush()

    def overwrite(self, line: str) -> None:
        """Replace the terminal's current line by this one, "" to clear it; errors are ignored."""
        with suppress(OSError, ValueError):
            self._stream.write(f"\r\x1b[K{escape_controls(line)}")
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self._name
            self.fault = error
            raise


def fault_of(stream: TextIO | EscapedStream) -> OSError | None:
    """Flush a stream; return why it did not take all that was printed, None if it did or isn't an EscapedStream."""
    with suppress(OSError, ValueError):
        stream.flush()
    return stream.fault if isinstance(stream, EscapedStream) else None


def discard_pending(stream: TextIO) -> None:
    """Point a broken stream at the null device, so that the interpreter's exit can flush it without an error."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), stream.fileno())


@contextmanager
def without_lines(start: bytes) -> Iterator[None]:
    """Hold back standard error during the block, then write it out without the lines that begin with `start`."""
    try:
        before = os.dup(STANDARD_ERROR)
    except OSError:  # standard error is closed, so nothing is written there
        yield
        return
    with memory_file("gunbai-lines") as caught:
        os.dup2(caught.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(before, STANDARD_ERROR)
            os.close(before)
            caught.seek(0)
            for line in caught:
                if not line.startswith(start):
                    os.write(STANDARD_ERROR, line)


@contextmanager
def visible_output() -> Iterator[None]:
    """Escape control characters, and those the terminal can't show, in all that is printed inside the block.

    Standard streams that were closed are opened on the null device, so that no other file takes their numbers.
    """
    # Open the standard streams that were closed when the process began, each under its own number.
    for name, mode in STREAMS.items():
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(handle, True)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))
    before = sys.stdout, sys.stderr
    for stream in (sys.stdin, *before):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout = cast(TextIO, EscapedStream(before[0], "standard output"))
    sys.stderr = cast(TextIO, EscapedStream(before[1], "standard error"))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class Steps(Protocol):
    """Reports progress: called whenever parts of the work are done."""

    def __call__(self, n: int = 1) -> None:
        """Report that `n` more parts are done."""


@contextmanager
def progress(name: str, total: int = 0) -> Iterator[Steps]:
    """Show on the terminal how far the work in the block has come; it calls the yielded function as parts are done.

    name: what is worked on; total: the number of parts, 0 if it has none.
    """
    stream: object = sys.stderr
    line = stream if isinstance(stream, EscapedStream) and stream.isatty() else None
    done = 0

    def step(n: int = 1) -> None:
        nonlocal done
        done += n
        show()

    def show() -> None:
        if line is not None:
            told = f"{one_line(name)}: {done}/{total}" if total else f"{one_line(name)} …"
            line.overwrite(told[-(shutil.get_terminal_size().columns - 1) :])

    show()
    try:
        yield step
    finally:
        if line is not None:
            line.overwrite("")
