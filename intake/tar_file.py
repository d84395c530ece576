"""Tar files within limits (POSIX ustar and pax, GNU's long names), member by member; gzip around one.

Python's own reader keeps every head, follows heads of heads by recursion, and looks at numbers for as long as it takes:
this one keeps nothing but the head before a member.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from intake.errors import Unreadable

BLOCK = 512
CHUNK = 1 << 16
MOST_HEAD = 1 << 16  # bytes of what is said of a member beside its head; names take no more than four thousand
MOST_HEADS = 4  # before the head of a member: a long name, a long link, particulars of it and of all
PAX, GLOBAL, LONG_NAME, LONG_LINK = b"x", b"g", b"L", b"K"
PLAIN = (b"0", b"\0")
WITHOUT_DATA = b"123456"  # links, devices, folders, pipes: whatever size they claim, nothing follows
SUM_FIELD = slice(148, 156)
POSIX = b"ustar\0"
GZIP = 31  # what zlib calls gzip's head and check value


class Unpacked:
    """The contents of a gzip file (RFC 1952), to be read once; what follows the packed part is ignored."""

    def __init__(self, file: BinaryIO, most_packed: int) -> None:
        self._file, self._left = file, most_packed
        self._unpacker = zlib.decompressobj(GZIP)

    def read(self, size: int) -> bytes:
        """Read `size` bytes; fewer only at the end, where the checksum has been found right.

        Raises Unreadable if the file is damaged or too long.
        """
        found = bytearray()
        while len(found) < size and not self._unpacker.eof:
            try:
                found += self._unpacker.decompress(self._packed(), size - len(found))
            except zlib.error as error:
                raise Unreadable("cut off or damaged") from error
        return bytes(found)

    def _packed(self) -> bytes:
        if self._unpacker.unconsumed_tail:
            return self._unpacker.unconsumed_tail
        chunk = self._file.read(CHUNK)
        self._left -= len(chunk)
        if not chunk or self._left < 0:
            raise Unreadable("larger than is read" if chunk else "cut off or damaged")
        return chunk


class Readable(Protocol):
    """Anything with a `read` for bytes."""

    def read(self, size: int, /) -> bytes:
        """Read `size` bytes, fewer only at the end."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member's name, its size in bytes, its mode, whether it is a regular file; `chunks` yields its bytes, once.

    A name that is no UTF-8 is as `os.fsdecode` has it.
    """

    name: str
    size: int
    mode: int
    plain: bool
    chunks: Iterator[bytes]

    def read(self, most_bytes: int) -> bytes:
        """Read the whole member; raise Unreadable if it is longer than `most_bytes`."""
        if self.size > most_bytes:
            raise Unreadable(f"{self.name!r} is too large")
        return b"".join(self.chunks)


@contextmanager
def open_tar(file: Readable, most_bytes: int, most_members: int) -> Iterator[Iterator[Member]]:
    """Provide a context with a tar file's members, in order.

    Unreadable for whatever is wrong with the file, also while it is read. A member's chunks have to be read, if at all,
    before the next member is asked for.
    """
    yield _members(_Blocks(file, most_bytes), most_members)


@contextmanager
def open_tar_gz(file: BinaryIO, most_bytes: int, most_members: int) -> Iterator[Iterator[Member]]:
    """Open a gzipped tar file as `open_tar` does; Unreadable if it unpacks to more than `most_bytes`."""
    blocks = _Blocks(Unpacked(file, most_bytes), most_bytes)
    yield _members_to_end(_members(blocks, most_members), blocks)


def _members_to_end(members: Iterator[Member], blocks: _Blocks) -> Iterator[Member]:
    """Yield the members; then read what is left of the file, as gzip's check value stands at its very end."""
    yield from members
    while blocks.some(CHUNK):
        pass


class _Blocks:
    """A file that is read through once, and no further than so many bytes."""

    def __init__(self, file: Readable, most_bytes: int) -> None:
        self._file, self._most, self._left = file, most_bytes, most_bytes

    def some(self, size: int) -> bytes:
        """Read `size` bytes, fewer only at the end."""
        data = self._file.read(size)
        self._left -= len(data)
        self.refuse_longer(0)
        return data

    def refuse_longer(self, size: int) -> None:
        """Raise Unreadable if `size` more bytes would be too many."""
        if size > self._left:
            raise Unreadable(f"larger than {self._most // 1_000_000} MB once unpacked")

    def whole(self, size: int) -> Iterator[bytes]:
        """Yield `size` bytes, a chunk at a time, then skip the padding of the last block."""
        self.refuse_longer(size)
        left = size
        while left:
            chunk = self.some(min(CHUNK, left))
            if not chunk:
                raise Unreadable("cut off or damaged")
            left -= len(chunk)
            yield chunk
        if len(self.some(-size % BLOCK)) < -size % BLOCK:
            raise Unreadable("cut off or damaged")


@dataclass(frozen=True, slots=True)
class _Head:
    """The head of a member; name: as bytes."""

    name: bytes
    mode: int
    size: int
    kind: bytes


def _members(blocks: _Blocks, most: int) -> Iterator[Member]:
    known: dict[bytes, bytes] = {}
    count = heads = 0
    while (head := _head(blocks, first=not count)) is not None:
        if head.kind in (PAX, GLOBAL, LONG_NAME, LONG_LINK):
            heads += 1
            if heads > MOST_HEADS:
                raise Unreadable("too many headers before a file in it")
            known |= _read_extended_head(head, blocks)
            continue
        count += 1
        if count > most:
            raise Unreadable(f"more than {most} files in it")
        size = 0 if head.kind in WITHOUT_DATA else _size(known, head)
        rest = blocks.whole(size)
        name = known.get(b"path", head.name)
        has_holes = any(key.startswith(b"GNU.sparse") for key in known)  # its data have a form of their own
        plain = head.kind in PLAIN and not name.endswith(b"/") and not has_holes
        known, heads = {}, 0
        yield Member(name.rstrip(b"/").decode("utf-8", "surrogateescape"), size, head.mode, plain, rest)
        for _chunk in rest:
            pass


def _head(blocks: _Blocks, first: bool) -> _Head | None:
    """Read the next head; None if the members end, by empty blocks or with the file."""
    block = blocks.some(BLOCK)
    if not any(block) and (block or not first):
        return None
    if len(block) < BLOCK or _sum(block) != _number(block[SUM_FIELD]):
        raise Unreadable("cut off or damaged")
    name = _text(block[:100])
    if block[257:263] == POSIX and block[345]:
        name = _text(block[345:500]) + b"/" + name
    return _Head(name, _number(block[100:108]), _number(block[124:136]), block[156:157])


def _sum(block: bytes) -> int:
    """Return the check value of a head: its bytes together, those of the value itself taken as blanks."""
    return sum(block) - sum(block[SUM_FIELD]) + 8 * ord(" ")


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """Read a number from a field of octal digits, or as GNU writes what does not fit.

    GNU writes the bytes of the number, with the first bit set.
    """
    if field[0] in (0x80, 0xFF):
        number = int.from_bytes(field[1:], "big", signed=field[0] == 0xFF)
        if number < 0:
            raise Unreadable("a negative size in it")
        return number
    digits = _text(field).strip()
    if digits and not set(digits) <= set(b"01234567"):
        raise Unreadable("cut off or damaged")
    return int(digits or b"0", 8)


def _read_extended_head(head: _Head, blocks: _Blocks) -> dict[bytes, bytes]:
    """Return what is said, beside its head, of the member that follows.

    What is said of all members is passed over.
    """
    if head.size > MOST_HEAD:
        raise Unreadable("a header in it is too long")
    data = b"".join(blocks.whole(head.size))
    if head.kind == LONG_NAME:
        return {b"path": _text(data)}
    return dict(_records(data)) if head.kind == PAX else {}


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the records of a pax head.

    A record is "LENGTH KEY=VALUE" and a newline, which the length counts as well.
    """
    at = 0
    while at < len(data):
        digits = data[at : at + 8].partition(b" ")[0]
        end = at + (int(digits) if digits.isdigit() else 0)
        key, equals, value = data[at + len(digits) + 1 : end - 1].partition(b"=")
        if not equals or data[end - 1 : end] != b"\n":
            raise Unreadable("cut off or damaged")
        yield key, value
        at = end


def _size(known: dict[bytes, bytes], head: _Head) -> int:
    """Return a member's size, as its head says or, if that has no room for it, what is said beside."""
    digits = known.get(b"size")
    if digits is None:
        return head.size
    if not digits.isdigit() or len(digits) > 20:
        raise Unreadable("cut off or damaged")
    return int(digits)
