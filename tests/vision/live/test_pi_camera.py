"""A camera on a Pi's own connector, with a picamera2 of ours in the place of the system's."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import PATIENCE_S
from tests.vision.tables import pictures
from vision.errors import CameraError
from vision.geometry import Picture
from vision.live import pi_camera, picamera_frames
from vision.live.camera import open_camera
from vision.live.pi_camera import PiCamera, csi_number, picture_of
from vision.live.picamera_frames import FAULT, FRAME, HEAD, controls, write

PICAMERA2 = '''
"""Plays picamera2: pictures whose grey tells how many were taken, with whatever fault the file `fault` names."""
import json, os, pathlib, sys, time
HERE = pathlib.Path(__file__).parent

def fault():
    return (HERE / "fault").read_text() if (HERE / "fault").exists() else ""

class Picamera2:
    def __init__(self, number):
        self.number, self.taken = number, 0
        self.sensor_modes = [
            {"size": (640, 480), "bit_depth": 10, "crop_limits": (1000, 752, 1280, 960)},
            {"size": (1640, 1232), "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
            {"size": (3280, 2464), "bit_depth": 10, "crop_limits": (0, 0, 3280, 2464)},
        ]
        self.camera_controls = {"FrameDurationLimits": (1, 2, 3), "AfMode": (0, 2, 0)}
        if fault() == "busy":
            raise RuntimeError("Camera __init__ sequence\\ndid not complete.")

    @staticmethod
    def global_camera_info():
        return [{"Num": 0, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}, {"Num": 1, "Id": "/base/scb/pcie/usb1-1"}]

    def create_video_configuration(self, **wanted):
        (HERE / "wanted").write_text(json.dumps(wanted))
        return wanted

    def configure(self, wanted):
        width, height = wanted["main"]["size"]
        self.main = {"size": (width, height), "stride": (width + 63) // 64 * 64, "format": "YUV420"}

    def camera_configuration(self):
        return {"main": self.main}

    def start(self):
        print("libraries print whatever they like")

    def capture_buffer(self, name):
        self.taken += 1
        if fault() == "hang" and self.taken > 1:
            time.sleep(600)
        if fault() == "die" and self.taken > 1:
            os._exit(3)
        (width, height), stride = self.main["size"], self.main["stride"]
        luma = bytes([16 + 10 * self.taken]) * (height * stride)
        return luma + bytes([128]) * (height // 2 * stride)
'''
LIBCAMERA = """
class ColorSpace:
    @staticmethod
    def Smpte170m():
        return "Smpte170m"
"""


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the stand-in system's packages."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "picamera2.py").write_text(PICAMERA2)
    (folder / "libcamera.py").write_text(LIBCAMERA)
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("GUNBAI_SYSTEM_PYTHON", str(python))
    monkeypatch.setenv("GUNBAI_RPICAM_VID", "/no/rpicam-vid")
    monkeypatch.setattr(pi_camera, "STARTING_S", PATIENCE_S)
    monkeypatch.setattr(pi_camera, "FRAME_S", PATIENCE_S)
    monkeypatch.setenv("PYTHONPATH", "/nothing/of/ours/may/be/imported/there")
    return folder


@pytest.fixture
def camera(system: Path) -> Iterator[PiCamera]:
    made = open_camera("csi:0", (650, 480))
    assert isinstance(made, PiCamera)
    yield made
    made.close()


def grey(n: int) -> int:
    """Return the grey that the n-th picture shows: in limited range, as a table's photo would be."""
    return round((10 * n) * 255 / 219)


def test_frames_come_one_for_one(camera: PiCamera, system: Path) -> None:
    for n in (1, 2, 3):
        frame = camera.frame()
        assert frame.shape == (480, 650, 3)
        assert frame.dtype == np.uint8
        assert np.abs(frame.astype(int) - grey(n)).max() <= 1
    wanted = (system / "wanted").read_text()
    assert '"sensor": {"output_size": [1640, 1232], "bit_depth": 10}' in wanted
    assert '"AfMode": 2' in wanted
    assert '"queue": false' in wanted


@pytest.mark.parametrize("listens", [True, False])
def test_closing_ends_its_process(camera: PiCamera, listens: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    camera.frame()
    if not listens:
        monkeypatch.setattr(pi_camera, "END_S", 0.05)
        os.kill(camera.pid, signal.SIGSTOP)
    camera.close()
    with pytest.raises(ProcessLookupError):
        os.kill(camera.pid, 0)


def test_a_capture_that_blocks_is_ended(camera: PiCamera, system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (system / "fault").write_text("hang")
    monkeypatch.setattr(pi_camera, "FRAME_S", 0.2)
    camera.frame()
    with pytest.raises(CameraError, match="csi:0: the camera gave no picture in time"):
        camera.frame()
    camera.close()
    (system / "fault").unlink()
    again = open_camera("csi:0", (640, 480))
    assert again.frame().shape == (480, 640, 3)
    again.close()


def test_a_process_that_dies_is_a_fault(camera: PiCamera, system: Path) -> None:
    (system / "fault").write_text("die")
    camera.frame()
    for _ in range(2):
        with pytest.raises(CameraError, match="process has ended"):
            camera.frame()


@pytest.mark.parametrize(
    ("number", "spoil", "told"),
    [
        (0, lambda system: (system / "fault").write_text("busy"), r"Camera __init__ sequence did not complete\.$"),
        (1, lambda system: None, "there is no such camera$"),
        (0, lambda system: (system / "picamera2.py").unlink(), "the system has no picamera2"),
    ],
    ids=["what picamera2 says", "a USB camera is none of the connectors", "a system without picamera2"],
)
def test_what_keeps_it_from_starting_is_told_in_a_sentence(
    system: Path, number: int, spoil: Callable[[Path], object], told: str
) -> None:
    spoil(system)
    camera = PiCamera(number, (640, 480))
    with pytest.raises(CameraError, match=f"csi:{number}: {told}"):
        camera.frame()
    camera.close()


def test_a_process_that_speaks_nonsense_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho a line that is long enough to be a head\ncat\n")
    python.chmod(0o755)
    monkeypatch.setenv("GUNBAI_SYSTEM_PYTHON", str(python))
    camera = PiCamera(0, (640, 480))
    with pytest.raises(CameraError, match="received something that isn't a picture"):
        camera.frame()
    camera.close()
    monkeypatch.setenv("GUNBAI_SYSTEM_PYTHON", "/no/python3")
    with pytest.raises(CameraError, match=r"csi:0: /no/python3 can't be run \(No such file or directory\)"):
        PiCamera(0, (640, 480))
    assert [csi_number(spec) for spec in ("csi:0", "csi:12", "csi:", "csi:x", "0")] == [0, 12, None, None, None]


def packed(picture: Picture, stride: int) -> bytes:
    """Return a picture as planar YUV 4:2:0 with rows of `stride` bytes."""
    width = picture.shape[1]
    wide = cv2.copyMakeBorder(picture, 0, 0, 0, stride - width, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(wide, cv2.COLOR_BGR2YUV_I420), np.uint8).tobytes()


@pytest.mark.parametrize("stride", [640, 704])
def test_a_table_looks_as_it_does(stride: int) -> None:
    picture = pictures().start.picture
    back = picture_of(packed(picture, stride), (640, 480), stride)
    assert back.shape == picture.shape
    assert np.abs(cv2.blur(back, (5, 5)).astype(int) - cv2.blur(picture, (5, 5))).mean() < 3


@pytest.mark.parametrize(
    ("size", "stride", "n"),
    [
        *(((640, 480), 639, 10**6), ((640, 480), 640, 1000), ((640, 481), 640, 10**6)),
        *((size, 64, 1000) for size in ((0, 0), (2, 0), (0, 2), (2, 2))),
    ],
)
def test_sizes_that_do_not_fit_are_refused(size: tuple[int, int], stride: int, n: int) -> None:
    with pytest.raises(CameraError, match="cannot have"):
        picture_of(bytes(n), size, stride)


def test_only_what_the_camera_knows_is_set() -> None:
    assert set(controls({"FrameDurationLimits": None})) == {"FrameDurationLimits"}


def test_a_fault_is_written_behind_its_head() -> None:
    out = io.BytesIO()
    write(out, FAULT, (0, 0, 0), b"no")
    assert HEAD.unpack(out.getvalue()[: HEAD.size]) == (FAULT, 0, 0, 0, 2)


def test_nobody_waits_for_ever_while_it_starts(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_camera, "STARTING_S", 0.0)
    camera = PiCamera(0, (640, 480))
    with pytest.raises(CameraError, match="in time"):
        camera.frame()
    camera.close()


# ---- the same program's parts in this process ------------------------------------------------------


@pytest.fixture
def played(system: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the stand-in for picamera2 where this process imports it."""
    monkeypatch.syspath_prepend(str(system))
    yield
    for name in ("picamera2", "libcamera"):
        sys.modules.pop(name, None)


def test_one_frame_for_each_byte_and_none_of_a_camera_that_is_not_there(played: None) -> None:
    out = io.BytesIO()
    asked = Asked(3)
    with pytest.raises(KeyboardInterrupt):
        picamera_frames.serve(out, 0, (640, 480), asked)  # type: ignore[arg-type]
    frame = HEAD.size + 480 * 3 // 2 * 640
    assert len(out.getvalue()) == 3 * frame
    assert HEAD.unpack(out.getvalue()[frame : frame + HEAD.size]) == (FRAME, 640, 480, 640, frame - HEAD.size)
    with pytest.raises(LookupError, match="there is no such camera"):
        picamera_frames.start_camera(1, (640, 480))


class Asked:
    """So many frames are asked for, then it is over."""

    def __init__(self, n: int) -> None:
        self.left = n

    def acquire(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_bytes_are_counted_until_the_app_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    reading, writing = os.pipe()
    asked = picamera_frames.count_requests(reading)
    os.write(writing, b"..")
    assert asked.acquire(timeout=PATIENCE_S)
    assert asked.acquire(timeout=PATIENCE_S)
    os.close(writing)
    for thread in threading.enumerate():
        if thread.name == "asked":
            thread.join(PATIENCE_S)
    assert ended == [0]
    os.close(reading)
