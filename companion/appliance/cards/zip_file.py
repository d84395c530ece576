"""`gunbai card --zip FILE`: everything that a card needs as one archive, to be unpacked onto its boot partition.

Whoever unpacks it may have Windows or a Mac: its names are good on FAT, it has no links, rights or compression, and the
same update and packages make the same bytes.
"""

from __future__ import annotations

import os
import re
import time
import zipfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from companion.appliance.cards import texts
from companion.appliance.cards.boot_partition import Made
from companion.appliance.cards.wishes import (
    PACKAGES,
    RUNS_ON,
    UPDATE,
    Wishes,
    check_update,
    check_wishes,
    debs_of,
)
from companion.core.errors import ApplianceError
from companion.core.outputs import written_beside
from intake.files import open_file

MOST_BYTES = 400_000_000
"""What is free on the boot partition of Raspberry Pi OS 13, with some room: 512 MB, of which its own files take 80."""
_EARLIEST, _LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # of a zip's dates
_WINDOWS, _ARCHIVE = 0, 0x20  # made on FAT; the attribute of a plain file
_ODD = re.compile(r'[\x00-\x1f<>:"/\\|?*]|[. ]$')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def make_zip(target: Path, update: Path, wishes: Wishes, runs_on: str = RUNS_ON) -> Made:
    """Write the archive of a card; ApplianceError where something isn't right, and then there is no archive."""
    check_wishes(wishes)
    manifest = check_update(update, wishes, runs_on)
    debs = debs_of(wishes, runs_on)
    if os.path.lexists(target):
        raise ApplianceError(f"{target}: there already")
    sources = {UPDATE: update, **{f"{PACKAGES}/{deb.name}": deb for deb in debs}}
    small = texts.small_files(wishes, manifest.release)
    check_names([*small, *sources])
    _refuse_large(target, sources)
    try:
        with written_beside(target) as beside:
            _write(beside, small, sources, time.gmtime(manifest.build)[:6])
    except OSError as error:
        raise ApplianceError(f"{target}: can't be written ({error.strerror})") from error
    return Made(manifest.release, len(debs), target.stat().st_size)


def check_names(names: Iterable[str]) -> None:
    """Check that FAT and Windows can have files of these names; ApplianceError at the first that they can't."""
    seen: dict[str, str] = {}
    for name in names:
        for part in name.split("/"):
            if _ODD.search(part) or _DEVICES.fullmatch(part) or not part.isascii() or not 0 < len(part) < 200:
                raise ApplianceError(f"{name}: a card can't have a file of this name")
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            raise ApplianceError(f"{name}, {other}: on a card they are the same name")


def _refuse_large(target: Path, sources: Mapping[str, Path]) -> None:
    size = sum(path.stat().st_size for path in sources.values())
    if size > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        told = f"{size // 1_000_000} MB, and a card's boot partition has room for {most} MB"
        raise ApplianceError(f"{target}: {told}; pack the update with --for {RUNS_ON!r} alone")


def _write(target: Path, small: Mapping[str, bytes], sources: Mapping[str, Path], when: tuple[int, ...]) -> None:
    """Write the archive. What a person opens comes first, and what starts it all, vendor-data, last."""
    *_others, (last, data) = small.items()
    with zipfile.ZipFile(target, "x", zipfile.ZIP_STORED) as made:
        for name in sorted(set(small) - {last}, key=str.casefold):
            made.writestr(_member(name, when), small[name])
        for name, source in sources.items():
            with open_file(source) as read, made.open(_member(name, when), "w") as put:
                for chunk in iter(partial(read.read, 1 << 20), b""):
                    put.write(chunk)
        made.writestr(_member(last, when), data)


def _member(name: str, when: tuple[int, ...]) -> zipfile.ZipInfo:
    year, month, day, hour, minute, second = when
    member = zipfile.ZipInfo(name, min(max((year, month, day, hour, minute, second), _EARLIEST), _LATEST))
    member.create_system, member.external_attr = _WINDOWS, _ARCHIVE
    return member
