"""Which cameras there are."""

from __future__ import annotations

from pathlib import Path

DEVICES = Path("/sys/class/video4linux")
NO_CAMERAS = ("codec", "isp", "rpivid", "pispbe", "hevc", "decoder", "encoder")  # what a Pi also calls video devices


def cameras_found(devices: Path = DEVICES) -> tuple[str, ...]:
    """The numbers of the cameras that the system knows, "0" first; metadata and codec devices are left out."""
    found = [int(path.name.removeprefix("video")) for path in devices.glob("video*") if _is_camera(path)]
    return tuple(str(number) for number in sorted(found))


def _is_camera(device: Path) -> bool:
    try:
        name, index = (device / "name").read_text().lower(), (device / "index").read_text().strip()
    except OSError:
        return False
    return index == "0" and not any(word in name for word in NO_CAMERAS)
