"""What the app says while it runs: a line each on standard error, which a service manager keeps in its journal.

There the line's priority stands ahead of it, as sd-daemon(3) has it. No log file is ever written.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Literal, TextIO

Level = Literal["error", "warning", "info"]
PRIORITY: Mapping[Level, int] = {"error": 3, "warning": 4, "info": 6}


def is_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream goes straight to the journal: $JOURNAL_STREAM is its device and inode."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def tell(level: Level, text: str) -> None:
    """One line, however many the text has; lost where nobody can hear it."""
    stream = sys.stderr
    ahead = f"<{PRIORITY[level]}>" if is_journal(stream) else ""
    with suppress(OSError, ValueError):
        print(f"{ahead}gunbai: {' '.join(text.split())}", file=stream, flush=True)


def heed_journal() -> None:
    """Where a journal listens, what nobody takes is one line of it, whatever thread it came from."""
    if is_journal(sys.stderr):
        sys.excepthook, threading.excepthook = tell_fault, lambda told: tell_fault(*told[:3])


def tell_fault(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """A fault of our own that nobody took, in one line."""
    frames = extract_tb(trace)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    tell("error", f"a fault of its own: {kind.__name__} at {place}: {error}")
