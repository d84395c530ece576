"""JPEG files as bytes: how large a picture they hold, and a comment of our own inside. Nothing is decoded.

A file is a row of segments: FF, a marker, and for most a length of two bytes and the data (ISO/IEC 10918-1, annex B).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

START = b"\xff\xd8"
COMMENT = 0xFE
SCAN = 0xDA
BARE = frozenset({0x01, *range(0xD0, 0xDA)})  # markers that stand alone
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # start of frame: height and width follow
PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
MOST_COMMENT = 65_533
MOST_SEGMENTS = 2000
_NO_FILLING = re.compile(rb"[^\xff]")


@dataclass(frozen=True, slots=True)
class Frame:
    """What a file says of its picture: its size, and how many numbers a pixel takes in memory while it is unpacked.

    held: 0 if the picture comes in one scan; else all of it has to be kept until the last scan.
    """

    width: int
    height: int
    held: float


def is_jpeg(data: bytes) -> bool:
    """Return whether the data begin like a JPEG file."""
    return data[:2] == START


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (marker, data) of each segment before the picture itself; end early if the file is broken."""
    at = len(START)
    for _ in range(MOST_SEGMENTS):
        found = _NO_FILLING.search(data, at)
        end = found.start() if found is not None else at
        if end == at or end + 3 > len(data):
            return
        marker, length = data[end], int.from_bytes(data[end + 1 : end + 3], "big")
        if marker in BARE:
            at = end + 1
            continue
        if marker == 0 or length < 2:  # a nought after FF stands for FF itself: what follows is no segment
            return
        yield marker, data[end + 3 : end + 1 + length]
        if marker == SCAN:
            return
        at = end + 1 + length


def size_px(data: bytes) -> tuple[int, int] | None:
    """Return the picture's (width, height) as the file states it; None if it is no JPEG file or ends before that."""
    frame = frame_of(data)
    return (frame.width, frame.height) if frame is not None else None


def frame_of(data: bytes) -> Frame | None:
    """Return what the file states of its picture; None if it is no JPEG file or breaks off before that."""
    if not is_jpeg(data):
        return None
    found: tuple[int, bytes] | None = None
    for marker, content in _segments(data):
        if marker in FRAMES and found is None and len(content) >= 6 and len(content) >= 6 + 3 * content[5]:
            found = marker, content
        if marker == SCAN and found is not None and content:
            return _frame(*found, in_first_scan=content[0])
    return _frame(*found, in_first_scan=0) if found is not None else None


def _frame(marker: int, content: bytes, in_first_scan: int) -> Frame:
    count = content[5]
    parts = [(both >> 4, both & 15) for both in content[7 : 6 + 3 * count : 3]]
    whole = max((across for across, _ in parts), default=1) * max((down for _, down in parts), default=1)
    several = marker in PROGRESSIVE or in_first_scan < count
    held = sum(across * down for across, down in parts) / max(1, whole) if several else 0.0
    return Frame(int.from_bytes(content[3:5], "big"), int.from_bytes(content[1:3], "big"), held)


def with_comment(data: bytes, comment: bytes) -> bytes:
    """Return the JPEG file with a comment at its front; ValueError if it is no JPEG file or the comment is too long."""
    if not is_jpeg(data) or len(comment) > MOST_COMMENT:
        raise ValueError("not a JPEG file, or its comment is too long")
    return START + bytes([0xFF, COMMENT]) + (len(comment) + 2).to_bytes(2, "big") + comment + data[len(START) :]


def comment_of(data: bytes) -> bytes | None:
    """Return the first comment of a JPEG file; None if it has none or is no JPEG file."""
    if not is_jpeg(data):
        return None
    return next((content for marker, content in _segments(data) if marker == COMMENT), None)
