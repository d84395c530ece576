"""Pictures without anything but their pixels: what cameras, phones and programs add to a file is left out.

Nothing is decoded. Of a JPEG file the tables, frames and scans stay, of a PNG file what its pixels are made of, and
nothing behind the end. What only says how to show it goes too (which way up it was held, colour profiles): whether the
picture still looks as it did is for the caller to find out, who can decode it.
"""

from __future__ import annotations

from collections.abc import Iterator

from intake import jpeg
from intake.errors import Unreadable
from intake.pictures import PNG

APP0, ADOBE = 0xE0, 0xEE
END = 0xD9
RESTARTS = frozenset(range(0xD0, 0xD8))
TABLES = frozenset({0xC4, 0xCC, 0xDB, 0xDC, 0xDD})  # Huffman, arithmetic, quantization, lines, restart interval
JFIF = b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"  # version 1.1, square pixels, no thumbnail
ADOBE_BYTES = 12  # "Adobe", version, flags, and how the colours were turned
CHUNKS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})


def strip_metadata(data: bytes) -> bytes:
    """Return the same picture file with its pixels alone.

    Raises Unreadable if its parts cannot be told from one another.
    """
    if data.startswith(PNG):
        return PNG + b"".join(_chunks(data))
    if jpeg.is_jpeg(data):
        return jpeg.START + b"".join(_parts(data)) + bytes([0xFF, END])
    raise Unreadable("not a JPEG or PNG picture")


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield what stays of a JPEG file between its start and its end."""
    at = len(jpeg.START)
    while True:
        marker, at = _marker(data, at)
        if marker == END:
            return
        if marker in jpeg.BARE:
            continue
        content = _content(data, at)
        at += 2 + len(content)
        kept = _without_metadata(marker, content)
        if kept is not None:
            yield bytes([0xFF, marker]) + (len(kept) + 2).to_bytes(2, "big") + kept
        if marker == jpeg.SCAN:
            end = _end_of_scan(data, at)
            yield data[at:end]
            at = end


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """Return a marker and where it ends; it may be filled up with FF ahead."""
    if data[at : at + 1] != b"\xff":
        raise Unreadable("cut off or damaged")
    while data[at : at + 1] == b"\xff":
        at += 1
    if at >= len(data):
        raise Unreadable("cut off or damaged")
    return data[at], at + 1


def _content(data: bytes, at: int) -> bytes:
    length = int.from_bytes(data[at : at + 2], "big")
    content = data[at + 2 : at + length]
    if length < 2 or len(content) != length - 2:
        raise Unreadable("cut off or damaged")
    return content


def _without_metadata(marker: int, content: bytes) -> bytes | None:
    """Return what stays of a segment; None for nothing."""
    if marker in jpeg.FRAMES or marker in TABLES or marker == jpeg.SCAN:
        return content
    if marker == APP0 and content.startswith(JFIF[:5]):
        return JFIF
    if marker == ADOBE and content.startswith(b"Adobe") and len(content) >= ADOBE_BYTES:
        return content[:ADOBE_BYTES]
    return None


def _end_of_scan(data: bytes, at: int) -> int:
    """Return where the packed pixels end: at the next marker that is no restart."""
    while True:
        at = data.find(b"\xff", at)
        if not 0 <= at < len(data) - 1:
            raise Unreadable("cut off or damaged")
        if data[at + 1] != 0 and data[at + 1] not in RESTARTS:
            return at
        at += 2


def _chunks(data: bytes) -> Iterator[bytes]:
    """Yield what stays of a PNG file behind its signature."""
    at = len(PNG)
    while True:
        length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        end = at + 12 + length
        if end > len(data):
            raise Unreadable("cut off or damaged")
        if kind in CHUNKS:
            yield data[at:end]
        if kind == b"IEND":
            return
        at = end
