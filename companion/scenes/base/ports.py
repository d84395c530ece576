"""What scenes ask of the eye and the cameras, as Protocols: whoever has them hands them in."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from companion.games.match import Match
from companion.perception.calibration import Calibration
from vision.reading.read import Reading


class Cameras(Protocol):
    """The cameras there are, and a calibration with one of them."""

    @property
    def ready(self) -> bool:
        """Whether a table is calibrated and in use."""

    def names(self) -> tuple[str, ...]:
        """What each camera is called, as settings and commands name it."""

    def begin(self, camera: str) -> Calibration:
        """Open a camera for a calibration; CalibrationError or VisionError where it cannot be opened."""


class Eye(Protocol):
    """Whoever reads single pictures."""

    @property
    def camera(self) -> bool:
        """Whether a picture can be taken now."""

    def now(self, match: Match | None) -> Reading:
        """What stands on the board now."""

    def file(self, path: Path) -> Reading:
        """What stands on the board in a picture file."""
