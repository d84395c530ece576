"""Pictures without anything but their pixels: what may stay, what goes, and files whose parts cannot be told apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from intake import jpeg
from intake.errors import Unreadable
from intake.pictures import strip_metadata
from tests.metadata import chunk, laden_jpeg, laden_png, png_kinds, segment

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


def test_a_file_is_bare_only_once() -> None:
    for data in (laden_jpeg(JPEGS["progressive"], WORDS), laden_png(packed(".png"), WORDS)):
        assert strip_metadata(strip_metadata(data)) == strip_metadata(data)


def test_markers_may_be_filled_up_and_stand_alone() -> None:
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
def test_what_is_no_picture_is_told(data: bytes) -> None:
    with pytest.raises(Unreadable):
        strip_metadata(data)
