"""The real port where it is hard: opened in a thread, refused, in use, hung; and what is plugged in."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Signal
from types import SimpleNamespace

import pytest
from serial.tools.list_ports_common import ListPortInfo

from hardware.card_reader import CardReader, open_reader, split_spec
from hardware.controller import open_controller
from hardware.errors import PortLost, PortOpening, PortRefused
from hardware.events import Plugged
from hardware.ports import MOST_UNSENT_BYTES, PatientOpener, PluggedPort, Port, SerialPort, list_ports, open_port
from hardware.simulated_ports import Cable
from hardware.wire import ping
from tests.hardware.serial_rig import SimulatedScanner
from tests.patience import PATIENCE_S


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    """Yield the master's side and the path of a pseudo-terminal."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


def fetched(opener: PatientOpener) -> Port:
    """Return the opener's port once its thread has ended."""
    thread = opener._thread
    if thread is not None:
        thread.join(PATIENCE_S)
    return opener()


# ---- opening -----------------------------------------------------------------------------------


def test_a_port_is_for_one_program(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], 9600)
    with pytest.raises(PortLost, match="in use by another program"):
        open_port(pty[1], 9600)
    port.close()
    open_port(pty[1], 9600).close()


def test_what_is_no_port_cannot_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, tmp_path, tmp_path / "none"):
        with pytest.raises(PortLost, match=r"can't be opened|Could not"):
            open_port(str(path), 9600)


def test_a_refusal_tells_what_to_do(pty: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, _flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    with pytest.raises(PortRefused, match="dialout"):
        open_port(pty[1], 9600)


def test_a_fault_while_opening_is_told_when_it_is_known(tmp_path: Path) -> None:
    path = tmp_path / "port"
    path.touch()

    may_end = Signal()

    def refuse(path: str, _baud: int) -> Port:
        assert may_end.wait(PATIENCE_S)
        raise PortRefused(f"not {path}")

    opener = PatientOpener(str(path), 9600, refuse)
    for _ in range(2):
        may_end.clear()
        with pytest.raises(PortOpening):
            opener()
        may_end.set()
        with pytest.raises(PortRefused):
            fetched(opener)


def test_a_device_whose_opening_takes_long_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "port"
    path.touch()
    may_end, cable, opened = Signal(), Cable(SimulatedScanner(), lambda: 0.0), list[str]()

    def slowly(path: str, _baud: int) -> Port:
        opened.append(path)
        assert may_end.wait(PATIENCE_S)
        return cable.open()

    opener = PatientOpener(str(path), 9600, slowly)
    reader = CardReader("reader", opener)
    for now_s in (1.0, 1.002, 1.004):
        assert reader.poll(now_s) == ()
    assert reader.health().fault == f"{path} is being opened"
    may_end.set()
    assert opener._thread is not None
    opener._thread.join(PATIENCE_S)
    assert [type(event) for event in reader.poll(1.01)] == [Plugged]
    assert opened == [str(path)]


def test_a_path_that_may_not_be_looked_at_is_opened_to_learn_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> bool:
        raise PermissionError

    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(PortLost, match="opened"):  # it is being opened, or cannot be
        PatientOpener("/nowhere/port", 9600)()


def test_nothing_is_opened_where_nothing_is(tmp_path: Path) -> None:
    opener = PatientOpener(str(tmp_path / "none"), 9600)
    with pytest.raises(PortLost, match="there is no"):
        opener()
    assert opener._thread is None


def test_readers_and_controllers_of_the_settings_are_opened_when_polled(pty: tuple[int, str]) -> None:
    reader = open_reader(f"scanner:{pty[1]}")
    assert reader.name == f"scanner:{pty[1]}"
    assert reader.health().address == pty[1]
    now_s = 0.0
    while reader.health().state != "present":
        now_s += 0.01
        reader.poll(now_s)
    reader.close()
    controller = open_controller("/nowhere/port")
    assert controller.poll(0.0) == ()
    assert (controller.health().state, controller.health().fault) == ("absent", "there is no /nowhere/port")


@pytest.mark.parametrize(
    ("spec", "framing", "path"),
    [
        ("rdm6300:/dev/ttyUSB0", "rdm6300", "/dev/ttyUSB0"),
        ("scanner:/dev/ttyACM0", "scanner", "/dev/ttyACM0"),
        ("any:/dev/ttyACM0", "any", "/dev/ttyACM0"),
        (
            "/dev/serial/by-path/pci-0000:01:00.0-usb-0:1.2:1.0",
            "any",
            "/dev/serial/by-path/pci-0000:01:00.0-usb-0:1.2:1.0",
        ),
        ("scanner", "any", "scanner"),
    ],
)
def test_a_reader_of_the_settings(spec: str, framing: str, path: str) -> None:
    assert split_spec(spec) == (framing, path)


# ---- reading and writing -----------------------------------------------------------------------


def write_often(port: Port, times: int) -> None:
    for _ in range(times):
        port.write(ping())


def test_a_device_that_takes_nothing_is_lost_and_nothing_blocks(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], 9600)
    with pytest.raises(PortLost, match="has taken none"):
        write_often(port, 200_000)
    port.close()
    open_port(pty[1], 9600).close()


def test_what_did_not_fit_is_sent_later(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], 9600)
    assert isinstance(port, SerialPort)
    count = 0
    while not port._unsent:
        port.write(ping())
        count += 1
    port.write(ping())
    wanted = ping() * (count + 1)
    heard = b""
    while len(heard) < len(wanted):
        heard += os.read(pty[0], 65536)
        port.read()
    assert heard == wanted
    port.close()


def test_a_device_that_is_not_ready_after_all_is_not_lost(
    pty: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int, _data: bytes) -> int:
        raise BlockingIOError

    port = open_port(pty[1], 9600)
    with monkeypatch.context() as patch:
        patch.setattr("hardware.ports.os.write", full)
        port.write(ping())
    port.write(b"")
    assert os.read(pty[0], 100) == ping()
    port.close()


def test_a_port_whose_device_went_is_lost_in_both_directions() -> None:
    for use in (lambda port: port.read(), lambda port: write_often(port, 9)):
        master, slave = os.openpty()
        port = open_port(os.ttyname(slave), 9600)
        os.close(master)
        with pytest.raises(PortLost, match="gone"):
            use(port)
        port.close()
        os.close(slave)


class Full:
    """A port of pyserial whose device takes nothing, and which breaks when it is read."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @property
    def out_waiting(self) -> int:
        self.told.append("waiting")
        return MOST_UNSENT_BYTES

    def read(self, _size: int) -> bytes:
        raise OSError("broken")

    def reset_output_buffer(self) -> None:
        self.told.append("reset")

    def close(self) -> None:
        self.told.append("close")


def test_closing_waits_a_moment_and_throws_the_rest_away() -> None:
    full = Full()
    SerialPort(full).close()  # type: ignore[arg-type]
    assert full.told[0] == "waiting"
    assert full.told[-2:] == ["reset", "close"]


def test_a_lost_port_is_closed_without_waiting() -> None:
    full = Full()
    port = SerialPort(full)  # type: ignore[arg-type]
    with pytest.raises(PortLost):
        port.read()
    port.close()
    assert full.told == ["reset", "close"]


# ---- what is plugged in ------------------------------------------------------------------------


def info(device: str, **known: object) -> ListPortInfo:
    port = ListPortInfo(device, skip_link_detection=True)
    port.__dict__.update(known)
    return port


def test_ports_have_stable_paths_and_names(tmp_path: Path) -> None:
    dev = tmp_path / "dev"
    for name in ("serial/by-id", "serial/by-path"):
        (dev / name).mkdir(parents=True)
    links = {
        "serial/by-id/usb-Pico-if00": "ttyACM0",
        "serial/by-path/usb-1.1": "ttyACM0",
        "serial/by-id/usb-1a86_USB_Serial-if00-port0": "ttyUSB1",
        "serial/by-path/usb-1.2": "ttyUSB0",
        "serial/by-path/usb-1.3": "ttyUSB1",
        "serial0": "ttyAMA0",
    }
    for link, target in links.items():
        (dev / target).touch()
        (dev / link).symlink_to(dev / target)
    at = str(dev) + "/"
    found = [
        info(f"{at}ttyUSB0", name="ttyUSB0", vid=0x1A86, pid=0x7523, location="1-1.2", product="USB Serial"),
        info(f"{at}ttyUSB1", name="ttyUSB1", vid=0x1A86, pid=0x7523, location="1-1.3", product="USB Serial"),
        info(f"{at}ttyACM0", name="ttyACM0", vid=0x2E8A, pid=5, serial_number="E66", location="1-1.1:1.0"),
        info(f"{at}ttyUSB9", name="ttyUSB9", vid=0x0403, pid=0x6001, location="1-2", manufacturer="FTDI"),
        info(f"{at}ttyS0", name="ttyS0"),
    ]
    assert list_ports(dev, found) == (
        PluggedPort(f"{at}serial/by-id/usb-Pico-if00", "2E8A:0005 (ttyACM0)", f"{at}ttyACM0"),
        PluggedPort(f"{at}serial0", "GPIO 14, 15", f"{at}ttyAMA0"),
        PluggedPort(f"{at}serial/by-path/usb-1.2", "USB Serial (ttyUSB0)", f"{at}ttyUSB0"),
        PluggedPort(f"{at}serial/by-path/usb-1.3", "USB Serial (ttyUSB1)", f"{at}ttyUSB1"),
        PluggedPort(f"{at}ttyUSB9", "FTDI (ttyUSB9)", f"{at}ttyUSB9"),
    )


def test_nothing_plugged_in_is_an_empty_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert list_ports(tmp_path) == ()


def test_a_device_that_goes_while_it_is_listed_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trip() -> list[SimpleNamespace]:
        raise TypeError("int() can't convert non-string with explicit base")

    monkeypatch.setattr("serial.tools.list_ports.comports", trip)
    assert list_ports(tmp_path) == ()
