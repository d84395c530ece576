"""The service manager is told over a real socket; without one, or with one that is gone, nothing happens."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.notify import Notifier, from_environment


class Manager:
    """A service manager that only listens."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        """Every datagram since the last call."""
        told = []
        while True:
            try:
                told.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return told


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    name = f"@gunbai-{os.getpid()}-{tmp_path.name}"
    made = Manager(str(tmp_path / "notify") if request.param == "path" else name)
    yield made
    made.socket.close()


def test_everything_is_told_as_systemd_reads_it(manager: Manager) -> None:
    notifier = Notifier(manager.address)
    notifier.ready("at home")
    notifier.alive()
    notifier.status("playing, round 2")
    notifier.stopping()
    assert notifier.listens
    assert manager.heard() == [
        "READY=1\nSTATUS=at home",
        "WATCHDOG=1",
        "STATUS=playing, round 2",
        "STOPPING=1",
    ]


def test_a_status_is_told_once_and_on_one_line(manager: Manager) -> None:
    notifier = Notifier(manager.address)
    notifier.status("camera lost:\nREADY=1")
    notifier.status("camera lost:\nREADY=1")
    assert manager.heard() == ["STATUS=camera lost: READY=1"]
    notifier.status("playing")
    assert manager.heard() == ["STATUS=playing"]


def test_without_a_manager_nothing_happens() -> None:
    notifier = from_environment({})
    notifier.ready()
    notifier.alive()
    assert not notifier.listens
    assert notifier.watchdog_s is None


def test_a_manager_that_is_gone_disturbs_nobody(manager: Manager) -> None:
    manager.socket.close()
    if not manager.address.startswith("@"):
        Path(manager.address).unlink()
    notifier = Notifier(manager.address)
    notifier.ready()
    notifier.alive()


def test_a_manager_that_does_not_read_holds_nobody_up(manager: Manager) -> None:
    notifier = Notifier(manager.address)
    for _ in range(5000):
        notifier.alive()
    assert 0 < len(manager.heard()) < 5000


@pytest.mark.parametrize("address", ["relative", "vsock:2:1234", ""])
def test_what_is_no_address_is_none(address: str) -> None:
    assert not from_environment({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000000"}).listens


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "9" * 400}, None),
        ({"WATCHDOG_USEC": "9" * 5000}, None),
    ],
)
def test_the_watchdog_waits_for_the_process_it_names(given: dict[str, str], seconds: float | None) -> None:
    assert from_environment({"NOTIFY_SOCKET": "/run/x", **given}).watchdog_s == seconds
