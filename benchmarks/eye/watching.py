"""What watching a table costs: motion, shifts and averages as ratios to decoding the frame's JPEG, and memory.

"settled" is a frame of a table on which nothing happens, with all its checks and without decoding it.

    python -m benchmarks.eye.watching [--size 1280x960]

The memory is that of a camera process which watches a simulated table, frames of that size, until it has settled.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measuring import cpu_ms, memory_mb, size_px, time_work
from companion.demo.table import SimulatedTable
from companion.perception.camera_watch import CameraWatch
from engine.orders.board import load_board
from vision.frame import fit_to_size
from vision.geometry import Picture
from vision.live.camera_process import PAUSE_S, TableEye
from vision.live.settling import StillMean, changed_cells, shift_between, small_of
from vision.live.watcher import TableWatcher
from vision.reading.read import read
from vision.table import Table

ROUNDS = 30
LONGEST_S = 120.0
NOISES = 7
SETTLING, SETTLED = 32, 320


def costs(table: Table, frame: Picture) -> dict[str, float]:
    """Return the milliseconds of each part."""
    jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    fit, small, mean = fit_to_size(frame, table.picture_size, "the frame"), small_of(frame), StillMean()
    mean.add(fit)
    return {
        "decode the JPEG": cpu_ms(lambda: cv2.imdecode(jpeg, cv2.IMREAD_COLOR), ROUNDS),
        "motion": cpu_ms(lambda: changed_cells(small, small_of(frame)), ROUNDS),
        "shift": cpu_ms(lambda: shift_between(small, small), ROUNDS),
        "average": cpu_ms(lambda: mean.add(fit), ROUNDS) + cpu_ms(lambda: mean.mean, ROUNDS),
        "read": cpu_ms(lambda: read(table, fit), ROUNDS),
        "settled": settled_ms(table, fit),
    }


def settled_ms(table: Table, frame: Picture) -> float:
    """Return the mean CPU milliseconds for a frame, with a camera's noise, of a table that has settled."""
    rng = np.random.default_rng(1)
    noise = [rng.normal(0, 2.0, frame.shape).astype(np.int16) for _ in range(NOISES)]
    frames = [np.asarray(np.clip(frame + grain, 0, 255), np.uint8) for grain in noise]
    watcher = TableWatcher(table, TableEye(table))
    shown = iter(range(10**6))

    def show(count: int) -> None:
        for _ in range(count):
            step = next(shown)
            watcher.see(frames[step % NOISES], step * PAUSE_S)

    show(SETTLING)
    assert watcher.state == "settled"
    return time_work(lambda: show(SETTLED))[0] / SETTLED


def watch_memory_mb(table: Path, frame: Picture, folder: Path) -> dict[str, float]:
    """Return how much memory the camera process held, at most and at the end."""
    cv2.imwrite(str(folder / "1.jpg"), frame)
    watch = CameraWatch(str(folder), table)
    try:
        until_s = time.monotonic() + LONGEST_S
        while watch.state != "settled" and time.monotonic() < until_s:
            threading.Event().wait(0.1)
        return {"at most": memory_mb("VmHWM", watch.pid), "in the end": memory_mb("VmRSS", watch.pid)}
    finally:
        watch.close()


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1280x960")
    width, height = size_px(parser.parse_args().size)
    cv2.setNumThreads(1)
    simulated = SimulatedTable(load_board("sengoku-rivers"), 1)
    table = simulated.calibrated()
    frame = np.asarray(cv2.resize(simulated.photo(), (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    found = costs(table, frame)
    for name, ms in found.items():
        print(f"{name:18} {ms:8.2f} ms  {ms / found['decode the JPEG']:6.2f} of decoding {width}x{height}")
    with tempfile.TemporaryDirectory() as folder:
        path, frames = Path(folder) / "simulated.table", Path(folder) / "frames"
        frames.mkdir()
        table.save(path)
        for name, mb in watch_memory_mb(path, frame, frames).items():
            print(f"memory {name:11} {mb:8.0f} MB")


if __name__ == "__main__":
    main()
