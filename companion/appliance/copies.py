"""The form of a copy of the saved games: a tar.gz whose first member tells the check value of every other.

It is read as a stranger's: what is not a plain file below one of the folders that are copied is refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion import __version__
from companion.errors import ApplianceError

WHAT, FORMAT = "gunbai backup", 1
MANIFEST = "manifest.json"
FOLDERS = ("games", "boards", "decks", "scenarios", "tables", "tags")
CHOSEN = "settings/chosen.toml"
MOST_BYTES, MOST_FILES = 500_000_000, 100_000
_NAME = re.compile(r"(?:games|boards|decks|scenarios|tables|tags|settings)(?:/[^/\0.][^/\0]*)+")


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """{name: sha256 in hexadecimal}."""
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}


def to_bytes(files: Mapping[str, bytes]) -> bytes:
    """A copy of these files ({name such as games/a.jsonl: bytes}); the same files make the same bytes."""
    told = {"what": WHAT, "format": FORMAT, "version": __version__, "files": digests(files)}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in {
            MANIFEST: json.dumps(told, ensure_ascii=False).encode(),
            **dict(sorted(files.items())),
        }.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return _packed(out.getvalue())


def _packed(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)  # gzip, without a time in its head
    return packer.compress(data) + packer.flush()


def read(path: Path) -> dict[str, bytes]:
    """The files of a copy, each held against its check value; ApplianceError where anything is not right."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ApplianceError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        return from_bytes(data)
    except ApplianceError as error:
        raise ApplianceError(f"{path}: {error}") from error


def from_bytes(data: bytes) -> dict[str, bytes]:
    """The files of a copy's bytes."""
    try:
        members = _members(data)
    except (tarfile.TarError, EOFError, ValueError, zlib.error) as error:
        raise ApplianceError("cut off, damaged, or no copy of saved games") from error
    wanted = _wanted(members.pop(MANIFEST, b""))
    if digests(members) != wanted:
        raise ApplianceError("damaged: not what was copied")
    return members


def _members(data: bytes) -> dict[str, bytes]:
    unpacker = zlib.decompressobj(31)
    plain = unpacker.decompress(data, MOST_BYTES)
    if not unpacker.eof:
        raise ApplianceError("cut off, damaged, or larger than any copy of saved games")
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
        for member in tar:
            if member.type != tarfile.REGTYPE or member.issparse() or member.size < 0 or not _is_name(member.name):
                raise ApplianceError(f"holds what no copy of saved games holds: {member.name!r}")
            if member.name in found:
                raise ApplianceError(f"holds a file twice: {member.name!r}")
            file = tar.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
            if len(found) > MOST_FILES:
                raise ApplianceError("holds too many files")
    return found


def _is_name(name: str) -> bool:
    return name == MANIFEST or _NAME.fullmatch(name) is not None


def _wanted(data: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    match told:
        case {"what": what, "format": form, "files": dict(files)} if what == WHAT and form == FORMAT:
            return files
    raise ApplianceError("no copy of saved games")
