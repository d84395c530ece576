"""Picture files as bytes: what they say of themselves is read before anybody unpacks them.

PNG (ISO/IEC 15948), JPEG (ISO/IEC 10918-1), BMP and WebP (RFC 9649) are known; anything else is refused.
"""

from __future__ import annotations

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
    """Return (width, height) in pixels that a picture file claims for itself; None if of no known kind."""
    if data.startswith(PNG):
        return (_big(data, 16), _big(data, 20)) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    if jpeg.is_jpeg(data):
        return jpeg.size_px(data)
    if data.startswith(b"BM"):
        return _bmp(data)
    return _webp(data) if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def check_picture(data: bytes, most_side_px: int = MOST_SIDE_PX) -> Size:
    """Return the size of a picture that may be unpacked; raise Unreadable if none, or larger than is read."""
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
