"""The camera's unit (`python -m companion.camera_unit --dir DIR`): the eye's service and the service manager together.

An end by SIGTERM or Ctrl-C is an end at once: there is nothing to be saved, and a driver may hold the process for ever.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from companion.core.log import tell
from companion.crash import last_net
from hardware.notify import from_environment
from vision.live import DRIVER_PATIENCE

DIR = Path("/run/gunbai")


def main(arguments: list[str] | None = None) -> int:
    """Serve until ended; return 2 if no socket can be opened in the folder."""
    parser = argparse.ArgumentParser(prog="companion.camera_unit", description=__doc__)
    parser.add_argument("--dir", type=Path, default=DIR, help="the folder of its socket (default: %(default)s)")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ.update({**DRIVER_PATIENCE, **os.environ})
    from vision.live.camera_service import serve

    try:
        serve(options.dir, from_environment())
    except OSError as error:
        tell("error", f"{error.filename or options.dir}: {error.strerror or error}")
    return 2


if __name__ == "__main__":
    last_net.install_hooks()
    sys.exit(main())
