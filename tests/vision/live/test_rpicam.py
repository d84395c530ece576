"""Motion JPEG cut into its files, and a Pi's camera through rpicam-vid, with a stand-in that takes its options.

The stand-in is a fake: it shows what Gunbai does with such bytes, and nothing about a Pi, its sensors or libcamera.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import PATIENCE_S, until
from tests.vision.tables import there
from vision.errors import CameraError, PictureError
from vision.frame import jpeg_of
from vision.live import rpicam, with_opener
from vision.live.camera import open_camera
from vision.live.camera_process import AGAIN_S, PAUSE_S, CameraLoop, Reporter
from vision.live.messages import Message, SharedPicture, shared_file
from vision.live.rpicam import JpegStream, RpicamCamera, modes_of, rpicam_arguments


def file_of(seed: int) -> bytes:
    picture = np.random.default_rng(seed).integers(0, 256, (48, 64, 3), np.uint8)
    return jpeg_of(picture)


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
    assert JpegStream().feed(b"".join(files)) == files[-1], "of several at once the newest"


def test_a_file_is_whole_with_segments_filling_scans_and_rows_of_its_own() -> None:
    file, segment = file_of(0), b"thumbnail: \xff\xd8 \xff\xd9"
    file = file[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + file[2:]
    assert fed(file * 2, []) == [file, file]
    filled = file[:2] + b"\xff\xff\xff" + file[2:]
    assert fed(filled, []) == [filled]
    picture = np.random.default_rng(0).integers(0, 256, (48, 64, 3), np.uint8)
    for option in ([cv2.IMWRITE_JPEG_PROGRESSIVE, 1], [cv2.IMWRITE_JPEG_RST_INTERVAL, 1]):
        file = cv2.imencode(".jpg", picture, option)[1].tobytes()
        assert fed(file * 2, []) == [file, file]


NO_LENGTHS = [b"\xff\xd8\xff\xe0" + length for length in (b"\x00\x00", b"\x00\x01")]


@pytest.mark.parametrize(
    "between", [b"Recording started\n", b"\xff", b"\xff\xff\x00", b"\xd8\xff\xd9", b"\xff\xd8 no", *NO_LENGTHS]
)
def test_what_is_no_file_is_passed_over(between: bytes) -> None:
    file = file_of(0)
    assert fed(between + file + between + file, [])[-1] == file


@pytest.mark.parametrize("kept", [2, 3, 30, 200, 1000])
def test_one_that_breaks_off_is_dropped(kept: int) -> None:
    file, other = file_of(0), file_of(1)
    assert fed(file[:kept] + other * 3, [])[-1] == other


def test_what_never_ends_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpicam, "MOST_FILE_BYTES", 10_000)
    stream, file = JpegStream(), file_of(0)
    endless = file[:-2] + bytes(11_000)
    assert stream.feed(endless) is None
    assert stream.feed(file) == file


LISTED = """\
Available cameras
-----------------
0 : imx219 [3280x2464 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx219@10)
    Modes: 'SRGGB8' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                      1640x1232 [83.70 fps - (0, 0)/3280x2464 crop]
                      3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]
           'SRGGB10_CSI2P' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                             1640x1232 [41.85 fps - (0, 0)/3280x2464 crop]
                             1920x1080 [47.57 fps - (680, 692)/1920x1080 crop]
                             3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]

1 : imx708_wide [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [nan fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]

"""
NONE_LISTED = "No cameras available!\n"
BRIGHTNESSES = (40, 80, 120, 160)
RPICAM_VID = '''#!{python}
"""Plays rpicam-vid: frames 0, 1 and 2, then frame 3 for ever, with whatever fault the file `fault` names."""
import pathlib, sys, time
HERE = pathlib.Path(__file__).parent
fault = (HERE / "fault").read_text() if (HERE / "fault").exists() else ""

def fail(told):
    sys.stderr.write(f"ERROR: *** {{told}} ***\\n")
    sys.exit(255)

def write(n):
    sys.stdout.buffer.write((HERE / f"{{n}}.jpg").read_bytes())
    sys.stdout.buffer.flush()

if "--list-cameras" in sys.argv:
    if fault == "slow list":
        time.sleep(600)
    if fault == "no list":
        fail("failed to start the camera manager")
    sys.stdout.write((HERE / "listed").read_text())
    sys.exit(0)
(HERE / "told").write_text(" ".join(sys.argv[1:]))
if fault == "busy":
    sys.stderr.write("[0:01:02.345] ERROR V4L2 v4l2_videodevice.cpp: Device or resource busy\\n" * 2000)
    fail("failed to acquire camera /base/soc/i2c0mux/i2c@1/imx219@10")
if fault == "broken":
    fail("failed to start camera")
if fault == "nonsense":
    while True:
        sys.stdout.buffer.write(b"a line that is no frame\\n" * 100)
        time.sleep(0.01)
if fault == "damaged":
    while True:
        sys.stdout.buffer.write(b"\\xff\\xd8\\xff\\xda\\x00\\x02" + b"no" * 100 + b"\\xff\\xd9")
        sys.stdout.buffer.flush()
        time.sleep(0.01)
for n in range(3):
    write(n)
    (HERE / "begun").touch()
    if fault == "die":
        sys.exit(1)
    if fault == "hang":
        time.sleep(600)
    if fault == "three":
        while n == 2 and not (HERE / "later").exists():
            time.sleep(0.01)
while True:
    write(3)
    time.sleep(0.02)
'''


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the stand-in program."""
    folder = tmp_path / "system"
    folder.mkdir()
    program = folder / "rpicam-vid"
    program.write_text(RPICAM_VID.format(python=sys.executable))
    program.chmod(0o755)
    (folder / "listed").write_text(LISTED)
    for n, brightness in enumerate(BRIGHTNESSES):
        (folder / f"{n}.jpg").write_bytes(jpeg_of(np.full((480, 640, 3), brightness, np.uint8)))
    monkeypatch.setenv("GUNBAI_RPICAM_VID", str(program))
    for name in ("LIST_S", "STARTING_S", "FRAME_S"):
        monkeypatch.setattr(rpicam, name, PATIENCE_S)
    return folder


def opened(spec: str = "csi:0") -> RpicamCamera:
    made = open_camera(spec, (641, 480))
    assert isinstance(made, RpicamCamera)
    return made


@pytest.fixture
def camera(system: Path) -> Iterator[RpicamCamera]:
    made = opened()
    yield made
    made.close()


def is_over(pid: int) -> bool:
    """Whether a process has ended, reaped or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_frames_come_as_the_program_takes_them(camera: RpicamCamera, system: Path) -> None:
    frame = camera.frame()
    assert frame.shape == (480, 640, 3)
    assert frame.dtype == np.uint8
    told = (system / "told").read_text()
    assert "--camera 0 --codec mjpeg" in told
    assert "--output - --flush --timeout 0 --nopreview" in told
    assert told.endswith("--width 640 --height 480 --mode 1640:1232:10")


def test_a_frame_is_one_of_now(system: Path) -> None:
    (system / "fault").write_text("three")
    camera = opened()
    assert until(lambda: camera._newest == (system / "2.jpg").read_bytes())
    (system / "later").touch()
    assert round(float(camera.frame().mean())) == BRIGHTNESSES[3]
    camera.close()


def test_closing_ends_the_program(camera: RpicamCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpicam, "FRAME_S", 0.0)
    camera.frame()
    with pytest.raises(CameraError, match="in time"):
        camera.frame()  # the first one may take longer than the others
    camera.close()
    with pytest.raises(ProcessLookupError):
        os.kill(camera.pid, 0)
    assert not camera._reader.is_alive()


def test_one_that_does_not_listen_is_killed(camera: RpicamCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    camera.frame()
    os.kill(camera.pid, signal.SIGSTOP)
    monkeypatch.setattr(rpicam, "END_S", 0.05)
    camera.close()
    camera._child.wait(PATIENCE_S)
    assert is_over(camera.pid)


OPENING = """
import sys, time
from vision.live.camera import open_camera
print(open_camera("csi:0", (640, 480)).pid, flush=True)
time.sleep(600)
"""


def test_it_ends_with_the_process_that_opened_it(system: Path) -> None:
    (system / "fault").write_text("hang")  # it won't notice that nobody reads
    with subprocess.Popen([sys.executable, "-c", OPENING], stdout=subprocess.PIPE) as opener:
        assert opener.stdout is not None
        pid = int(opener.stdout.readline())
        assert until((system / "begun").exists)
        assert not is_over(pid)
        opener.kill()
    assert until(lambda: is_over(pid))


def test_a_program_that_stalls_is_a_fault(system: Path) -> None:
    (system / "fault").write_text("three")
    camera = opened()
    assert until(lambda: camera._newest == (system / "2.jpg").read_bytes())
    camera._patience_s = 0.1
    with pytest.raises(CameraError, match="csi:0: the camera gave no picture in time"):
        camera.frame()
    camera.close()


def test_a_program_that_ends_is_a_fault(system: Path) -> None:
    (system / "fault").write_text("die")
    camera = opened()
    camera._reader.join(PATIENCE_S)
    for _ in range(2):
        with pytest.raises(CameraError, match="csi:0: the camera's process has ended"):
            camera.frame()
    camera.close()


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        ("broken", CameraError, "csi:0: failed to start camera$"),
        ("busy", CameraError, "csi:0 is in use by another program$"),
        ("nonsense", CameraError, "in time"),
        ("damaged", PictureError, "csi:0"),
    ],
)
def test_what_is_no_frame_is_told_as_the_program_says_last(
    system: Path, fault: str, error: type[Exception], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system / "fault").write_text(fault)
    if fault == "nonsense":
        monkeypatch.setattr(rpicam, "STARTING_S", 0.3)
    camera = opened()
    with pytest.raises(error, match=told):
        camera.frame()
    camera.close()


@pytest.mark.parametrize(("listed", "spec"), [(LISTED, "csi:2"), (NONE_LISTED, "csi:0"), ("", "csi:0")])
def test_a_camera_that_is_not_listed_is_absent(system: Path, listed: str, spec: str) -> None:
    (system / "listed").write_text(listed)
    with pytest.raises(CameraError, match=f"{spec}: there is no such camera"):
        open_camera(spec)
    assert not (system / "told").exists()


@pytest.mark.parametrize(
    ("fault", "told"), [("no list", "csi:0: failed to start the camera manager$"), ("slow list", "in time")]
)
def test_a_list_that_fails_or_never_comes_is_told(
    system: Path, fault: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system / "fault").write_text(fault)
    if fault == "slow list":
        monkeypatch.setattr(rpicam, "LIST_S", 0.3)
    with pytest.raises(CameraError, match=told):
        open_camera("csi:0")


@pytest.mark.parametrize("without", ["the program's interpreter", "Python"])
def test_a_program_that_cannot_run_is_told(system: Path, without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if without == "Python":
        monkeypatch.setattr("sys.executable", "/no/python")
    else:
        (system / "rpicam-vid").write_text("#!/no/interpreter\n")
    with pytest.raises(CameraError, match=r"csi:0: \S+/rpicam-vid can't be run \(No such file or directory\)"):
        open_camera("csi:0")


def test_nothing_is_started_for_a_process_that_has_ended(system: Path) -> None:
    command = [sys.executable, "-IS", with_opener.__file__, "1", str(system / "rpicam-vid"), "--list-cameras"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("", 1)
    assert ran.stderr == "ERROR: *** nobody wants it any more ***\n"


def test_a_camera_that_was_lost_comes_back(system: Path) -> None:
    """Through the camera process's own loop, as at the table."""
    (system / "fault").write_text("die")
    told: list[Message] = []
    live = SharedPicture(shared_file())
    loop = CameraLoop(lambda: open_camera("csi:0"), live, None, Reporter(told.append))
    assert turns(loop, "no-camera", told) == AGAIN_S
    (system / "listed").write_text(NONE_LISTED)  # unplugged
    assert loop.run_once(100.0) == AGAIN_S
    assert told[-1].told["fault"] == "csi:0: there is no such camera"
    (system / "listed").write_text(LISTED)
    (system / "fault").unlink()
    assert turns(loop, "live", told) == PAUSE_S
    loop.let_go()
    live.close()


def turns(loop: CameraLoop, state: str, told: list[Message]) -> float:
    """Run the loop until it tells this state, and return its pause after that."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        pause_s = loop.run_once(time.monotonic())
        if told and told[-1].told["state"] == state:
            return pause_s
    raise AssertionError(f"never told {state}")


def test_the_modes_of_a_sensor_are_read() -> None:
    modes = there(modes_of(LISTED, 1))
    assert [mode["size"] for mode in modes] == [(1536, 864), (2304, 1296), (4608, 2592)]
    assert modes[0] == {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)}
    assert {mode["bit_depth"] for mode in modes_of(LISTED, 0) or ()} == {8, 10}
    assert modes_of(LISTED, 2) is None
    assert modes_of("0 : a sensor that lists nothing\n", 0) == []


@pytest.mark.parametrize(
    ("number", "size", "mode"),
    [
        (0, (1920, 1440), "1640:1232:10"),
        (0, (2592, 1944), "3280:2464:10"),
        (0, (9000, 9000), "3280:2464:10"),
        (1, (9000, 9000), "4608:2592:10"),
        (1, (1920, 1440), "2304:1296:10"),
        (1, (640, 480), "2304:1296:10"),
    ],
)
def test_the_whole_field_of_view_is_asked_for(number: int, size: tuple[int, int], mode: str) -> None:
    assert rpicam_arguments(number, size, modes_of(LISTED, number) or [])[-2:] == ["--mode", mode]
    assert "--mode" not in rpicam_arguments(number, size, []), "without known modes the program chooses"
