"""An update as a file: a plain tar whose first member is the manifest. Every byte is checked before one is written.

What may be in it is little: regular files that the manifest names, each once, with the size and the sha256 told there.
Links, devices, paths that lead elsewhere and rights beyond reading and running are refused, whoever made them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from companion.appliance.tree import NAME, FileEntry, name_of
from companion.core.errors import ApplianceError
from engine.codec import brief
from intake.errors import Unreadable
from intake.files import open_file, read_file
from intake.json_text import parse_object
from intake.tar_file import CHUNK, Member, open_tar

WHAT, FORMAT = "gunbai update", 1
TREE, WHEELS = "tree/", "wheels/"
MANIFEST, SIGNATURE, NEWS = "manifest.json", "manifest.json.sig", f"{TREE}CHANGELOG.md"
PLAIN, RUN = 0o644, 0o755
Put = Callable[[str, FileEntry, Iterator[bytes]], None]
MOST_BYTES, MOST_FILES = 2_000_000_000, 20_000
MOST_FILE_BYTES = MOST_BYTES + 100_000_000  # with the heads of its files
MOST_HEAD_BYTES, MOST_SIGNATURE_BYTES, MOST_NEWS_BYTES = 8_000_000, 100_000, 1_000_000
MOST_PATH, MOST_RUNS_ON, MOST_BUILD = 250, 32, 10**15
_PATH = re.compile(r"(?:tree|wheels)(?:/[A-Za-z0-9_+@][A-Za-z0-9._+@ -]*|/\.[A-Za-z0-9_-][A-Za-z0-9._-]*)+")
_RUNS_ON = re.compile(r"[a-z0-9_]{1,16} [0-9]{1,2}\.[0-9]{1,3}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


# ---- the manifest: what an update is, and the check value of every other file in it; read strictly ---------------


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an update says it holds.

    release: its name, such as 0.2.0-0123456789; runs_on: such as "aarch64 3.11"; files: {path in the update: its
    entry}, the program below tree/, the packages below wheels/; build: when the program was committed, in seconds since
    1970, which orders builds of one version; 0 if unknown.
    """

    release: str
    runs_on: tuple[str, ...]
    files: Mapping[str, FileEntry]
    build: int = 0

    @property
    def size(self) -> int:
        """The sum of all files' sizes, in bytes."""
        return sum(entry.size for entry in self.files.values())

    @property
    def tree(self) -> Mapping[str, FileEntry]:
        """The program's files, by their path in the tree."""
        return {name.removeprefix(TREE): entry for name, entry in self.files.items() if name.startswith(TREE)}


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return the manifest as JSON, as `read_manifest` reads it."""
    files = {
        name: {"sha256": entry.sha256, "size": entry.size, "executable": entry.executable}
        for name, entry in sorted(manifest.files.items())
    }
    told = {"what": WHAT, "format": FORMAT, "release": manifest.release, "build": manifest.build}
    return json.dumps({**told, "runs_on": manifest.runs_on, "files": files}, indent=1).encode() + b"\n"


def read_manifest(data: bytes) -> Manifest:
    """Parse a manifest strictly; ApplianceError says what is wrong. One from before there were builds gets build 0."""
    value = _object(data)
    if value.get("what") != WHAT:
        raise ApplianceError("not a Gunbai update")
    if value.get("format") != FORMAT:
        raise ApplianceError(
            f"an update in another format ({brief(value.get('format'))}), which this Gunbai doesn't know"
        )
    release, files, build = value.get("release"), value.get("files"), value.get("build", 0)
    if not isinstance(release, str) or not NAME.fullmatch(release):
        raise ApplianceError("its manifest names no release")
    if type(build) is not int or not 0 <= build <= MOST_BUILD:
        raise ApplianceError("its manifest names no build")
    if not isinstance(files, dict) or not files:
        raise ApplianceError("its manifest names no files")
    if len(files) > MOST_FILES:
        raise ApplianceError("too large for a Gunbai update")
    entries = {name: _entry(name, told) for name, told in files.items()}
    manifest = Manifest(release, _runs_on(value.get("runs_on")), entries, build)
    if manifest.size > MOST_BYTES:
        raise ApplianceError("too large for a Gunbai update")
    folders = {str(parent) for name in manifest.files for parent in PurePosixPath(name).parents}
    if folders & manifest.files.keys():
        raise ApplianceError("its manifest names something both as a file and as a folder")
    version = manifest.release.partition("-")[0]
    if name_of(version, manifest.tree) != manifest.release:
        raise ApplianceError("its name doesn't match its files")
    return manifest


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        return parse_object(data, MOST_HEAD_BYTES)
    except Unreadable as error:
        raise ApplianceError(f"not a Gunbai update: its manifest is {error}") from error


def _runs_on(told: object) -> tuple[str, ...]:
    if isinstance(told, list) and len(told) <= MOST_RUNS_ON:
        known = tuple(machine for machine in told if isinstance(machine, str) and _RUNS_ON.fullmatch(machine))
        if len(known) == len(told):
            return known
    raise ApplianceError("its manifest doesn't say what it runs on")


def _entry(name: str, told: object) -> FileEntry:
    if len(name) > MOST_PATH or not _PATH.fullmatch(name):
        raise ApplianceError(f"its manifest has a path that no update has: {brief(name)}")
    match told:
        case {"sha256": str(sha256), "size": int(size), "executable": bool(executable)}:
            if _SHA256.fullmatch(sha256) and 0 <= size <= MOST_BYTES:
                return FileEntry(sha256, size, executable)
    raise ApplianceError(f"its manifest says nothing sensible about {name}")


# ---- reading one ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head:
    """What comes before the files: the manifest, its exact bytes, and their signature, b"" if there is none."""

    manifest: Manifest
    data: bytes
    signature: bytes


def read_head(path: Path) -> Head:
    """Read an update's manifest and signature without verifying them; ApplianceError if the file is no update."""
    with _open_members(path) as members:
        return _head(members)


def head_and_news(path: Path) -> tuple[Head, str]:
    """Read the head of an update, unverified, and the text of its change log.

    ApplianceError if the file is no update, or its change log isn't as the manifest says.
    """
    with _open_members(path) as members:
        head = _head(members)
        data = _small(members, NEWS, MOST_NEWS_BYTES)
    entry = head.manifest.files.get(NEWS)
    if entry is None or hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ApplianceError(f"{path}: damaged: {NEWS} is not as it was packed")
    return head, data.decode(errors="replace")


def verify(path: Path) -> Head:
    """Read all of an update and check it against its manifest, but not its signature; ApplianceError if it differs."""
    with _open_members(path) as members:
        head = _head(members)
        _walk(members, head.manifest, lambda _name, _entry, _data: None)
    return head


def unpack(path: Path, expected: Manifest, tree: Path, wheels: Path) -> None:
    """Unpack an update into two new folders, checking every file again; ApplianceError if anything differs.

    expected: the manifest it must still have.
    """
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
    """Write a new file, with its folders, and give it exactly this mode; it isn't synced."""
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
    return Head(read_manifest(data), data, _small(members, SIGNATURE, MOST_SIGNATURE_BYTES))


def _small(members: Iterator[Member], name: str, most_bytes: int) -> bytes:
    """Read the next member, which has to have this name; ApplianceError otherwise."""
    member = next(members, None)
    if member is None or member.name != name:
        raise ApplianceError("not a Gunbai update")
    _refuse_odd(member)
    return member.read(most_bytes)


def _walk(members: Iterator[Member], manifest: Manifest, put: Put) -> None:
    """Give each file to `put` while checking it; ApplianceError unless they are just those of the manifest."""
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
    """Read the head of the update that this tree was unpacked from, which lies beside the tree.

    ApplianceError if it is missing or invalid.
    """
    path = tree.parent / MANIFEST
    try:
        data = read_file(path, MOST_HEAD_BYTES)
        return Head(read_manifest(data), data, read_file(tree.parent / SIGNATURE, MOST_SIGNATURE_BYTES))
    except FileNotFoundError as error:
        raise ApplianceError(f"{error.filename}: not there") from error
    except (ApplianceError, Unreadable) as error:
        raise ApplianceError(f"{path}: {error}") from error


def copy_unpacked(folder: Path, expected: Manifest, tree: Path, wheels: Path) -> None:
    """Copy an unpacked update into two new folders, checking each file; ApplianceError if any differs."""
    put = _putter(tree, wheels)
    for name, entry in expected.files.items():
        try:
            with open_file(folder / name) as file:
                _compare(name, entry, _chunks(file, entry.size), put)
        except (ApplianceError, Unreadable) as error:
            raise ApplianceError(f"{folder / name}: {error}") from error


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield a file's first `size` bytes in chunks, and one byte more if the file is longer."""
    left = size + 1
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


# ---- making one -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    """The result of making an update, or a card with one: its release, number of packages and size in bytes."""

    release: str
    packages: int
    size: int


def write_update(path: Path, manifest: Manifest, sources: Mapping[str, Path], signature: bytes = b"") -> None:
    """Write an update; equal files make equal bytes. sources: {path in the update: file}."""
    with path.open("xb") as file, tarfile.open(fileobj=file, mode="w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in ((MANIFEST, manifest_bytes(manifest)), (SIGNATURE, signature)):
            tar.addfile(_member(name, len(data), PLAIN), io.BytesIO(data))
        for name, entry in sorted(manifest.files.items()):
            with sources[name].open("rb") as source:
                tar.addfile(_member(name, entry.size, RUN if entry.executable else PLAIN), source)


def _member(name: str, size: int, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, mode
    return member
