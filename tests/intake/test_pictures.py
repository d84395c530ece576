"""Pictures of strangers: their size is known before they are unpacked, and only their pixels may stay."""

import io
import struct
import zlib

import cv2
import numpy as np
import pytest

from intake import jpeg
from intake.errors import Unreadable
from intake.pictures import check_picture, size_of, strip_metadata
from tests.metadata import chunk, laden_jpeg, laden_png, png_kinds, segment

PICTURE = np.zeros((37, 52, 3), np.uint8)
FORMS = (".png", ".jpg", ".bmp", ".webp")


def encoded(form: str, *options: int) -> bytes:
    return bytes(cv2.imencode(form, PICTURE, options)[1])


def png_of(width: int, height: int) -> bytes:
    """Return a small PNG file that unpacks to a picture of this size."""
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


def test_a_small_file_of_a_large_picture_or_of_endless_steps_is_refused_unread() -> None:
    data = png_of(30_000, 30_000)
    assert len(data) < 150_000
    with pytest.raises(Unreadable, match=r"^30000x30000 pixels are too many; at most 6000 across$"):
        check_picture(data)
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


# ---- the pixels alone ---------------------------------------------------------------------------

WORDS = b"Zo\xc3\xab Quill, 52.5 N 13.4 E"
NOISE = np.random.default_rng(4).integers(0, 256, (48, 64, 3), np.uint8)


def packed(kind: str, *options: int) -> bytes:
    return cv2.imencode(kind, NOISE, list(options))[1].tobytes()


def decoded(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


JPEGS = {
    "baseline": packed(".jpg"),
    "progressive": packed(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "restarts": packed(".jpg", cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
}


@pytest.mark.parametrize("data", JPEGS.values(), ids=JPEGS)
def test_of_a_jpeg_file_the_pixels_stay_and_nothing_else(data: bytes) -> None:
    laden = laden_jpeg(data, WORDS)
    assert laden.count(WORDS) == 8
    assert np.array_equal(decoded(laden), decoded(data))
    assert strip_metadata(laden) == data


def test_of_a_png_file_the_pixels_stay_and_nothing_else() -> None:
    data = packed(".png")
    laden = laden_png(data, WORDS)
    assert laden.count(WORDS) == 5
    assert strip_metadata(laden) == data
    assert set(png_kinds(strip_metadata(laden))) == {b"IHDR", b"IDAT", b"IEND"}


def test_a_palette_and_what_is_clear_in_it_stay() -> None:
    data = packed(".png")
    parts = chunk(b"PLTE", bytes(3)) + chunk(b"tRNS", b"\0")
    assert strip_metadata(data[:33] + parts + chunk(b"iCCP", b"x") + data[33:]) == data[:33] + parts + data[33:]


def test_how_the_colours_were_turned_stays_and_no_more_of_that_record() -> None:
    data = JPEGS["baseline"]
    adobe = b"Adobe\0\x64\0\0\0\0\x01"
    laden = data[:2] + segment(0xEE, adobe + WORDS) + segment(0xEE, WORDS) + data[2:]
    assert strip_metadata(laden) == data[:2] + segment(0xEE, adobe) + data[2:]


def test_a_file_is_bare_only_once_and_markers_may_be_filled_up() -> None:
    for data in (laden_jpeg(JPEGS["progressive"], WORDS), laden_png(packed(".png"), WORDS)):
        assert strip_metadata(strip_metadata(data)) == strip_metadata(data)
    data = JPEGS["baseline"]
    assert strip_metadata(data[:2] + b"\xff\xff\x01\xff\xff" + data[2:]) == data[:2] + data[2:]


@pytest.mark.parametrize("data", [*JPEGS.values(), packed(".png")])
def test_a_file_that_was_cut_off_anywhere_is_told(data: bytes) -> None:
    for at in range(len(data) - 1):
        with pytest.raises(Unreadable):
            strip_metadata(data[:at])


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a", jpeg.START, jpeg.START + b"\xff", jpeg.START + b"x", jpeg.START + b"\xff\xe1\x00\x01"],
)
def test_what_is_no_picture_is_not_stripped(data: bytes) -> None:
    with pytest.raises(Unreadable):
        strip_metadata(data)
