"""What is plugged into a USB serial adapter (FTDI's chip, made by QEMU): by udev's name, pulled, plugged in again."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.games.match import Match
from hardware.frames import tag_frame
from hardware.simulated_ports import FarEnd, SimulatedController
from tests.companion.sample_games import BOARD, BONUSES
from tests.lab.machine import Machine
from tests.lab.trial import APP, BEGUN, Lab, ensure, settle, wait_for_app
from tests.lab.trials.power import AS_US
from tests.lab.trials.touch import begin, wait_for_page

UNIT = "lab-reader"
TAG = "0A00B1C2D3"
OTHER_TAG = "0A00B1C2D4"
SEEN_S = 120.0
PAUSE_S, READ_BYTES = 0.01, 4096


def reader(lab: Lab) -> str:
    """Tags arrive, before a replug and after it; in the app's sandbox the port is opened again."""
    machine = lab.machine()
    line = _line(lab, "reader")
    name = _plug(machine, "reader")
    machine.begin(UNIT, f"{AS_US} {machine.helper('reader')} {name}")
    _read(machine, line, TAG)
    _pull(machine, "reader")
    machine.wait_for(f"journalctl -b -u {UNIT} | grep -q present=False", SEEN_S, "that it was pulled isn't noticed")
    _plug(machine, "reader")
    _read(machine, line, OTHER_TAG)
    machine.run(f"systemctl stop {UNIT}")
    settle(machine, f'[desk]\nreaders = ["{name}"]\n')
    wait_for_app(machine)
    _held(machine, "the app doesn't open the port")
    _replug(machine, "reader")
    line.close()
    return f"{name}: tags read before and after a replug; the app opened it both times"


def controller(lab: Lab) -> str:
    """Check that a table controller's button leads on in the app, which lights its lamps, after a replug too."""
    machine = lab.machine()
    line = _line(lab, "controller")
    name = _plug(machine, "controller")
    folder = lab.results / "controller"
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text(f'[desk]\ncontroller = "{name}"\n', encoding="utf-8")
    (folder / BEGUN).unlink(missing_ok=True)
    Match.start(folder / BEGUN, BOARD, "red", BONUSES).close()
    begin(machine, folder)
    _held(machine, "the app doesn't open the port")
    far = SimulatedController()
    with _cable(far, line):
        before = lab.wait_for_picture("controller")
        ensure(not is_red(far), "its lamp is red where nobody plays")
        far.press("confirm-one")
        wait_for_page(lab, before, "controller", "its button does nothing in the app")
        far.release("confirm-one")
        _wait_until(lambda: is_red(far), "the lamp of red's turn isn't red")
        _replug(machine, "controller")
        far.start(time.monotonic())
        _wait_until(lambda: is_red(far), "after a replug the lamp stays dark")
    return f"{name}: a button leads on in the app, its lamp shows whose turn it is, after a replug too"


def is_red(far: SimulatedController) -> bool:
    """Whether it shows that it is red's turn."""
    red, green, blue = far.shown.lights.turn
    return red > max(green, blue)


def _wait_until(so: Callable[[], bool], otherwise: str) -> None:
    until_s = time.monotonic() + SEEN_S
    while not so():
        ensure(time.monotonic() < until_s, otherwise)
        time.sleep(PAUSE_S)


def _line(lab: Lab, port: str) -> socket.socket:
    """Return the far end of a serial adapter's line; QEMU plugs no adapter in before somebody is there."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(str(lab.results / "machine" / port))
    return line


@contextmanager
def _cable(far: FarEnd, line: socket.socket) -> Iterator[None]:
    """Let a device speak and hear over a line, by the host's clock."""
    over = threading.Event()

    def carry() -> None:
        while not over.wait(PAUSE_S):
            with suppress(BlockingIOError):
                far.hear(line.recv(READ_BYTES), time.monotonic())
            line.send(far.speak(time.monotonic()))

    line.setblocking(False)
    thread = threading.Thread(target=carry)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        line.close()


def _plug(machine: Machine, port: str) -> str:
    machine.plug("usb-serial", f"{port}-device", chardev=port, bus="usb.0", serial="LAB1")
    machine.wait_for("ls /dev/gunbai/serial-*", SEEN_S, "udev gives it no name in /dev/gunbai")
    machine.run("udevadm settle")
    return machine.run("ls /dev/gunbai/serial-* | head -n 1")


def _pull(machine: Machine, port: str) -> None:
    machine.unplug(f"{port}-device")
    machine.wait_for("! ls /dev/ttyUSB0", SEEN_S, "it isn't gone")


def _replug(machine: Machine, port: str) -> None:
    """Replug an adapter and check that the app opens the port again by itself."""
    _pull(machine, port)
    machine.run("sleep 3")
    _plug(machine, port)
    _held(machine, "after a replug the app doesn't open the port")


def _read(machine: Machine, line: socket.socket, tag: str) -> None:
    """Lay a tag down until it is read: the reader says it again and again, as an RDM6300 does."""
    until_s = time.monotonic() + SEEN_S
    while machine.try_run(f"journalctl -b -u {UNIT} | grep -q {tag}")[0]:
        ensure(
            time.monotonic() < until_s, f"tag {tag} isn't read: {machine.run(f'journalctl -b -u {UNIT} | tail -n 3')}"
        )
        line.sendall(tag_frame(tag))


def _held(machine: Machine, otherwise: str) -> None:
    held = f"ls -l /proc/$(systemctl show -p MainPID --value {APP})/fd | grep -q ttyUSB"
    machine.wait_for(held, SEEN_S, otherwise)
