"""The spaces of the support board are touched."""

from __future__ import annotations

import pytest

from companion.scenes.camera.calibration import MapFitScene, SupportScene
from companion.ui.screen import Intent
from tests.companion.perception.calibrating import Newcomer
from tests.companion.scenes.calibration.steps import SIX, at_corners, drag, label
from tests.companion.touching import words


def at_support(newcomer: Newcomer, *places: tuple[float, float]) -> Newcomer:
    at_corners(newcomer).touch(Intent("support"))
    assert isinstance(newcomer.scene, SupportScene)
    for at in places:
        drag(newcomer, at, at)
    return newcomer


def test_six_touches_mark_the_support_board(newcomer: Newcomer) -> None:
    at_support(newcomer)
    assert "Touch the centre of “Reinforce 1” on the support board." in words(newcomer.screen.blocks)
    drag(newcomer, SIX[0], SIX[0])
    assert "Touch the centre of “Reinforce 2” on the support board." in words(newcomer.screen.blocks)
    for at in SIX[1:]:
        drag(newcomer, at, at)
    assert "All spaces are marked." in words(newcomer.screen.blocks)
    photo = newcomer.screen.photo
    assert photo is not None
    assert photo.corners == SIX
    assert [name for name, _, _ in photo.names] == ["R1", "R2", "E1", "E2", "P1", "P2"]
    drag(newcomer, (0.5, 0.5), (0.5, 0.5))
    assert len(newcomer.work.support) == 6, "there is no seventh"
    newcomer.touch(Intent("done"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert label(newcomer.screen, "support") == "Support board"
    newcomer.work.corner_faults = lambda: ()  # type: ignore[method-assign]  # of a grey picture
    newcomer.touch(Intent("fits")).touch(Intent("ready")).later(4)
    name, at = newcomer.verdicts.support_px[4]
    assert name == "plan:1"
    assert at == pytest.approx((0.88 * 640, 0.6 * 480))


def test_a_space_is_enlarged_under_the_finger_and_can_be_dragged(newcomer: Newcomer) -> None:
    at_support(newcomer, *SIX[:2])
    newcomer.touch(Intent("corner", "", 0, SIX[2])).touch(Intent("corner", "", 1, (0.89, 0.41)))
    photo = newcomer.screen.photo
    assert photo is not None
    assert photo.held == 2
    assert photo.loupe.startswith(b"\xff\xd8")
    newcomer.touch(Intent("corner", "", 2, (0.89, 0.42)))
    assert newcomer.work.support["embark:1"] == pytest.approx((0.89, 0.42))
    drag(newcomer, (0.95, 0.2), (0.96, 0.21))
    assert newcomer.work.support["reinforce:2"] == pytest.approx((0.95, 0.21)), "the one under the finger"
    newcomer.touch(Intent("key", "left"))
    assert newcomer.work.support["reinforce:2"][0] == pytest.approx(0.95 - 1 / 640)


def test_a_space_can_be_taken_back_and_the_board_left_out(newcomer: Newcomer) -> None:
    at_support(newcomer, *SIX[:2]).touch(Intent("undo"))
    assert list(newcomer.work.support) == ["reinforce:1"]
    newcomer.touch(Intent("without"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.work.support == {}
    at_support(newcomer, SIX[0]).touch(Intent("cancel")).touch(Intent("again"))
    assert newcomer.work.support == {}, "another photo shows it elsewhere"


def test_keys_move_nothing_where_nothing_is_marked(newcomer: Newcomer) -> None:
    at_support(newcomer).touch(Intent("key", "left")).touch(Intent("undo"))
    assert newcomer.work.support == {}
