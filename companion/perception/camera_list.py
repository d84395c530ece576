"""Which cameras there are, as the system's own lists have them: no device is opened, so that anybody may look."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from intake.text import one_line

DEVICES = Path("/sys/class/video4linux")
DEV = Path("/dev")
NO_CAMERAS = (b"codec", b"isp", b"rpivid", b"pispbe", b"hevc", b"decoder", b"encoder", b"unicam", b"rp1-cfe")
"""What a Pi also calls video devices. The last two are a connector's receivers: their frames are raw."""
ON_A_BUS = re.compile(rb"([a-z]+[a-z0-9_]*) \d+-[0-9a-f]{4}$")
NO_SENSORS = (b"dw", b"ad5", b"ak73", b"lm3", b"tc358")
"""Chips beside a sensor, or in its place: what moves a lens, flashes, or takes a video signal in."""


def cameras_found(devices: Path = DEVICES, dev: Path = DEV) -> Mapping[str, str]:
    """Return {what opens it: what people call it} of the cameras that the system knows.

    First come those on a Raspberry Pi's connectors, "csi:0" and on; then the others, by names that stay with them when
    the system numbers its devices anew. A name of /dev/v4l/by-id stays with a camera in whatever socket it is. Of two
    alike cameras without numbers of their own it is whichever came last, so such twins are told by their sockets,
    /dev/v4l/by-path. What has neither goes by its number. Metadata and codec devices are left out.
    """
    numbers = sorted(int(path.name.removeprefix("video")) for path in devices.glob("video*") if _is_camera(path))
    nodes = {dev / f"video{number}": _name_of(devices / f"video{number}") for number in numbers}
    by_id, by_path = _links(dev / "v4l/by-id"), _links(dev / "v4l/by-path")
    twins = {name for node, name in nodes.items() if node not in by_id}
    ribbons = {f"csi:{number}": f"csi:{number}" for number in range(sum(map(_is_sensor, devices.glob("v4l-subdev*"))))}
    found = {}
    for node, name in nodes.items():
        link = by_path.get(node) if name in twins else by_id[node]
        found[str(link or node.name.removeprefix("video"))] = f"{name} ({node.name})"
    return {**ribbons, **found}


def device_of(camera: str) -> Path:
    """Return the device that a camera's number or stable name stands for at this moment."""
    return DEV / f"video{camera}" if camera.isdigit() else Path(os.path.realpath(camera))


def in_use_first(used: str | None, found: Mapping[str, str]) -> Mapping[str, str]:
    """Return the cameras with the one in use at the head, by its stable name where it goes by another."""
    if used is None:
        return found
    stable = next((camera for camera in found if device_of(camera) == device_of(used)), used)
    return {stable: found.get(stable, used), **found}


def _links(folder: Path) -> dict[Path, Path]:
    """Return {device: its name in this folder}."""
    return {link.resolve(): link for link in sorted(folder.iterdir())} if folder.is_dir() else {}


def _name_of(device: Path) -> str:
    """Return what the driver calls a camera, "HD Webcam" where that is "HD Webcam: HD Web"."""
    try:
        name = one_line((device / "name").read_bytes().decode(errors="replace"))
    except OSError:  # unplugged in between
        return device.name
    whole, _colon, again = name.partition(": ")
    return whole if again and whole.startswith(again) else name


def _is_camera(device: Path) -> bool:
    try:
        name, index = (device / "name").read_bytes().lower(), (device / "index").read_bytes().strip()
    except OSError:
        return False
    return index == b"0" and not any(word in name for word in NO_CAMERAS)


def _is_sensor(device: Path) -> bool:
    """Return whether a part of a connector's chain is the sensor itself, such as "imx708 10-001a"."""
    try:
        found = ON_A_BUS.match((device / "name").read_bytes().strip().lower())
    except OSError:
        return False
    return found is not None and not found[1].startswith(NO_SENSORS)
