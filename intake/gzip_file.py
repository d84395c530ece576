"""Gzip within limits (RFC 1952): what a file unpacks to, a little at a time."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from intake.errors import Unreadable

CHUNK = 1 << 16
GZIP = 31  # what zlib calls its head and its check value


class Unpacked:
    """What is packed in a gzip file, as a file to be read once. Nothing behind the packed part counts."""

    def __init__(self, file: BinaryIO, most_packed: int) -> None:
        self._file, self._left = file, most_packed
        self._unpacker = zlib.decompressobj(GZIP)

    def read(self, size: int) -> bytes:
        """So many bytes; fewer only at the end, whose check value fits. Unreadable where it is damaged or too long."""
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
