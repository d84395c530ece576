"""Looks at the disk that the games lie on: room, leave to write, how fast it keeps what it is given, how worn it is."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.checks.check_result import CheckResult, Machine
from companion.core import storage
from companion.core.language import _

MB = 1_000_000
LEAST_MB, FEW_MB = 20, 500
SLOW_S = 0.5
WORN = 9  # of an eMMC's eleven grades of wear (DEVICE_LIFE_TIME_EST, JEDEC eMMC 5.0): each is a tenth of its life


def disk(machine: Machine | None = None, clock: Callable[[], float] = time.monotonic) -> CheckResult:
    """Judge the disk: whether a game can be written, by writing, and how much room is left."""
    machine, folder = machine or Machine(), storage.data_dir()
    try:
        took_s = _time_write(folder, clock)
        free_mb = shutil.disk_usage(folder).free // MB
    except OSError as error:
        told = f"{folder}: {error.strerror}"
        if "ro" in _mount_of(machine, folder)[1].split(","):
            return (
                "bad",
                told,
                _("The disk is read-only, often because it's failing: restart, or replace the SD card."),
            )
        return "bad", told, _("Free some space or make the folder writable: until then games are kept in memory only.")
    if took_s is None:
        return "bad", f"{folder}", _("The disk doesn't give back what was written: replace it.")
    told = _("{n} MB free in {folder}, saving a step takes {ms} ms").format(
        n=free_mb, folder=folder, ms=max(1, round(took_s * 1000))
    )
    if free_mb < LEAST_MB:
        return "bad", told, _("Free some space: soon no step can be saved.")
    if free_mb < FEW_MB:
        return "note", told, _("Free some space soon.")
    worn = _wear(machine, folder, told)
    if worn is not None or took_s < SLOW_S:
        return worn or ("ok", told, "")
    return "note", told, _("That's slow, as on a worn or fake SD card. Back up your games and replace it.")


def _time_write(folder: Path, clock: Callable[[], float]) -> float | None:
    """Return how long a line takes to reach the disk, in seconds; None if it comes back as something else."""
    probe = folder / f"check-{os.getpid()}"
    folder.mkdir(parents=True, exist_ok=True)
    probe.unlink(missing_ok=True)  # left over from a check that was interrupted
    try:
        began_s = clock()
        storage.create(probe, b"written\n")
        took_s = clock() - began_s
        return took_s if probe.read_bytes() == b"written\n" else None
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)


def _mount_of(machine: Machine, folder: Path) -> tuple[str, str]:
    """Return (device, options) of the file system that a folder lies on; ("", "") if the system does not tell."""
    found = ("", "", "")
    for line in machine.text("proc/self/mounts").splitlines():
        parts = line.split()
        if len(parts) < 4:
            continue
        place = parts[1].replace("\\040", " ")  # blanks are octal in proc(5) mounts
        if (folder == Path(place) or Path(place) in folder.parents) and len(place) >= len(found[1]):
            found = (parts[0], place, parts[3])
    return found[0], found[2]


def _wear(machine: Machine, folder: Path, told: str) -> CheckResult | None:
    """Judge whether the disk is failing or worn, by what the system knows of it; None for nothing to tell."""
    device = Path(_mount_of(machine, folder)[0]).name
    faults = machine.number(f"sys/fs/ext4/{device}/errors_count") if device else None
    if faults:
        facts = _("{told}, file system errors: {n}").format(told=told, n=faults)
        return "bad", facts, _("Back up your games and replace the SD card, or have the disk checked at start-up.")
    grades = [int(word, 16) for word in machine.text(f"sys/block/{_disk_of(device)}/device/life_time").split()]
    if grades and max(grades) >= WORN:
        facts = _("{told}, {percent}% worn").format(told=told, percent=min(100, max(grades) * 10))
        return "note", facts, _("Back up your games and replace it soon.")
    return None


def _disk_of(device: str) -> str:
    """Return the disk that a partition belongs to: mmcblk0 for mmcblk0p2."""
    head, mark, tail = device.rpartition("p")
    return head if mark and tail.isdigit() and head.startswith(("mmcblk", "nvme")) else device
