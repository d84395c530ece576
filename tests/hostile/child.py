"""A command run in a process of its own, with what it took."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.forks import Request, fork

ROOT = Path(__file__).resolve().parents[2]
LOADED = (
    "companion.__main__",
    "companion.cli",
    "companion.terminal.bench",
    "companion.terminal.eye",
    "companion.terminal.tracing",
    "companion.evidence.bundle",
    "companion.measuring.report",
)
MOST_BYTES = 8 << 30
MOST_CPU_S = 60
MOST_S = 300.0
"""Nothing takes as long: whoever hangs is ended."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, what it said, and the most memory that it held, in MB."""

    status: int
    out: str
    err: str
    peak_mb: float


def gunbai(arguments: Sequence[str | Path], folder: Path) -> Ended:
    """Run a command with an empty data folder of its own in `folder`."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    own = {"GUNBAI_DATA": str(data), "XDG_CONFIG_HOME": str(data), "XDG_DATA_HOME": str(data), "HOME": str(data)}
    with (folder / "out").open("w+") as out, (folder / "err").open("w+") as err:
        environment = {**os.environ, **own, "SDL_VIDEODRIVER": "dummy"}
        request = Request(
            call="companion.__main__:run",
            argv=["gunbai", *map(str, arguments)],
            cwd=str(ROOT),
            environment=environment,
            out=out.name,
            err=err.name,
        )
        child = fork(LOADED, request, (), environment)
        with suppress(ProcessLookupError):  # it has ended already
            resource.prlimit(child.pid, resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
        guard = threading.Timer(MOST_S, child.kill)
        guard.start()
        peak_kb = 0
        while child.poll() is None:
            peak_kb = max(peak_kb, _peak_kb(child.pid))
            time.sleep(0.01)
        guard.cancel()
        out.seek(0)
        err.seek(0)
        return Ended(child.wait(), out.read(), err.read(), peak_kb / 1024)


def _peak_kb(pid: int) -> int:
    """Return the process's peak memory so far in kB, with all that its commands load; 0 once it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
