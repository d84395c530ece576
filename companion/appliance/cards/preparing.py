"""`gunbai card`: puts what a first start needs onto the boot partition of a freshly flashed card, or into an archive.

The partition gets the update, packages of Debian if some are given, a script, and what cloud-init reads there (NoCloud,
as the system's /etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg names it). vendor-data, which runs the script, is written
last: a card that was not finished starts as if it had been left.

Whoever unpacks the archive may have Windows or a Mac: its names are good on FAT, it has no links, rights or
compression, and the same update and packages make the same bytes.
"""

from __future__ import annotations

import os
import re
import shutil
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from companion.appliance.archive import Made
from companion.appliance.cards.wishes import (
    LOG,
    META_DATA,
    NETWORK,
    OURS,
    PACKAGES,
    RUNS_ON,
    UPDATE,
    USER_DATA,
    Wishes,
    check_update,
    check_wishes,
    find_debs,
    small_files,
)
from companion.core.errors import ApplianceError, reason
from companion.core.outputs import written_beside
from intake.errors import Unreadable
from intake.files import BINARY, open_file, read_text

NEEDED = ("config.txt", "cmdline.txt", "issue.txt", META_DATA, USER_DATA, NETWORK)
MOST_TEXT = 200_000
SPARE_BYTES = 20_000_000
_LITE = re.compile(r"\bstage2\b")


def check_card(card: Path) -> None:
    """Raise ApplianceError unless this is the boot partition of a new card with Raspberry Pi OS 13 Lite."""
    if not card.is_dir():
        raise ApplianceError(f"{card}: not a folder")
    missing = [name for name in NEEDED if not (card / name).is_file()]
    if {"config.txt", "cmdline.txt", "issue.txt"} & set(missing):
        raise ApplianceError(f"{card}: not the boot partition of Raspberry Pi OS ({missing[0]} is missing)")
    if missing:
        raise ApplianceError(
            f"{card}: this Raspberry Pi OS has no cloud-init ({missing[0]} is missing): use version 13 of "
            "November 2025 or later"
        )
    issue = _text(card / "issue.txt")
    if "Raspberry Pi" not in issue or not _LITE.search(issue):
        raise ApplianceError(f"{card}: not Raspberry Pi OS Lite (issue.txt names another, or a desktop)")
    if (card / LOG).exists():
        raise ApplianceError(f"{card}: this card has been started already: flash it afresh")


def _text(path: Path) -> str:
    try:
        return read_text(path, MOST_TEXT)
    except (OSError, Unreadable) as error:
        raise ApplianceError(f"{path}: can't be read ({reason(error)})") from error


def prepare(card: Path, update: Path, wishes: Wishes) -> Made:
    """Write the update, packages and small files onto a card, replacing earlier ones; ApplianceError if that fails."""
    check_card(card)
    check_wishes(wishes)
    release = check_update(update, wishes).release
    debs = find_debs(wishes)
    if debs and (card / PACKAGES).exists() and (card / PACKAGES).samefile(debs[0].parent):
        raise ApplianceError(f"{debs[0].parent}: this folder is on the card and will be replaced: name another one")
    sources = {card / UPDATE: update, **{card / PACKAGES / deb.name: deb for deb in debs}}
    _refuse_small(card, sources)
    try:
        if (card / PACKAGES).exists():
            shutil.rmtree(card / PACKAGES)
        for target, source in sources.items():
            _copy(source, target)
        before = _text(card / USER_DATA)
        if OURS not in before and not (card / f"{USER_DATA}.before").exists():
            _write(card / f"{USER_DATA}.before", before.encode())
        for name, data in small_files(wishes, release).items():
            _write(card / name, data)
    except OSError as error:
        raise ApplianceError(f"{card}: can't be written ({error.strerror})") from error
    return Made(release, len(debs), sum(source.stat().st_size for source in sources.values()))


def _refuse_small(card: Path, sources: Mapping[Path, Path]) -> None:
    here = sum(target.stat().st_size for target in sources if target.is_file())
    free, needed = shutil.disk_usage(card).free + here, sum(path.stat().st_size for path in sources.values())
    if free < needed + SPARE_BYTES:
        told = f"{free // 1_000_000} MB are free, {(needed + SPARE_BYTES) // 1_000_000} MB are needed"
        raise ApplianceError(f"{card}: {told}; pack the update with --for {RUNS_ON!r} alone")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    with open_file(source) as file:
        _put(target, iter(lambda: file.read(1 << 20), b""))


def _write(target: Path, data: bytes) -> None:
    _put(target, iter((data,)))


def _put(target: Path, chunks: Iterator[bytes]) -> None:
    """Write a file under a temporary name, sync it and rename it."""
    beside = target.with_name(f"{target.name}.part")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o644), "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(target)


# ---- one archive, to be unpacked onto a boot partition ------------------------------------------------------------


MOST_BYTES = 400_000_000
"""What is free on the boot partition of Raspberry Pi OS 13, with some room: 512 MB, of which its own files take 80."""
_EARLIEST, _LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # of a zip's dates
_WINDOWS, _ARCHIVE = 0, 0x20  # made on FAT; the attribute of a plain file
_ODD = re.compile(r'[\x00-\x1f<>:"/\\|?*]|[. ]$')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def make_zip(target: Path, update: Path, wishes: Wishes, runs_on: str = RUNS_ON) -> Made:
    """Write an archive to be unpacked onto a card; ApplianceError, and no archive, if anything is wrong."""
    check_wishes(wishes)
    manifest = check_update(update, wishes, runs_on)
    debs = find_debs(wishes, runs_on)
    if os.path.lexists(target):
        raise ApplianceError(f"{target}: there already")
    sources = {UPDATE: update, **{f"{PACKAGES}/{deb.name}": deb for deb in debs}}
    small = small_files(wishes, manifest.release)
    check_names([*small, *sources])
    _refuse_large(target, sources)
    try:
        with written_beside(target) as beside:
            _write_zip(beside, small, sources, time.gmtime(manifest.build)[:6])
    except OSError as error:
        raise ApplianceError(f"{target}: can't be written ({error.strerror})") from error
    return Made(manifest.release, len(debs), target.stat().st_size)


def check_names(names: Iterable[str]) -> None:
    """Raise ApplianceError at the first file name that a card can't have, or two that differ in case only.

    Names have to be ASCII, and valid on FAT and Windows.
    """
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


def _write_zip(target: Path, small: Mapping[str, bytes], sources: Mapping[str, Path], when: tuple[int, ...]) -> None:
    """Write the zip file: the small files by name, then the large ones, and vendor-data, which starts it all, last."""
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
