"""The photo of the empty board and its corners."""

from __future__ import annotations

import pytest

from companion.perception.calibration import DEFAULT_CORNERS
from companion.scenes.camera.calibration import EmptyScene, MapFitScene
from companion.scenes.camera.calibration_start import StartScene
from companion.ui.screen import Intent
from tests.companion.perception.calibrating import CORNERS, Newcomer
from tests.companion.scenes.calibration.steps import at_corners, drag, label
from tests.companion.touching import words
from vision.calibration.faults import Fault


def caption(newcomer: Newcomer) -> str:
    assert newcomer.screen.photo is not None
    return newcomer.screen.photo.caption


def test_the_board_is_shown_as_soon_as_it_is_found(newcomer: Newcomer) -> None:
    assert newcomer.screen.photo is not None
    assert newcomer.screen.photo.data == b""
    assert caption(newcomer) == "Waiting for the camera."
    newcomer.later(0.3)
    photo = newcomer.screen.photo
    assert photo.outlines[0] == CORNERS
    assert {name for name, _, faction in photo.names if faction} == {"a3", "e3"}
    assert len(photo.names) == 22
    assert photo.corners == (), "nothing can be dragged on a living picture"


def test_what_is_wrong_is_said_and_the_photo_waits(newcomer: Newcomer) -> None:
    newcomer.verdicts.faults = (Fault("dark"),)
    newcomer.later(3)
    assert isinstance(newcomer.scene, EmptyScene)
    assert caption(newcomer) == "Too dark. Turn on a lamp."
    assert label(newcomer.screen, "take") == "Use it anyway"
    newcomer.verdicts.faults = (Fault("glare", ("b4", "c3")),)
    newcomer.later(3)
    assert caption(newcomer) == "Lamp glare in b4 and c3. Move the lamp or the camera."
    assert newcomer.screen.photo is not None
    assert len(newcomer.screen.photo.bad) == 2
    assert label(newcomer.screen, "take") == "Take the photo"
    newcomer.verdicts.faults = ()
    newcomer.verdicts.still = False
    newcomer.later(3)
    assert caption(newcomer) == "Waiting for everything to hold still."
    newcomer.verdicts.still = True
    newcomer.later(0.8)
    assert caption(newcomer) == "Good. Hold still."
    newcomer.later(2)
    assert isinstance(newcomer.scene, MapFitScene)


def test_a_board_that_is_not_found_can_be_pointed_out(newcomer: Newcomer) -> None:
    newcomer.verdicts.corners = None
    newcomer.later(3)
    assert "Can't find" in caption(newcomer)
    newcomer.touch(Intent("take"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.work.corners == DEFAULT_CORNERS
    assert "Can't find the board" in words(newcomer.screen.blocks)


def test_a_camera_that_fails_says_so(newcomer: Newcomer) -> None:
    newcomer.camera.dead = True
    newcomer.camera.fault = "/dev/video0: the camera gave no picture"
    newcomer.later(1)
    assert caption(newcomer) == "/dev/video0: the camera gave no picture"
    newcomer.touch(Intent("take"))
    assert newcomer.screen.banner == "/dev/video0: the camera gave no picture"
    newcomer.camera.fault = None
    newcomer.touch(Intent("take"))
    assert newcomer.screen.banner == "No picture yet."


def test_a_corner_follows_the_finger_without_jumping_under_it(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    newcomer.touch(Intent("corner", "", 0, (0.27, 0.17)))
    assert newcomer.work.corners[0] == pytest.approx(CORNERS[0])
    newcomer.touch(Intent("corner", "", 1, (0.22, 0.12)))
    photo = newcomer.screen.photo
    assert photo is not None
    assert photo.held == 0
    assert photo.loupe.startswith(b"\xff\xd8")
    newcomer.touch(Intent("corner", "", 2, (0.2, 0.1))).later(0.1)
    assert newcomer.work.corners[0] == pytest.approx((0.18, 0.08))
    assert newcomer.work.corners[1:] == CORNERS[1:]
    assert newcomer.screen.photo is not None
    assert newcomer.screen.photo.held is None


def test_a_finger_far_from_every_corner_drags_nothing(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    drag(newcomer, (0.5, 0.5), (0.4, 0.4), (0.3, 0.3))
    assert newcomer.work.corners == CORNERS


def test_a_corner_cannot_be_dragged_across_the_board(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    drag(newcomer, CORNERS[0], (0.9, 0.9), (0.9, 0.95))
    assert newcomer.work.corners == CORNERS


def test_arrow_keys_move_a_corner_by_a_pixel(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    newcomer.touch(Intent("key", "next")).touch(Intent("key", "left")).touch(Intent("key", "down"))
    assert newcomer.work.corners[1] == pytest.approx((CORNERS[1][0] - 1 / 640, CORNERS[1][1] + 1 / 480))
    assert newcomer.screen.photo is not None
    assert newcomer.screen.photo.held == 1


def test_a_map_that_is_turned_is_turned_on(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    before = {name: at for name, at, _ in newcomer.screen.photo.names}  # type: ignore[union-attr]
    newcomer.touch(Intent("turn"))
    assert newcomer.work.corners == (CORNERS[3], *CORNERS[:3])
    after = {name: at for name, at, _ in newcomer.screen.photo.names}  # type: ignore[union-attr]
    assert before["a3"] != after["a3"]
    for _ in range(3):
        newcomer.touch(Intent("turn"))
    assert newcomer.work.corners == CORNERS


def test_another_photo_begins_anew(newcomer: Newcomer) -> None:
    at_corners(newcomer).touch(Intent("again"))
    assert isinstance(newcomer.scene, EmptyScene)
    assert newcomer.work.empty is None
    at_corners(newcomer)


def test_a_photo_too_bad_to_learn_from_is_refused_once(newcomer: Newcomer) -> None:
    at_corners(newcomer).touch(Intent("fits"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.screen.banner == "Too dark. Turn on a lamp.", "a grey picture shows nothing"
    newcomer.touch(Intent("fits"))
    assert isinstance(newcomer.scene, StartScene)
