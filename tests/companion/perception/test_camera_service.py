"""The camera's unit as the app has it, with real connections and processes: killed, frozen, late, in nonsense."""

from __future__ import annotations

import errno
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
from companion.perception import camera_process, camera_service
from companion.perception.camera_process import SILENT_S, STARTING_S
from companion.perception.camera_service import NOBODY, TAKEN, CameraService, service_folder
from companion.perception.camera_watch import CameraWatch
from companion.perception.cameras import AppCameras, CameraSession, Setup
from engine.orders.board import load_board
from tests.companion.perception.test_camera_process import ROOT
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.sample_games import played as played_game
from tests.hostile import messages
from tests.patience import PATIENCE_S, until
from vision.live.camera_service import LIVE, LONGEST_ORDER, SOCKET, Order, listening_at, order_data, order_of
from vision.live.messages import Message, write_message
from vision.live.shared_picture import SharedPicture, named_file

pytestmark = pytest.mark.long


def state(name: str, fault: str = "") -> Message:
    return Message({"told": "state", "state": name, "fault": fault})


class Played:
    """A service that the test plays: it takes orders and tells what it is bid."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        os.close(named_file(folder / LIVE))
        self.folder = folder
        self.door = listening_at(folder / SOCKET)
        self.link: socket.socket | None = None

    def next_order(self) -> Order:
        """Take the next app's connection, and its order."""
        if self.link is not None:
            self.break_off()
        self.door.settimeout(PATIENCE_S)
        self.link, _ = self.door.accept()
        self.link.settimeout(PATIENCE_S)
        order = order_of(self.link.recv(LONGEST_ORDER))
        assert order is not None
        return order

    def write(self, data: bytes) -> None:
        assert self.link is not None
        self.link.sendall(data)

    def flush(self) -> None:
        pass

    def tell(self, *messages: Message) -> None:
        for message in messages:
            write_message(self, message)

    def break_off(self) -> None:
        """The end of what is told."""
        assert self.link is not None
        self.link.close()
        self.link = None

    def close(self) -> None:
        if self.link is not None:
            self.break_off()
        self.door.close()


class App:
    """The app's side, with a clock of its own and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 100.0
        self.told: list[Message] = []
        self.link = CameraService(folder, Order("0", "/kitchen.table"), self.told.append, lambda: self.now_s)

    def states(self) -> list[str]:
        return [str(one.told["state"]) for one in self.told if "state" in one.told]

    def reaches(self, *states: str) -> bool:
        """Whether exactly this comes to be told, however often the service's absence is said."""
        return until(lambda: [one for one in self.states() if one != "no-camera"] == list(states))


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path / "run")
    yield made
    made.close()


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr(camera_service, "AGAIN_S", 0.01)
    monkeypatch.setattr(camera_service, "LOOK_S", 0.01)
    made = App(tmp_path / "run")
    yield made
    made.link.close()


def test_the_unit_is_used_where_it_is_named() -> None:
    assert service_folder({}) is None
    assert service_folder({"GUNBAI_CAMERA_DIR": "/run/gunbai"}) == Path("/run/gunbai")


def test_what_is_told_reaches_the_app(played: Played, app: App) -> None:
    order = played.next_order()
    assert (order.camera, order.table) == ("0", "/kitchen.table")
    assert app.link.progress_s is None, "nothing was heard yet"
    played.tell(Message({"told": "service", "pid": 4711}), state("starting"), state("live"))
    assert app.reaches("starting", "live")
    assert app.link.pid == 4711
    assert app.link.progress_s == 100.0


def test_half_a_message_is_thrown_away_and_the_app_asks_again(played: Played, app: App) -> None:
    played.next_order()
    played.tell(state("live"))
    played.write(b"\x00\x00\x00\x40\x00\x00\x00\x00{half")
    played.break_off()
    played.next_order()
    played.tell(state("settled"))
    assert app.reaches("live", "restarting", "settled")


@pytest.mark.parametrize("garbage", [b"\xff" * 64, b"\x00\x00\x00\x02\x00\x00\x00\x00[]"])
def test_one_that_speaks_nonsense_is_asked_again(played: Played, app: App, garbage: bytes) -> None:
    played.next_order()
    played.write(garbage)
    played.next_order()
    played.tell(state("live"))
    assert app.reaches("restarting", "live")


@pytest.mark.parametrize("case", messages.REFUSED)
def test_one_that_sends_what_is_no_message_is_asked_again(played: Played, app: App, case: str) -> None:
    played.next_order()
    with suppress(BrokenPipeError):  # nobody reads on
        played.write(messages.REFUSED[case]())
    played.break_off()
    played.next_order()
    played.tell(state("live"))
    assert app.reaches("restarting", "live")


def test_one_whose_messages_make_no_sense_is_asked_again_and_again(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_service, "AGAIN_S", 0.01)
    monkeypatch.setattr(camera_service, "LOOK_S", 0.01)
    monkeypatch.setenv(camera_service.FOLDER, str(tmp_path / "run"))
    watch = CameraWatch("0")
    for made in messages.NONSENSE.values():
        played.next_order()
        played.write(made())
    played.next_order()
    played.tell(state("no-camera", "a\x1b[31m\0b" + "c" * 10_000))
    assert until(lambda: watch.state == "no-camera")
    assert watch.fault == "a [31m b" + "c" * 492
    watch.close()


def test_what_is_no_socket_is_no_service(tmp_path: Path, app: App) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    os.close(named_file(folder / LIVE))
    (folder / SOCKET).write_bytes(b"x" * 100)
    told = len(app.told)
    assert until(lambda: len(app.told) > told + 5)
    assert {one.told["fault"] for one in app.told} == {NOBODY}


def test_one_that_falls_silent_is_asked_again(played: Played, app: App) -> None:
    played.next_order()
    played.tell(state("live"))
    assert app.reaches("live")
    progress_s = app.link.progress_s
    app.now_s += SILENT_S + 1
    played.next_order()
    assert app.reaches("live", "restarting")
    assert app.link.progress_s == progress_s, "a frozen service is no progress"
    app.now_s += STARTING_S + 1
    played.next_order()
    played.tell(state("live"))
    assert app.reaches("live", "restarting", "restarting", "live")


def test_without_a_service_it_is_said_and_known(app: App, tmp_path: Path) -> None:
    assert until(lambda: app.told)
    assert app.told[0].told["fault"] == NOBODY
    assert app.link.progress_s == 100.0
    assert app.link.latest() is None
    late = Played(tmp_path / "run")
    late.next_order()
    late.tell(state("live"))
    assert app.reaches("live")
    late.close()
    assert app.reaches("live", "restarting")


def test_an_app_that_is_turned_away_says_so_and_asks_again(played: Played, app: App) -> None:
    for _ in range(3):
        played.next_order()
        played.tell(Message({"told": "taken"}))
    played.next_order()
    assert {one.told["fault"] for one in app.told} == {TAKEN}
    played.tell(state("live"))
    assert app.reaches("live")


def test_one_that_is_turned_away_before_it_has_ordered_is_not_without_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service may close the connection first: what it said is read all the same."""
    monkeypatch.setattr(camera_service, "AGAIN_S", 0.01)
    played = Played(tmp_path / "run")
    closed = threading.Event()

    def memory(path: Path) -> SharedPicture:
        played.door.settimeout(PATIENCE_S)
        played.link, _ = played.door.accept()
        played.tell(Message({"told": "taken"}))
        played.break_off()
        closed.set()
        return real(path)

    real = camera_service._memory
    monkeypatch.setattr(camera_service, "_memory", memory)
    app = App(tmp_path / "run")
    assert until(lambda: app.told)
    assert closed.is_set()
    assert app.told[0].told["fault"] == TAKEN
    app.link.close()
    played.close()


def test_memory_of_another_release_is_no_service(tmp_path: Path, app: App) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / LIVE).write_bytes(b"small")
    door = listening_at(tmp_path / "run" / SOCKET)
    door.listen(1000)
    handles = len(list(Path("/proc/self/fd").iterdir()))
    assert until(lambda: len(app.told) > 5)
    assert {one.told["fault"] for one in app.told} == {NOBODY}
    assert len(list(Path("/proc/self/fd").iterdir())) < handles + 5
    door.close()


def test_the_services_folder_may_be_one_that_the_app_can_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As its unit has it (ProtectSystem=strict): sockets can be spoken to there, files cannot be written."""
    opened = os.open

    def on_a_read_only_mount(path: os.PathLike[str], flags: int, mode: int = 0o777) -> int:
        if Path(path).parent == tmp_path / "run" and flags & os.O_ACCMODE != os.O_RDONLY and Path(path).is_file():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, mode)

    played = Played(tmp_path / "run")
    shows = SharedPicture(named_file(tmp_path / "run" / LIVE))
    monkeypatch.setattr(os, "open", on_a_read_only_mount)
    app = App(tmp_path / "run")
    played.next_order()
    played.tell(state("live"))
    assert app.reaches("live")
    shows.show(np.full((480, 640, 3), 90, np.uint8))
    seen = app.link.latest()
    assert seen is not None
    assert seen.shape == (480, 640, 3)
    app.link.close()
    shows.close()
    played.close()


def test_a_service_that_hangs_until_its_queue_is_full_has_not_taken_the_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_service, "AGAIN_S", 0.01)
    played = Played(tmp_path / "run")
    waiting: list[socket.socket] = []
    with suppress(BlockingIOError):
        while True:
            waiting.append(socket.socket(socket.AF_UNIX))
            waiting[-1].setblocking(False)
            waiting[-1].connect(str(tmp_path / "run" / SOCKET))
    late = App(tmp_path / "run")
    assert until(lambda: len(late.told) > 3)
    assert set(late.states()) == {"restarting"}
    assert late.link.progress_s is None, "a service that hangs is no progress"
    late.link.close()
    for one in waiting:
        one.close()
    played.close()


def test_closing_ends_it_in_the_middle_of_a_message(played: Played, app: App) -> None:
    played.next_order()
    played.write(b"\x00\x00\x10\x00\x00\x00\x00\x00{half")
    app.link.close()
    assert not app.link._thread.is_alive()
    with pytest.raises(ConnectionError):
        played.write(b"x")


# ---- with the real service ----------------------------------------------------------------------


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
    for one in begun:
        one.close()


def live(watch: CameraWatch) -> bool:
    return until(lambda: watch.state == "live" and watch.latest() is not None)


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
    assert any(one.startswith("READY=1\nSTATUS=waiting") for one in unit.heard()) is False, "said once, long ago"
    unit.signal(signal.SIGTERM)
    assert unit.process is not None
    assert unit.process.returncode == -signal.SIGTERM


def simulated_table(folder: Path) -> Setup:
    """A table's file, and a folder with a picture of it that plays its camera."""
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
    cameras = AppCameras(lambda: match.board, watched, lambda: (), CameraWatch)

    def settled() -> bool:
        glimpse = watched.glimpse(match)
        return glimpse is not None and glimpse.state == "settled" and glimpse.reading is not None

    assert until(settled)
    calibration = cameras.begin(str(setup.camera))
    assert watched.now is None, "the camera is the calibration's alone"
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
