"""Pictures of strangers: their size is known before they are unpacked."""

import io
import struct
import zlib

import cv2
import numpy as np
import pytest

from intake.errors import Unreadable
from intake.pictures import check_picture, size_of

PICTURE = np.zeros((37, 52, 3), np.uint8)
FORMS = (".png", ".jpg", ".bmp", ".webp")


def encoded(form: str, *options: int) -> bytes:
    return bytes(cv2.imencode(form, PICTURE, options)[1])


def png_of(width: int, height: int) -> bytes:
    """Return a small PNG file that unpacks to a picture of this size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))

    rows = zlib.compressobj(9)
    out = io.BytesIO()
    for _row in range(height):
        out.write(rows.compress(bytes(1 + (width + 7) // 8)))
    out.write(rows.flush())
    shape = struct.pack(">LLBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", shape) + chunk(b"IDAT", out.getvalue()) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_s_size_is_what_opencv_unpacks(form: str) -> None:
    assert check_picture(encoded(form)) == (52, 37)


def test_all_forms_of_webp_and_bmp_are_known() -> None:
    assert check_picture(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101)) == (52, 37)  # without loss
    canvas = b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<L", 10) + bytes(4) + bytes([51, 0, 0, 36, 0, 0])
    assert size_of(canvas) == (52, 37)
    assert size_of(b"RIFF\0\0\0\0WEBPANIM" + bytes(30)) is None
    assert size_of(b"BM" + bytes(12) + struct.pack("<LHHHH", 12, 52, 37, 1, 24)) == (52, 37)
    assert size_of(b"BM" + bytes(12) + struct.pack("<Lll", 40, 52, -37)) == (52, 37)


def test_a_small_file_of_a_large_picture_is_refused_unread() -> None:
    data = png_of(30_000, 30_000)
    assert len(data) < 150_000
    with pytest.raises(Unreadable, match=r"^30000x30000 pixels are too many; at most 6000 across$"):
        check_picture(data)


def test_a_picture_packed_in_endless_steps_is_refused() -> None:
    plain = encoded(".jpg")
    with pytest.raises(Unreadable, match=r"^packed in more parts than any camera or program makes$"):
        check_picture(plain[:-2] + b"\xff\xda\0\x02" * 100 + plain[-2:])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b"GIF89a" + bytes(100), "not a readable picture (PNG, JPEG, BMP or WebP)"),
        (b"\x89PNG\r\n\x1a\n", "not a readable picture (PNG, JPEG, BMP or WebP)"),
        (b"\xff\xd8\xff\xe0\0\0", "not a readable picture (PNG, JPEG, BMP or WebP)"),
        (b"BM", "not a readable picture (PNG, JPEG, BMP or WebP)"),
        (b"RIFF\0\0\0\0WEBP", "not a readable picture (PNG, JPEG, BMP or WebP)"),
        (png_of(0, 0), "a picture without any pixels"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        check_picture(data)
    assert str(refused.value) == why
