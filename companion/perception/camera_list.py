"""Which cameras there are, as the system's own lists have them: no device is opened, so that anybody may look."""

from __future__ import annotations

import re
from pathlib import Path

DEVICES = Path("/sys/class/video4linux")
NO_CAMERAS = (b"codec", b"isp", b"rpivid", b"pispbe", b"hevc", b"decoder", b"encoder", b"unicam", b"rp1-cfe")
"""What a Pi also calls video devices. The last two are a connector's receivers: their frames are raw."""
ON_A_BUS = re.compile(rb"([a-z]+[a-z0-9_]*) \d+-[0-9a-f]{4}$")
NO_SENSORS = (b"dw", b"ad5", b"ak73", b"lm3", b"tc358")
"""Chips beside a sensor, or in its place: what moves a lens, flashes, or takes a video signal in."""


def cameras_found(devices: Path = DEVICES) -> tuple[str, ...]:
    """The cameras that the system knows: "csi:0" and on for those on a Raspberry Pi's connectors, then the numbers of
    others, "0" first; metadata and codec devices are left out.
    """
    found = [int(path.name.removeprefix("video")) for path in devices.glob("video*") if _is_camera(path)]
    sensors = sum(_is_sensor(path) for path in devices.glob("v4l-subdev*"))
    return (*(f"csi:{number}" for number in range(sensors)), *(str(number) for number in sorted(found)))


def _is_camera(device: Path) -> bool:
    try:
        name, index = (device / "name").read_bytes().lower(), (device / "index").read_bytes().strip()
    except OSError:
        return False
    return index == b"0" and not any(word in name for word in NO_CAMERAS)


def _is_sensor(device: Path) -> bool:
    """Whether a part of a connector's chain is the sensor itself, such as "imx708 10-001a"."""
    try:
        found = ON_A_BUS.match((device / "name").read_bytes().strip().lower())
    except OSError:
        return False
    return found is not None and not found[1].startswith(NO_SENSORS)
