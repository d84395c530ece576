"""Pictures that a stranger may bring: small files that unpack to gigabytes, endless and damaged ones, other kinds."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

import cv2
import numpy as np

PNG = b"\x89PNG\r\n\x1a\n"
FRAME, FRAME_IN_STEPS, SCAN = 0xC0, 0xC2, 0xDA
IN_STEPS = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def png_of(width: int, height: int, more: bytes = b"", behind: bytes = b"") -> bytes:
    """Return a black PNG file of this size, of one bit a pixel.

    more: chunks ahead of the pixels; behind: after them.
    """
    rows = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    pixels = b"".join([*(rows.compress(row) for _ in range(height)), rows.flush()])
    shape = chunk(b"IHDR", struct.pack(">LLBBBBB", width, height, 1, 0, 0, 0, 0))
    return PNG + shape + more + chunk(b"IDAT", pixels) + behind + chunk(b"IEND", b"")


def zeros(count: int) -> bytes:
    """So many noughts, packed: a thousandth of it."""
    packer = zlib.compressobj(9)
    million = bytes(1_000_000)
    return b"".join([*(packer.compress(million) for _ in range(count // 1_000_000)), packer.flush()])


def png_with_texts(count: int = 300, kind: bytes = b"zTXt") -> bytes:
    """Each of its texts unpacks to seven megabytes."""
    ahead = b"\0\1\0\0\0" if kind == b"iTXt" else b"\0\0"
    text = zeros(7_000_000)
    return png_of(800, 600, b"".join(chunk(kind, b"k%d" % n + ahead + text) for n in range(count)))


def png_with_chunks(count: int = 100_000) -> bytes:
    """Of times at which it was changed, each of which is warned of."""
    return png_of(800, 600, chunk(b"tIME", b"\x07\xe0\1\1\1\1\1") * count)


@lru_cache(maxsize=32)
def picture(form: str, *options: int, size: tuple[int, int] = (800, 600)) -> bytes:
    """Return an honest picture file of that ending, showing coarse noise."""
    small = np.random.default_rng(1).integers(0, 256, (size[1] // 20, size[0] // 20, 3), dtype=np.uint8)
    whole = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    return bytes(cv2.imencode(form, whole, options)[1])


def jpeg_claiming(width: int, height: int) -> bytes:
    """Return a progressive JPEG file with every colour at full resolution that claims to be of this size."""
    data = bytearray(picture(".jpg", *IN_STEPS, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111))
    struct.pack_into(">HH", data, data.index(bytes([0xFF, FRAME_IN_STEPS])) + 5, height, width)
    return bytes(data)


def jpeg_with_hidden_size() -> bytes:
    """Where one reader sees a segment of 800x600 and another, which takes FF 00 for no marker, one of 30000x30000."""
    plain = picture(".jpg")
    at = plain.index(bytes([0xFF, FRAME]))
    length = struct.unpack_from(">H", plain, at + 2)[0]
    frame = bytearray(plain[at : at + 2 + length])
    struct.pack_into(">HH", frame, 5, 30_000, 30_000)
    return plain[:at] + b"\xff\0" + struct.pack(">H", 2 + len(frame)) + bytes(frame) + plain[at:]


def jpeg_with_segments(count: int = 2_000_000) -> bytes:
    """Of what a camera tells, empty: each is remembered by itself."""
    plain = picture(".jpg")
    return plain[:2] + b"\xff\xe1\0\x08Exif\0\0" * count + plain[2:]


def jpeg_with_scans(count: int = 1000) -> bytes:
    """Each a way through the whole picture."""
    plain = picture(".jpg", *IN_STEPS)
    first = plain.index(bytes([0xFF, SCAN]))
    second = plain.index(bytes([0xFF, SCAN]), first + 2)
    return plain[:first] + plain[first:second] * count + plain[second:]


def damaged(data: bytes) -> bytes:
    """With noise in its middle."""
    half = len(data) // 2
    return data[:half] + bytes((n * 7919 + 13) % 251 for n in range(400)) + data[half + 400 :]


def grain(size_px: int, size: tuple[int, int] = (5700, 4275)) -> bytes:
    """Return a large chequered picture with squares of this many pixels: a small file, full of outlines."""
    row, column = np.indices((size[1], size[0]))
    squares = (((row // size_px + column // size_px) & 1) * 255).astype(np.uint8)
    return bytes(cv2.imencode(".png", squares, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1])


def lattice(side_px: int = 50, every_px: int = 60, size: tuple[int, int] = (5700, 4275)) -> bytes:
    """Thousands of black squares, each as large as a marker that may be one."""
    row, column = np.indices((size[1], size[0]))
    white = (row % every_px >= side_px) | (column % every_px >= side_px)
    return bytes(cv2.imencode(".png", (white * 255).astype(np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 9])[1])


REFUSED: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "the file is empty"),
    "30000x30000 in 110 kB": (lambda: png_of(30_000, 30_000), "30000x30000 pixels are too many; at most 6000 across"),
    "6000x6000 in 4 kB": (lambda: png_of(6000, 6000), "6000x6000 pixels are too many; at most 24.5 million"),
    "a JPEG that claims much": (lambda: jpeg_claiming(65_000, 65_000), "65000x65000 pixels are too many"),
    "a JPEG with two sizes": (jpeg_with_hidden_size, "not a readable picture"),
    "a bitmap that claims much": (lambda: b"BM" + bytes(12) + struct.pack("<Lll", 40, 2**31 - 1, -1), "too many"),
    "no pixels": (lambda: png_of(0, 0), "a picture without any pixels"),
    "texts": (png_with_texts, "packed in more parts than any camera or program makes"),
    "texts of another kind": (lambda: png_with_texts(kind=b"iTXt"), "packed in more parts"),
    "chunks": (png_with_chunks, "packed in more parts"),
    "segments": (jpeg_with_segments, "not a readable picture"),
    "scans": (jpeg_with_scans, "packed in more parts"),
    "a large one in steps": (lambda: jpeg_claiming(5600, 4200), "take too much memory"),
    "a large one with a canvas": (
        lambda: b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<L", 10) + bytes(4) + b"\0\x13\0" * 2 + bytes(99),
        "take too much memory",
    ),
    "GIF": (lambda: b"GIF89a" + bytes(100), "not a readable picture"),
    "TIFF": (lambda: picture(".tiff"), "not a readable picture"),
    "JPEG 2000": (lambda: picture(".jp2"), "not a readable picture"),
    "PNM": (lambda: picture(".ppm"), "not a readable picture"),
    "cut off PNG": (lambda: picture(".png")[:2000], "not a readable picture"),
    "cut off JPEG": (lambda: picture(".jpg")[:2000], "not a readable picture"),
    "cut off WebP": (lambda: picture(".webp")[:2000], "not a readable picture"),
    "cut off bitmap": (lambda: picture(".bmp")[:2000], "not a readable picture"),
    "damaged PNG": (lambda: damaged(picture(".png")), "not a readable picture"),
    "its head alone": (lambda: picture(".png")[:33] + b"junk" * 30, "not a readable picture"),
    "small": (lambda: png_of(100, 100), "100x100 pixels are too few"),
}  # fmt: skip
"""Files that are no pictures to be read, and what is said of them."""

_LARGEST: Mapping[str, Callable[[], bytes]] = {
    "JPEG": lambda: picture(".jpg", size=(5700, 4275)),
    "JPEG in steps": lambda: picture(".jpg", *IN_STEPS, size=(5400, 4050)),
    "PNG": lambda: png_of(5700, 4275),
    "WebP": lambda: picture(".webp", cv2.IMWRITE_WEBP_QUALITY, 60, size=(5400, 4050)),
    "grain of a pixel": lambda: grain(1),
    "grain of twenty": lambda: grain(20),
    "lattice": lattice,
}
LARGEST = {name: cache(make) for name, make in _LARGEST.items()}
"""The largest pictures that are read, each taking as much memory as its kind may; drawn once."""
