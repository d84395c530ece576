"""The process of a thought (`python -m companion.thinking.worker`): its work comes in, what it finds goes out.

Both are pickles from one Gunbai to another. Where the app is gone, the next result finds nobody and ends the process.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from typing import BinaryIO

from companion.thinking.thought import LENGTH

NICE = 5
"""The worker's niceness, so that the screen goes first on a shared core."""


def serve(given: BinaryIO, out: BinaryIO) -> None:
    """Read the pickled work, do it and write each result, then an end mark; BrokenPipeError if nobody reads."""
    for found in pickle.load(given)():
        data = pickle.dumps(found)
        out.write(LENGTH.pack(len(data)) + data)
        out.flush()
    out.write(LENGTH.pack(0))
    out.flush()


def main() -> None:
    """Serve the work on standard input; what the work prints goes to standard error, not among the results."""
    with suppress(OSError, AttributeError):  # the service's sandbox forbids it, Windows lacks it
        os.nice(NICE)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(BrokenPipeError), out:
        serve(sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
