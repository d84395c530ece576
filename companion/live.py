"""Which cameras there are."""

from __future__ import annotations

from pathlib import Path

DEVICES = Path("/sys/class/video4linux")
NO_CAMERAS = (b"codec", b"isp", b"rpivid", b"pispbe", b"hevc", b"decoder", b"encoder")
"""What a Pi also calls video devices."""


def cameras_found(devices: Path = DEVICES) -> tuple[str, ...]:
    """The numbers of the cameras that the system knows, "0" first; metadata and codec devices are left out."""
    found = [int(path.name.removeprefix("video")) for path in devices.glob("video*") if _is_camera(path)]
    return tuple(str(number) for number in sorted(found))


def _is_camera(device: Path) -> bool:
    try:
        name, index = (device / "name").read_bytes().lower(), (device / "index").read_bytes().strip()
    except OSError:
        return False
    return index == b"0" and not any(word in name for word in NO_CAMERAS)
