"""Tracebacks of our own faults without private data: no messages, no values, no users' folders.

What an exception says may hold anything: a player's name, a card that somebody holds, a file's content.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

HOMES = re.compile(r"/(?:home|Users)/[^/\s'\"]+")
MOST_CAUSES = 8


def place_of(error: BaseException) -> str:
    """Return where an exception was raised, such as "match.py:12"; "?" if it never was."""
    # no pathlib: it may be gone already when the interpreter ends
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"


def trace_of(error: BaseException) -> str:
    """Return an exception's traceback, causes first, with the exceptions' types but not their messages."""
    return without_homes("\n".join(_chain_of(error, MOST_CAUSES)))


def without_homes(text: str) -> str:
    """Return the text with the paths of users' home folders replaced by ~.

    >>> without_homes("/home/ana/gunbai/x.py, /home/bo")
    '~/gunbai/x.py, ~'
    """
    home = str(Path.home())
    return HOMES.sub("~", text.replace(home, "~") if len(home) > 1 else text)


def _chain_of(error: BaseException, depth: int) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if depth and cause is not None:
        yield from _chain_of(cause, depth - 1)
        yield "\nand then:\n"
    yield "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__
    if depth and isinstance(error, BaseExceptionGroup):
        for part in error.exceptions[:MOST_CAUSES]:
            yield f"\nin it:\n{''.join(traceback.format_tb(part.__traceback__))}{type(part).__name__}"
