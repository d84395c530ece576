"""JPEG files that come one behind the other, as cameras send "Motion JPEG": cut apart without unpacking any.

A file is a row of segments with their lengths, then packed pixels up to the next marker, at last the end (FF D9;
ISO/IEC 10918-1, annex B). So an FF D9 within a segment ends nothing.
"""

from __future__ import annotations

import re

from intake.jpeg import BARE, SCAN, START

END = 0xD9
MOST_BYTES = 32 * 1024 * 1024
_IN_PIXELS = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""What may end the packed pixels; the others stand for FF itself, fill, or begin the next of their rows."""


class JpegStream:
    """Takes bytes as they come. What is no JPEG file is passed over, and one that breaks off is dropped."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._at = 0  # the next segment, or as far as the pixels were searched; 0 before a file has begun
        self._in_pixels = False

    def feed(self, data: bytes) -> bytes | None:
        """Take these bytes, and return the newest file that they complete; None if they complete none."""
        self._data += data
        newest = None
        while (end := self._find_end()) is not None:
            newest = bytes(self._data[:end])
            self._drop(end)
        if len(self._data) > MOST_BYTES:
            self._drop(len(self._data))
        return newest

    def _drop(self, n: int) -> None:
        """Forget so many bytes, and look for the next file."""
        del self._data[:n]
        self._at, self._in_pixels = 0, False

    def _find_end(self) -> int | None:
        """Return where the first file ends; None while it isn't whole."""
        while self._begin() and self._step():
            if self._is_at(END):
                return self._at + 2
        return None

    def _begin(self) -> bool:
        """Have a file's first bytes at the front; return False while none has begun."""
        if self._at == 0:
            start = self._data.find(START)
            del self._data[: start if start >= 0 else -1]
            self._at = len(START) if start >= 0 else 0
        return self._at > 0

    def _is_at(self, marker: int) -> bool:
        return not self._in_pixels and self._at > 0 and self._data[self._at : self._at + 2] == bytes([0xFF, marker])

    def _step(self) -> bool:
        """Go on to the next marker, or stay at the end; return False where that takes more bytes."""
        if self._in_pixels:
            found = _IN_PIXELS.search(self._data, self._at)
            self._at = found.start() if found is not None else max(self._at, len(self._data) - 1)
            self._in_pixels = found is None
            return found is not None
        head = self._data[self._at : self._at + 4]
        if len(head) < 2 or self._is_at(END):
            return len(head) >= 2
        marker, length = head[1], int.from_bytes(head[2:4], "big")
        if head[0] != 0xFF or marker == 0:  # broken
            self._drop(len(START))
        elif head[:2] == START:  # the file before it broke off
            self._drop(self._at)
        elif marker == 0xFF:
            self._at += 1
        elif marker in BARE:
            self._at += 2
        elif len(head) < 4 or len(self._data) < self._at + 2 + length:
            return False
        elif length < 2:
            self._drop(len(START))
        else:
            self._at, self._in_pixels = self._at + 2 + length, marker == SCAN
        return True
