"""An app and the real camera service: killed, frozen, shared, lent."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import camera_unit
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.perception import camera_process
from companion.perception.camera_watch import NOBODY, TAKEN, CameraWatch
from companion.perception.cameras import AppCameras, CameraSession, Setup
from engine.orders.board import load_board
from tests.companion.perception.test_camera_process import ROOT
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.sample_games import played as played_game
from tests.patience import PATIENCE_S, until
from vision.live.camera_service import SOCKET, Order, order_data

pytestmark = pytest.mark.long


def live(watch: CameraWatch) -> bool:
    return until(lambda: watch.state == "live" and watch.latest() is not None)


class Unit:
    """The camera's unit as a process, started and ended by the test, with its service manager's socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder.parent / "notify"))
        self.manager.setblocking(False)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> int:
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.folder.parent / "notify"), "WATCHDOG_USEC": "30000000"}
        command = [sys.executable, "-m", "companion.camera_unit", "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment)
        return self.process.pid

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        if number in (signal.SIGKILL, signal.SIGTERM):
            self.process.wait()

    def is_frozen(self) -> bool:
        assert self.process is not None
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    def heard(self) -> list[str]:
        told = []
        with suppress(BlockingIOError):
            while True:
                told.append(self.manager.recv(4096).decode())
        return told

    def feeds(self, times: int = 3) -> bool:
        """Whether it feeds the watchdog from now on."""
        self.heard()
        fed: list[str] = []

        def well() -> bool:
            fed.extend(self.heard())
            return fed.count("WATCHDOG=1") >= times

        return until(well)


@pytest.fixture
def unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Unit]:
    monkeypatch.setattr(camera_process, "STARTING_S", PATIENCE_S)
    monkeypatch.setattr(camera_process, "SILENT_S", PATIENCE_S)
    made = Unit(tmp_path / "run")
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.send_signal(signal.SIGCONT)
        made.signal(signal.SIGKILL)
    made.manager.close()


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    folder = tmp_path / "camera"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((480, 640, 3), 90, np.uint8))
    return folder


Begin = Callable[[Path], CameraWatch]


@pytest.fixture
def begin(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    monkeypatch.setenv("GUNBAI_CAMERA_DIR", str(unit.folder))
    begun: list[CameraWatch] = []

    def watch(camera: Path) -> CameraWatch:
        begun.append(CameraWatch(str(camera)))
        return begun[-1]

    yield watch
    for camera_watch in begun:
        camera_watch.close()


def test_killed_started_anew_and_borrowed(unit: Unit, begin: Begin, camera: Path) -> None:
    watch = begin(camera)
    assert until(lambda: watch.fault == NOBODY), "the app may be first"
    first = unit.start()
    assert live(watch)
    assert watch.pid == first
    assert unit.feeds()
    unit.signal(signal.SIGKILL)
    assert until(lambda: watch.fault == NOBODY)
    assert watch.latest() is None
    second = unit.start()
    assert live(watch)
    assert watch.pid == second

    watch.close()  # as a calibration does, that borrows the camera
    borrowed = begin(camera.parent / "nowhere")
    assert until(lambda: borrowed.state == "no-camera" and "nowhere" in str(borrowed.fault))
    borrowed.close()
    again = begin(camera)
    assert live(again)
    assert watch.latest() is None
    again.close()
    assert unit.feeds(), "waiting for an order is no hang"
    assert any(message.startswith("READY=1\nSTATUS=waiting") for message in unit.heard()) is False, (
        "said once, long ago"
    )
    unit.signal(signal.SIGTERM)
    assert unit.process is not None
    assert unit.process.returncode == -signal.SIGTERM


def simulated_table(folder: Path) -> Setup:
    """Write a table's file, and a folder with a picture of the table that plays its camera."""
    simulated = SimulatedTable(load_board(BOARD), 1)
    simulated.calibrated().save(folder / "kitchen.table")
    simulated.lay(played_game()[1][0])
    (folder / "camera").mkdir()
    cv2.imwrite(str(folder / "camera" / "1.png"), simulated.photo())
    return Setup(folder / "kitchen.table", str(folder / "camera"))


def unread_bytes(link: socket.socket) -> int:
    number = array("i", [0])
    fcntl.ioctl(link, termios.FIONREAD, number)
    return number[0]


def test_an_app_that_hangs_is_no_hang_of_the_camera(unit: Unit, tmp_path: Path) -> None:
    setup = simulated_table(tmp_path)
    unit.start()
    with socket.socket(socket.AF_UNIX) as app:
        assert until(lambda: app.connect_ex(str(unit.folder / SOCKET)) == 0)
        app.send(order_data(Order(str(setup.camera), str(setup.table))))
        assert until(lambda: unread_bytes(app) > 100_000), "a reading with its pictures is more than a socket holds"
        assert unit.feeds()
    assert unit.feeds()


def test_two_apps_do_not_share_a_camera(unit: Unit, begin: Begin, camera: Path) -> None:
    unit.start()
    first = begin(camera)
    assert live(first)
    second = begin(camera)
    assert until(lambda: second.fault == TAKEN)
    assert second.latest() is None, "what the first one sees is its own"
    first.close()
    assert live(second)


def test_a_frozen_service_feeds_nothing(unit: Unit, begin: Begin, camera: Path) -> None:
    unit.start()
    watch = begin(camera)
    assert live(watch)
    unit.signal(signal.SIGSTOP)
    assert until(unit.is_frozen)
    unit.heard()
    threading.Event().wait(0.3)  # several times as long as a turn of its loop
    assert unit.heard() == []
    unit.signal(signal.SIGCONT)
    assert unit.feeds()
    assert live(watch)


def test_a_table_is_watched_lent_to_a_calibration_and_watched_again(
    unit: Unit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_CAMERA_DIR", str(unit.folder))
    setup = simulated_table(tmp_path)
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    unit.start()
    watched = CameraSession(lambda used: CameraWatch(str(used.camera), used.table), setup)
    cameras = AppCameras(lambda: match.board, watched, dict, CameraWatch)

    def settled() -> bool:
        glimpse = watched.glimpse(match)
        return glimpse is not None and glimpse.state == "settled" and glimpse.reading is not None

    assert until(settled)
    calibration = cameras.begin(str(setup.camera))
    assert watched.current is None, "the camera is the calibration's alone"
    assert until(lambda: calibration.look(100.0) and calibration.shown is not None)
    calibration.close()
    assert until(settled)
    unit.signal(signal.SIGKILL)
    assert until(lambda: watched.glimpse(match).fault == NOBODY)  # type: ignore[union-attr]
    unit.start()
    assert until(settled)
    watched.stop()
    match.close()


def test_a_folder_that_takes_no_socket_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert camera_unit.main(["--dir", str(tmp_path / "file" / "run")]) == 2
    assert capsys.readouterr().err == f"gunbai: {tmp_path / 'file' / 'run'}: Not a directory\n"
