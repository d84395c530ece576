"""The eye over a battle as the app has it: one look through a camera, and where each unit is.

A look takes a good part of a second: it belongs into an errand.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import TYPE_CHECKING, Protocol

from companion.core.language import _
from companion.measuring.field import Sighting, sighting_of
from companion.settings.marking import Marking, marked_table
from engine.sonae.position import Position

if TYPE_CHECKING:
    from vision.bases.bases import Measurement
    from vision.bases.camera import TableCamera
    from vision.geometry import Picture

JPEG_QUALITY = 85
"""Of the photo on the screen: it is only looked at."""
PATIENCE_S, PAUSE_S = 8.0, 0.1
"""How long a camera may take until its first picture, and how often it is asked."""


class FieldEye(Protocol):
    """Whatever can measure a battle: a camera, or a stand-in for one."""

    @property
    def fault(self) -> str:
        """Why the last look gave nothing; "" if it gave something."""

    def look(self, position: Position) -> Sighting | None:
        """Return where each unit is now; None without a picture."""

    def picture(self) -> bytes | None:
        """Return the JPEG of what was looked at last."""


class Pictures(Protocol):
    """An opened camera."""

    def latest(self) -> Picture | None:
        """Return the newest picture; None before the first."""

    def close(self) -> None:
        """Close the camera."""


class CameraPictures:
    """Pictures of the camera that is watching; if none is, of one that is opened for a single picture.

    watching: returns what watches now, or None. camera: returns the name of the camera to open otherwise, or None.
    """

    def __init__(
        self,
        watching: Callable[[], Pictures | None],
        camera: Callable[[], str | None],
        begin: Callable[[str], Pictures],
    ) -> None:
        self._watching, self._camera, self._begin = watching, camera, begin

    def __call__(self) -> Picture | None:
        """Return a picture, (H, W, 3) uint8 BGR; None if there is none, even seconds after opening a camera."""
        now = self._watching()
        if now is not None:
            return now.latest()
        camera = self._camera()
        return None if camera is None else self._single(camera)

    def _single(self, camera: str) -> Picture | None:
        opened = self._begin(camera)
        try:
            for _again in range(round(PATIENCE_S / PAUSE_S)):
                picture = opened.latest()
                if picture is not None:
                    return picture.copy()
                sleep(PAUSE_S)
            return None
        finally:
            opened.close()


class CameraFieldEye:
    """Looks through the camera in use: `latest` gives its newest picture (H, W, 3) BGR, None where there is none.

    marking: how the bases are marked at the time of a look.
    """

    def __init__(self, latest: Callable[[], Picture | None], marking: Callable[[], Marking] = Marking) -> None:
        self._latest, self._marking = latest, marking
        self._frame: Picture | None = None
        self._before: tuple[str, TableCamera] | None = None
        self.fault = ""
        """Why the last look had nothing."""

    def look(self, position: Position) -> Sighting | None:
        """Return what the camera sees of a battle now; None without a picture, `fault` saying why."""
        frame = self._latest()
        if frame is None:
            self.fault = _("no picture from the camera right now")
            return None
        self._frame = frame
        seen = self._measure(frame, position)
        sighting = sighting_of(position, seen)
        self.fault = sighting.fault
        return sighting

    def _measure(self, frame: Picture, position: Position) -> Measurement:
        """Measure the bases; if corners are hidden, with the camera of an earlier look, if that may still hold.

        That look must have had all corners in sight.
        """
        from vision.bases.bases import measure

        name = position.scenario.name
        before = self._before[1] if self._before is not None and self._before[0] == name else None
        seen = measure(frame, marked_table(position.scenario, self._marking()), before)
        if seen.camera is not None and not seen.missing:
            self._before = (name, seen.camera)
        return seen

    def picture(self) -> bytes | None:
        """Return the JPEG of what was looked at last; None before the first look."""
        if self._frame is None:
            return None
        from vision.frame import jpeg_of

        return jpeg_of(self._frame, JPEG_QUALITY)
