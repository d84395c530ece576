"""Pictures from files, and pictures of the wrong form or size."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.frame import checked_picture, fit_to_size, load_picture


def blank(width: int, height: int) -> np.ndarray:
    return np.full((height, width, 3), 90, np.uint8)


def test_a_picture_is_read_as_bgr(tmp_path: Path) -> None:
    picture = blank(640, 480)
    picture[..., 2] = 200
    cv2.imwrite(str(tmp_path / "red.png"), picture)
    assert np.array_equal(load_picture(tmp_path / "red.png"), picture)


@pytest.mark.parametrize(
    ("content", "said"), [(None, "can't be read"), (b"", "empty"), (b"no picture", "not a readable picture")]
)
def test_an_unreadable_picture_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "broken.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PictureError, match=rf"broken\.jpg: .*{said}"):
        load_picture(path)


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


def test_a_frame_of_another_aspect_is_refused() -> None:
    with pytest.raises(PictureError, match="calibrated at 640x480"):
        fit_to_size(blank(1280, 720), (640, 480), "it")
