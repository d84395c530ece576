"""What benchmarks share: how long work takes, and what a process holds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

Timed = tuple[float, float]
"""CPU time and wall time, in ms."""
KIB = 1024.0
BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island")
"""The boards that are drawn, in turn."""
WARM_UP = 3


def size_px(text: str) -> tuple[int, int]:
    """Return (width, height) of a size such as "800x480"."""
    width, height = map(int, text.split("x"))
    return width, height


def time_work(work: Callable[[], object]) -> Timed:
    """Measure how long the work takes: (CPU, wall) milliseconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return 1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall)


def cpu_ms(work: Callable[[], object], rounds: int) -> float:
    """Return the median CPU milliseconds of a piece of work, after some rounds to warm up."""
    return median([time_work(work)[0] for _ in range(rounds + WARM_UP)][WARM_UP:])


def children_cpu_s() -> float:
    """Return the CPU seconds of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def memory_mb(what: str, pid: int | None = None) -> float:
    """Return how much memory a process holds, in MB, by its status (proc(5)); this process without `pid`.

    what: VmRSS for now, VmHWM for the most so far.
    """
    lines = Path(f"/proc/{pid or 'self'}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / KIB
