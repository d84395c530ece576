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

from companion.appliance.manifest import TREE, Manifest, from_bytes, to_bytes
from companion.appliance.tree import Entry
from companion.errors import ApplianceError

MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"
MOST_HEAD_BYTES = 8_000_000
CHUNK = 1 << 20
PLAIN, RUN = 0o644, 0o755


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the files: the manifest, its very bytes, and a signature of them, b"" where there is none."""

    manifest: Manifest
    data: bytes
    signature: bytes


def read_head(path: Path) -> Head:
    """The manifest of an update; ApplianceError where the file is no update."""
    with _opened(path) as tar:
        return _head(tar)


def verify(path: Path) -> Head:
    """Read all of an update and compare it with its manifest; ApplianceError at the first thing that is not right."""
    with _opened(path) as tar:
        head = _head(tar)
        _walk(tar, head.manifest, lambda _name, _entry, _data: None)
    return head


def unpack(path: Path, expected: Manifest, tree: Path, wheels: Path) -> None:
    """Write an update's files below these two new folders, checked once more, and sync them."""

    def put(name: str, entry: Entry, data: Iterator[bytes]) -> None:
        below = tree if name.startswith(TREE) else wheels
        write(below / name.partition("/")[2], data, RUN if entry.executable else PLAIN)

    tree.mkdir(parents=True)
    wheels.mkdir(parents=True)
    with _opened(path) as tar:
        if _head(tar).manifest != expected:
            raise ApplianceError("it has changed while it was read")
        _walk(tar, expected, put)


def write(path: Path, data: Iterator[bytes], mode: int) -> None:
    """Write a new file with exactly these rights."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "wb") as file:
        for chunk in data:
            file.write(chunk)
        os.fchmod(handle, mode)


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    """The tar, with every fault of its form told in one line that begins with the file's name."""
    try:
        with path.open("rb") as file, tarfile.open(fileobj=file, mode="r:") as tar:
            yield tar
    except ApplianceError as error:
        raise ApplianceError(f"{path}: {error}") from error
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
        raise ApplianceError(f"{path}: cut off, damaged, or not an update of Gunbai") from error


def _head(tar: tarfile.TarFile) -> Head:
    data = _small(tar, MANIFEST)
    return Head(from_bytes(data), data, _small(tar, SIGNATURE))


def _small(tar: tarfile.TarFile, name: str) -> bytes:
    """The bytes of the next member, which has to be this one."""
    member = tar.next()
    if member is None or member.name != name or member.size > MOST_HEAD_BYTES:
        raise ApplianceError("not an update of Gunbai")
    _refuse_odd(member)
    return b"".join(_bytes(tar, member))


def _walk(tar: tarfile.TarFile, manifest: Manifest, put: Callable[[str, Entry, Iterator[bytes]], None]) -> None:
    """Give each file to `put`, and hold it against the manifest."""
    left = dict(manifest.files)
    while (member := tar.next()) is not None:
        entry = left.pop(member.name, None)
        if entry is None:
            raise ApplianceError(f"holds what its manifest does not name: {member.name!r}")
        _refuse_odd(member)
        if member.size != entry.size:
            raise ApplianceError(f"damaged: {member.name} has another size than its manifest says")
        _compare(tar, member, entry, put)
    if left:
        raise ApplianceError(f"cut off: {len(left)} files are missing, {min(left)} for one")


def _refuse_odd(member: tarfile.TarInfo) -> None:
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.issparse():
        raise ApplianceError(f"holds something that is no plain file: {member.name!r}")
    if member.mode & ~RUN:
        raise ApplianceError(f"holds a file with more rights than an update gives: {member.name!r}")


def _compare(
    tar: tarfile.TarFile, member: tarfile.TarInfo, entry: Entry, put: Callable[[str, Entry, Iterator[bytes]], None]
) -> None:
    digest = hashlib.sha256()

    def measured() -> Iterator[bytes]:
        for chunk in _bytes(tar, member):
            digest.update(chunk)
            yield chunk

    data = measured()
    put(member.name, entry, data)
    for _rest in data:
        pass
    if digest.hexdigest() != entry.sha256:
        raise ApplianceError(f"damaged: {member.name} is not as it was packed")


def _bytes(tar: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    """A member's bytes; ApplianceError where the file ends before them."""
    file, left = tar.extractfile(member), member.size
    assert file is not None
    while left:
        chunk = file.read(min(CHUNK, left))
        if not chunk:
            raise ApplianceError(f"cut off in {member.name}")
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
                _add(tar, name, entry, source)


def _add(tar: tarfile.TarFile, name: str, entry: Entry, source: IO[bytes]) -> None:
    tar.addfile(_member(name, entry.size, RUN if entry.executable else PLAIN), source)


def _member(name: str, size: int, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, mode
    return member
