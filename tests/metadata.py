"""Picture files with all that cameras and programs add to them: names, places, small copies, what lies behind."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

JPEG_START = 2
PNG_HEAD = 33  # the signature and IHDR


def exif(orientation: int, words: bytes = b"") -> bytes:
    """Return the data of an EXIF record: how the camera was held, 1 to 8, and a text of its owner."""
    entries = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    entries += struct.pack(">HHII", 0x013B, 2, len(words) + 1, 8 + 2 + 2 * 12 + 4)
    return b"MM\x00*\x00\x00\x00\x08" + struct.pack(">H", 2) + entries + bytes(4) + words + b"\0"


def segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def laden_jpeg(data: bytes, words: bytes, orientation: int = 1) -> bytes:
    """Return a JPEG file with these words in every place that can hold some."""
    records = (
        segment(0xE1, b"Exif\0\0" + exif(orientation, words))
        + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>" + words)
        + segment(0xE2, b"ICC_PROFILE\0\x01\x01" + words)
        + segment(0xED, b"Photoshop 3.0\0008BIM\x04\x04" + words)
        + segment(0xE0, b"JFXX\0\x10" + words)
        + segment(0xEB, words)
        + segment(0xFE, words)
    )
    length = 2 + int.from_bytes(data[4:6], "big")  # of the JFIF record, which may bring a thumbnail
    thumbnail = segment(0xE0, data[6:18] + b"\x01\x01" + words[:3])
    return data[:JPEG_START] + thumbnail + records + data[JPEG_START + length :] + words


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def laden_png(data: bytes, words: bytes, orientation: int = 1) -> bytes:
    """Return a PNG file with these words in every place that can hold some."""
    chunks = (
        chunk(b"eXIf", exif(orientation, words))
        + chunk(b"tEXt", b"Author\0" + words)
        + chunk(b"zTXt", b"Author\0\0" + zlib.compress(words))
        + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + words)
        + chunk(b"tIME", struct.pack(">HBBBBB", 2024, 2, 3, 4, 5, 6))
        + chunk(b"gaNa", words)
    )
    return data[:PNG_HEAD] + chunks + data[PNG_HEAD:] + words


def png_kinds(data: bytes) -> Iterator[bytes]:
    """Yield the kinds of chunks in a PNG file in their order; what follows the end counts as one more."""
    at = 8
    while at < len(data):
        yield data[at + 4 : at + 8]
        at += 12 + int.from_bytes(data[at : at + 4], "big")
