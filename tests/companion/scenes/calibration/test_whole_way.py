"""From the first touch to a table, the choice of a camera, and how it looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.demo.table import SimulatedPictures
from companion.perception.calibration import Calibration, run_elsewhere
from companion.scenes.base.stage import TryCamera
from companion.scenes.camera.calibration import (
    CameraScene,
    EmptyScene,
    MapFitScene,
    NoCameraScene,
    SupportScene,
    TrialScene,
    begin,
)
from companion.scenes.camera.calibration_start import LearningScene, ResultScene
from companion.text.devices import TEXTS, fault_text
from companion.ui.screen import Buttons, Intent
from companion.view.page.canvas import lay_out
from engine.orders.board import load_board
from tests.companion.gallery.sheet_checks import misplaced
from tests.companion.perception.calibrating import CORNERS, Back, Newcomer
from tests.companion.scenes.calibration.conftest import SIX, at_corners, at_result, at_start, drag
from tests.companion.touching import words
from vision.calibration.faults import Fault
from vision.table import Table


def test_three_touches_make_a_table(newcomer: Newcomer) -> None:
    at_result(newcomer)
    assert newcomer.screen.title == "22 of 22 areas match"
    newcomer.touch(Intent("save"))
    assert newcomer.scene is newcomer.back
    assert newcomer.touches == 3
    assert newcomer.path.read_text() == "a new table"
    assert len(newcomer.saved) == 1
    assert newcomer.camera.closed
    assert newcomer.camera.asked_side == ["empty", "start"]
    assert newcomer.now_s < 15


@pytest.mark.parametrize("stop", [at_corners, at_start, at_result])
def test_cancelling_anywhere_loses_nothing(newcomer: Newcomer, stop: object) -> None:
    newcomer.path.parent.mkdir()
    newcomer.path.write_text("the old table")
    assert callable(stop)
    stop(newcomer)
    newcomer.touch(Intent("cancel"))
    assert newcomer.scene is newcomer.back
    assert newcomer.camera.closed
    assert (newcomer.work.empty, newcomer.work.judged) == (None, None), "its pictures stay"
    assert newcomer.path.read_text() == "the old table"
    assert newcomer.saved == []


def test_cancelling_while_it_learns_and_before_the_first_picture(newcomer: Newcomer) -> None:
    newcomer.touch(Intent("cancel"))
    assert newcomer.scene is newcomer.back
    newcomer.scene = LearningScene(newcomer.work, newcomer.back, lambda: EmptyScene(newcomer.work, newcomer.back))
    newcomer.touch(Intent("elsewhere"))
    learning = newcomer.scene
    assert learning.show().title.startswith("Learning")
    assert learning.touch(Intent("cancel")) is newcomer.back


@pytest.mark.long
def test_a_simulated_table_is_calibrated_from_its_pictures(tmp_path: Path) -> None:
    saved: list[Table] = []
    work = Calibration(
        load_board("sengoku-rivers"),
        SimulatedPictures(load_board("sengoku-rivers"), 1),
        tmp_path / "t",
        saved.append,
        run_elsewhere,
    )
    newcomer = Newcomer.__new__(Newcomer)
    newcomer.work, newcomer.back, newcomer.now_s, newcomer.touches = work, Back(), 0.0, 0
    newcomer.scene = EmptyScene(work, newcomer.back)
    while not isinstance(newcomer.scene, MapFitScene):
        newcomer.later(0.1)
        work._pictures._drawing.wait()  # type: ignore[attr-defined]
        assert newcomer.now_s < 30, "the board is not found"
    newcomer.touch(Intent("fits")).touch(Intent("ready"))
    while not isinstance(newcomer.scene, ResultScene):
        newcomer.later(0.1)
        work._pictures._drawing.wait()  # type: ignore[attr-defined]
        assert newcomer.now_s < 60
    assert work.learned is not None
    assert sum(len(fault.places) for fault in work.learned.faults) <= 1
    newcomer.touch(Intent("save"))
    assert Table.load(tmp_path / "t", "sengoku-rivers").picture_size == (1280, 960)
    assert saved[0].plan.board == "sengoku-rivers"


class SomeCameras:
    ready = False

    def __init__(self, newcomer: Newcomer, *names: str) -> None:
        self.newcomer = newcomer
        self.given = names
        self.begun: list[str] = []

    def names(self) -> dict[str, str]:
        return {name: f"Camera {name}" for name in self.given}

    def begin(self, camera: str) -> Calibration:
        self.begun.append(camera)
        return self.newcomer.work


def test_one_camera_is_taken_at_once_and_one_of_several_chosen(newcomer: Newcomer) -> None:
    cameras = SomeCameras(newcomer, "0")
    assert isinstance(begin(cameras, newcomer.back), EmptyScene)
    assert cameras.begun == ["0"]
    cameras = SomeCameras(newcomer, "0", "2")
    scene = begin(cameras, newcomer.back)
    assert isinstance(scene, CameraScene)
    (offered,) = (block for block in scene.show().blocks if isinstance(block, Buttons))
    assert [button.label for button in offered.buttons] == ["Camera 0", "Camera 2"]
    assert scene.touch(Intent("camera", "7")) is None
    assert scene.touch(Intent("cancel")) is newcomer.back
    assert isinstance(scene.touch(Intent("camera", "2")), EmptyScene)
    assert cameras.begun == ["2"]


def test_without_a_camera_that_is_said_and_pictures_are_offered(newcomer: Newcomer) -> None:
    scene = begin(cameras := SomeCameras(newcomer), newcomer.back)
    assert isinstance(scene, NoCameraScene)
    assert "No camera found. Plug one in and try again." in words(scene.show().blocks)
    assert [button.intent.verb for button in scene.show().actions] == ["back", "again"]
    assert scene.touch(Intent("back")) is newcomer.back
    assert isinstance(scene.touch(Intent("again")), NoCameraScene)
    cameras.given = ("0",)
    assert isinstance(scene.touch(Intent("again")), EmptyScene)
    scene = begin(SomeCameras(newcomer), newcomer.back, trial=True)
    assert [button.label for button in scene.show().actions] == ["Back", "Try the camera", "Try again"]
    assert isinstance(offered := scene.touch(Intent("try-camera")), TrialScene)
    assert isinstance(offered.touch(Intent("start")), TryCamera)
    assert offered.touch(Intent("back")) is scene


def every_fault() -> list[Fault]:
    corners = ("top left", "bottom right")
    places = {"cut-off": corners, "shine": corners}
    return [Fault(kind, places.get(kind, ("a1", "c6", "e3")), side="black") for kind in TEXTS]  # type: ignore[arg-type]


def test_every_fault_has_words() -> None:
    told = [fault_text(fault) for fault in every_fault()]
    assert len(set(told)) == len(told)
    assert all(text[0].isupper() and text[-1] in ".?" and "{" not in text for text in told)


@pytest.mark.parametrize("size_px", [(800, 480), (720, 1280), (1280, 720)], ids=str)
def test_what_is_wrong_at_the_start_is_beside_its_picture_and_not_on_a_second_page(
    newcomer: Newcomer, size_px: tuple[int, int]
) -> None:
    at_start(newcomer)
    for fault in (Fault("cut-off", ("top left", "bottom right")), Fault("dark"), Fault("bright"), None):
        newcomer.verdicts.faults = (fault,) if fault else ()
        newcomer.later(0.4)
        pages = [
            target.intent for target in lay_out(newcomer.screen, size_px).sheet.targets if target.intent.verb == "page"
        ]
        assert pages == [], fault


@pytest.mark.parametrize("size_px", [(800, 480), (1280, 720)], ids=str)
def test_every_step_fits_the_screen(newcomer: Newcomer, size_px: tuple[int, int]) -> None:
    def check(what: str) -> None:
        assert [fault for fault in misplaced(lay_out(newcomer.screen, size_px)) if "lies on" not in fault] == [], what

    check("before the first picture")
    for fault in every_fault():
        newcomer.verdicts.faults = (fault,)
        newcomer.later(0.4)
        check(f"the empty board, {fault.kind}")
    newcomer.verdicts.faults = ()
    at_start(newcomer)
    for fault in every_fault():
        newcomer.verdicts.faults = (fault,)
        newcomer.later(0.4)
        check(f"the start, {fault.kind}")
    newcomer.verdicts.faults = ()
    newcomer.verdicts.start_faults = tuple(every_fault()[-4:])
    newcomer.touch(Intent("ready")).later(3)
    check("the result")
    newcomer.scene = MapFitScene(newcomer.work, newcomer.back)
    newcomer.touch(Intent("corner", "", 0, CORNERS[1]))
    check("a corner is dragged")
    newcomer.scene = SupportScene(newcomer.work, newcomer.back, newcomer.scene)
    check("the support board")
    for at in SIX:
        drag(newcomer, at, at)
    newcomer.touch(Intent("corner", "", 0, SIX[1]))
    check("the support board is marked")
    newcomer.scene = LearningScene(newcomer.work, newcomer.back, lambda: EmptyScene(newcomer.work, newcomer.back))
    check("learning")
    cameras = SomeCameras(newcomer, "0", "/dev/video2")
    newcomer.scene = CameraScene(cameras, cameras.names(), newcomer.back)
    check("which camera")
