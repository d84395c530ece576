"""The camera's service in its folder: orders taken, messages told behind their mark, apps that come, go and hang."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.geometry import Picture
from vision.live import camera_service
from vision.live.camera_process import AGAIN_S, PAUSE_S
from vision.live.camera_service import (
    IDLE_S,
    LIVE,
    MARK_BYTES,
    ORDERS,
    TOLD,
    CameraService,
    Order,
    fifo,
    order_line,
    order_of,
)
from vision.live.messages import Message, read_message
from vision.live.shared_picture import SharedPicture

MARKS = [bytes([n]) * MARK_BYTES for n in range(1, 9)]


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
    """An app's end of the pipes."""

    def __init__(self, folder: Path) -> None:
        self.orders = os.open(folder / ORDERS, os.O_WRONLY | os.O_NONBLOCK)
        self.told = os.open(folder / TOLD, os.O_RDONLY | os.O_NONBLOCK)

    def order(self, n: int, camera: Path | str, table: str | None = None) -> None:
        os.write(self.orders, order_line(Order(str(camera), table, MARKS[n])))

    def read(self, n: int) -> bytes:
        try:
            return os.read(self.told, n)
        except BlockingIOError:
            return b""

    def heard(self) -> list[Message]:
        """Every message that waits."""
        told = []
        while (message := read_message(self)) is not None:
            told.append(message)
        return told

    def states(self) -> list[str]:
        return [str(one.told["state"]) for one in self.heard() if "state" in one.told]

    def close(self) -> None:
        os.close(self.orders)
        os.close(self.told)


@pytest.fixture
def manager() -> Manager:
    return Manager()


@pytest.fixture
def service(tmp_path: Path, manager: Manager) -> Iterator[CameraService]:
    made = CameraService(tmp_path / "run", manager, lambda: 5.0)
    yield made
    made.close()


@pytest.fixture
def app(service: CameraService, tmp_path: Path) -> Iterator[Reader]:
    made = Reader(tmp_path / "run")
    yield made
    made.close()


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    folder = tmp_path / "camera"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((480, 640, 3), 90, np.uint8))
    return folder


def test_an_order_is_a_line_and_back() -> None:
    order = Order("csi:0", "/var/kitchen.table", MARKS[0])
    assert order_of(order_line(order).strip()) == order


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\x00garbage",
        b"[1, 2]",
        b'{"mark": "00", "camera": "0", "table": null}',
        b'{"mark": "' + b"00" * 16 + b'", "camera": 0, "table": null}',
        b'{"mark": "' + b"00" * 16 + b'", "camera": "0", "table": 7}',
        b'{"mark": 5, "camera": "0", "table": null}',
        b'{"camera": "0", "table": null}',
    ],
)
def test_what_is_no_order_is_none(line: bytes) -> None:
    assert order_of(line) is None


def test_it_waits_for_an_order_and_is_well(service: CameraService, manager: Manager) -> None:
    assert service.once() == IDLE_S
    assert manager.fed == 1
    assert manager.told == ["waiting for an order"]


def test_frames_are_told_behind_the_mark(service: CameraService, app: Reader, camera: Path, tmp_path: Path) -> None:
    app.order(0, camera)
    assert service.once() == PAUSE_S
    assert app.read(MARK_BYTES) == MARKS[0]
    told = app.heard()
    assert told[0].told == {"told": "service", "pid": os.getpid()}
    assert [one.told.get("state") for one in told[1:]] == ["starting", "live"]
    live = SharedPicture(os.open(tmp_path / "run" / LIVE, os.O_RDWR))
    assert np.all(live.latest() == 90)
    live.close()


def test_an_absent_camera_is_told_and_is_no_hang(service: CameraService, app: Reader, manager: Manager) -> None:
    app.order(0, "/nowhere")
    assert service.once() == AGAIN_S
    app.read(MARK_BYTES)
    assert app.states() == ["starting", "no-camera"]
    assert manager.fed == 1
    assert manager.told == ["camera /nowhere: /nowhere: no camera's number, device, or folder of pictures"]


def test_a_table_that_is_gone_is_told_and_does_not_end_it(service: CameraService, app: Reader, camera: Path) -> None:
    app.order(0, camera, "/gone.table")
    assert service.once() == AGAIN_S
    app.read(MARK_BYTES)
    assert app.states() == ["starting", "lost"]
    app.order(1, camera)
    service.once()
    app.read(MARK_BYTES)
    assert app.states() == ["starting", "live"]


def test_of_two_orders_the_second_holds(service: CameraService, app: Reader, camera: Path) -> None:
    app.order(0, "/nowhere")
    app.order(1, camera)
    service.once()
    assert app.read(MARK_BYTES) == MARKS[1]
    app.order(2, camera)
    service.once()
    assert MARKS[2] in app.read(9999)


def test_garbage_and_half_lines_are_skipped(service: CameraService, app: Reader, camera: Path) -> None:
    os.write(app.orders, bytes(range(256)) * 100)
    service.once()
    os.write(app.orders, b'{"mark": "half')
    app.order(3, camera)
    service.once()
    assert app.read(MARK_BYTES) == MARKS[3]
    assert app.states() == ["starting", "live"]


def test_it_lets_go_of_the_camera_when_the_app_goes(
    service: CameraService, app: Reader, camera: Path, manager: Manager
) -> None:
    app.order(0, camera)
    service.once()
    os.close(app.told)
    service._rest(60.0)
    assert service._session is None
    assert service.once() == IDLE_S
    app.told = os.open(camera.parent / "run" / TOLD, os.O_RDONLY | os.O_NONBLOCK)
    app.order(1, camera)
    service.once()
    assert app.read(MARK_BYTES) == MARKS[1], "nothing of the order before is left"


class Lens:
    """A camera that knows whether it is open."""

    def __init__(self, held: list[str], name: str) -> None:
        self._held, self._name = held, name
        held.append(name)

    def frame(self) -> Picture:
        return np.full((480, 640, 3), 90, np.uint8)

    def close(self) -> None:
        self._held.remove(self._name)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the cameras that are open."""
    names: list[str] = []
    monkeypatch.setattr(camera_service, "open_camera", lambda name, _size_px: Lens(names, name))
    return names


def test_the_device_is_closed_when_the_app_goes_orders_another_or_the_service_ends(
    service: CameraService, app: Reader, held: list[str], tmp_path: Path
) -> None:
    app.order(0, "left")
    service.once()
    assert held == ["left"]
    app.order(1, "right")
    service.once()
    assert held == ["right"]
    os.close(app.told)
    service._rest(60.0)
    assert held == []
    app.told = os.open(tmp_path / "run" / TOLD, os.O_RDONLY | os.O_NONBLOCK)
    app.order(2, "left")
    service.once()
    other = CameraService(tmp_path / "other", Manager())
    last = Reader(tmp_path / "other")
    last.order(3, "last")
    other.once()
    assert held == ["left", "last"]
    other.close()
    assert held == ["left"]
    last.close()


def test_an_app_that_goes_while_it_is_told_something(service: CameraService, app: Reader, camera: Path) -> None:
    app.order(0, camera)
    service.once()
    service._clock = lambda: 50.0  # the next sign of life is due
    os.close(app.told)
    assert service.once() == 0.0
    assert service._session is None
    app.told = os.open(camera.parent / "run" / TOLD, os.O_RDONLY | os.O_NONBLOCK)


def test_an_order_of_an_app_that_is_gone_comes_to_nothing(service: CameraService, app: Reader, camera: Path) -> None:
    app.order(0, camera)
    os.close(app.told)
    assert service.once() == IDLE_S
    app.told = os.open(camera.parent / "run" / TOLD, os.O_RDONLY | os.O_NONBLOCK)


def test_an_app_that_does_not_read_is_waited_for_and_the_watchdog_is_fed(
    service: CameraService, app: Reader, camera: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_service, "IDLE_S", 0.001)
    app.order(0, camera)
    service.once()
    kept = bytearray()

    def alive() -> None:
        manager.fed += 1
        if manager.fed > 5:  # the app reads again
            kept.extend(app.read(1 << 20))

    assert service._out is not None
    service._out._waiting = alive
    service._out.write(b"x" * 300_000)
    kept.extend(app.read(1 << 20))
    assert manager.fed > 5
    assert kept.count(b"x") == 300_000


def test_an_order_ends_a_rest(service: CameraService, app: Reader, camera: Path) -> None:
    app.order(0, camera)
    service._rest(60.0)
    assert service.once() == PAUSE_S


def test_what_lies_where_a_pipe_belongs_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no pipe")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert fifo(tmp_path / "a").is_fifo()
    assert fifo(tmp_path / "b").is_fifo()
    assert not (tmp_path / "b").is_symlink()
    before = (tmp_path / "a").stat().st_ino
    assert fifo(tmp_path / "a").stat().st_ino == before


def test_it_runs_for_ever(service: CameraService, manager: Manager, monkeypatch: pytest.MonkeyPatch) -> None:
    def rest(pause_s: float) -> None:
        if manager.fed == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(service, "_rest", rest)
    with pytest.raises(KeyboardInterrupt):
        service.run()
    assert manager.told[0] == "ready: waiting for an order"
