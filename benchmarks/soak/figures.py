"""Samples of what a process holds, and whether the lines fitted to them are flat."""

from __future__ import annotations

import gc
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import KIB, memory_mb
from vision.memory import give_back

WARM = 0.25  # of the turns, before lines are fitted
LEAST_SAMPLES = 5  # through which a line says anything
HANDLES = Path("/proc/self/fd")
BOUNDS = {"rss_kib": 1.0, "blocks": 1.0, "handles": 0.0005, "threads": 0.0005}
"""The most that each may grow a turn, at the slope of the fitted line, to be called flat."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process holds at home between two games."""

    turns: int
    rss_kib: float
    blocks: int
    handles: int
    threads: int
    cpu_s: float


def take_sample(turns: int) -> Sample:
    """Return what is held once garbage is collected and the C library has given back what it only keeps for later."""
    gc.collect()
    give_back()
    return Sample(
        turns,
        memory_mb("VmRSS") * KIB,
        sys.getallocatedblocks(),
        len(list(HANDLES.iterdir())),
        threading.active_count(),
        time.process_time(),
    )


def slope(samples: list[Sample], what: str) -> float:
    """Return the growth a turn: of the line fitted to the samples by least squares."""
    xs, ys = [float(sample.turns) for sample in samples], [float(getattr(sample, what)) for sample in samples]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


def after_warm_up(samples: list[Sample]) -> list[Sample]:
    """Return the samples after the warm-up."""
    return [sample for sample in samples if sample.turns >= WARM * samples[-1].turns]


def verdict(samples: list[Sample]) -> tuple[str, ...]:
    """Return what is not flat; nothing can be said of a few samples."""
    if len(after_warm_up(samples)) < LEAST_SAMPLES:
        return (f"fewer than {LEAST_SAMPLES} samples",)
    return tuple(what for what, most in BOUNDS.items() if slope(after_warm_up(samples), what) > most)
