"""Frames from a folder of pictures, from a device, and what is said where there is neither."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import DeviceCamera, open_camera
from vision.errors import CameraError, PictureError


def picture(shade: int) -> np.ndarray:
    return np.full((480, 640, 3), shade, np.uint8)


def test_a_folder_plays_its_pictures_by_name_and_the_last_one_stays(tmp_path: Path) -> None:
    for name, shade in (("b.png", 20), ("a.PNG", 10), ("notes.txt", 0)):
        (tmp_path / name).write_bytes(cv2.imencode(".png", picture(shade))[1].tobytes())
    camera = open_camera(str(tmp_path))
    assert [int(camera.frame()[0, 0, 0]) for _ in range(3)] == [10, 20, 20]
    camera.close()


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no picture"):
        open_camera(str(tmp_path))


def test_a_broken_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"not a picture")
    with pytest.raises(PictureError, match=r"a\.jpg"):
        open_camera(str(tmp_path)).frame()


def test_what_is_no_camera_is_told_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CameraError, match="/dev/video97: there is no such camera"):
        open_camera("97")
    with pytest.raises(CameraError, match="nowhere: no camera's number, device, or folder of pictures"):
        open_camera(str(tmp_path / "nowhere"))
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(CameraError, match="file: no camera that can be opened"):
        open_camera(str(tmp_path / "file"))
    assert capfd.readouterr() == ("", "")


class Device:
    """A camera driver that gives one frame and then nothing."""

    def __init__(self, name: str, backend: int) -> None:
        self.frames = [picture(7)]
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, key: int, value: float) -> bool:
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        return (True, self.frames.pop()) if self.frames else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_device_gives_frames_until_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    (tmp_path / "video0").touch()
    camera = open_camera(str(tmp_path / "video0"))
    assert isinstance(camera, DeviceCamera)
    assert camera.frame().shape == (480, 640, 3)
    with pytest.raises(CameraError, match="video0: the camera gave no picture"):
        camera.frame()
    camera.close()
