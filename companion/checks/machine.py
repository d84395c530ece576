"""The checks of the machine itself: model, clock, power and heat, disk, and what systemd runs."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.checks.check_result import CheckResult, Machine
from companion.core import storage
from companion.core.language import _, plural

NOW_BITS, SINCE_BITS = 0, 16
"""The first bits of the firmware's warnings of now and since the start: under-voltage, capped, throttled, warm; as in
`vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd")."""
HOT_C, WARM_C = 80, 70
FIRST_YEAR, LAST_YEAR = 2025, 2100
JUMP_S = 60.0
EMPTY_UV = 1_000_000  # a clock's battery with a lower voltage is missing or empty


def model(machine: Machine) -> CheckResult:
    """Name the machine, its system and its kernel; always "ok"."""
    release = dict(line.split("=", 1) for line in machine.text("etc/os-release").splitlines() if "=" in line)
    told = (
        machine.text("proc/device-tree/model") or platform.machine(),
        release.get("PRETTY_NAME", "").strip('"') or platform.system(),
        _("kernel {version}").format(version=machine.text("proc/sys/kernel/osrelease") or platform.release()),
    )
    return "ok", ", ".join(told), ""


# ---- the clock ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """Wall-clock time (seconds since 1970) and monotonic time at the same moment."""

    wall_s: float
    steady_s: float


def times() -> Times:
    """Read both clocks."""
    return Times(time.time(), time.monotonic())


def clock(machine: Machine, now: Times, began: Times | None = None) -> CheckResult:
    """Check whether the machine knows the time, and from where; never "bad", as games need no clock.

    began: both times when Gunbai started, to tell of a clock that was set since.
    """
    moment = datetime.fromtimestamp(min(max(now.wall_s, 0), 1e11))  # what a broken clock says may be no date
    said = machine.run(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    synced = said == "yes" or (not said and (machine.root / "run/systemd/timesync/synchronized").exists())
    told = [
        f"{moment:%Y-%m-%d %H:%M}",
        _("set by the network") if synced else _("not set by the network"),
        _battery(machine),
    ]
    if began is not None:
        told.append(_clock_jump_text((now.wall_s - began.wall_s) - (now.steady_s - began.steady_s)))
    facts = ", ".join(filter(None, told))
    if not FIRST_YEAR <= moment.year < LAST_YEAR:
        remedy = _("Connect it to a network, or set the time. Doesn't affect your games.")
        return "note", facts, remedy
    if synced:
        return "ok", facts, ""
    return "note", facts, _("The time may be wrong. Doesn't affect your games.")


def _battery(machine: Machine) -> str:
    """Return a phrase on whether the clock keeps running without power: a Pi 5's could, but often lacks a battery."""
    clocks = machine.find_paths("sys/class/rtc/rtc*")
    for place in clocks:
        volts = machine.number(place / "battery_voltage")
        if volts is None or volts >= EMPTY_UV:
            return _("has a battery clock")
    return _("battery clock without a battery") if clocks else _("no battery clock")


def _clock_jump_text(by_s: float) -> str:
    """Return a phrase on how far the clock was set while Gunbai ran; "" if it hardly was."""
    if abs(by_s) < JUMP_S:
        return ""
    days = abs(by_s) / 86_400
    if days >= 2:
        told = plural("{n} day", "{n} days", round(days))
    else:
        told = plural("{n} minute", "{n} minutes", round(abs(by_s) / 60))
    way = (
        _("was set forward by {much} while Gunbai was running")
        if by_s > 0
        else _("was set back by {much} while Gunbai was running")
    )
    return way.format(much=told)


# ---- power and warmth -----------------------------------------------------------------------------------


def power(machine: Machine) -> CheckResult:
    """Check by the firmware's warnings and the temperature whether the machine gets enough power and air."""
    bits = _throttled_bits(machine)
    zones = machine.find_paths("sys/class/thermal/thermal_zone*/temp")
    known = [machine.number(path) for path in zones]
    degrees = round(max(temperature for temperature in known if temperature is not None) / 1000) if any(known) else None
    warmth = "" if degrees is None else _("{n} °C").format(n=degrees)
    if bits is None:
        return _other_machine(machine, warmth, degrees)
    now, since = _warnings(bits >> NOW_BITS), _warnings(bits >> SINCE_BITS)
    told = [_("now: {what}").format(what=", ".join(now))] if now else []
    before = [fault for fault in since if fault not in now]
    told += [_("since power-on: {what}").format(what=", ".join(before))] if before else []
    facts = ", ".join(filter(None, (*told, warmth))) if told else ", ".join(filter(None, (_("enough power"), warmth)))
    if bits & 1:
        return "bad", facts, _weak()
    if now or (degrees or 0) >= HOT_C:
        return "bad", facts, _hot()
    if before or (degrees or 0) >= WARM_C:
        return "note", facts, _weak() if bits >> SINCE_BITS & 1 else _hot()
    return "ok", facts, ""


def _weak() -> str:
    return _("Use the official Raspberry Pi power supply and a short cable: low power ruins SD cards.")


def _hot() -> str:
    return _("Improve the airflow: it slows down to keep cool.")


def _warnings(bits: int) -> list[str]:
    """Return in words which of the firmware's four warning bits are set."""
    told = (_("voltage too low"), _("speed limited"), _("slowed down"), _("too hot"))
    return [words for place, words in enumerate(told) if bits >> place & 1]


def _throttled_bits(machine: Machine) -> int | None:
    """Read the firmware's warning bits; None if there is no such firmware."""
    files = machine.find_paths("sys/devices/platform/soc*/*firmware/get_throttled")
    said = [machine.text(path) for path in files]
    said.append(machine.run(("vcgencmd", "get_throttled")))
    for text in filter(None, said):
        try:
            return int(text.removeprefix("throttled="), 16)
        except ValueError:
            continue
    return None


def _other_machine(machine: Machine, warmth: str, degrees: int | None) -> CheckResult:
    """Check power without the firmware's warnings: by a driver's alarm if there is one, else by temperature alone."""
    for name in machine.find_paths("sys/class/hwmon/hwmon*/name"):
        if machine.text(name) == "rpi_volt":
            low = machine.number(name.parent / "in0_lcrit_alarm")
            told = _("voltage too low") if low else _("enough power")
            facts = ", ".join(filter(None, (told, warmth)))
            return ("bad", facts, _weak()) if low else ("ok", facts, "")
    told = ", ".join(filter(None, (_("this machine doesn't report power problems"), warmth)))
    return ("bad", told, _hot()) if (degrees or 0) >= HOT_C else ("ok", told, "")


# ---- the disk -------------------------------------------------------------------------------------------


MB = 1_000_000
LEAST_MB, FEW_MB = 20, 500
SLOW_S = 0.5
WORN = 9  # of an eMMC's eleven grades of wear (DEVICE_LIFE_TIME_EST, JEDEC eMMC 5.0): each is a tenth of its life


def disk(machine: Machine | None = None, clock: Callable[[], float] = time.monotonic) -> CheckResult:
    """Check the disk by writing to it: that it takes a step, how fast, how much room is left, and its wear."""
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
    """Write a line, synced, and return how long that took in seconds; None if it reads back differently."""
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
    """Return the result for a failing or worn disk, by what the system reports; None if it reports nothing bad."""
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


# ---- what systemd runs: the units, their watchdogs, and the nightly copies of the games ------------------


UNITS = ("gunbai.service", "gunbai-camera.service", "gunbai-backup.timer")
ASKED = "Id,ActiveState,Result,NRestarts,WatchdogUSec"
BACKUPS = "var/lib/gunbai-backups"
OLD_DAYS = 3
DAY_S = 86_400


def is_installed(machine: Machine) -> bool:
    """Return whether Gunbai is installed as a service on this machine."""
    return (machine.root / "etc/systemd/system" / UNITS[0]).exists()


def is_active(machine: Machine) -> bool:
    """Return whether the app is running as a service now."""
    return is_installed(machine) and machine.run(("systemctl", "is-active", UNITS[0])) == "active"


def units(machine: Machine) -> CheckResult:
    """Check whether Gunbai's units run, how often they were restarted, and whether they have a watchdog."""
    if not is_installed(machine):
        return "ok", _("not a service: runs as a normal program"), ""
    said = machine.run(("systemctl", "show", f"--property={ASKED}", *UNITS))
    blocks = [dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in said.split("\n\n")]
    found = {block["Id"]: block for block in blocks if "Id" in block}
    if not found:
        return "note", _("installed, but systemd doesn't respond"), ""
    told = [_unit_text(found.get(name, {}), name) for name in UNITS]
    failed = [name for name in UNITS if found.get(name, {}).get("ActiveState") == "failed"]
    if failed:
        return "bad", ", ".join(told), _("See why: journalctl -b -u {unit}").format(unit=failed[0])
    if found.get(UNITS[0], {}).get("ActiveState") != "active":
        return "note", ", ".join(told), _("Start it: sudo systemctl start gunbai")
    if any(_restarts(found.get(name, {})) for name in UNITS):
        return "note", ", ".join(told), _("See why: journalctl -b -u {unit}").format(unit=UNITS[0])
    return "ok", ", ".join(told), ""


def _restarts(unit: Mapping[str, str]) -> int:
    count = unit.get("NRestarts", "0")
    return int(count) if count.isdigit() else 0


def _unit_text(unit: Mapping[str, str], name: str) -> str:
    words = [unit.get("ActiveState", _("unknown"))]
    if _restarts(unit):
        words.append(plural("restarted {n} time", "restarted {n} times", _restarts(unit)))
    if name.endswith(".service"):
        words.append(_("watched") if unit.get("WatchdogUSec", "0") not in ("0", "infinity") else _("not watched"))
    return f"{name.removeprefix('gunbai-').partition('.')[0]}: {' '.join(words)}"


def backups(machine: Machine, now_s: float) -> CheckResult:
    """Check when the games were last backed up. now_s: wall-clock time, seconds since 1970."""
    folder = machine.root / BACKUPS if is_installed(machine) else storage.data_dir() / "backups"
    newest = _newest(folder)
    if newest is None:
        told = _("no backup in {folder}").format(folder=folder)
        return "note", told, _("Back them up now and then: gunbai backup, or Save to a file under Saved games.")
    days = max(0, round((now_s - newest.stat().st_mtime) / DAY_S))
    told = _("{name}, {age}").format(name=newest.name, age=plural("{n} day old", "{n} days old", days))
    if days > OLD_DAYS and is_installed(machine) and _changed_since(newest):
        return "note", told, _("The nightly backup is missing: systemctl status gunbai-backup.timer")
    return "ok", told, ""


def _newest(folder: Path) -> Path | None:
    from companion.appliance.backing_up import newest_copy

    try:
        return newest_copy(folder)
    except OSError:
        return None


def _changed_since(copy: Path) -> bool:
    """Return whether a game was played over a day after the copy was made."""
    games = (storage.data_dir() / "games").glob(f"*{storage.GAME_SUFFIX}")
    # A day's grace: what was played after the last night's copy is copied the next night.
    return any(path.stat().st_mtime > copy.stat().st_mtime + DAY_S for path in games)
