"""The check of the camera: one picture, taken as the app takes them, and a verdict on it in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.checks.check_result import CheckResult, Machine
from companion.core.errors import CompanionError
from companion.core.language import _, plural
from companion.core.outputs import make_folder, write_output
from companion.perception.adapters import plan_of
from companion.perception.camera_watch import CameraWatch
from companion.perception.cameras import cameras_found, device_of
from companion.text.devices import other_light
from companion.text.faults import fault_words
from engine.orders.board import Board
from vision.calibration.faults import faults_of
from vision.errors import VisionError
from vision.frame import jpeg_of
from vision.geometry import Picture

PATIENCE_S = 10.0  # a camera on a Pi's connector takes a few seconds to begin
SETTLE_S = 1.0  # for the camera to adjust its exposure
LOOK_S = 0.05
SHOWN_PX = 480  # about the width of the picture that is shown
KEPT_QUALITY = 95


class Live(Protocol):
    """A running camera, such as the app's `CameraWatch`."""

    @property
    def state(self) -> str:
        """The camera's state, such as "no-camera"."""

    @property
    def fault(self) -> str | None:
        """Why there is no picture; None if there is no fault."""

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) uint8 BGR; None while there is none."""

    def close(self) -> None:
        """Release the camera."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as a JPEG file, and its (width, height)."""

    data: bytes
    size_px: tuple[int, int]


class CameraLooks:
    """The check of the camera that is set up. live: the camera as the app in this process already runs it.

    begin: opens a camera in a process of its own, so that a hanging driver holds up nothing. `shot`: the picture taken.
    """

    def __init__(
        self,
        wanted: str | None,
        board: Board,
        live: Live | None = None,
        begin: Callable[[str], Live] = CameraWatch,
        machine: Machine | None = None,
    ) -> None:
        self.shot: Shot | None = None
        self.picture: Picture | None = None
        self._wanted, self._board, self._live, self._begin = wanted, board, live, begin
        self._machine = machine or Machine()

    def look(self, found: Mapping[str, str] | None = None, *, busy: bool = False) -> CheckResult:
        """Check the camera that is set up, or else the first one found, by taking a picture.

        found: {camera: name}, looked for if None; busy: an app in another process uses the one that is set up.
        """
        found = cameras_found() if found is None else found
        if self._wanted and not self._is_there(self._wanted, found):
            told = _("Camera {name} is set up but not connected.").format(name=self._wanted)
            return "bad", told, _("Plug it in, or set up another one from the home screen.")
        camera = self._wanted or next(iter(found), None)
        if camera is None:
            return "note", _("No camera found."), _("You can play by touch without one.")
        holder = "Gunbai" if busy and self._wanted else self._holder(camera)
        return self._report(camera, holder, _("found: {names}").format(names=", ".join(found.values()) or camera))

    def _is_there(self, camera: str, found: Mapping[str, str]) -> bool:
        if camera.isdigit():
            return device_of(camera) in map(device_of, found)
        return camera in found if camera.startswith("csi:") else Path(camera).exists()

    def _report(self, camera: str, holder: str, names: str) -> CheckResult:
        if holder:
            used = _("in use by {program}: left alone").format(program=holder)
            return "note", f"{names}; {used}", _("See its picture under Health check in the app.")
        picture, fault = self._take_picture(camera)
        if picture is None:
            remedy = _("Check its cable, and that no other program is using it; then set it up from the home screen.")
            return "bad", f"{names}; {fault}", remedy
        step = max(1, picture.shape[1] // SHOWN_PX)
        small = picture[::step, ::step].copy()
        self.picture, self.shot = picture, Shot(jpeg_of(small), (small.shape[1], small.shape[0]))
        told, remedy = judge_picture(picture, self._board)
        return "note" if remedy else "ok", f"{names}; {told}", remedy

    def _holder(self, camera: str) -> str:
        """Return which other program has the camera open, "" if none; for a Pi's own camera that can't be told."""
        if self._live is not None:
            return ""
        return next(iter(self._machine.holders(device_of(camera))), "")

    def _take_picture(self, camera: str) -> tuple[Picture | None, str]:
        """Take a picture now and return it, or None and why there is none."""
        if self._live is not None:
            return _wait_for_picture(self._live, 0.0)
        live = self._begin(camera)
        try:
            return _wait_for_picture(live, SETTLE_S)
        finally:
            live.close()


def _wait_for_picture(live: Live, settle_s: float) -> tuple[Picture | None, str]:
    """Return the picture `settle_s` after the first one, or None and why none came."""
    began_s = time.monotonic()
    first_s: float | None = None
    while time.monotonic() - began_s < PATIENCE_S:
        picture = live.latest()
        if picture is not None:
            first_s = time.monotonic() if first_s is None else first_s
            if time.monotonic() - first_s >= settle_s:
                return picture, ""
        elif live.state == "no-camera":
            return None, fault_words(live.fault or "")
        time.sleep(LOOK_S)
    return None, plural("no picture within {n} second", "no picture within {n} seconds", round(PATIENCE_S))


def judge_picture(picture: Picture, board: Board) -> tuple[str, str]:
    """Judge a picture's size, light and sharpness; return that in words, and what to do, "" if nothing.

    picture: (H, W, 3) BGR.
    """
    high, wide = picture.shape[:2]
    size = f"{wide}×{high}"
    for fault in faults_of(picture, plan_of(board)):
        told, remedy = _words()[fault.kind]
        return f"{size}, {told}", remedy
    return ", ".join((size, _("good light"), _("sharp"))), ""


def _words() -> Mapping[str, tuple[str, str]]:
    """Return {kind of fault in a picture: (the fault in words, what to do)}."""
    return {
        "few-pixels": (_("resolution too low"), _("Set the camera to 1280 × 960 or more, or use a better one.")),
        "dark": (_("too dark"), _("Take off the lens cap, or add light.")),
        "bright": (_("too bright"), _("Too much light: turn the lamp or the camera away.")),
        "blurred": (_("blurred"), _("Wipe the lens, focus it, and make sure nothing shakes.")),
    }


def judge_light(picture: Picture, table: Path) -> str:
    """Return a remark if the light in a picture (H, W, 3) BGR differs from that of a table's photo, else "".

    Today's photo counts if one lies beside the table's file. "" also if the board isn't found, or the table unreadable.
    """
    from companion.perception.table_file import load_table_today
    from vision.calibration.calibrate import light_of

    try:
        light = light_of(load_table_today(str(table)), picture)
    except (CompanionError, VisionError):  # the table's own check tells what is wrong with it
        return ""
    return other_light() if light is not None and light.is_other else ""


def save_picture(folder: Path, picture: Picture) -> Path:
    """Save the picture as camera.jpg in a folder and return its path; OutputError if it can't be written."""
    path = make_folder(folder) / "camera.jpg"
    write_output(path, jpeg_of(picture, KEPT_QUALITY))
    return path
