"""What both sides of the socket say."""

from __future__ import annotations

from pathlib import Path

from companion.perception.camera_service import CameraService
from companion.perception.camera_watch import CameraWatch
from tests.patience import until
from vision.live.camera_service import Order
from vision.live.messages import Message


def state(name: str, fault: str = "") -> Message:
    return Message({"told": "state", "state": name, "fault": fault})


class App:
    """The app's side, with a clock of its own and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 100.0
        self.told: list[Message] = []
        self.link = CameraService(folder, Order("0", "/kitchen.table"), self.told.append, lambda: self.now_s)

    def states(self) -> list[str]:
        return [str(message.told["state"]) for message in self.told if "state" in message.told]

    def reaches(self, *states: str) -> bool:
        """Whether exactly this comes to be told, however often the service's absence is said."""
        return until(lambda: [name for name in self.states() if name != "no-camera"] == list(states))


def live(watch: CameraWatch) -> bool:
    return until(lambda: watch.state == "live" and watch.latest() is not None)
