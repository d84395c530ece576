"""Picture files as bytes: what they say of themselves is read before anybody unpacks them; nothing is decoded.

PNG (ISO/IEC 15948), JPEG (ISO/IEC 10918-1), BMP and WebP (RFC 9649) are known; anything else is refused. Of JPEG and
PNG files what cameras, phones and programs add can be left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from intake import jpeg
from intake.errors import Unreadable

PNG = b"\x89PNG\r\n\x1a\n"
MOST_SIDE_PX = 6000
MOST_PX = 24_500_000
MOST_BYTES = 64_000_000
MOST_SCANS = 60
"""Of a progressive JPEG file: each is a way through the whole picture. Cameras and programs make ten."""
MOST_CHUNKS = 20_000
MOST_PACKED_CHUNKS = 20
"""Of a PNG file: texts and colour profiles, each of which may unpack to megabytes. Programs write a few."""
PACKED_CHUNKS = frozenset((b"zTXt", b"iTXt", b"iCCP"))
MOST_MEMORY = 165_000_000
PLAIN_BYTES = 6.0
"""A pixel in memory while most kinds are unpacked: three colours, twice."""

Size = tuple[int, int]


def size_of(data: bytes) -> Size | None:
    """Return the (width, height) in pixels that a picture file states; None if it is of no known kind, or cut off."""
    if data.startswith(PNG):
        return (_big(data, 16), _big(data, 20)) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    if jpeg.is_jpeg(data):
        return jpeg.size_px(data)
    if data.startswith(b"BM"):
        return _bmp(data)
    return _webp(data) if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def check_picture(data: bytes, most_side_px: int = MOST_SIDE_PX) -> Size:
    """Return a picture file's size if it may be unpacked; raise Unreadable if it is broken, or too large for us."""
    if not data:
        raise Unreadable("the file is empty")
    size = size_of(data)
    if size is None:
        raise Unreadable("not a readable picture (PNG, JPEG, BMP or WebP)")
    width, height = size
    if min(size) <= 0:
        raise Unreadable("a picture without any pixels")
    if max(size) > most_side_px:
        raise Unreadable(f"{width}x{height} pixels are too many; at most {most_side_px} across")
    if width * height > MOST_PX:
        raise Unreadable(f"{width}x{height} pixels are too many; at most {MOST_PX / 1_000_000:g} million")
    if len(data) + width * height * _bytes_a_pixel(data) > MOST_MEMORY:
        raise Unreadable(f"{width}x{height} pixels packed like this take too much memory")
    if _is_slow_to_unpack(data):
        raise Unreadable("packed in more parts than any camera or program makes")
    return size


def _bytes_a_pixel(data: bytes) -> float:
    """Return how much memory a pixel takes while the picture is unpacked, as measured."""
    frame = jpeg.frame_of(data)
    if frame is not None:
        return max(PLAIN_BYTES, 4 + 2 * frame.held)
    if data.startswith(b"RIFF"):
        return 11.0 if data[12:16] == b"VP8X" else 7.0
    return PLAIN_BYTES


def _is_slow_to_unpack(data: bytes) -> bool:
    if data.startswith(PNG):
        return _has_many_chunks(data)
    return jpeg.is_jpeg(data) and data.count(b"\xff\xda") > MOST_SCANS


def _has_many_chunks(data: bytes) -> bool:
    at, packed = len(PNG), 0
    for _ in range(MOST_CHUNKS):
        kind = data[at + 4 : at + 8]
        packed += kind in PACKED_CHUNKS
        if len(kind) < 4 or packed > MOST_PACKED_CHUNKS:
            return packed > MOST_PACKED_CHUNKS
        at += 12 + _big(data, at)
    return True


def _big(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _bmp(data: bytes) -> Size | None:
    if len(data) < 26:
        return None
    if int.from_bytes(data[14:18], "little") == 12:  # the oldest head, of OS/2
        return _little(data, 18, 2), _little(data, 20, 2)
    return _signed(data, 18), _signed(data, 22)


def _signed(data: bytes, at: int) -> int:
    """Return the length of a bitmap's side; a negative one says only that its rows run from the top."""
    return abs(int.from_bytes(data[at : at + 4], "little", signed=True))


def _little(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "little")


def _webp(data: bytes) -> Size | None:
    """Return the size of the canvas, in each of the three forms."""
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8X":
            return 1 + _little(data, 24, 3), 1 + _little(data, 27, 3)
        case b"VP8L":
            bits = _little(data, 21, 4)
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


# ---- the pixels alone ---------------------------------------------------------------------------


APP0, ADOBE = 0xE0, 0xEE
END = 0xD9
RESTARTS = frozenset(range(0xD0, 0xD8))
TABLES = frozenset({0xC4, 0xCC, 0xDB, 0xDC, 0xDD})  # Huffman, arithmetic, quantization, lines, restart interval
JFIF = b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"  # version 1.1, square pixels, no thumbnail
ADOBE_BYTES = 12  # "Adobe", version, flags, and how the colours were turned
CHUNKS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})


def strip_metadata(data: bytes) -> bytes:
    """Return the same picture file with its pixels alone; Unreadable if its parts cannot be told from one another.

    Of a JPEG file the tables, frames and scans stay, of a PNG file what its pixels are made of, and nothing behind the
    end. What only says how to show it goes too (which way up it was held, colour profiles): whether the picture still
    looks as it did is for the caller to find out, who can decode it.
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
