"""How far a work of some seconds has come: a line on the terminal that is overwritten, and gone when the work is over.

Where standard error is no terminal nothing is ever written: programs and log files see no trace of it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from companion.core.printable import Visible
from intake.text import one_line


class Steps(Protocol):
    """Counts what is done of a work."""

    def __call__(self, n: int = 1) -> None:
        """Say that so many more parts are done."""


@contextmanager
def progress(name: str, total: int = 0) -> Iterator[Steps]:
    """Show the name of what is worked on, with how many parts of `total` are done, 0 for a work that has no parts."""
    stream: object = sys.stderr
    line = stream if isinstance(stream, Visible) and stream.isatty() else None
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
