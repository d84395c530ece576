"""A camera for tests of the calibration: it shows what it is given, and the eye's verdicts are given too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from companion.perception import calibration
from companion.perception.calibration import Calibration, Corners, Judged, Learned
from companion.scenes.base.stage import Scene
from companion.ui.screen import Intent, Screen
from engine.orders.board import load_board
from vision.calibration.faults import Fault
from vision.errors import PictureError
from vision.geometry import Picture
from vision.reading.read import Reading
from vision.table import Support, Table

CORNERS: Corners = ((0.25, 0.15), (0.75, 0.15), (0.8, 0.9), (0.2, 0.9))


class Camera:
    """Gives a new picture of plain grey each time, until told otherwise."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self.dead = self.closed = False
        self.asked_side: list[str] = []

    def latest(self) -> Picture | None:
        return None if self.dead else np.full((480, 640, 3), 90, np.uint8)

    def ask(self, what: str) -> None:
        self.asked_side.append(what)

    def close(self) -> None:
        self.closed = True


class SomeTable:
    """Stands for a table: it can be saved."""

    picture_size = (640, 480)

    def save(self, path: Path) -> None:
        path.write_text("a new table")


@dataclass
class Verdicts:
    """What the eye says of every picture from now on."""

    corners: Corners | None = CORNERS
    faults: tuple[Fault, ...] = ()
    still: bool = True
    reading: Reading | None = None
    start_faults: tuple[Fault, ...] = ()
    refused: str = ""
    learned_from: list[Picture | None] = field(default_factory=list)
    support_px: Support = ()

    def judge(self, picture: Picture, *_: object) -> tuple[Judged, Picture]:
        return Judged(picture, self.corners, self.faults, self.still), picture

    def learn(
        self, plan: object, empty: Picture, corners_px: object, start: Picture | None, support_px: Support
    ) -> Learned:
        if self.refused:
            raise PictureError(self.refused)
        self.support_px = support_px
        self.learned_from.append(start)
        table: Table = SomeTable()  # type: ignore[assignment]
        return Learned(table, self.reading if start is not None else None, self.start_faults)


def as_printed(changes: Mapping[str, dict[str, dict[str, int]]] | None = None) -> Reading:
    """Return a reading of the printed starting position, but for these areas."""
    board = load_board("sengoku-rivers")
    units: dict[str, dict[str, dict[str, int]]] = {}
    for area in board.areas:
        for faction, unit, n in area.start:
            units.setdefault(area.name, {}).setdefault(faction, {})[unit] = n
    units |= dict(changes or {})
    return Reading(units, {}, dict.fromkeys((area.name for area in board.areas), 0.99), (), 1.0)


class Back:
    """Where the calibration came from."""

    def show(self) -> Screen:
        return Screen(title="Back")

    def touch(self, intent: Intent) -> Scene | None:
        return None


class Newcomer:
    """Goes through the calibration: touches what is shown, and lets time pass."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.verdicts = Verdicts(reading=as_printed())
        patch.setattr(calibration, "_judge", self.verdicts.judge)
        patch.setattr(calibration, "learn", self.verdicts.learn)
        patch.setattr(calibration, "snap", lambda picture, corners, plan: corners)
        self.camera = Camera()
        self.path = folder / "tables" / "kitchen.table"
        self.saved: list[Table] = []
        self.work = Calibration(load_board("sengoku-rivers"), self.camera, self.path, self.saved.append)
        self.back = Back()
        self.now_s = 0.0
        self.scene: Scene = self.back
        self.touches = 0

    @property
    def screen(self) -> Screen:
        return self.scene.show()

    def later(self, seconds: float) -> Newcomer:
        """Time passes, a tenth of a second at a time, and the work is done in it."""
        for _ in range(round(seconds * 10)):
            self.now_s += 0.1
            self.work.wait()
            following = self.scene.tick(self.now_s) if hasattr(self.scene, "tick") else None
            self.scene = following or self.scene
        return self

    def touch(self, intent: Intent) -> Newcomer:
        self.touches += 1
        self.scene = self.scene.touch(intent) or self.scene
        return self
