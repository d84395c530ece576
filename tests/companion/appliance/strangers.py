"""Copies as strangers may make them: of any files, with any heads."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Mapping

from companion.appliance import copies

Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE) -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, "/etc/passwd", len(data)
    return info, data


def manifest(files: Mapping[str, bytes]) -> bytes:
    told = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    return json.dumps({"what": copies.WHAT, "format": copies.FORMAT, "version": "9", "files": told}).encode()


def packed(members: Iterable[Member]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), mtime=0)


def copy_of(files: Mapping[str, bytes], *more: Member, named: Mapping[str, bytes] | None = None) -> bytes:
    """Build a copy of these files; more: members behind them; named: what its manifest names besides."""
    whole = {**files, **(named or {})}
    members = [member(copies.MANIFEST, manifest(whole)), *(member(name, data) for name, data in files.items())]
    return packed([*members, *more])
