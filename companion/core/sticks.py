"""Memory sticks that are plugged in: where each is mounted, and whether it takes a file.

On an appliance systemd/stick.sh mounts them below `OWN` for Gunbai's user alone; elsewhere a desktop does, below one of
`PLACES`. Which there are is read from sysfs, their labels and file systems from udev's records in /run/udev/data: lines
such as E:ID_FS_TYPE=vfat, odd bytes of labels in hexadecimal. Standard library only: `gunbai update` uses this too.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

OWN = Path("/media/gunbai")
PLACES = (Path("/media"), Path("/run/media"))
BLOCK, RECORDS, MOUNTS = Path("/sys/class/block"), Path("/run/udev/data"), Path("/proc/self/mountinfo")
KNOWN = frozenset({"vfat", "exfat"})
"""The file systems that an appliance mounts."""
_ESCAPE = re.compile(r"\\([0-7]{3})")
_HEX = re.compile(rb"\\x([0-9a-f]{2})")
MOST_LABEL = 32


@dataclass(frozen=True, slots=True)
class Stick:
    """A memory stick, or one of its partitions.

    device: the kernel's name, such as "sda1"; label: as printable text, "" if it has none; kind: its file system, "" if
    it has none; folder: where it is mounted, None if it isn't.
    """

    device: str
    label: str = ""
    kind: str = ""
    folder: Path | None = None

    @property
    def name(self) -> str:
        """Its label, or the kernel's name if it has none."""
        return self.label or self.device

    @property
    def is_own(self) -> bool:
        """Whether it is mounted where Gunbai mounts sticks, so that Gunbai may unmount it."""
        return self.folder is not None and self.folder.parent == OWN


def plugged_in() -> tuple[Stick, ...]:
    """Return all sticks that are plugged in, mounted or not, without USB disks mounted by the system for itself."""
    try:
        entries = sorted(BLOCK.iterdir())
    except OSError:
        return ()
    where = _mounted()
    found = (_stick(entry, where) for entry in entries if "/usb" in str(entry.resolve()) and _holds_something(entry))
    return tuple(stick for stick in found if stick is not None)


def _holds_something(entry: Path) -> bool:
    """Return whether this is a partition, or a disk without any that isn't an empty card reader."""
    return _text(entry / "size") not in ("", "0") and not any(entry.glob(f"{entry.name}*/partition"))


def _stick(entry: Path, where: Mapping[str, Path]) -> Stick | None:
    number = _text(entry / "dev")
    folder = where.get(number)
    if folder is not None and not any(folder.is_relative_to(place) for place in PLACES):
        return None
    lines = (line for line in _text(RECORDS / f"b{number}").splitlines() if line.startswith("E:"))
    record = dict(line[2:].split("=", 1) for line in lines if "=" in line)
    escaped = record.get("ID_FS_LABEL_ENC", "")
    data = _HEX.sub(lambda code: bytes([int(code[1], 16)]), escaped.encode(errors="replace"))
    label = "".join(letter if letter.isprintable() else "?" for letter in data.decode(errors="replace"))
    return Stick(entry.name, label.strip()[:MOST_LABEL], record.get("ID_FS_TYPE", ""), folder)


def _mounted() -> dict[str, Path]:
    """Return {"8:1": where that device is mounted} (proc(5)); of several places one that isn't for sticks."""
    found: dict[str, Path] = {}
    for line in _text(MOUNTS).splitlines():
        words = line.split(" ")
        if len(words) < 5:
            continue
        folder = Path(_ESCAPE.sub(lambda code: chr(int(code[1], 8)), words[4]))
        known = found.get(words[2])
        if known is None or any(known.is_relative_to(place) for place in PLACES):
            found[words[2]] = folder
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


# ---- those that are mounted ---------------------------------------------------------------------------------------


def mounted_folders() -> Iterator[Path]:
    """Yield the folders of the mounted sticks, writable or not."""
    for place in PLACES:
        with suppress(OSError):
            yield from (folder for folder in sorted((*place.glob("*"), *place.glob("*/*"))) if folder.is_mount())


def sticks() -> Iterator[Path]:
    """Yield the folders of the mounted sticks that can be written to."""
    return (folder for folder in mounted_folders() if refusal(folder) == 0)


def stick_or(otherwise: Path) -> Path:
    """Return the folder of a writable memory stick, or `otherwise` if there is none."""
    return next(sticks(), otherwise)


def refusal(folder: Path) -> int:
    """Return the errno of why no file can be written into a folder, found by trying; 0 if one can."""
    beside = folder / ".gunbai"
    try:
        if shutil.disk_usage(folder).free == 0:
            return errno.ENOSPC
        beside.unlink(missing_ok=True)  # left by a stick that was pulled
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        beside.unlink()
    except OSError as error:
        return error.errno or errno.EIO
    return 0


def free_bytes(folder: Path) -> int:
    """Return the free space of the folder's disk in bytes; 0 if it can't be told."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
