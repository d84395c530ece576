"""JPEG files as bytes: how large a picture they hold, and a comment of our own inside. Nothing is decoded.

A file is a row of segments: FF, a marker, and for most a length of two bytes and the data (ISO/IEC 10918-1, annex B).
"""

from __future__ import annotations

from collections.abc import Iterator

START = b"\xff\xd8"
COMMENT = 0xFE
SCAN = 0xDA
BARE = frozenset({0x01, *range(0xD0, 0xDA)})  # markers that stand alone
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # start of frame: height and width follow
MOST_COMMENT = 65_533


def is_jpeg(data: bytes) -> bool:
    """Whether the data begin as a JPEG file does."""
    return data[:2] == START


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(marker, data) of each segment before the picture itself; ends early where the file is broken."""
    at = len(START)
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in BARE:
            at += 1 if marker == 0xFF else 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2:
            return
        yield marker, data[at + 4 : at + 2 + length]
        if marker == SCAN:
            return
        at += 2 + length


def size_px(data: bytes) -> tuple[int, int] | None:
    """(width, height) of the picture, as the file says; None for what is no JPEG file."""
    if not is_jpeg(data):
        return None
    for marker, content in _segments(data):
        if marker in FRAMES and len(content) >= 5:
            return int.from_bytes(content[3:5], "big"), int.from_bytes(content[1:3], "big")
    return None


def with_comment(data: bytes, comment: bytes) -> bytes:
    """The same file with a comment in front; ValueError for what is no JPEG file, or a comment too long for one."""
    if not is_jpeg(data) or len(comment) > MOST_COMMENT:
        raise ValueError("no JPEG file, or too long a comment")
    return START + bytes([0xFF, COMMENT]) + (len(comment) + 2).to_bytes(2, "big") + comment + data[len(START) :]


def comment_of(data: bytes) -> bytes | None:
    """The first comment in a JPEG file, None where there is none."""
    if not is_jpeg(data):
        return None
    return next((content for marker, content in _segments(data) if marker == COMMENT), None)
