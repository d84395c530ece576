"""Looks at the desk and through the camera: there, absent, refused, in use; and a picture in words."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.checks import camera as cameras
from companion.checks import health
from companion.checks.camera import CameraLooks, judge_picture, save_picture
from companion.checks.check_result import Machine
from companion.checks.desk import DeskLooks, listen_to
from companion.checks.health import Around
from companion.settings.layers import Settings
from engine.orders.board import load_board
from hardware.desk import DeskPlan
from hardware.device import Health
from hardware.errors import HardwareError
from hardware.ports import PluggedPort
from hardware.wiring import Wiring
from tests.patience import PATIENCE_S
from vision.geometry import Picture

BOARD = load_board("sengoku-rivers")
READER, CONTROLLER = "/dev/serial/by-id/reader", "/dev/serial/by-id/pico"
WANTED = Settings(desk_pins=True, readers=(READER,), controller=CONTROLLER)
PINS = Health("pins", "pins", "present", "the pins of a Pi")


def heard(*found: Health) -> DeskLooks:
    return DeskLooks(WANTED, listen=lambda _plan: found)


# ---- pins -------------------------------------------------------------------------------------------


def test_pins_that_nobody_wants_are_well() -> None:
    assert DeskLooks(Settings()).pins()[0] == "ok"


def test_pins_are_there_refused_or_not_well() -> None:
    assert heard(PINS).pins() == ("ok", "the pins of a Pi", "")
    refused = Health("pins", "pins", "refused", fault="this machine has no pins")
    assert heard(refused).pins()[:2] == ("bad", "this machine has no pins")
    assert heard().pins()[0] == "note", "nothing was asked: another Gunbai has them"
    stuck = Health("pins", "pins", "present", "the pins of a Pi", ails=("undo-one",))
    assert heard(stuck).pins()[:2] == ("note", "the pins of a Pi; problem: undo-one")


def test_a_wiring_that_cannot_be_is_told() -> None:
    looks = DeskLooks(Settings(desk_pins=True, pins={"confirm_one": 5, "undo_one": 5}))
    state, told, remedy = looks.pins()
    assert state == "bad"
    assert "5" in told
    assert "[pins]" in remedy
    looks = DeskLooks(replace(WANTED, pins={"confirm_one": 5, "undo_one": 5}))
    assert looks.serial(list)[0] == "bad", "its readers could not be looked at"


def test_a_desk_that_cannot_be_opened_is_told() -> None:
    def fails(_plan: DeskPlan) -> tuple[Health, ...]:
        raise HardwareError("the desk is on fire")

    assert DeskLooks(WANTED, listen=fails).pins()[:2] == ("bad", "the desk is on fire")
    assert DeskLooks(WANTED, listen=fails).serial(list)[:2] == ("bad", "the desk is on fire")


def test_a_gunbai_that_runs_is_not_disturbed() -> None:
    asked: list[DeskPlan] = []

    def listen(plan: DeskPlan) -> tuple[Health, ...]:
        asked.append(plan)
        return ()

    looks = DeskLooks(WANTED, busy=lambda: True, listen=listen)
    assert "left alone" in looks.pins()[1]
    assert "left alone" in looks.serial(lambda: ())[1]
    assert asked == []
    own = DeskLooks(WANTED, open_now=lambda: (PINS,), busy=lambda: True, listen=listen)
    assert own.pins()[0] == "ok", "the app asks its own desk"
    assert asked == []


def test_devices_are_listened_to_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.checks.desk.LISTEN_S", 0.05)
    [found] = listen_to(DeskPlan(Wiring(), pins="simulated"))
    assert (found.kind, found.state) == ("pins", "present")


# ---- serial -----------------------------------------------------------------------------------------


def test_what_is_plugged_in_beside_the_set_up_ones_is_told() -> None:
    ports = (PluggedPort(CONTROLLER, "Pico", "/dev/ttyACM0"), PluggedPort("/dev/serial/by-id/x", "Arduino", "/dev/x"))
    assert DeskLooks(Settings()).serial(lambda: ports)[1].count("also plugged in") == 2
    told = heard(Health(CONTROLLER, "controller", "present", counts={"frames": 12})).serial(lambda: ports)[1]
    assert told == f"{CONTROLLER}: 12 messages received; also plugged in: Arduino, /dev/serial/by-id/x"


@pytest.mark.parametrize(
    ("one", "state", "told"),
    [
        (Health(READER, "reader", "present"), "ok", f"{READER}: connected, nothing received yet"),
        (Health("/dev/x", "controller", "present"), "note", "/dev/x: connected, but sends nothing"),
        (Health(READER, "reader", "absent", fault=f"there is no {READER}"), "bad", f"{READER}: not connected"),
        (Health(READER, "reader", "refused", fault="this user may not"), "bad", "this user may not"),
        (Health(READER, "reader", "absent", fault="x is in use by another program"), "note", "x is in use by"),
        (Health(READER, "reader", "present", counts={"frames": 1}, ails=("noise",)), "note", f"{READER}: 1 message"),
    ],
)
def test_each_device_is_told(one: Health, state: str, told: str) -> None:
    well = Health(CONTROLLER, "controller", "present", counts={"frames": 2})
    looked = heard(well, one).serial(lambda: ())
    assert looked[0] == state
    assert told in looked[1]
    assert f"{CONTROLLER}: 2 messages received" in looked[1]


# ---- the camera -------------------------------------------------------------------------------------


@dataclass
class Watch:
    """A camera that gives what it is told."""

    picture: Picture | None = None
    state: str = "live"
    fault: str | None = None
    closed: list[bool] = field(default_factory=list)

    def latest(self) -> Picture | None:
        return self.picture

    def close(self) -> None:
        self.closed.append(True)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(cameras, "SETTLE_S", 0.0)
    monkeypatch.setattr(cameras, "LOOK_S", 0.01)


def board(light: float = 1.0, blur: float = 0.0) -> Picture:
    """Something with edges, lit so and blurred by so many pixels."""
    rng = np.random.default_rng(1)
    picture = np.kron(rng.integers(40, 220, (30, 40, 3)), np.ones((16, 16, 1))) * light
    sharp = np.clip(picture, 0, 255).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur), np.uint8) if blur else sharp


@pytest.mark.parametrize(
    ("picture", "told", "remedy"),
    [
        (board(), "640×480, good light, sharp", ""),
        (board(0.05), "640×480, too dark", "Take off the lens cap, or add light."),
        (board(5.0), "640×480, too bright", "Too much light: turn the lamp or the camera away."),
        (board(blur=4.0), "640×480, blurred", "Wipe the lens, focus it, and make sure nothing shakes."),
        (
            board()[:200, :300],
            "300×200, resolution too low",
            "Set the camera to 1280 × 960 or more, or use a better one.",
        ),
    ],
)
def test_a_picture_is_judged_in_words(picture: Picture, told: str, remedy: str) -> None:
    assert judge_picture(picture, BOARD) == (told, remedy)


def test_a_picture_is_taken_and_shown_small() -> None:
    watch = Watch(board())
    looks = CameraLooks("0", BOARD, begin=lambda _camera: watch, machine=Machine(Path("/nowhere")))
    assert looks.look({"0": "A webcam (video0)", "2": "B (video2)"}) == (
        "ok",
        "found: A webcam (video0), B (video2); 640×480, good light, sharp",
        "",
    )
    assert looks.shot is not None
    assert looks.shot.size_px == (640, 480)
    assert watch.closed == [True]


def test_the_first_camera_is_tried_where_none_is_set_up() -> None:
    asked: list[str] = []

    def begin(camera: str) -> Watch:
        asked.append(camera)
        return Watch(board(0.05))

    state, _told, remedy = CameraLooks(None, BOARD, begin=begin, machine=Machine(Path("/nowhere"))).look(
        {"csi:0": "csi:0", "1": "1"}
    )
    assert (state, remedy[:8]) == ("note", "Take off")
    assert asked == ["csi:0"]
    assert CameraLooks(None, BOARD).look({})[:2] == ("note", "No camera found.")


@pytest.mark.parametrize("camera", ["0", "csi:1", "/dev/no-such-camera"])
def test_a_camera_that_is_set_up_has_to_be_there(camera: str) -> None:
    looked = CameraLooks(camera, BOARD).look({"2": "2"})
    assert looked[:2] == ("bad", f"Camera {camera} is set up but not connected.")


def test_a_driver_that_hangs_and_a_camera_that_fails_are_told_and_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "PATIENCE_S", 0.2)
    hung, broken = Watch(state="starting"), Watch(state="no-camera", fault="0: the camera gave no picture")
    for watch, told in ((hung, "no picture within 0 seconds"), (broken, "0: the camera gave no picture")):
        looks = CameraLooks("0", BOARD, begin=lambda _camera, one=watch: one, machine=Machine(Path("/nowhere")))  # type: ignore[misc]
        assert looks.look({"0": "0"})[:2] == ("bad", f"found: 0; {told}")
        assert (watch.closed, looks.shot) == ([True], None)


def test_a_camera_in_use_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "proc/4242/fd"
    folder.mkdir(parents=True)
    (tmp_path / "proc/4242/comm").write_text("cheese\n")
    (folder / "7").symlink_to("/dev/video0")
    (folder / "8").write_text("no link")

    def begin(_camera: str) -> Watch:
        raise AssertionError("it is opened")

    looks = CameraLooks("0", BOARD, begin=begin, machine=Machine(tmp_path))
    assert looks.look({"0": "0"})[:2] == ("note", "found: 0; in use by cheese (4242): left alone")
    looks = CameraLooks("csi:0", BOARD, begin=begin, machine=Machine(tmp_path))
    assert looks.look({"csi:0": "csi:0"}, busy=True)[:2] == ("note", "found: csi:0; in use by Gunbai: left alone")
    watch = Watch(board())
    assert CameraLooks("0", BOARD, live=watch, begin=begin, machine=Machine(tmp_path)).look({"0": "0"})[0] == "ok"
    assert watch.closed == [], "the app's own watch goes on"


def test_who_has_a_device_is_known_though_another_process_ends_at_that_moment(tmp_path: Path) -> None:
    for pid in (12, 4242):
        (tmp_path / f"proc/{pid}").mkdir(parents=True)
        (tmp_path / f"proc/{pid}/comm").write_text("cheese\n")
    (tmp_path / "proc/12/fd").write_text("gone")
    (tmp_path / "proc/4242/fd").mkdir()
    (tmp_path / "proc/4242/fd/3").symlink_to("/dev/video0")
    assert Machine(tmp_path).holders(Path("/dev/video0")) == ["cheese (4242)"]


def test_a_real_camera_process_gives_its_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "mine.toml"))
    folder = tmp_path / "camera"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), cv2.resize(board(), (1280, 960), interpolation=cv2.INTER_NEAREST))
    (tmp_path / "mine.toml").write_text(f"camera = {json.dumps(str(folder))}\n")
    found = health.camera(Around(pictures=tmp_path / "pictures"))
    assert (found.state, found.shot is not None) == ("ok", True)
    assert found.told.endswith(f"1280×960, good light, sharp; {tmp_path / 'pictures' / 'camera.jpg'}")
    kept = cv2.imread(str(tmp_path / "pictures" / "camera.jpg"))
    assert kept is not None
    assert kept.shape == (960, 1280, 3)


def test_a_picture_that_cannot_be_kept_is_an_error_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="File exists"):
        save_picture(tmp_path / "file", board())
