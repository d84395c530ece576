"""Pictures packed and unpacked: what is kept of a file looks to the eye as the file did, and has nothing else in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.metadata import laden_jpeg, laden_png, segment
from vision.errors import PictureError
from vision.frame import bare_of, jpeg_of, picture_of
from vision.geometry import Picture

WORDS = b"Zo\xc3\xab Quill"
TURNED = range(2, 9)


@pytest.fixture(scope="module")
def picture() -> Picture:
    """Something smooth that looks otherwise from every side."""
    across, down = np.meshgrid(np.linspace(0, 255, 640), np.linspace(0, 255, 640))
    return np.dstack([across, down, 255 - (across + down) / 2])[:480].astype(np.uint8)


def png_of(picture: Picture) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


def test_a_picture_that_was_held_upright_is_not_packed_anew(picture: Picture) -> None:
    for data, laden in ((jpeg_of(picture, 90), laden_jpeg), (png_of(picture), laden_png)):
        assert bare_of(laden(data, WORDS), "photo") == data


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", TURNED)
def test_a_turned_photo_is_read_the_same_way_up_without_its_record(
    picture: Picture, orientation: int, form: str
) -> None:
    packed, lade = (jpeg_of(picture, 95), laden_jpeg) if form == "JPEG" else (png_of(picture), laden_png)
    laden = lade(packed, WORDS, orientation)
    seen = picture_of(laden, "photo")
    assert not np.array_equal(seen, picture_of(packed, "photo")), "the eye heeds the record"
    plain = bare_of(laden, "photo")
    assert WORDS not in plain
    assert b"Exif" not in plain
    told = picture_of(plain, "photo")
    assert told.shape == seen.shape
    assert np.abs(told.astype(int) - seen).mean() < 1


def test_a_file_with_something_between_its_parts_is_refused(picture: Picture) -> None:
    data = jpeg_of(picture, 95)
    length = 2 + 2 + int.from_bytes(data[4:6], "big")
    with pytest.raises(PictureError, match=r"^photo: not a readable picture"):
        bare_of(data[:length] + WORDS + data[length:], "photo")


def test_colours_that_hang_on_a_record_stay(picture: Picture) -> None:
    """A JPEG file of plain red, green and blue says so in a record of Adobe's alone."""
    data = jpeg_of(picture, 95)
    length = 2 + int.from_bytes(data[4:6], "big")
    data = data[:2] + segment(0xEE, b"Adobe\0\x64\0\0\0\0\0" + WORDS) + data[2 + length :]
    plain = bare_of(data, "photo")
    assert WORDS not in plain
    assert np.array_equal(picture_of(plain, "photo"), picture_of(data, "photo"))


def test_what_is_no_picture_is_told() -> None:
    with pytest.raises(PictureError, match="photo"):
        bare_of(b"nothing", "photo")


def test_a_photo_larger_than_the_eye_works_with_becomes_smaller() -> None:
    large = np.full((3000, 4000, 3), 90, np.uint8)
    plain = picture_of(bare_of(jpeg_of(large, 95), "photo"), "photo")
    assert plain.shape == (1440, 1920, 3)
