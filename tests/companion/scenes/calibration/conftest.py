"""A newcomer with a camera, and how far they have come."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.scenes.camera.calibration import EmptyScene, MapFitScene
from companion.scenes.camera.calibration_start import ResultScene, StartScene
from companion.ui.screen import Intent, Screen
from tests.companion.perception.calibrating import Newcomer
from tests.companion.touching import buttons


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Newcomer:
    found = Newcomer(tmp_path, monkeypatch)
    found.scene = EmptyScene(found.work, found.back)
    return found


def label(screen: Screen, verb: str) -> str:
    return next(button.label for button in [*buttons(screen.blocks), *screen.actions] if button.intent.verb == verb)


def at_corners(newcomer: Newcomer) -> Newcomer:
    newcomer.later(2.5)
    assert isinstance(newcomer.scene, MapFitScene)
    return newcomer


def at_start(newcomer: Newcomer) -> Newcomer:
    at_corners(newcomer).work.corner_faults = lambda: ()  # type: ignore[method-assign]  # of a grey picture
    newcomer.touch(Intent("fits"))
    assert isinstance(newcomer.scene, StartScene)
    return newcomer


def at_result(newcomer: Newcomer) -> Newcomer:
    at_start(newcomer).touch(Intent("ready")).later(4)
    assert isinstance(newcomer.scene, ResultScene)
    return newcomer


def drag(newcomer: Newcomer, *places: tuple[float, float]) -> None:
    phases = [0, *([1] * (len(places) - 2)), 2]
    for n, at in zip(phases, places, strict=True):
        newcomer.touch(Intent("corner", "", n, at))


SIX = ((0.88, 0.2), (0.94, 0.2), (0.88, 0.4), (0.94, 0.4), (0.88, 0.6), (0.94, 0.6))
