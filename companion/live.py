"""Live pictures of a camera, taken in a thread of its own, and which cameras there are."""

from __future__ import annotations

import threading
from pathlib import Path

from vision.camera import open_camera
from vision.errors import VisionError
from vision.geometry import Picture

DEVICES = Path("/sys/class/video4linux")
NO_CAMERAS = ("codec", "isp", "rpivid", "pispbe", "hevc", "decoder", "encoder")  # what a Pi also calls video devices
PAUSE_S = 0.08
AGAIN_S = 1.0


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


class CameraPictures:
    """The newest picture of a camera; one that fails is opened again and again, and `fault` says why."""

    def __init__(self, camera: str) -> None:
        self.fault: str | None = None
        self._camera = camera
        self._latest: Picture | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="live pictures", daemon=True)
        self._thread.start()

    def latest(self) -> Picture | None:
        """The newest picture, None while there is none."""
        return self._latest

    def ask(self, what: str) -> None:
        """People read the screen; a camera is told nothing."""

    def close(self) -> None:
        """Let go of the camera, once its present picture has come or a second has passed."""
        self._over.set()
        self._thread.join(AGAIN_S)

    def _work(self) -> None:
        while not self._over.is_set():
            try:
                self._watch()
            except VisionError as error:
                self.fault, self._latest = str(error), None
            self._over.wait(AGAIN_S)

    def _watch(self) -> None:
        source = open_camera(self._camera)
        try:
            while not self._over.wait(PAUSE_S):
                self._latest = source.frame()
                self.fault = None
        finally:
            source.close()
