"""Frames from folders and devices, and the camera's process: frames taken, shown and followed; faults told; its end."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile import messages
from tests.vision.tables import pictures, units_at_start
from vision.dice.reader import DiceReading
from vision.errors import CameraError, PictureError, TableError
from vision.geometry import Picture
from vision.live import camera_process
from vision.live.camera import FROZEN, FROZEN_S, DeviceCamera, FrameSource, open_camera
from vision.live.camera_process import (
    AGAIN_S,
    BEAT_S,
    PAUSE_S,
    CameraLoop,
    Reporter,
    TableEye,
    TableInUse,
    loop_of,
    run,
)
from vision.live.messages import Message, SharedPicture, read_message, reading_from, shared_file
from vision.live.printed import YesSquare
from vision.live.watcher import TableWatcher
from vision.table import mark_of_table, today_path


def picture(shade: int) -> np.ndarray:
    return np.full((480, 640, 3), shade, np.uint8)


def test_a_folder_plays_its_pictures_by_name_and_the_last_one_stays(tmp_path: Path) -> None:
    for name, shade in (("b.png", 20), ("a.PNG", 10), ("notes.txt", 0)):
        (tmp_path / name).write_bytes(cv2.imencode(".png", picture(shade))[1].tobytes())
    camera = open_camera(str(tmp_path))
    assert [int(camera.frame()[0, 0, 0]) for _ in range(3)] == [10, 20, 20]
    assert camera.frame() is camera.frame()
    cv2.imwrite(str(tmp_path / "c.png"), picture(30))
    assert int(camera.frame()[0, 0, 0]) == 30, "put into it later"
    camera.close()


def test_what_is_no_camera_is_told_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CameraError, match="/dev/video97: there is no such camera"):
        open_camera("97")
    with pytest.raises(CameraError, match="/dev/v4l/by-id/none: there is no such camera"):
        open_camera("/dev/v4l/by-id/none")
    with pytest.raises(CameraError, match="nowhere: not a camera number, device or folder of pictures"):
        open_camera(str(tmp_path / "nowhere"))
    with pytest.raises(CameraError, match="no picture"):
        open_camera(str(tmp_path))
    (tmp_path / "a.jpg").write_bytes(b"not a picture")
    with pytest.raises(PictureError, match=r"a\.jpg"):
        open_camera(str(tmp_path)).frame()
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
    camera._capture.frames, camera._capture.shade = [0.05], 99  # type: ignore[attr-defined]
    with pytest.raises(CameraError, match="gave no picture"):
        camera.frame()  # it can't be unpacked
    camera.close()
    assert camera._capture.released  # type: ignore[attr-defined]


def test_frames_that_the_driver_has_kept_are_thrown_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    camera = opened(monkeypatch, tmp_path, kept=3, new=2)
    assert int(camera.frame()[0, 0, 0]) == 4, "the first one that was waited for"
    assert int(camera.frame()[0, 0, 0]) == 5
    assert int(opened(monkeypatch, tmp_path, kept=50, new=0).frame()[0, 0, 0]) == 5, "one that never waits is believed"


@pytest.mark.parametrize("camera", messages.CAMERAS[:-1])
def test_a_camera_that_there_cannot_be_is_told(camera: str) -> None:
    with pytest.raises(CameraError):
        open_camera(camera)


def test_a_device_is_asked_for_the_tables_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    (tmp_path / "video0").touch()
    for size, wanted in (((800, 600), (800, 600)), (None, (1920, 1440))):
        camera = open_camera(str(tmp_path / "video0"), size)
        assert isinstance(camera, DeviceCamera)
        asked = camera._capture.asked  # type: ignore[attr-defined]
        assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == wanted


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


ROOT = Path(__file__).resolve().parents[3]


class Camera:
    """A camera that can be unplugged."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.plugged, self.noisy = True, False
        self.opened = self.closed = 0

    def open(self) -> FrameSource:
        self.opened += 1
        if not self.plugged:
            raise CameraError("there is no such camera")
        return self

    def frame(self) -> Picture:
        if not self.plugged:
            raise CameraError("the camera gave no picture")
        return self.picture

    def close(self) -> None:
        self.closed += 1


class Room:
    """A loop with its camera; what it told is kept."""

    def __init__(self, watched: bool) -> None:
        self.camera = Camera(pictures().start.picture)
        self.live = SharedPicture(shared_file())
        self.told: list[Message] = []
        table = pictures().table
        watcher = TableWatcher(table, TableEye(table)) if watched else None
        self.loop = CameraLoop(self.camera.open, self.live, watcher, Reporter(self.told.append))

    def run(self, n: int, first: int = 0) -> None:
        """Go round so many times, at the usual pace."""
        for step in range(first, first + n):
            self.loop.run_once(step * PAUSE_S)

    def states(self) -> list[str]:
        return [str(message.told["state"]) for message in self.told if message.told["told"] == "state"]


def test_without_a_table_pictures_are_shown() -> None:
    room = Room(watched=False)
    assert room.loop.run_once(1.0) == PAUSE_S
    assert np.array_equal(room.live.latest(), room.camera.picture)  # type: ignore[arg-type]
    assert room.states() == ["live"]


def test_a_yes_that_is_pressed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    room, asked = Room(watched=True), []

    def see(self: YesSquare, frame_bgr: Picture, still: bool, now_s: float) -> bool:
        asked.append(still)
        return len(asked) == 3

    monkeypatch.setattr(YesSquare, "see", see)
    room.run(30)
    assert [message for message in room.told if message.told["told"] == "yes"] == [Message({"told": "yes"})]
    assert not asked[0], "nothing is known of the first frame"
    assert asked[-1]


def test_a_camera_that_is_unplugged_is_opened_again() -> None:
    room = Room(watched=False)
    room.loop.run_once(1.0)
    room.camera.plugged = False
    assert room.loop.run_once(1.1) == AGAIN_S
    assert room.loop.run_once(2.1) == AGAIN_S
    assert room.told[-1].told["fault"] == "there is no such camera"
    assert room.camera.closed == 1
    room.camera.plugged = True
    assert room.loop.run_once(3.1) == PAUSE_S
    assert room.states() == ["live", "no-camera", "no-camera", "live"]
    assert room.camera.opened == 3


def test_a_driver_that_repeats_its_last_picture_is_a_fault_until_another_comes() -> None:
    room = Room(watched=True)
    room.camera.noisy = True
    room.run(14)
    assert room.states()[-1] == "settled"
    assert room.loop.run_once(FROZEN_S) == AGAIN_S
    assert (room.told[-1].told["state"], room.told[-1].told["fault"]) == ("no-camera", FROZEN)
    assert room.loop.run_once(FROZEN_S + AGAIN_S) == AGAIN_S, "it was opened again, and shows the same still"
    assert (room.camera.opened, room.camera.closed) == (2, 2)
    room.camera.picture = room.camera.picture.copy()
    room.camera.picture[7, 7] += 1
    assert room.loop.run_once(FROZEN_S + 2 * AGAIN_S) == PAUSE_S
    assert room.states()[-1] == "moving", "all is looked at anew"


@pytest.mark.parametrize(("noisy", "level"), [(False, 120), (True, 16)], ids=["pictures from a folder", "all black"])
def test_a_picture_may_stay_the_same_where_nothing_is_amiss(noisy: bool, level: int) -> None:
    room = Room(watched=False)
    room.camera.noisy, room.camera.picture = noisy, np.full((480, 640, 3), level, np.uint8)
    for i in range(20):
        assert room.loop.run_once(float(i)) == PAUSE_S


def test_signs_of_life_come_now_and_then() -> None:
    room = Room(watched=False)
    for i in range(17):
        room.loop.run_once(10 + i * BEAT_S / 4)
    assert room.states() == ["live"] * 5


def test_a_table_is_told_once_it_has_settled_and_a_knock() -> None:
    room = Room(watched=True)
    room.run(14)
    told = [message for message in room.told if message.told["told"] == "settled"]
    assert len(told) == 1
    reading, jpeg, dice = reading_from(told[0])
    assert reading.units == units_at_start()
    assert np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)).shape == (480, 640, 3)
    assert isinstance(dice, DiceReading)
    assert room.states()[-1] == "settled"
    room.camera.picture = np.roll(room.camera.picture, 9, axis=1)
    room.run(6, first=14)
    (nudge,) = [message.told for message in room.told if message.told["told"] == "nudge"]
    assert nudge["mm"] > 2


def test_a_frame_that_does_not_fit_the_table_is_told() -> None:
    room = Room(watched=True)
    room.camera.picture = np.full((480, 854, 3), 120, np.uint8)
    room.run(3)
    assert room.told[-1].told["state"] == "lost"
    assert "854x480 pixels" in room.told[-1].told["fault"]
    assert room.camera.closed == 0, "the camera is well"


def test_todays_board_is_taken_up_as_soon_as_it_lies_beside_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, camera, told = tmp_path / "kitchen.table", Camera(pictures().start.picture), list[Message]()
    pictures().table.save(path)
    monkeypatch.setattr(camera_process, "open_camera", lambda _name, _size_px: camera.open())
    loop = loop_of("0", str(path), SharedPicture(shared_file()), Reporter(told.append))
    for step in range(14):
        loop.run_once(step * PAUSE_S)
    assert told[-1].told["state"] == "settled"
    replace(pictures().table, of=mark_of_table(path)).save(today_path(path))
    told.clear()
    for step in range(14, 44):
        loop.run_once(step * PAUSE_S)
    states = [str(message.told["state"]) for message in told if message.told["told"] == "state"]
    assert states.count("starting") == 1, "the eye gets ready for the new photos"
    assert states[-1] == "settled"
    assert [message.told["told"] for message in told].count("settled") == 1, "it is read anew"


def test_a_table_that_goes_meanwhile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kitchen.table"
    pictures().table.save(path)

    def gone(_path: Path) -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(camera_process, "mark_of_table", gone)
    with pytest.raises(TableError, match=r"kitchen\.table: can't be read"):
        TableInUse(path)


def test_it_runs_until_nobody_listens() -> None:
    room = Room(watched=False)
    waits: list[float] = []
    clock = iter(range(100))

    def wait(pause_s: float) -> None:
        waits.append(pause_s)
        if len(waits) == 3:
            raise BrokenPipeError

    run(room.loop, lambda: 0.01 * next(clock), wait)
    assert waits == pytest.approx([PAUSE_S - 0.01] * 3)


def test_a_table_that_is_gone_is_told_and_ends_it(tmp_path: Path) -> None:
    descriptor = shared_file()
    command = [sys.executable, "-m", "vision.live.camera_process", "--camera", str(tmp_path), "--live", str(descriptor)]
    command += ["--table", str(tmp_path / "gone")]
    with subprocess.Popen(
        command, pass_fds=[descriptor], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        told = [read_message(child.stdout), read_message(child.stdout), read_message(child.stdout)]
        said = child.stderr.read()
    os.close(descriptor)
    assert child.returncode == 2
    assert said == b""
    assert [message.told["state"] for message in told if message] == ["starting", "lost"]
    assert told[1] is not None
    assert told[1].told["fault"] == f"{tmp_path / 'gone'}: can't be read (No such file or directory)"
