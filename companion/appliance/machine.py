"""Facts about this machine: how it differs from those that Gunbai is made for, and which packages it lacks."""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.core.language import _

MODELS = (
    "Raspberry Pi 4",
    "Raspberry Pi 400",
    "Raspberry Pi 5",
    "Raspberry Pi 500",
    "Raspberry Pi Zero 2 W",
    "Raspberry Pi Compute Module 4",
    "Raspberry Pi Compute Module 5",
)
SYSTEMS = ("debian 12", "debian 13")
PROCESSOR = "aarch64"
ROOM_MB = 1200  # a release with its environment, and a second one being made
PACKAGES = (
    "python3-venv",
    *("libdrm2", "libgbm1", "libegl1", "libgles2", "libgl1-mesa-dri", "libudev1"),  # the screen
    *("kbd", "console-setup-linux"),  # large letters on the screen that shows why the app failed
    *("dbus", "polkitd"),  # switching off
)
PI_PACKAGES = ("python3-lgpio",)
RIBBON_CAMERA_PACKAGES = ("rpicam-apps-lite", "rpicam-apps", "python3-picamera2")
"""Any of them will do; the first comes with Raspberry Pi OS Lite, the second with its desktop."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What was found out about a machine.

    model: its name in the device tree, "" if it has none; system: such as "debian 12"; pretty: the same for
    people; processor, python: of this process; free_mb: room for the program; desktop: whether the machine starts a
    desktop.
    """

    model: str
    system: str
    pretty: str
    processor: str
    python: str
    free_mb: int
    desktop: bool

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi of whatever model."""
        return "Raspberry Pi" in self.model

    @property
    def packages(self) -> tuple[str, ...]:
        """The Debian packages that Gunbai needs here."""
        return PACKAGES + (PI_PACKAGES if self.is_pi else ())


def look(layout: Layout) -> MachineFacts:
    """Look at the machine of this layout and return its facts."""
    lines = _text(layout.root / "etc/os-release").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line)
    release = {key.strip(): value.strip().strip("\"'") for key, _equals, value in pairs}
    disk = next(folder for folder in (layout.home, *layout.home.parents) if folder.exists())
    return MachineFacts(
        model=_text(layout.root / "proc/device-tree/model").rstrip("\0 \n"),
        system=f"{release.get('ID', '?')} {release.get('VERSION_ID', '?')}",
        pretty=release.get("PRETTY_NAME", "an unknown system"),
        processor=platform.machine(),
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        free_mb=shutil.disk_usage(disk).free // 1_000_000,
        desktop=(layout.root / "etc/systemd/system/display-manager.service").is_symlink(),
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def is_foreign(layout: Layout) -> bool:
    """Return whether a mounted tree has another processor or Python, so that what is built here can't run there.

    False for a tree without Python, which tells nothing.
    """
    link = layout.root / "usr/bin/python3"
    if not link.is_symlink():
        return False
    python = link.readlink().name
    there = layout.root / "usr/bin" / python
    own = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return python != own or _processor_of(there) != _processor_of(Path(sys.executable).resolve())


def _processor_of(program: Path) -> bytes:
    """Return the bytes of an ELF file's header that identify its processor; b"" for any other file.

    They are the word's size and byte order, then e_machine (System V ABI).
    """
    with program.open("rb") as file:
        head = file.read(20)
    return head[4:6] + head[18:20] if head.startswith(b"\x7fELF") else b""


def differences(machine: MachineFacts) -> tuple[str, ...]:
    """Return a sentence for each way this machine differs from those Gunbai is made for; it may work all the same."""
    found = []
    if not machine.model.startswith(MODELS):
        form = _("{machine}: made for a Raspberry Pi 4, 5 or Zero 2 W; buttons and a ribbon camera may not work")
        found.append(form.format(machine=machine.model or _("no Raspberry Pi")))
    if machine.system not in SYSTEMS:
        form = _("{system}: made for Raspberry Pi OS 12 and 13 (Debian bookworm and trixie)")
        found.append(form.format(system=machine.pretty))
    if machine.is_pi and machine.processor != PROCESSOR:
        form = _("{processor}: a 64-bit system ({other}) is needed for the ready-built packages")
        found.append(form.format(processor=machine.processor, other=PROCESSOR))
    return tuple(found)


def cautions(machine: MachineFacts) -> tuple[str, ...]:
    """Return sentences on what the owner has to change on this machine."""
    found = []
    if machine.desktop:
        found.append(
            _("this machine starts a desktop, which takes the screen: {command}").format(
                command="sudo systemctl set-default multi-user.target"
            )
        )
    return tuple(found)


def missing_packages(machine: MachineFacts, host: Host) -> tuple[str, ...]:
    """Return the Debian packages that Gunbai needs and that aren't installed; () for no Debian, or a mounted tree."""
    if not host.layout.here or shutil.which("dpkg-query") is None:
        return ()
    asked = (*machine.packages, *RIBBON_CAMERA_PACKAGES)
    ran = host.run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\\n", *asked)
    there = {line.partition(" ")[0] for line in ran.output.splitlines() if line.endswith(" installed")}
    sees = not machine.is_pi or not there.isdisjoint(RIBBON_CAMERA_PACKAGES)
    wanted = machine.packages if sees else (*machine.packages, RIBBON_CAMERA_PACKAGES[0])
    return tuple(name for name in wanted if name not in there)
