"""Pictures from files, strangers' too: read as ever, packed bare, or refused in a sentence that names the file."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile import pictures
from tests.metadata import laden_jpeg, laden_png, segment
from vision.errors import PictureError, TableError
from vision.frame import checked_picture, fit_to_size, jpeg_of, load_picture, picture_of, without_metadata
from vision.geometry import Picture
from vision.table import Table


def blank(width: int, height: int) -> np.ndarray:
    return np.full((height, width, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((480, 640), np.uint8), "not a colour picture"),
        (np.zeros((480, 640, 3), np.float32), "not a colour picture"),
        (blank(320, 240), "too few"),
        (blank(6100, 500), "too many"),
    ],
)
def test_pictures_of_no_use_are_refused(picture: np.ndarray, said: str) -> None:
    with pytest.raises(PictureError, match=said):
        checked_picture(picture, "it")


@pytest.mark.parametrize("size", [(1280, 960), (960, 720), (640, 480)])
def test_a_frame_of_the_same_aspect_is_rescaled(size: tuple[int, int]) -> None:
    assert fit_to_size(blank(*size), (640, 480), "it").shape == (480, 640, 3)
    with pytest.raises(PictureError, match="calibrated at 640x480"):
        fit_to_size(blank(1280, 720), (640, 480), "it")


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
        assert without_metadata(laden(data, WORDS), "photo") == data


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", TURNED)
def test_a_turned_photo_is_read_the_same_way_up_without_its_record(
    picture: Picture, orientation: int, form: str
) -> None:
    packed, lade = (jpeg_of(picture, 95), laden_jpeg) if form == "JPEG" else (png_of(picture), laden_png)
    laden = lade(packed, WORDS, orientation)
    seen = picture_of(laden, "photo")
    assert not np.array_equal(seen, picture_of(packed, "photo")), "the eye heeds the record"
    plain = without_metadata(laden, "photo")
    assert WORDS not in plain
    assert b"Exif" not in plain
    told = picture_of(plain, "photo")
    assert told.shape == seen.shape
    assert np.abs(told.astype(int) - seen).mean() < 1


def test_a_file_with_something_between_its_parts_is_refused(picture: Picture) -> None:
    data = jpeg_of(picture, 95)
    length = 2 + 2 + int.from_bytes(data[4:6], "big")
    with pytest.raises(PictureError, match=r"^photo: not a readable picture"):
        without_metadata(data[:length] + WORDS + data[length:], "photo")
    with pytest.raises(PictureError, match="photo"):
        without_metadata(b"nothing", "photo")


def test_colours_that_hang_on_a_record_stay(picture: Picture) -> None:
    """A JPEG file of plain red, green and blue says so in a record of Adobe's alone."""
    data = jpeg_of(picture, 95)
    length = 2 + int.from_bytes(data[4:6], "big")
    data = data[:2] + segment(0xEE, b"Adobe\0\x64\0\0\0\0\0" + WORDS) + data[2 + length :]
    plain = without_metadata(data, "photo")
    assert WORDS not in plain
    assert np.array_equal(picture_of(plain, "photo"), picture_of(data, "photo"))


def test_a_photo_larger_than_the_eye_works_with_becomes_smaller() -> None:
    large = np.full((3000, 4000, 3), 90, np.uint8)
    plain = picture_of(without_metadata(jpeg_of(large, 95), "photo"), "photo")
    assert plain.shape == (1440, 1920, 3)


@pytest.mark.parametrize("case", pictures.REFUSED)
def test_a_hostile_picture_is_refused(
    case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # an earlier test's thread may still be about to end
    make, why = pictures.REFUSED[case]
    path = tmp_path / "photo.png"
    path.write_bytes(make())
    with pytest.raises(PictureError) as refused:
        load_picture(path)
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert why in said
    assert "\n" not in said
    assert capfd.readouterr().err == "", "the libraries say nothing of their own"


@pytest.mark.parametrize("form", [".png", ".jpg", ".bmp", ".webp"])
def test_honest_pictures_are_read_as_ever(form: str, tmp_path: Path) -> None:
    data = pictures.picture(form)
    path = tmp_path / f"photo{form}"
    path.write_bytes(data)
    plain = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(load_picture(path), np.asarray(plain))


def test_a_picture_held_upright_is_turned() -> None:
    """The width and height of its head are the other way round then; tables and frames go by the turned one."""
    plain = pictures.picture(".jpg")
    turned = b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"
    data = plain[:2] + b"\xff\xe1" + (len(turned) + 8).to_bytes(2, "big") + b"Exif\0\0" + turned + plain[2:]
    assert picture_of(plain, "it").shape == (600, 800, 3)
    assert picture_of(data, "it").shape == (800, 600, 3)


@pytest.mark.parametrize("read", [load_picture, Table.load])
def test_a_pipe_or_a_device_holds_nobody_up(read: object, tmp_path: Path) -> None:
    assert callable(read)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises((PictureError, TableError), match=f"^{path}: not a plain file$"):
            read(path)
    with pytest.raises((PictureError, TableError), match="can't be read"):
        read(tmp_path / "none")
    with pytest.raises((PictureError, TableError), match="not a possible file name"):
        read("a\0b")
