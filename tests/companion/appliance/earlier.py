"""How version 0.2 wrote and read copies: copies of either are restored by the other."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
import zlib
from collections.abc import Mapping

NAME = re.compile(r"(?:games|boards|decks|scenarios|tables|tags|settings)(?:/[^/\0.][^/\0]*)+")


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}


def written(files: Mapping[str, bytes]) -> bytes:
    told = {"what": "gunbai backup", "format": 1, "version": "0.2.0", "files": digests(files)}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        manifest = json.dumps(told, ensure_ascii=False).encode()
        for name, data in {"manifest.json": manifest, **dict(sorted(files.items()))}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(out.getvalue()) + packer.flush()


def read(data: bytes) -> dict[str, bytes]:
    unpacker = zlib.decompressobj(31)
    plain = unpacker.decompress(data, 500_000_000)
    assert unpacker.eof
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
        for member in tar:
            assert member.type == tarfile.REGTYPE
            assert member.name == "manifest.json" or NAME.fullmatch(member.name)
            assert member.name not in found
            file = tar.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
    told = json.loads(found.pop("manifest.json"))
    assert (told["what"], told["format"]) == ("gunbai backup", 1)
    assert told["files"] == digests(found)
    return found
