"""Zip, tar and gzip files spoiled inside and packed again with the right check values, or with sizes that are lies."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from tests.fuzz.images import as_picture
from tests.fuzz.spoil import Spoil, Stock, as_bytes
from tests.fuzz.trees import as_json, as_json_lines, as_toml

SIZES = (0, 1, 100, 2**16, 2**20, 2**31 - 1, 2**31, 2**32 - 1)
BOMB_BYTES = 40_000_000
INSIDE: tuple[tuple[str, Spoil], ...] = (
    *((".json", as_json), (".jsonl", as_json_lines), (".toml", as_toml)),
    *((".png", as_picture), (".jpg", as_picture), (".undone", as_json_lines)),
)


SNIFFED: tuple[tuple[bytes, Spoil], ...] = (
    *((b"\x89PNG", as_picture), (b"\xff\xd8", as_picture), (b"{", as_json_lines), (b"[", as_json)),
)


def as_sniffed(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Spoiled as what it begins like; as TOML where that tells nothing."""
    if data.startswith(b"PK"):
        return as_zip(data, rng, stock)
    if data.startswith(b"\x1f\x8b"):
        return as_tar_gz(data, rng, stock)
    way = next((way for head, way in SNIFFED if data.startswith(head)), as_toml)
    return way(data, rng, stock)


def inside(name: str, data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a member's content, spoiled as its name suggests; now and then nothing but zeros."""
    if rng.random() < 0.02:
        return bytes(rng.choice((1, 100_000, 3_000_000)))
    if name.endswith((".gunbai", ".table")):
        return as_zip(data, rng, Stock([data]))
    way = next((way for suffix, way in INSIDE if name.endswith(suffix)), as_bytes)
    return way(data, rng, Stock([data]))


def _name(name: str, names: list[str], rng: Random) -> str:
    """Return a new name for a member."""
    odd = ("", "../" + name, "/etc/passwd", name + "/", name + "x", "./" + name, name.upper(), "é" + name, "\x1b[31m")
    return rng.choice((*odd, rng.choice(names), name.replace("/", "\\"), "a" * 300, name.replace("/", "//")))


# ---- zip --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A zip's member as it stands in the file: packed by its method; `size` and `crc` are what is told of it."""

    name: bytes
    packed: bytes
    method: int
    size: int
    crc: int
    flags: int = 0
    told_packed: int = -1
    offset: int = -1


def _entry(name: str, data: bytes, method: int) -> Entry:
    if method == zipfile.ZIP_DEFLATED:
        packer = zlib.compressobj(1, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush()
    else:
        packed = data
    return Entry(name.encode("utf-8", "surrogateescape"), packed, method, len(data), zlib.crc32(data))


@lru_cache(maxsize=1)
def _bomb() -> Entry:
    return _entry("bomb", bytes(BOMB_BYTES), zipfile.ZIP_DEFLATED)


def _zip(entries: list[Entry], comment: bytes = b"") -> bytes:
    """Return the bytes of a zip of these members, whatever they claim of themselves."""
    body, directory = bytearray(), bytearray()
    for entry in entries:
        at = len(body) if entry.offset < 0 else entry.offset
        length = len(entry.packed) if entry.told_packed < 0 else entry.told_packed
        head = struct.pack(
            "<HHHHHLLLHH", 20, entry.flags, entry.method, 0, 33, entry.crc, length, entry.size, len(entry.name), 0
        )
        body += b"PK\3\4" + head + entry.name + entry.packed
        directory += b"PK\1\2" + struct.pack("<H", 20) + head + struct.pack("<HHHLL", 0, 0, 0, 0, at) + entry.name
    count = min(len(entries), 0xFFFF)
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), len(comment))
    return bytes(body + directory + end + comment)


@lru_cache(maxsize=16)
def _unzipped(data: bytes) -> tuple[tuple[str, bytes, int], ...]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            infos = [info for info in pack.infolist() if info.file_size < 4_000_000][:40]
            return tuple((info.filename, pack.read(info), info.compress_type) for info in infos)
    except Exception:  # noqa: BLE001 - a spoiled pack may break Python's reader in any way
        return ()


def undated(data: bytes) -> bytes:
    """Return the same zip without the date of its making."""
    return _zip([_entry(*member) for member in _unzipped(data)])


def as_zip(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a zip with a changed member and its check value right, with a member that lies, or spoiled as bytes."""
    members = list(_unzipped(data))
    if not members or rng.random() < 0.25:
        return as_bytes(data, rng, stock)
    here = rng.randrange(len(members))
    name, content, method = members[here]
    if rng.random() < 0.6:
        members[here] = (name, inside(name, content, rng, stock), method)
        return _zip([_entry(*member) for member in members])
    return _zip(
        _odd_zip([_entry(*member) for member in members], here, rng), rng.choice((b"", b"", b"PK\5\6", b"x" * 60_000))
    )


def _odd_zip(entries: list[Entry], here: int, rng: Random) -> list[Entry]:
    """Members as no honest writer puts them."""
    one, names = entries[here], [entry.name.decode("utf-8", "replace") for entry in entries]
    match rng.randrange(9):
        case 0:
            entries[here] = replace(one, size=rng.choice(SIZES))
        case 1:
            entries[here] = replace(one, told_packed=rng.choice(SIZES))
        case 2:
            entries[here] = replace(one, method=rng.choice((0, 8, 9, 12, 14, 93, 99, 0xFFFF)))
        case 3:
            entries[here] = replace(one, flags=rng.choice((1, 8, 64, 0x800, 0xFFFF)))
        case 4:
            entries[here] = replace(one, name=_name(names[here], names, rng).encode("utf-8", "surrogateescape"))
        case 5:
            entries[here] = replace(one, crc=rng.getrandbits(32), offset=rng.choice((0, 30, 2**32 - 1)))
        case 6:
            entries[here] = replace(_bomb(), name=one.name, size=rng.choice((one.size, BOMB_BYTES)))
        case 7:
            entries += [
                replace(one, name=str(n).encode(), packed=b"", size=0) for n in range(rng.choice((2, 20, 3000)))
            ]
        case _:
            entries.insert(rng.randrange(len(entries)), one)
            del entries[rng.randrange(len(entries))]
    return entries


# ---- tar --------------------------------------------------------------------------------------

_KINDS = (
    *(tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE),
    *(tarfile.FIFOTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_SPARSE, tarfile.XHDTYPE, b"Z"),
)
Members = list[tuple[tarfile.TarInfo, bytes]]


@lru_cache(maxsize=16)
def _kept(data: bytes) -> tuple[tuple[str, int, bytes], ...]:
    """Return a tar's plain files as (name, mode, content); nothing if the data is no tar."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            files = [member for member in tar.getmembers() if member.isreg() and 0 <= member.size < 4_000_000][:60]
            return tuple((member.name, member.mode, _content(tar, member)) for member in files)
    except Exception:  # noqa: BLE001 - as above
        return ()


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return b"" if file is None else file.read()


def tar_members(data: bytes) -> list[tuple[str, int, bytes]]:
    """Return a tar's plain files as (name, mode, content)."""
    return list(_kept(data))


def tar_of(members: list[tuple[str, int, bytes]]) -> bytes:
    """Return a tar of these files."""
    return _tar([(_info(name, mode, len(content)), content) for name, mode, content in members])


def _info(name: str, mode: int, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.mode, info.size = mode & 0o7777, size
    return info


def _tar(members: Members) -> bytes:
    out = bytearray()
    for info, content in members:
        out += info.tobuf(tarfile.PAX_FORMAT, errors="surrogateescape") + content + bytes(-len(content) % 512)
    return bytes(out + bytes(1024))


def as_tar(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a tar with a changed file, with a head that lies, or spoiled as bytes."""
    kept = tar_members(data)
    if not kept or rng.random() < 0.2:
        return as_bytes(data, rng, stock)
    here = rng.randrange(len(kept))
    name, mode, content = kept[here]
    if rng.random() < 0.6:
        kept[here] = (name, mode, inside(name, content, rng, stock))
        return tar_of(kept)
    odd = [(_info(name, mode, len(content)), content) for name, mode, content in kept]
    _make_odd(odd, here, rng)
    return _tar(odd)


def _make_odd(members: Members, here: int, rng: Random) -> None:
    """Members as no honest writer puts them; every head has a right check value."""
    info, content = members[here]
    names = [member.name for member, _content in members]
    match rng.randrange(8):
        case 0:
            info.size = rng.choice((*SIZES, 2**33, 2**62, 8**11 - 1))
        case 1:
            info.type, info.linkname = rng.choice(_KINDS), rng.choice(("", "/etc/passwd", info.name, "../x"))
        case 2:
            info.name = _name(info.name, names, rng).replace("\0", "")
        case 3:
            info.mode = rng.choice((0, 0o4755, 0o777, 0o7777))
        case 4:
            info.pax_headers = {rng.choice(("size", "path", "GNU.sparse.map", "mtime", "x")): _pax(rng)}
        case 5:
            members += [(_info(f"games/{n}.jsonl", 0o644, 0), b"") for n in range(rng.choice((3, 300)))]
        case 6:
            members.insert(rng.randrange(len(members)), (info, content))
        case _:
            del members[here]


def _pax(rng: Random) -> str:
    return rng.choice(("", "-1", "1e9", "9" * 30, "0,1,2", "x" * 5000, "../x", "\x1b[31m", "1\n2"))


# ---- gzip -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _zeros() -> bytes:
    return gzip.compress(bytes(BOMB_BYTES // 4), 1, mtime=0)


@lru_cache(maxsize=16)
def unpacked(data: bytes) -> bytes | None:
    """Return what a gzip file holds; None if the data is no gzip file, or is long."""
    try:
        unpacker = zlib.decompressobj(31)
        plain = unpacker.decompress(data, 8_000_000)
    except zlib.error:
        return None
    return plain if unpacker.eof else None


def packed(data: bytes) -> bytes:
    """Return the data as a gzip file."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def as_tar_gz(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a packed tar spoiled inside, with endless zeros in it or behind it, or spoiled as bytes."""
    plain = unpacked(data)
    way = rng.random()
    if plain is None or way < 0.15:
        return as_bytes(data, rng, stock)
    if way < 0.18:
        return rng.choice((data + _zeros(), _zeros() * rng.choice((1, 8, 60)), data + data, data + b"x" * 100))
    if way < 0.2:
        return packed(plain.rstrip(b"\0") + bytes(rng.choice((512, 8_000_000))))
    return packed(as_tar(plain, rng, stock))
