"""Looks at what systemd runs: the units, their watchdogs, and the nightly copies of the games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.checks.check_result import CheckResult, Machine
from companion.core import storage
from companion.core.language import _, plural

UNITS = ("gunbai.service", "gunbai-camera.service", "gunbai-backup.timer")
ASKED = "Id,ActiveState,Result,NRestarts,WatchdogUSec"
BACKUPS = "var/lib/gunbai-backups"
OLD_DAYS = 3
DAY_S = 86_400


def is_installed(machine: Machine) -> bool:
    """Return whether Gunbai is a service of this machine."""
    return (machine.root / "etc/systemd/system" / UNITS[0]).exists()


def is_active(machine: Machine) -> bool:
    """Return whether the app is running as a service now."""
    return is_installed(machine) and machine.run(("systemctl", "is-active", UNITS[0])) == "active"


def units(machine: Machine) -> CheckResult:
    """Judge whether the units run, how often they had to be restarted, and whether they are watched."""
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
    """Judge when the games were last copied; now_s: the wall's time."""
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
    """Return whether a game was played since the copy; nothing is copied while nothing changes."""
    games = (storage.data_dir() / "games").glob(f"*{storage.GAME_SUFFIX}")
    # A day's grace: what was played after the last night's copy is copied the next night.
    return any(path.stat().st_mtime > copy.stat().st_mtime + DAY_S for path in games)
