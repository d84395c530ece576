"""Frames from a folder of pictures, from a device, and what is said where there is neither."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import CameraError, PictureError
from vision.live.camera import DeviceCamera, open_camera


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
    with pytest.raises(CameraError, match="/dev/v4l/by-id/none: there is no such camera"):
        open_camera("/dev/v4l/by-id/none")
    with pytest.raises(CameraError, match="nowhere: not a camera number, device or folder of pictures"):
        open_camera(str(tmp_path / "nowhere"))
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(CameraError, match="file: no working camera"):
        open_camera(str(tmp_path / "file"))
    assert capfd.readouterr() == ("", "")


class Device:
    """A camera driver that has kept some frames, then gives new ones, each of which takes its time, then nothing."""

    now_s = 0.0
    kept: int = 0
    new: int = 2

    def __init__(self, name: str, backend: int) -> None:
        self.frames = [0.0] * Device.kept + [0.05] * Device.new
        self.shade = 0
        self.asked: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, key: int, value: float) -> bool:
        self.asked[key] = value
        return True

    def grab(self) -> bool:
        if not self.frames:
            return False
        Device.now_s += self.frames.pop(0)
        self.shade += 1
        return True

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        return (True, picture(self.shade)) if self.shade < 90 else (False, None)

    def release(self) -> None:
        self.released = True


def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: int, new: int) -> DeviceCamera:
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    monkeypatch.setattr(Device, "kept", kept)
    monkeypatch.setattr(Device, "new", new)
    return DeviceCamera(tmp_path / "video0", (1280, 960), lambda: Device.now_s)


def test_a_device_gives_frames_until_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    camera = opened(monkeypatch, tmp_path, kept=0, new=1)
    assert camera.frame().shape == (480, 640, 3)
    with pytest.raises(CameraError, match="video0: the camera gave no picture"):
        camera.frame()
    camera.close()
    assert camera._capture.released  # type: ignore[attr-defined]


def test_a_frame_that_cannot_be_unpacked_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    camera = opened(monkeypatch, tmp_path, kept=0, new=1)
    camera._capture.shade = 99  # type: ignore[attr-defined]
    with pytest.raises(CameraError, match="gave no picture"):
        camera.frame()


def test_frames_that_the_driver_has_kept_are_thrown_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    camera = opened(monkeypatch, tmp_path, kept=3, new=2)
    assert int(camera.frame()[0, 0, 0]) == 4, "the first one that was waited for"
    assert int(camera.frame()[0, 0, 0]) == 5


def test_a_driver_that_never_waits_is_believed_in_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert int(opened(monkeypatch, tmp_path, kept=50, new=0).frame()[0, 0, 0]) == 5


def test_a_device_is_asked_for_the_tables_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    (tmp_path / "video0").touch()
    for size, wanted in (((800, 600), (800, 600)), (None, (1920, 1440))):
        camera = open_camera(str(tmp_path / "video0"), size)
        assert isinstance(camera, DeviceCamera)
        asked = camera._capture.asked  # type: ignore[attr-defined]
        assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == wanted


def test_a_folder_plays_what_is_put_into_it_later(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), picture(10))
    camera = open_camera(str(tmp_path))
    first = camera.frame()
    assert camera.frame() is first
    cv2.imwrite(str(tmp_path / "2.png"), picture(20))
    assert int(camera.frame()[0, 0, 0]) == 20


def test_a_folder_that_goes_away_is_a_camera_that_is_unplugged(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), picture(10))
    camera = open_camera(str(folder))
    camera.frame()
    (folder / "1.png").unlink()
    with pytest.raises(CameraError, match="the pictures are gone"):
        camera.frame()
    folder.rmdir()
    with pytest.raises(CameraError, match="can't be listed"):
        camera.frame()
