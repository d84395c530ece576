"""Zip files that a stranger may bring. Each function makes one out of its first member's name and content."""

from __future__ import annotations

import io
import struct
import zipfile

DIRECTORY, END = b"PK\1\2", b"PK\5\6"


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an honest zip file of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as pack:
        for name, data in members:
            pack.writestr(name, data)
    return out.getvalue()


def encrypted(*members: tuple[str, bytes]) -> bytes:
    """Return a zip whose first member claims to be encrypted."""
    data = bytearray(zipped(*members))
    data[6] |= 1
    data[data.index(DIRECTORY) + 8] |= 1
    return bytes(data)


def of_unknown_method(*members: tuple[str, bytes]) -> bytes:
    """Return a zip whose first member is packed by an unknown method."""
    data = bytearray(zipped(*members))
    for at in (8, data.index(DIRECTORY) + 10):
        struct.pack_into("<H", data, at, 99)
    return bytes(data)


def with_damaged_deflate(*members: tuple[str, bytes]) -> bytes:
    """Return a zip whose first member's packed content is broken."""
    data = bytearray(zipped(*members))
    begins = 30 + len(members[0][0])
    data[begins + 4 : begins + 29] = b"\xff" * 25
    return bytes(data)


def longer_than_it_says(*members: tuple[str, bytes]) -> bytes:
    """Return a zip whose first member claims to be a hundred bytes long."""
    data = bytearray(zipped(*members))
    for at in (22, data.index(DIRECTORY) + 24):
        struct.pack_into("<L", data, at, 100)
    return bytes(data)


def with_many_members(count: int = 3000) -> bytes:
    """All of them empty."""
    return zipped(*((f"{n}", b"") for n in range(count)), method=zipfile.ZIP_STORED)


def with_a_huge_directory(*members: tuple[str, bytes]) -> bytes:
    """Its list of members says that it is of four gigabytes."""
    data = bytearray(zipped(*members))
    struct.pack_into("<L", data, data.rindex(END) + 12, 0xFFFFFFFF)
    return bytes(data)


def with_two_ends(count: int = 3000) -> bytes:
    """One end says that there is nothing, the other one, of large zip files, that there are many members."""
    data = bytearray(with_many_members(count))
    at = data.rindex(END)
    size, begins = struct.unpack_from("<LL", data, at + 12)
    struct.pack_into("<HHLL", data, at + 8, 0, 0, 0, 0)
    large = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, size, begins)
    locator = b"PK\6\7" + struct.pack("<LQL", 0, at, 1)
    return bytes(data[:at] + large + locator + data[at:])


def bomb(name: str, million_bytes: int = 400) -> bytes:
    """Return a zip with a member of this many million noughts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as pack, pack.open(name, "w") as member:
        for _ in range(million_bytes):
            member.write(bytes(1_000_000))
    return out.getvalue()
