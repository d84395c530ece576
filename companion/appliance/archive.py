"""An update as a file: a plain tar whose first member is the manifest. Every byte is checked before one is written.

What may be in it is little: regular files that the manifest names, each once, with the size and the sha256 told there.
Links, devices, paths that lead elsewhere and rights beyond reading and running are refused, whoever made them.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.appliance.manifest import (
    MOST_BYTES,
    MOST_FILES,
    MOST_HEAD_BYTES,
    TREE,
    Manifest,
    from_bytes,
    to_bytes,
)
from companion.appliance.tree import FileEntry
from companion.core.errors import ApplianceError
from engine.codec import brief
from intake.errors import Unreadable
from intake.files import open_file, read_file
from intake.tar_file import CHUNK, Member, open_tar

MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"
NEWS = f"{TREE}CHANGELOG.md"
MOST_SIGNATURE_BYTES, MOST_NEWS_BYTES = 100_000, 1_000_000
MOST_FILE_BYTES = MOST_BYTES + 100_000_000  # with the heads of its files
Put = Callable[[str, FileEntry, Iterator[bytes]], None]
PLAIN, RUN = 0o644, 0o755


@dataclass(frozen=True, slots=True)
class Head:
    """What comes before the files: the manifest, its exact bytes, and their signature, b"" if there is none."""

    manifest: Manifest
    data: bytes
    signature: bytes


def read_head(path: Path) -> Head:
    """Read the manifest of an update; ApplianceError where the file is no update."""
    with _open_members(path) as members:
        return _head(members)


def head_and_news(path: Path) -> tuple[Head, str]:
    """Read the head of an update and the text of its change log, its first file.

    ApplianceError where the file is no update.
    """
    with _open_members(path) as members:
        head = _head(members)
        data = _small(members, NEWS, MOST_NEWS_BYTES)
    entry = head.manifest.files.get(NEWS)
    if entry is None or hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ApplianceError(f"{path}: damaged: {NEWS} is not as it was packed")
    return head, data.decode(errors="replace")


def verify(path: Path) -> Head:
    """Read all of an update and compare it with its manifest; ApplianceError at the first thing that is not right."""
    with _open_members(path) as members:
        head = _head(members)
        _walk(members, head.manifest, lambda _name, _entry, _data: None)
    return head


def unpack(path: Path, expected: Manifest, tree: Path, wheels: Path) -> None:
    """Write an update's files below these two new folders, checked once more, and sync them."""
    put = _putter(tree, wheels)
    with _open_members(path) as members:
        if _head(members).manifest != expected:
            raise ApplianceError("it changed while being read")
        _walk(members, expected, put)


def _putter(tree: Path, wheels: Path) -> Put:
    def put(name: str, entry: FileEntry, data: Iterator[bytes]) -> None:
        below = tree if name.startswith(TREE) else wheels
        write(below / name.partition("/")[2], data, RUN if entry.executable else PLAIN)

    tree.mkdir(parents=True)
    wheels.mkdir(parents=True)
    return put


def write(path: Path, data: Iterator[bytes], mode: int) -> None:
    """Write a new file with exactly these rights."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "wb") as file:
        for chunk in data:
            file.write(chunk)
        os.fchmod(handle, mode)


@contextmanager
def _open_members(path: Path) -> Iterator[Iterator[Member]]:
    """Open an update and yield its members; any fault becomes one line that begins with the file's name."""
    try:
        with open_file(path) as file, open_tar(file, MOST_FILE_BYTES, MOST_FILES + 2) as members:
            yield members
    except ApplianceError as error:
        raise ApplianceError(f"{path}: {error}") from error
    except Unreadable as error:
        raise ApplianceError(f"{path}: not a Gunbai update, or incomplete: {error}") from error


def _head(members: Iterator[Member]) -> Head:
    data = _small(members, MANIFEST, MOST_HEAD_BYTES)
    return Head(from_bytes(data), data, _small(members, SIGNATURE, MOST_SIGNATURE_BYTES))


def _small(members: Iterator[Member], name: str, most_bytes: int) -> bytes:
    """Read the bytes of the next member, which has to have this name."""
    member = next(members, None)
    if member is None or member.name != name:
        raise ApplianceError("not a Gunbai update")
    _refuse_odd(member)
    return member.read(most_bytes)


def _walk(members: Iterator[Member], manifest: Manifest, put: Put) -> None:
    """Give each file to `put`, and hold it against the manifest."""
    left = dict(manifest.files)
    for member in members:
        entry = left.pop(member.name, None)
        if entry is None:
            raise ApplianceError(f"holds a file that its manifest doesn't list: {brief(member.name)}")
        _refuse_odd(member)
        if member.size != entry.size:
            raise ApplianceError(f"damaged: {member.name} isn't the size its manifest says")
        _compare(member.name, entry, member.chunks, put)
    if left:
        raise ApplianceError(f"cut off: {min(left)} is missing ({len(left)} in all)")


def _refuse_odd(member: Member) -> None:
    if not member.plain:
        raise ApplianceError(f"holds something that isn't a plain file: {member.name!r}")
    if member.mode & ~RUN:
        raise ApplianceError(f"holds a file with more rights than an update gives: {member.name!r}")


def _compare(name: str, entry: FileEntry, chunks: Iterator[bytes], put: Put) -> None:
    digest = hashlib.sha256()

    def measured() -> Iterator[bytes]:
        for chunk in chunks:
            digest.update(chunk)
            yield chunk

    data = measured()
    put(name, entry, data)
    for _rest in data:
        pass
    if digest.hexdigest() != entry.sha256:
        raise ApplianceError(f"damaged: {name} is not as it was packed")


# ---- one that was unpacked by hand ----------------------------------------------------------------------------


def head_beside(tree: Path) -> Head:
    """Read the head of the update that this tree was unpacked from.

    ApplianceError where none that is sound lies there.
    """
    path = tree.parent / MANIFEST
    try:
        data = read_file(path, MOST_HEAD_BYTES)
        return Head(from_bytes(data), data, read_file(tree.parent / SIGNATURE, MOST_SIGNATURE_BYTES))
    except FileNotFoundError as error:
        raise ApplianceError(f"{error.filename}: not there") from error
    except (ApplianceError, Unreadable) as error:
        raise ApplianceError(f"{path}: {error}") from error


def take(folder: Path, expected: Manifest, tree: Path, wheels: Path) -> None:
    """Write what an unpacked update holds below these two new folders, each file held against its manifest."""
    put = _putter(tree, wheels)
    for name, entry in expected.files.items():
        try:
            with open_file(folder / name) as file:
                _compare(name, entry, _chunks(file, entry.size), put)
        except (ApplianceError, Unreadable) as error:
            raise ApplianceError(f"{folder / name}: {error}") from error


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield a file's bytes in chunks, and one byte too many where it is longer than it should be."""
    left = size + 1
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


# ---- making one -----------------------------------------------------------------------------------------------


def make(path: Path, manifest: Manifest, sources: Mapping[str, Path], signature: bytes = b"") -> None:
    """Write an update of these files ({path in the update: file}); the same files make the same bytes."""
    with path.open("xb") as file, tarfile.open(fileobj=file, mode="w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in ((MANIFEST, to_bytes(manifest)), (SIGNATURE, signature)):
            tar.addfile(_member(name, len(data), PLAIN), io.BytesIO(data))
        for name, entry in sorted(manifest.files.items()):
            with sources[name].open("rb") as source:
                tar.addfile(_member(name, entry.size, RUN if entry.executable else PLAIN), source)


def _member(name: str, size: int, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, mode
    return member
