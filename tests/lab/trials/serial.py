"""A card reader on a USB serial adapter (FTDI's chip, made by QEMU): by udev's name, pulled, plugged in again."""

from __future__ import annotations

import socket
import time

from tests.lab.machine import Machine
from tests.lab.trial import APP, Lab, Trial, ensure, settle, wait_for_app
from tests.lab.trials.power import AS_US

NAME = "serial"
UNIT = "lab-reader"
TAG = "0A00B1C2D3"
OTHER_TAG = "0A00B1C2D4"
SEEN_S = 120.0


def reader(lab: Lab) -> str:
    """Tags arrive, before a replug and after it; in the app's sandbox the port is opened again."""
    machine = lab.machine()
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(str(lab.results / "machine" / "reader"))
    name = _plug(machine)
    machine.begin(UNIT, f"{AS_US} {machine.helper('reader')} {name}")
    _read(machine, line, TAG)
    _pull(machine)
    machine.wait_for(f"journalctl -b -u {UNIT} | grep -q present=False", SEEN_S, "that it was pulled isn't noticed")
    _plug(machine)
    _read(machine, line, OTHER_TAG)
    machine.run(f"systemctl stop {UNIT}")
    settle(machine, f'[desk]\nreaders = ["{name}"]\n')
    wait_for_app(machine)
    _held(machine, "the app doesn't open the port")
    _pull(machine)
    machine.run("sleep 3")
    _plug(machine)
    _held(machine, "after a replug the app doesn't open the port")
    line.close()
    return f"{name}: tags read before and after a replug; the app opened it both times"


def _plug(machine: Machine) -> str:
    machine.plug("usb-serial", "reader-device", chardev="reader", bus="usb.0", serial="LAB1")
    machine.wait_for("ls /dev/gunbai/serial-*", SEEN_S, "udev gives it no name in /dev/gunbai")
    machine.run("udevadm settle")
    return machine.run("ls /dev/gunbai/serial-* | head -n 1")


def _pull(machine: Machine) -> None:
    machine.unplug("reader-device")
    machine.wait_for("! ls /dev/ttyUSB0", SEEN_S, "it isn't gone")


def _read(machine: Machine, line: socket.socket, tag: str) -> None:
    """Lay a tag down until it is read: the reader says it again and again, as an RDM6300 does."""
    until_s = time.monotonic() + SEEN_S
    while machine.try_run(f"journalctl -b -u {UNIT} | grep -q {tag}")[0]:
        ensure(
            time.monotonic() < until_s, f"tag {tag} isn't read: {machine.run(f'journalctl -b -u {UNIT} | tail -n 3')}"
        )
        line.sendall(tag_frame(tag))


def tag_frame(tag: str) -> bytes:
    """What an RDM6300 says of a tag of ten hex digits: STX, the digits, their XOR, ETX."""
    total = 0
    for byte in bytes.fromhex(tag):
        total ^= byte
    return b"\x02%s%02X\x03" % (tag.encode(), total)


def _held(machine: Machine, otherwise: str) -> None:
    held = f"ls -l /proc/$(systemctl show -p MainPID --value {APP})/fd | grep -q ttyUSB"
    machine.wait_for(held, SEEN_S, otherwise)


TRIALS: tuple[tuple[str, Trial], ...] = (("reader", reader),)
