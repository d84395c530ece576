"""Becomes another program, which is killed when the thread that started it ends, however that ends.

`python -IS with_opener.py PID PROGRAM [ARGUMENT...]`, PID being the process that starts it. (setpriv, of util-linux,
sets capabilities, even if to what they were, and the camera's unit forbids that.)
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h; it outlives the change of program."""


def main(opener: str, *command: str) -> str:
    """Become the other program; return only if that fails, with the reason in the form of rpicam-vid's faults."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(opener):
        return "ERROR: *** nobody wants it any more ***"
    try:
        os.execv(command[0], command)
    except OSError as error:
        return f"ERROR: *** {command[0]} can't be run ({error.strerror}) ***"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
