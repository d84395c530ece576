"""Pictures spoiled by their parts: chunks of PNG, segments of JPEG, heads of BMP and WebP, with right check values."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from random import Random

from tests.fuzz.spoil import Stock, as_bytes
from tests.hostile.pictures import PNG, chunk, png_of

SIDES = (0, 1, 2, 479, 640, 5000, 6000, 6001, 30_000, 65_535, 2**31 - 1, 2**31, 2**32 - 1)


def as_picture(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a picture file of any kind, spoiled in its parts or as bytes."""
    if rng.random() < 0.3:
        return as_bytes(data, rng, stock)
    if data.startswith(PNG):
        return _png(data, rng)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data, rng)
    return _with_side(data, rng)


def _with_side(data: bytes, rng: Random) -> bytes:
    """Return a BMP or WebP file that claims another width or height."""
    at, width, order = (
        (18 + 4 * rng.randrange(2), 4, "<L") if data.startswith(b"BM") else (24 + rng.randrange(6), 2, "<H")
    )
    told = struct.pack(order, rng.choice(SIDES) & (1 << 8 * width) - 1)
    return data[:at] + told + data[at + width :]


# ---- PNG --------------------------------------------------------------------------------------

Chunks = list[tuple[bytes, bytes]]


def _chunks(data: bytes) -> Chunks:
    found: Chunks = []
    at = len(PNG)
    while at + 12 <= len(data) and len(found) < 200:
        length = int.from_bytes(data[at : at + 4], "big")
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def _written(chunks: Chunks) -> bytes:
    return PNG + b"".join(chunk(*part) for part in chunks)


@lru_cache(maxsize=2)
def _large(side: int) -> bytes:
    return png_of(side, side)


def _png(data: bytes, rng: Random) -> bytes:
    chunks = _chunks(data)
    if not chunks:
        return data
    here = rng.randrange(len(chunks))
    kind, body = chunks[here]
    match rng.randrange(9):
        case 0 | 1:
            chunks[0] = (chunks[0][0], _head(chunks[0][1], rng))
        case 2:
            chunks[here] = (kind, as_bytes(body, rng, Stock([body])))
        case 3:
            chunks.insert(rng.randrange(len(chunks) + 1), chunks[here])
        case 4:
            del chunks[here]
        case 5:
            chunks[here] = (
                rng.choice((b"IHDR", b"PLTE", b"tRNS", b"acTL", b"iCCP", b"zTXt", b"eXIf", b"\0\0\0\0")),
                body,
            )
        case 6:
            chunks.insert(1, (b"zTXt", b"x\0\0" + zlib.compress(bytes(3_000_000), 1)))
        case 7:
            return _large(rng.choice((5000, 9000)))
        case _:
            chunks[here] = (kind, _repacked(body, rng))
    return _written(chunks)


def _head(head: bytes, rng: Random) -> bytes:
    """IHDR with another side, or other bits, colours and interlacing."""
    out = bytearray(head.ljust(13, b"\0"))
    if rng.random() < 0.6:
        struct.pack_into(">L", out, rng.choice((0, 4)), rng.choice(SIDES))
    else:
        out[rng.randrange(8, 13)] = rng.choice((0, 1, 2, 3, 4, 6, 8, 16, 255))
    return bytes(out)


def _repacked(data: bytes, rng: Random) -> bytes:
    """Unpack packed rows, spoil them and pack them again; return data that can't be unpacked as given."""
    try:
        plain = zlib.decompressobj().decompress(data, 2_000_000)
    except zlib.error:
        return data
    return zlib.compress(as_bytes(plain, rng, Stock([plain])), 1)


# ---- JPEG -------------------------------------------------------------------------------------


def _segments(data: bytes) -> list[bytes]:
    """Return the segments before the scan, each with its marker and length, and the rest as the last one."""
    found: list[bytes] = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and len(found) < 100:
        if data[at + 1] == 0xDA:
            break
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        found.append(data[at : at + 2 + length])
        at += 2 + length
    return [*found, data[at:]]


def _jpeg(data: bytes, rng: Random) -> bytes:
    parts = _segments(data)
    here = rng.randrange(len(parts))
    match rng.randrange(8):
        case 0 | 1:
            parts = [_sized(part, rng) for part in parts]
        case 2:
            parts[here] = parts[here][:4] + as_bytes(parts[here][4:], rng, Stock([data]))
        case 3:
            parts.insert(rng.randrange(len(parts)), parts[here])
        case 4:
            del parts[here]
        case 5:
            parts.insert(0, _comment(rng))
        case 6:
            parts[-1] = parts[-1] + parts[-1][: rng.choice((20, 2000))] * rng.choice((2, 100))
        case _:
            parts[here] = parts[here][:2] + struct.pack(">H", rng.choice((0, 1, 2, 3, 0xFFFF))) + parts[here][4:]
    return b"\xff\xd8" + b"".join(parts)


def _sized(part: bytes, rng: Random) -> bytes:
    """Return a start of frame claiming another size, kind or number of colours; any other segment unchanged."""
    if not (len(part) > 9 and 0xC0 <= part[1] <= 0xCF and part[1] not in (0xC4, 0xC8, 0xCC)):
        return part
    out = bytearray(part)
    if rng.random() < 0.7:
        struct.pack_into(">H", out, rng.choice((5, 7)), rng.choice(SIDES) & 0xFFFF)
    else:
        out[rng.choice((1, 4, 9))] = rng.choice((0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0, 1, 2, 4, 12, 255))
    return bytes(out)


def _comment(rng: Random) -> bytes:
    told = rng.choice((b"", b"{}", b"[" * 3000, b'{"kind": "gunbai-frame"}', b"\xff" * 60_000, b"9" * 5000))
    return b"\xff\xfe" + struct.pack(">H", len(told) + 2) + told
