"""An app and a camera service that is played: what it tells, and what is no message."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from companion.perception import camera_watch
from companion.perception.camera_process import SILENT_S, STARTING_S
from companion.perception.camera_watch import NOBODY, TAKEN, CameraService, CameraWatch, service_folder
from tests.hostile import messages
from tests.patience import PATIENCE_S, until
from vision.live.camera_service import LIVE, LONGEST_ORDER, SOCKET, Order, listening_at, order_of
from vision.live.messages import Message, SharedPicture, named_file, write_message

pytestmark = pytest.mark.long


def state(name: str, fault: str = "") -> Message:
    return Message({"told": "state", "state": name, "fault": fault})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask again, and look for silence, a hundred times a second."""
    for name in ("AGAIN_S", "LOOK_S"):
        monkeypatch.setattr(camera_watch, name, 0.01)


class App:
    """The app's side, with a clock of its own and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 100.0
        self.told: list[Message] = []
        self.link = CameraService(folder, Order("0", "/kitchen.table"), self.told.append, lambda: self.now_s)

    def states(self) -> list[str]:
        return [str(message.told["state"]) for message in self.told if "state" in message.told]

    def reaches(self, *states: str) -> bool:
        """Whether exactly this comes to be told, however often the service's absence is said."""
        return until(lambda: [name for name in self.states() if name != "no-camera"] == list(states))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(tmp_path / "run")
    yield made
    made.link.close()


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

    def answer(self, *states: str) -> None:
        """Take the next app's order, and tell these states."""
        self.next_order()
        self.tell(*map(state, states))

    def break_off(self) -> None:
        """Close the connection, so that no more messages come."""
        assert self.link is not None
        self.link.close()
        self.link = None

    def close(self) -> None:
        if self.link is not None:
            self.break_off()
        self.door.close()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path / "run")
    yield made
    made.close()


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
    played.answer("live")
    played.write(b"\x00\x00\x00\x40\x00\x00\x00\x00{half")
    played.break_off()
    played.answer("settled")
    assert app.reaches("live", "restarting", "settled")


@pytest.mark.parametrize("garbage", [b"\xff" * 64, b"\x00\x00\x00\x02\x00\x00\x00\x00[]"])
def test_one_that_speaks_nonsense_is_asked_again(played: Played, app: App, garbage: bytes) -> None:
    played.next_order()
    played.write(garbage)
    played.answer("live")
    assert app.reaches("restarting", "live")


@pytest.mark.parametrize("case", messages.REFUSED)
def test_one_that_sends_what_is_no_message_is_asked_again(played: Played, app: App, case: str) -> None:
    played.next_order()
    with suppress(BrokenPipeError):  # nobody reads on
        played.write(messages.REFUSED[case]())
    played.break_off()
    played.answer("live")
    assert app.reaches("restarting", "live")


def test_one_whose_messages_make_no_sense_is_asked_again_and_again(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(camera_watch.FOLDER, str(tmp_path / "run"))
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
    assert {message.told["fault"] for message in app.told} == {NOBODY}


def test_one_that_falls_silent_is_asked_again(played: Played, app: App) -> None:
    played.answer("live")
    assert app.reaches("live")
    progress_s = app.link.progress_s
    app.now_s += SILENT_S + 1
    played.next_order()
    assert app.reaches("live", "restarting")
    assert app.link.progress_s == progress_s, "a frozen service is no progress"
    app.now_s += STARTING_S + 1
    played.answer("live")
    assert app.reaches("live", "restarting", "restarting", "live")


def test_without_a_service_it_is_said_and_known(app: App, tmp_path: Path) -> None:
    assert until(lambda: app.told)
    assert app.told[0].told["fault"] == NOBODY
    assert app.link.progress_s == 100.0
    assert app.link.latest() is None
    late = Played(tmp_path / "run")
    late.answer("live")
    assert app.reaches("live")
    late.close()
    assert app.reaches("live", "restarting")


def test_an_app_that_is_turned_away_says_so_and_asks_again(played: Played, app: App) -> None:
    for _ in range(3):
        played.next_order()
        played.tell(Message({"told": "taken"}))
    played.next_order()
    assert {message.told["fault"] for message in app.told} == {TAKEN}
    played.tell(state("live"))
    assert app.reaches("live")


def test_one_that_is_turned_away_before_it_has_ordered_is_not_without_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service may close the connection first: what it said is read all the same."""
    played = Played(tmp_path / "run")
    closed = threading.Event()

    def memory(path: Path) -> SharedPicture:
        played.door.settimeout(PATIENCE_S)
        played.link, _ = played.door.accept()
        played.tell(Message({"told": "taken"}))
        played.break_off()
        closed.set()
        return real(path)

    real = camera_watch._memory
    monkeypatch.setattr(camera_watch, "_memory", memory)
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
    assert {message.told["fault"] for message in app.told} == {NOBODY}
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
    played.answer("live")
    assert app.reaches("live")
    shows.show(np.full((480, 640, 3), 90, np.uint8))
    seen = app.link.latest()
    assert seen is not None
    assert seen.shape == (480, 640, 3)
    app.link.close()
    shows.close()
    played.close()


def test_a_service_that_hangs_until_its_queue_is_full_has_not_taken_the_camera(tmp_path: Path) -> None:
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
    for link in waiting:
        link.close()
    played.close()


def test_closing_ends_it_in_the_middle_of_a_message(played: Played, app: App) -> None:
    played.next_order()
    played.write(b"\x00\x00\x10\x00\x00\x00\x00\x00{half")
    app.link.close()
    assert not app.link._thread.is_alive()
    with pytest.raises(ConnectionError):
        played.write(b"x")
