"""The camera's service in its folder: orders taken, messages told, apps that come, go and hang."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile import messages
from vision.geometry import Picture
from vision.live import camera_process, camera_service
from vision.live.camera_process import AGAIN_S, PAUSE_S
from vision.live.camera_service import (
    IDLE_S,
    LIVE,
    LONGEST_ORDER,
    SOCKET,
    CameraService,
    Order,
    listening_at,
    order_data,
    order_of,
)
from vision.live.messages import Message, SharedPicture, named_file, read_message


class Manager:
    """A service manager that counts."""

    def __init__(self) -> None:
        self.fed = 0
        self.told: list[str] = []

    def ready(self, status: str = "") -> None:
        self.told.append(f"ready: {status}")

    def status(self, text: str) -> None:
        if text not in self.told[-1:]:
            self.told.append(text)

    def alive(self) -> None:
        self.fed += 1


class Reader:
    """An app's end of the connection."""

    def __init__(self, folder: Path) -> None:
        self.link = socket.socket(socket.AF_UNIX)
        self.link.setblocking(False)
        self.link.connect(str(folder / SOCKET))

    def order(self, camera: Path | str, table: str | None = None) -> None:
        self.link.send(order_data(Order(str(camera), table)))

    def read(self, n: int) -> bytes:
        try:
            return self.link.recv(n)
        except (BlockingIOError, ConnectionResetError):  # reset: its end, where what we sent was never read
            return b""

    def heard(self) -> list[Message]:
        """Every message that waits."""
        told = []
        while (message := read_message(self)) is not None:
            told.append(message)
        return told

    def states(self) -> list[str]:
        return [str(message.told["state"]) for message in self.heard() if "state" in message.told]

    def close(self) -> None:
        self.link.close()


@pytest.fixture
def manager() -> Manager:
    return Manager()


@pytest.fixture
def service(tmp_path: Path, manager: Manager) -> Iterator[CameraService]:
    made = CameraService(tmp_path / "run", manager, lambda: 5.0)
    yield made
    made.close()


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    folder = tmp_path / "camera"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((480, 640, 3), 90, np.uint8))
    return folder


@pytest.fixture
def come(service: CameraService, tmp_path: Path) -> Iterator[Callable[[], Reader]]:
    """Return what lets another app come; all of them go at the end."""
    with ExitStack() as apps:
        yield lambda: apps.enter_context(closing(Reader(tmp_path / "run")))


@pytest.fixture
def app(come: Callable[[], Reader]) -> Reader:
    return come()


def is_served(service: CameraService, later: Reader, camera: Path) -> bool:
    """Return whether an app that has come now is told what its camera sees, and nothing else."""
    later.order(camera)
    service.run_once()
    return later.states() == ["starting", "live"]


NO_ORDERS = (
    b"\xff\x00garbage",
    b"[1, 2]",
    b'{"camera": 0, "table": null}',
    b'{"camera": "0", "table": 7}',
    b'{"camera": "0"}',
    b'{"camera": "0", "ta',
)


@pytest.mark.parametrize("case", messages.ORDERS)
def test_what_is_no_order_is_none(case: str) -> None:
    assert order_of(messages.ORDERS[case]) is None


def test_the_service_outlives_every_order(service: CameraService, tmp_path: Path) -> None:
    tables = (None, "/dev/zero", "a\0b", str(tmp_path / SOCKET))
    named = [{"camera": name, "table": table} for name in messages.CAMERAS for table in tables]
    hostile = [*messages.ORDERS.values(), b"x" * (3 * LONGEST_ORDER), *(json.dumps(order).encode() for order in named)]
    states = 0
    for order in hostile:
        app = Reader(tmp_path / "run")
        app.link.send(order)
        service.run_once()
        states += len(app.states())
        app.close()
    assert states >= 2 * len(tables) * (len(messages.CAMERAS) - 1), "each is answered, but for the one that is no text"


def test_it_waits_for_an_order_and_is_well(service: CameraService, manager: Manager) -> None:
    assert service.run_once() == IDLE_S
    assert manager.fed == 1
    assert manager.told == ["waiting for an order"]


def test_frames_are_told(service: CameraService, app: Reader, camera: Path, tmp_path: Path) -> None:
    app.order(camera)
    assert service.run_once() == PAUSE_S
    told = app.heard()
    assert told[0].told == {"told": "service", "pid": os.getpid()}
    assert [message.told.get("state") for message in told[1:]] == ["starting", "live"]
    live = SharedPicture(os.open(tmp_path / "run" / LIVE, os.O_RDWR))
    assert np.all(live.latest() == 90)
    live.close()


def test_an_absent_camera_is_told_and_is_no_hang(service: CameraService, app: Reader, manager: Manager) -> None:
    app.order("/nowhere")
    assert service.run_once() == AGAIN_S
    assert app.states() == ["starting", "no-camera"]
    assert manager.fed == 1
    assert manager.told == ["camera /nowhere: /nowhere: not a camera number, device or folder of pictures"]


def test_a_table_that_is_gone_is_told_and_does_not_end_it(
    service: CameraService, app: Reader, camera: Path, come: Callable[[], Reader]
) -> None:
    app.order(camera, "/gone.table")
    assert service.run_once() == AGAIN_S
    assert app.states() == ["starting", "lost"]
    app.close()
    assert is_served(service, come(), camera)


@pytest.mark.parametrize("data", NO_ORDERS)
def test_garbage_ends_the_connection_and_the_next_app_is_served(
    service: CameraService, app: Reader, camera: Path, come: Callable[[], Reader], data: bytes
) -> None:
    app.link.send(data)
    assert service.run_once() == IDLE_S
    app.link.setblocking(True)
    assert app.link.recv(100) == b""
    assert is_served(service, come(), camera)


def test_an_app_that_comes_while_another_has_the_camera_is_told_so(
    service: CameraService, app: Reader, camera: Path, come: Callable[[], Reader]
) -> None:
    app.order(camera)
    service.run_once()
    other, silent, gone = come(), come(), come()
    other.order(camera)
    gone.close()
    service.run_once()
    assert [message.told for message in other.heard()] == [{"told": "taken"}]
    assert [message.told for message in silent.heard()] == [{"told": "taken"}]
    assert app.states() == ["starting", "live"]


def test_what_an_app_did_not_read_never_reaches_the_next(
    service: CameraService, app: Reader, camera: Path, come: Callable[[], Reader]
) -> None:
    app.order("/nowhere")
    service.run_once()
    app.close()
    assert is_served(service, come(), camera)


class Lens:
    """A camera that knows whether it is open."""

    noisy = False

    def __init__(self, held: list[str], name: str) -> None:
        self._held, self._name = held, name
        held.append(name)

    def frame(self) -> Picture:
        return np.full((480, 640, 3), 90, np.uint8)

    def close(self) -> None:
        self._held.remove(self._name)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the cameras that are open."""
    names: list[str] = []
    monkeypatch.setattr(camera_process, "open_camera", lambda name, _size_px: Lens(names, name))
    return names


def test_the_device_is_closed_when_the_app_goes_orders_another_or_the_service_ends(
    service: CameraService, come: Callable[[], Reader], held: list[str], tmp_path: Path
) -> None:
    for camera in ("left", "right"):
        app = come()
        app.order(camera)
        service.run_once()
        assert held == [camera]
        app.close()
    service.run_once()
    assert held == []
    come().order("left")
    service.run_once()
    other = CameraService(tmp_path / "other", Manager())
    with closing(Reader(tmp_path / "other")) as last:
        last.order("last")
        other.run_once()
        assert held == ["left", "last"]
        other.close()
    assert held == ["left"]


def test_an_app_that_is_gone_comes_to_nothing(
    service: CameraService, come: Callable[[], Reader], held: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = come()
    app.order("left")
    app.close()
    service.run_once()
    assert (service.run_once(), held) == (IDLE_S, [])
    app = come()
    app.order("left")
    service.run_once()
    service._clock = lambda: 50.0  # the next sign of life is due
    monkeypatch.setattr(camera_service, "_is_over", lambda link: False)  # it went a moment later
    app.close()
    assert service.run_once() == 0.0
    assert service._session is None


def test_an_app_that_does_not_read_is_waited_for_and_the_watchdog_is_fed(
    service: CameraService, app: Reader, camera: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_service, "IDLE_S", 0.001)
    kept = bytearray()

    def alive() -> None:
        manager.fed += 1
        if manager.fed > 5:  # the app reads again
            kept.extend(app.read(1 << 20))

    app.order(camera)
    service.run_once()
    app.heard()
    assert service._app is not None
    out = camera_service.Outbox(service._app, alive)
    out.write(b"x" * 3_000_000)
    while more := app.read(1 << 20):
        kept.extend(more)
    assert manager.fed > 5
    assert kept.count(b"x") == 3_000_000


def test_while_an_app_does_not_read_others_are_turned_away(
    service: CameraService, app: Reader, camera: Path, manager: Manager, come: Callable[[], Reader]
) -> None:
    app.order(camera)
    service.run_once()
    other, fed = come(), manager.fed
    service._while_it_does_not_read()
    assert [message.told for message in other.heard()] == [{"told": "taken"}]
    assert manager.fed == fed + 1


def test_an_order_and_the_apps_end_end_a_rest(service: CameraService, app: Reader, camera: Path) -> None:
    service._rest(60.0)  # the connection does
    service.run_once()
    app.order(camera)
    service._rest(60.0)
    assert service.run_once() == PAUSE_S
    app.close()
    service._rest(60.0)
    assert service.run_once() == IDLE_S
    assert service._session is None


def test_what_lies_where_the_socket_belongs_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no socket")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    listening_at(tmp_path / "b").close()
    assert (tmp_path / "a").read_text() == "no socket"
    for name in ("a", "b", "a"):  # the last one lies where the socket of one that died does
        listening_at(tmp_path / name).close()
        assert (tmp_path / name).is_socket()
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def test_what_lies_where_the_memory_belongs_is_removed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LIVE)
    os.close(named_file(tmp_path / LIVE))
    (tmp_path / "b").symlink_to(tmp_path / LIVE)
    os.close(named_file(tmp_path / "b"))
    assert (tmp_path / LIVE).is_file()
    assert not (tmp_path / "b").is_symlink()


def test_it_runs_for_ever(service: CameraService, manager: Manager, monkeypatch: pytest.MonkeyPatch) -> None:
    def rest(pause_s: float) -> None:
        if manager.fed == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(service, "_rest", rest)
    with pytest.raises(KeyboardInterrupt):
        service.run()
    assert manager.told[0] == "ready: waiting for an order"
