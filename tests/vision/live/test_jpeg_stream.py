"""Motion JPEG cut into its files, however the bytes come."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from vision.frame import jpeg_of
from vision.live import rpicam
from vision.live.rpicam import JpegStream


def file_of(seed: int) -> bytes:
    picture = np.random.default_rng(seed).integers(0, 256, (48, 64, 3), np.uint8)
    return jpeg_of(picture)


def inside(data: bytes, segment: bytes) -> bytes:
    """Return a JPEG file with one more segment in front."""
    return data[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + data[2:]


def fed(data: bytes, sizes: list[int]) -> list[bytes]:
    """Return the files of a stream whose bytes come in parts of these sizes, then one by one."""
    stream, found, at = JpegStream(), [], 0
    for size in sizes + [1] * len(data):
        newest = stream.feed(data[at : at + size])
        found += [newest] if newest is not None else []
        at += size
    return found


@pytest.mark.parametrize("seed", range(20))
def test_files_come_out_as_they_went_in_however_they_are_split(seed: int) -> None:
    files = [file_of(n) for n in range(3)]
    generator = random.Random(seed)
    assert fed(b"".join(files), [generator.randint(1, 400) for _ in range(200)]) == files


def test_the_newest_of_several_is_told() -> None:
    files = [file_of(n) for n in range(3)]
    assert JpegStream().feed(b"".join(files)) == files[-1]


def test_an_end_within_a_segment_ends_nothing() -> None:
    file = inside(file_of(0), b"thumbnail: \xff\xd8 \xff\xd9")
    assert fed(file * 2, []) == [file, file]


def test_a_file_with_several_scans_and_rows_of_its_own_is_whole() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (48, 64, 3), np.uint8)
    for option in ([cv2.IMWRITE_JPEG_PROGRESSIVE, 1], [cv2.IMWRITE_JPEG_RST_INTERVAL, 1]):
        file = cv2.imencode(".jpg", picture, option)[1].tobytes()
        assert fed(file * 2, []) == [file, file]


def test_fill_before_a_marker_belongs_to_the_file() -> None:
    file = file_of(0)
    filled = file[:2] + b"\xff\xff\xff" + file[2:]
    assert fed(filled, []) == [filled]


@pytest.mark.parametrize("between", [b"Recording started\n", b"\xff", b"\xff\xff\x00", b"\xd8\xff\xd9", b"\xff\xd8 no"])
def test_what_is_no_file_is_passed_over(between: bytes) -> None:
    file = file_of(0)
    assert fed(between + file + between + file, [])[-1] == file


@pytest.mark.parametrize("kept", [2, 3, 30, 200, 1000])
def test_one_that_breaks_off_is_dropped(kept: int) -> None:
    file, other = file_of(0), file_of(1)
    assert fed(file[:kept] + other * 3, [])[-1] == other


@pytest.mark.parametrize("length", [b"\x00\x00", b"\x00\x01"])
def test_a_length_that_makes_no_sense_breaks_the_file(length: bytes) -> None:
    file = file_of(0)
    assert fed(b"\xff\xd8\xff\xe0" + length + file, []) == [file]


def test_what_never_ends_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpicam, "MOST_FILE_BYTES", 10_000)
    stream, file = JpegStream(), file_of(0)
    endless = file[:-2] + bytes(11_000)
    assert stream.feed(endless) is None
    assert stream.feed(file) == file
