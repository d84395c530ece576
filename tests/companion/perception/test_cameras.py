"""The camera and its table in the app: found, borrowed for a calibration, given back; what it sees when it is lost."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.app.app import App
from companion.bootstrap import cameras_for, launch_options, live_view
from companion.demo.hands import SimulatedWatch
from companion.demo.table import DemoCameras
from companion.games.match import Match
from companion.perception import cameras
from companion.perception.calibration import Learned
from companion.perception.camera_watch import CameraWatch
from companion.perception.cameras import (
    AppCameras,
    CameraSession,
    Setup,
    Watching,
    cameras_found,
    in_use_first,
    own_camera,
    own_table,
    remember_camera,
)
from companion.perception.sync.status import TableView
from companion.scenes.camera.calibration import EmptyScene
from companion.scenes.camera.diagnosis import VIEW_EVERY_S
from companion.settings.layers import Settings
from companion.ui.screen import Intent
from engine.orders.board import load_board
from tests.companion.app.test_bootstrap import given
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import Desk
from tests.companion.perception.calibrating import Camera, SomeTable
from tests.companion.perception.seeing import reading_of
from tests.companion.touching import Hand
from vision.errors import CameraError
from vision.live.preview import preview_of
from vision.live.watcher import LOST
from vision.table import Table


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))


def device(folder: Path, number: int, name: str, index: int = 0) -> None:
    place = folder / f"video{number}"
    place.mkdir(parents=True)
    (place / "name").write_text(name + "\n")
    (place / "index").write_text(f"{index}\n")


def test_cameras_are_found_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "video4linux"
    device(folder, 10, "USB Camera: HD")
    device(folder, 2, "A webcam")
    device(folder, 3, "A webcam", index=1)
    device(folder, 11, "bcm2835-codec-decode")
    (folder / "video7").mkdir()
    assert list(cameras_found(folder, tmp_path).items()) == [
        ("2", "A webcam (video2)"),
        ("10", "USB Camera: HD (video10)"),
    ]
    assert cameras_found(tmp_path / "none", tmp_path) == {}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two webcams of one make, whose one name the second has, another one, and one without any name."""
    devices, dev = tmp_path / "video4linux", tmp_path / "dev"
    for number, name in ((0, "C270"), (2, "C270"), (4, "HD Webcam: HD Web"), (6, "Screen grabber")):
        device(devices, number, name)
    links = {"id/usb-C270": 2, "id/usb-HD_1A2B": 4, "path/usb-1.1": 0, "path/usb-1.2": 2, "path/usb-1.3": 4}
    for link, number in links.items():
        at = dev / f"v4l/by-{link}-video-index0"
        at.parent.mkdir(parents=True, exist_ok=True)
        (dev / f"video{number}").touch()
        at.symlink_to(f"../../video{number}")
    monkeypatch.setattr(cameras, "DEVICES", devices)
    monkeypatch.setattr(cameras, "DEV", dev)
    return dev


def test_cameras_are_called_what_they_are_called_after_a_restart_too(machine: Path) -> None:
    assert cameras_found(cameras.DEVICES, machine) == {
        f"{machine}/v4l/by-path/usb-1.1-video-index0": "C270 (video0)",
        f"{machine}/v4l/by-path/usb-1.2-video-index0": "C270 (video2)",
        f"{machine}/v4l/by-id/usb-HD_1A2B-video-index0": "HD Webcam (video4)",
        "6": "Screen grabber (video6)",
    }


@pytest.mark.parametrize("kept", ["4", "/dev/video4", "/dev/v4l/by-id/usb-HD_1A2B-video-index0"])
def test_the_camera_in_use_comes_first_by_its_stable_name(machine: Path, kept: str) -> None:
    """Also where an earlier release kept its number: set up anew, it is kept by the name."""
    found = cameras_found(cameras.DEVICES, machine)
    offered = in_use_first(kept.replace("/dev/", f"{machine}/"), found)
    assert next(iter(offered.items())) == (f"{machine}/v4l/by-id/usb-HD_1A2B-video-index0", "HD Webcam (video4)")
    assert len(offered) == len(found)


def test_a_camera_in_use_that_is_not_there_stays_first(machine: Path) -> None:
    found = cameras_found(cameras.DEVICES, machine)
    assert next(iter(in_use_first("9", found).items())) == ("9", "9")
    assert in_use_first(None, found) == found


@pytest.mark.parametrize(("kept", "name"), [("4", "id/usb-HD_1A2B"), ("0", "path/usb-1.1"), ("6", ""), (None, "")])
def test_a_number_kept_by_an_earlier_release_becomes_a_name_once_its_camera_has_seen_the_board(
    machine: Path, match: Match, kept: str | None, name: str
) -> None:
    if kept is not None:
        remember_camera(kept)
    watch = SeeingWatch(Setup(None, kept))
    watched = CameraSession(lambda setup: watch, watch.setup)
    watched.glimpse(match)
    assert own_camera() == kept, "it may be another camera's number now"
    watch.sees = True
    watched.glimpse(match)
    assert own_camera() == (f"{machine}/v4l/by-{name}-video-index0" if name else kept)


def test_a_camera_that_the_settings_name_is_left_as_it_is(machine: Path, match: Match) -> None:
    watch = SeeingWatch(Setup(None, "4"))
    watch.sees = True
    CameraSession(lambda setup: watch, watch.setup).glimpse(match)
    assert own_camera() is None


@pytest.mark.parametrize("receiver", ["unicam-image", "rp1-cfe-csi2_ch0"])
def test_cameras_on_the_connectors_come_first(tmp_path: Path, receiver: str) -> None:
    folder = tmp_path / "video4linux"
    device(folder, 0, receiver)
    device(folder, 8, "A webcam")
    for number, name in enumerate(("imx708_wide 10-001a", "dw9817 10-000c", "ov5647 4-0036", "csi2", "pisp-fe")):
        place = folder / f"v4l-subdev{number}"
        place.mkdir()
        (place / "name").write_text(name + "\n")
    (folder / "v4l-subdev9").mkdir()
    assert list(cameras_found(folder, tmp_path)) == ["csi:0", "csi:1", "8"]


class Watch(Watching):
    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.closed = False

    def glimpse(self, match: Match) -> TableView:
        return TableView("waiting")

    def close(self) -> None:
        self.closed = True


class SeeingWatch(Watch):
    sees = False

    def glimpse(self, match: Match) -> TableView:
        return TableView("settled", reading_of(match.position)) if self.sees else TableView("waiting")


class Watches:
    """Keeps every watch that was begun."""

    def __init__(self) -> None:
        self.begun: list[Watch] = []
        self.broken = False

    def start(self, setup: Setup) -> Watch | None:
        if self.broken:
            raise CameraError("the camera is gone")
        if setup.table is None:
            return None
        self.begun.append(Watch(setup))
        return self.begun[-1]


def some_match(board: str = "sengoku-rivers") -> Match:
    return SimpleNamespace(position=SimpleNamespace(board=load_board(board)))  # type: ignore[return-value]


def borrowed(watches: Watches, setup: Setup) -> tuple[AppCameras, CameraSession, Camera]:
    camera = Camera()
    watched = CameraSession(watches.start, setup)
    return (
        AppCameras(lambda: load_board("sengoku-rivers"), watched, lambda: {"0": "A", "2": "B"}, lambda name: camera),
        watched,
        camera,
    )


def test_the_watch_lets_go_while_a_calibration_goes_on(tmp_path: Path) -> None:
    watches = Watches()
    setup = Setup(tmp_path / "kitchen.table", "2")
    found, watched, camera = borrowed(watches, setup)
    assert list(found.names()) == ["2", "0"], "the one in use first"
    work = found.begin("2")
    assert watches.begun[0].closed
    assert watched.glimpse(some_match()) is None
    work.close()
    work.close()
    assert camera.closed
    assert len(watches.begun) == 2, "given back once"
    assert watches.begun[1].setup == setup
    assert own_camera() is None


def test_a_saved_table_is_watched_with_its_camera(tmp_path: Path) -> None:
    watches = Watches()
    found, watched, _ = borrowed(watches, Setup(None, None))
    assert not found.ready
    work = found.begin("0")
    assert work.path == own_table("sengoku-rivers")
    table: Table = SomeTable()  # type: ignore[assignment]
    work.learned = Learned(table, None, ())
    work.save()
    work.close()
    assert found.ready
    assert watched.setup == Setup(own_table("sengoku-rivers"), "0") == watches.begun[0].setup
    assert own_camera() == "0"
    wished = launch_options(given(), Settings())
    assert (wished.table, wished.camera) == (own_table("sengoku-rivers"), "0"), "at the next start too"


def test_a_game_on_another_board_is_watched_with_the_table_of_that_board(tmp_path: Path) -> None:
    own_table("sengoku-fortress").parent.mkdir(parents=True)
    own_table("sengoku-fortress").touch()
    watches = Watches()
    watched = CameraSession(watches.start, Setup(own_table("sengoku-rivers"), "0"))
    watched.glimpse(some_match())
    assert len(watches.begun) == 1
    watched.glimpse(some_match("sengoku-fortress"))
    assert watches.begun[-1].setup == Setup(own_table("sengoku-fortress"), "0")
    watched.glimpse(some_match())
    assert watched.setup.table == own_table("sengoku-fortress"), "there is no other table to turn to"
    named = CameraSession(watches.start, Setup(tmp_path / "kitchen.table", "0"))
    named.glimpse(some_match("sengoku-fortress"))
    assert named.setup.table == tmp_path / "kitchen.table", "a table that somebody named stays"


def test_a_camera_that_does_not_come_back_is_told(tmp_path: Path) -> None:
    watches = Watches()
    found, watched, _ = borrowed(watches, Setup(tmp_path / "t", "0"))
    work = found.begin("0")
    watches.broken = True
    work.close()
    glimpse = watched.glimpse(some_match())
    assert glimpse is not None
    assert (glimpse.state, glimpse.fault) == ("lost", "the camera is gone")
    assert watched.current is None
    watched.stop()
    assert watched.glimpse(some_match()) is None


def test_home_leads_to_the_calibration() -> None:
    app = App()
    board = load_board("sengoku-rivers")
    Hand(app).press("More")
    assert "Set up the camera" not in [button.label for button in Hand(app).all_buttons()]
    saved: list[Table] = []
    equip(app.stage, cameras=DemoCameras(board, 1, own_table("demo"), saved.append))
    assert Hand(app).button("Set up the camera").note == "not set up yet"
    Hand(app).press("Set up the camera")
    assert isinstance(app.scene, EmptyScene)
    version = app.version
    app.scene.work._pictures._drawing.wait()  # type: ignore[attr-defined]
    app.tick(1.0)
    assert app.version > version
    Hand(app).press("Cancel")
    assert app.screen().title == "More"


def test_a_demo_calibrates_its_own_table() -> None:
    watch = SimulatedWatch(1)
    try:
        watched = CameraSession(lambda setup: watch, Setup(None, None))
        found = cameras_for(launch_options(given(demo=True), Settings()), watched, lambda: load_board("sengoku-rivers"))
        assert isinstance(found, DemoCameras)
        assert list(found.names()) == ["simulated"]
        assert not found.ready
    finally:
        watch.close()


def test_a_file_that_holds_no_text_chooses_no_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    remember_camera("1")
    assert own_camera() == "1"
    own_table("any").with_name("camera").write_bytes(b"\xff\xfe")
    assert own_camera() is None


def test_while_the_board_is_not_seen_the_camera_s_own_picture_is_shown(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    views = [preview_of(np.full((48, 64, 3), grey, np.uint8)) for grey in (10, 200)]
    equip(desk.app.stage, view=lambda: views[0])
    desk.wait().app.touch(Intent("live"))
    assert desk.screen.photo is None
    desk.eye.laid = TableView("lost", fault=LOST, blind=True)
    desk.wait().wait()
    assert desk.screen.photo is not None
    assert desk.screen.photo.data == views[0].jpeg
    assert "Can't find the board in the camera's picture" in desk.text()
    assert "set it up again" in desk.text()
    assert "Touch an area" not in desk.text(), "there is none to touch"
    equip(desk.app.stage, view=lambda: views[1])
    desk.wait(VIEW_EVERY_S)
    assert desk.screen.photo.data == views[1].jpeg
    desk.eye.follow()
    desk.wait().wait()
    assert desk.screen.photo is None


def test_without_a_camera_there_is_nothing_to_show() -> None:
    assert live_view(CameraSession(lambda setup: None, Setup(None, None))) is None


def test_the_camera_s_newest_picture_is_made_small() -> None:
    watch = CameraWatch.__new__(CameraWatch)
    watch.latest = lambda: np.full((1200, 1600, 3), 90, np.uint8)  # type: ignore[method-assign]
    view = live_view(CameraSession(lambda setup: watch, Setup(None, None)))
    assert view is not None
    assert view.of_px == (1600, 1200)
    assert max(view.size_px) == 900
