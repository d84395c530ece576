"""What the app says while it runs: a line each on standard error, which a service manager keeps in its journal.

There the line's priority stands ahead of it, as sd-daemon(3) has it. No log file is ever written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal, TextIO

from intake.text import one_line

Level = Literal["error", "warning", "info"]
PRIORITY: Mapping[Level, int] = {"error": 3, "warning": 4, "info": 6}  # syslog(3)


def is_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a stream goes straight to systemd's journal, by $JOURNAL_STREAM (systemd.exec(5))."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def tell(level: Level, text: str) -> None:
    """Write a text to the log as one line; it is lost if standard error can't be written to."""
    stream: TextIO | None = sys.stderr
    if stream is None:  # the interpreter is about to end
        return
    ahead = f"<{PRIORITY[level]}>" if is_journal(stream) else ""
    with suppress(OSError, ValueError):
        stream.write(f"{ahead}gunbai: {one_line(text)}\n")  # in one go: threads may speak at the same time
        stream.flush()
