"""A virtual machine: QEMU with a screen, USB and a watchdog; its guest is spoken to through `guest/agent.py`."""

from __future__ import annotations

import base64
import json
import shlex
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np

from vision.geometry import Picture

GUEST = Path(__file__).parent / "guest"
BOOT_S = 1800.0  # half a processor without acceleration, and a busy host
ORDER_S = 300.0
MONITOR_S = 300.0  # a machine is kept in that time, too
SPARE_S = 60.0  # beyond an order's own limit
MEMORY_MB = 1536
SIZE_PX = (800, 480)  # of the Pi's own touch screen
PUSHED = "/run/lab"
KERNEL = "root=/dev/vda ro fsck.repair=yes console=tty0 console=ttyS0,115200 loglevel=4 systemd.show_status=0"
KERNEL += " no_timer_check"  # on a busy host it would look for a tick in vain, and panic


class LabError(Exception):
    """The machine isn't what a trial wants it to be; the message says how."""


class LineSocket:
    """JSON by the line over a socket that QEMU listens on."""

    def __init__(self, path: Path, limit_s: float) -> None:
        until_s = time.monotonic() + limit_s
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._heard = b""
        while True:
            try:
                self._socket.connect(str(path))
                return
            except OSError:
                if time.monotonic() > until_s:
                    raise LabError(f"{path.name}: nobody listens") from None
                time.sleep(0.1)

    def say(self, told: dict[str, Any]) -> None:
        """Send a line."""
        self._socket.settimeout(None)
        self._socket.sendall(json.dumps(told).encode() + b"\n")

    def hear(self, limit_s: float) -> dict[str, Any]:
        """Return the next line; raise LabError if none comes in time or the machine is gone."""
        until_s = time.monotonic() + limit_s
        while b"\n" not in self._heard:
            self._socket.settimeout(max(0.01, until_s - time.monotonic()))
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                raise LabError(f"no answer within {limit_s:g} s") from None
            except OSError as error:
                raise LabError(f"the machine is gone ({error})") from None
            if not data:
                raise LabError("the machine is gone")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return dict(json.loads(line))

    def close(self) -> None:
        """Leave."""
        self._socket.close()


class Machine:
    """One that runs. `disk`: QEMU's words for its disk, with the id `disk`; `devices`: more of QEMU's arguments.

    folder: where its sockets and its console's log are. changed: whether a trial has given it other settings.
    """

    def __init__(self, image: Path, disk: str, folder: Path, devices: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.changed = folder, False
        for name in ("qmp", "agent"):
            (folder / name).unlink(missing_ok=True)
        self._child = subprocess.Popen(
            command(image, disk, folder, devices),
            stdin=subprocess.DEVNULL,
            stdout=(folder / "qemu.txt").open("ab"),
            stderr=subprocess.STDOUT,
        )
        self.began_s = time.monotonic()
        self._qmp = LineSocket(folder / "qmp", 20.0)
        self._qmp.hear(20.0)
        self.monitor("qmp_capabilities")
        self._agent = LineSocket(folder / "agent", 20.0)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """No machine outlives its trials."""
        self.cut()

    # ---- from outside ----------------------------------------------------------------------------

    def monitor(self, execute: str, **arguments: Any) -> Any:
        """Return QEMU's answer to a command of its monitor (QMP); raise LabError if it refuses."""
        self._qmp.say({"execute": execute, "arguments": arguments})
        while True:
            told = self._qmp.hear(MONITOR_S)
            if "error" in told:
                raise LabError(f"{execute}: {told['error']['desc']}")
            if "return" in told:
                return told["return"]

    def plug(self, driver: str, name: str, **properties: Any) -> None:
        """Plug a device in."""
        self.monitor("device_add", driver=driver, id=name, **properties)

    def add_disk(self, name: str, path: Path, *, read_only: bool = False) -> None:
        """Have a disk for a device to be plugged in."""
        file = {"driver": "file", "filename": str(path)}
        self.monitor("blockdev-add", **{"driver": "raw", "node-name": name, "read-only": read_only, "file": file})

    def add_folder(self, name: str, folder: Path) -> None:
        """Have a disk with FAT that has the files of a folder."""
        read = {"driver": "vvfat", "dir": str(folder), "fat-type": 16}
        self.monitor("blockdev-add", **{"node-name": name, "read-only": True, **read})

    def remove_disk(self, name: str) -> None:
        """Let go of a disk, once its device is gone."""
        self.monitor("blockdev-del", **{"node-name": name})

    def unplug(self, name: str) -> None:
        """Pull a device."""
        self.monitor("device_del", id=name)

    def picture(self) -> Picture:
        """Return a picture of the screen."""
        path = self.folder / "screen.ppm"
        self.monitor("screendump", filename=str(path))
        return read_picture(path)

    def keep(self, state: Path) -> None:
        """Stop the machine and keep its memory and devices in a file; its disk has all that it wrote."""
        self.monitor("stop")
        part = state.with_suffix(".part")
        self.monitor("migrate", uri=f"exec:cat >{part}")
        while (told := self.monitor("query-migrate"))["status"] != "completed":
            if told["status"] in ("failed", "cancelled"):
                raise LabError(f"its state can't be kept: {told.get('error-desc', told['status'])}")
            time.sleep(0.5)
        self.cut()
        part.replace(state)

    def go_on(self) -> None:
        """Go on from a state that was kept, once it is read."""
        while self.monitor("query-status")["status"] == "inmigrate":
            time.sleep(0.2)
        self.monitor("cont")

    def event(self, name: str, limit_s: float) -> float:
        """Wait for something that QEMU tells by itself: how many seconds that took."""
        began_s = time.monotonic()
        while self._qmp.hear(max(0.1, began_s + limit_s - time.monotonic())).get("event") != name:
            pass
        return time.monotonic() - began_s

    def cut(self) -> None:
        """Take the power away."""
        for line in (self._agent, self._qmp):
            line.close()
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()

    @property
    def runs(self) -> bool:
        """Whether QEMU is still there."""
        return self._child.poll() is None

    # ---- inside ----------------------------------------------------------------------------------

    def boot(self) -> float:
        """Wait until the guest answers: how many seconds that took."""
        self._agent.say({"run": "true", "limit_s": 10})
        self._agent.hear(BOOT_S)
        return time.monotonic() - self.began_s

    def try_run(self, line: str, limit_s: float = ORDER_S) -> tuple[int, str]:
        """Run a line of shell as root and return its status and output."""
        self._agent.say({"run": line, "limit_s": limit_s})
        told = self._agent.hear(limit_s + SPARE_S)
        return told["status"], told["output"].strip()

    def run(self, line: str, limit_s: float = ORDER_S) -> str:
        """Run a line of shell that has to succeed and return its output."""
        status, output = self.try_run(line, limit_s)
        if status:
            raise LabError(f"{line.splitlines()[0][:120]}: status {status}: {' | '.join(output.splitlines()[-4:])}")
        return output

    def freeze_kernel(self) -> None:
        """End the kernel: it panics, and stays as it is."""
        self._agent.say({"run": "echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger", "limit_s": 10})

    def wait_for(self, line: str, limit_s: float, otherwise: str) -> float:
        """Wait until a line of shell succeeds in the guest: how many seconds that took. It waits inside."""
        began_s = time.monotonic()
        waiting = f"until {line} >/dev/null 2>&1; do sleep 0.3; done"
        status, _ = self.try_run(waiting, limit_s)
        if status:
            raise LabError(f"{otherwise} (waited {limit_s:g} s)")
        return time.monotonic() - began_s

    def push(self, path: str, data: bytes, mode: int = 0o644) -> str:
        """Write a file in the guest: its path."""
        self._agent.say({"put": path, "data": base64.b64encode(data).decode(), "mode": mode})
        self._agent.hear(ORDER_S)
        return path

    def helper(self, name: str) -> str:
        """Bring a module of `guest/` into the machine: its path there."""
        return self.push(f"{PUSHED}/{name}.py", (GUEST / f"{name}.py").read_bytes())

    def begin(self, unit: str, line: str) -> None:
        """Start something that runs on in the guest, as a unit of systemd's; its output is in the journal."""
        self.try_run(f"systemctl reset-failed {unit}; systemctl stop {unit}")
        self.run(f"systemd-run --quiet --collect --unit={unit} {line}")

    def property(self, unit: str, name: str) -> str:
        """Return a property of a unit as systemd tells it."""
        return self.run(f"systemctl show -p {name} --value {shlex.quote(unit)}")


def command(image: Path, disk: str, folder: Path, devices: Sequence[str]) -> list[str]:
    """QEMU's command line, with Debian's own kernel and the oldest processor that numpy runs on (x86-64-v2)."""
    return [
        *("qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,tb-size=1024", "-cpu", "Nehalem"),
        *("-smp", "1", "-m", str(MEMORY_MB), "-nodefaults", "-no-user-config", "-display", "none", "-nic", "none"),
        *("-kernel", str(image / "vmlinuz"), "-initrd", str(image / "initrd.img"), "-append", KERNEL),
        *("-drive", f"id=disk,if=none,{disk}", "-device", "virtio-blk-pci,drive=disk"),
        *("-device", "virtio-rng-pci", "-device", "virtio-gpu-pci,xres={},yres={}".format(*SIZE_PX)),
        *("-device", "qemu-xhci,id=usb", "-device", "virtio-serial-pci"),
        *("-chardev", f"socket,id=agent,path={folder / 'agent'},server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=gunbai.lab"),
        *("-qmp", f"unix:{folder / 'qmp'},server=on,wait=off", "-serial", f"file:{folder / 'console.txt'}"),
        *devices,
    ]


def read_picture(path: Path) -> Picture:
    """Return a picture's pixels; raise LabError if it can't be read."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise LabError(f"{path.name} is no picture")
    return np.asarray(picture, np.uint8)


def from_state(state: Path) -> tuple[str, str]:
    """QEMU's words to begin with a state that was kept."""
    return ("-incoming", f"exec:cat {state}")


def overlay(base: Path, path: Path) -> str:
    """QEMU's words for a disk that starts as `base` and keeps what changes in `path`."""
    path.unlink(missing_ok=True)
    run_here("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(base), str(path))
    return f"file={path},format=qcow2,cache=unsafe"


def flatten(path: Path, raw: Path) -> None:
    """Make a disk of its own of what `overlay` made."""
    run_here("qemu-img", "convert", "-O", "raw", str(path), str(raw))
    path.unlink()


def run_here(*line: str) -> str:
    """Run a program on this machine and return what it prints; raise LabError if it fails."""
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"{' '.join(line[:2])}: {done.stderr.strip()}")
    return done.stdout
