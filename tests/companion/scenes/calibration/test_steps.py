"""The steps of a calibration: the photo of the empty board, its support board, that of the start, what came of it."""

from __future__ import annotations

import pytest

from companion.perception.calibration import DEFAULT_CORNERS
from companion.scenes.camera.calibration import EmptyScene, MapFitScene, SupportScene
from companion.scenes.camera.calibration_start import LearningScene, ResultScene, StartScene
from companion.ui.screen import Intent, PhotoPicture
from tests.companion.perception.calibrating import CORNERS, Newcomer, as_printed
from tests.companion.scenes.calibration.conftest import SIX, at_corners, at_result, at_start, drag, label
from tests.companion.touching import buttons, words
from vision.calibration.faults import Fault


def seen(newcomer: Newcomer) -> PhotoPicture:
    """Return the camera's picture as it is shown."""
    assert newcomer.screen.photo is not None
    return newcomer.screen.photo


def test_the_board_is_shown_as_soon_as_it_is_found(newcomer: Newcomer) -> None:
    assert (seen(newcomer).data, seen(newcomer).caption) == (b"", "Waiting for the camera.")
    newcomer.later(0.3)
    photo = seen(newcomer)
    assert photo.outlines[0] == CORNERS
    assert {name for name, _, faction in photo.names if faction} == {"a3", "e3"}
    assert len(photo.names) == 22
    assert photo.corners == (), "nothing can be dragged on a living picture"


def test_what_is_wrong_is_said_and_the_photo_waits(newcomer: Newcomer) -> None:
    newcomer.verdicts.faults = (Fault("dark"),)
    newcomer.later(3)
    assert isinstance(newcomer.scene, EmptyScene)
    assert seen(newcomer).caption == "Too dark. Turn on a lamp."
    assert label(newcomer.screen, "take") == "Use it anyway"
    newcomer.verdicts.faults = (Fault("glare", ("b4", "c3")),)
    newcomer.later(3)
    assert seen(newcomer).caption == "Lamp glare in b4 and c3. Move the lamp or the camera."
    assert len(seen(newcomer).bad) == 2
    assert label(newcomer.screen, "take") == "Take the photo"
    newcomer.verdicts.faults = ()
    newcomer.verdicts.still = False
    newcomer.later(3)
    assert seen(newcomer).caption == "Waiting for everything to hold still."
    newcomer.verdicts.still = True
    newcomer.later(0.8)
    assert seen(newcomer).caption == "Good. Hold still."
    newcomer.later(2)
    assert isinstance(newcomer.scene, MapFitScene)


def test_a_board_that_is_not_found_can_be_pointed_out(newcomer: Newcomer) -> None:
    newcomer.verdicts.corners = None
    newcomer.later(3)
    assert "Can't find" in seen(newcomer).caption
    newcomer.touch(Intent("take"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.work.corners == DEFAULT_CORNERS
    assert "Can't find the board" in words(newcomer.screen.blocks)


def test_a_camera_that_fails_says_so(newcomer: Newcomer) -> None:
    newcomer.camera.dead = True
    newcomer.camera.fault = "/dev/video0: the camera gave no picture"
    newcomer.later(1)
    assert seen(newcomer).caption == "/dev/video0: the camera gave no picture"
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
    assert seen(newcomer).held == 0
    assert seen(newcomer).loupe.startswith(b"\xff\xd8")
    newcomer.touch(Intent("corner", "", 2, (0.2, 0.1))).later(0.1)
    assert newcomer.work.corners[0] == pytest.approx((0.18, 0.08))
    assert newcomer.work.corners[1:] == CORNERS[1:]
    assert seen(newcomer).held is None


def test_a_finger_far_from_every_corner_drags_nothing_and_none_goes_across_the_board(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    drag(newcomer, (0.5, 0.5), (0.4, 0.4), (0.3, 0.3))
    drag(newcomer, CORNERS[0], (0.9, 0.9), (0.9, 0.95))
    assert newcomer.work.corners == CORNERS


def test_arrow_keys_move_a_corner_by_a_pixel(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    newcomer.touch(Intent("key", "next")).touch(Intent("key", "left")).touch(Intent("key", "down"))
    assert newcomer.work.corners[1] == pytest.approx((CORNERS[1][0] - 1 / 640, CORNERS[1][1] + 1 / 480))
    assert seen(newcomer).held == 1


def test_a_map_that_is_turned_is_turned_on(newcomer: Newcomer) -> None:
    at_corners(newcomer)
    before = {name: at for name, at, _ in seen(newcomer).names}
    newcomer.touch(Intent("turn"))
    assert newcomer.work.corners == (CORNERS[3], *CORNERS[:3])
    assert before["a3"] not in [at for name, at, _ in seen(newcomer).names if name == "a3"]
    for _ in range(3):
        newcomer.touch(Intent("turn"))
    assert newcomer.work.corners == CORNERS


def test_another_photo_begins_anew_and_one_too_bad_to_learn_from_is_refused_once(newcomer: Newcomer) -> None:
    at_corners(newcomer).touch(Intent("again"))
    assert isinstance(newcomer.scene, EmptyScene)
    assert newcomer.work.empty is None
    at_corners(newcomer).touch(Intent("fits"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.screen.banner == "Too dark. Turn on a lamp.", "a grey picture shows nothing"
    newcomer.touch(Intent("fits"))
    assert isinstance(newcomer.scene, StartScene)


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
    assert seen(newcomer).corners == SIX
    assert [name for name, _, _ in seen(newcomer).names] == ["R1", "R2", "E1", "E2", "P1", "P2"]
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
    assert seen(newcomer).held == 2
    assert seen(newcomer).loupe.startswith(b"\xff\xd8")
    newcomer.touch(Intent("corner", "", 2, (0.89, 0.42)))
    assert newcomer.work.support["embark:1"] == pytest.approx((0.89, 0.42))
    drag(newcomer, (0.95, 0.2), (0.96, 0.21))
    assert newcomer.work.support["reinforce:2"] == pytest.approx((0.95, 0.21)), "the one under the finger"
    newcomer.touch(Intent("key", "left"))
    assert newcomer.work.support["reinforce:2"][0] == pytest.approx(0.95 - 1 / 640)


def test_a_space_can_be_taken_back_and_the_board_left_out(newcomer: Newcomer) -> None:
    at_support(newcomer).touch(Intent("key", "left")).touch(Intent("undo"))
    assert newcomer.work.support == {}, "nothing is marked that could move"
    newcomer.touch(Intent("cancel"))
    at_support(newcomer, *SIX[:2]).touch(Intent("undo"))
    assert list(newcomer.work.support) == ["reinforce:1"]
    newcomer.touch(Intent("without"))
    assert isinstance(newcomer.scene, MapFitScene)
    assert newcomer.work.support == {}
    at_support(newcomer, SIX[0]).touch(Intent("cancel")).touch(Intent("again"))
    assert newcomer.work.support == {}, "another photo shows it elsewhere"


def test_the_photo_waits_until_hands_are_away(newcomer: Newcomer) -> None:
    at_start(newcomer)
    newcomer.later(3)
    assert isinstance(newcomer.scene, StartScene), "nobody has said that all is set up"
    newcomer.camera.fault = "the camera is gone"
    assert "the camera is gone" in words(newcomer.screen.blocks)
    newcomer.camera.fault = None
    newcomer.verdicts.still = False
    newcomer.touch(Intent("ready")).later(3)
    assert isinstance(newcomer.scene, StartScene)
    assert "Hands off the board" in words(newcomer.screen.blocks)
    newcomer.verdicts.still = True
    newcomer.later(3)
    assert isinstance(newcomer.scene, ResultScene)


def test_a_second_touch_takes_the_photo_as_it_is_unless_it_is_hopeless(newcomer: Newcomer) -> None:
    at_start(newcomer)
    newcomer.verdicts.faults = (Fault("blurred"),)
    newcomer.later(1).touch(Intent("ready")).touch(Intent("ready"))
    assert newcomer.screen.banner == "Blurred. Focus the camera or wipe its lens."
    assert "Blurred" in words(newcomer.screen.blocks)
    newcomer.verdicts.faults = (Fault("glare", ("c3",)),)
    newcomer.later(1).touch(Intent("ready"))
    assert isinstance(newcomer.scene, LearningScene)


def test_the_start_can_be_left_out(newcomer: Newcomer) -> None:
    at_start(newcomer).touch(Intent("skip")).later(1)
    assert isinstance(newcomer.scene, ResultScene)
    assert newcomer.screen.title == "Board learned"
    assert newcomer.verdicts.learned_from == [None]


def test_a_photo_of_another_place_leads_back(newcomer: Newcomer) -> None:
    at_start(newcomer)
    newcomer.verdicts.refused = "the picture does not show the board from near the same place"
    newcomer.touch(Intent("ready")).later(3)
    assert isinstance(newcomer.scene, StartScene)
    assert newcomer.screen.banner == "the picture does not show the board from near the same place"


def test_the_seconds_of_learning_are_counted(newcomer: Newcomer) -> None:
    at_start(newcomer).later(1)
    scene = LearningScene(newcomer.work, newcomer.back, lambda: EmptyScene(newcomer.work, newcomer.back))
    assert scene.tick(10.0) is None
    assert scene.tick(12.1) is scene
    assert "2 s" in words(scene.show().blocks)


def test_areas_that_are_not_as_printed_are_marked_and_told(newcomer: Newcomer) -> None:
    newcomer.verdicts.reading = as_printed({"e3": {"red": {"troop": 1}}, "c4": {"black": {"troop": 1}}})
    newcomer.verdicts.start_faults = (Fault("missing", ("e3",), 2.0), Fault("extra", ("c4",), 1.0))
    at_result(newcomer)
    screen = newcomer.screen
    assert screen.title == "20 of 22 areas match"
    assert "Pieces are missing in e3." in words(screen.blocks)
    assert screen.map is not None
    assert {area.name for area in screen.map.areas if area.check} == {"e3", "c4"}
    newcomer.touch(Intent("again"))
    assert isinstance(newcomer.scene, StartScene)


def test_pieces_that_stood_on_the_empty_board_lead_back_to_its_photo(newcomer: Newcomer) -> None:
    newcomer.verdicts.reading = as_printed()
    newcomer.verdicts.start_faults = (Fault("same", ("a1", "e3"), 2.0),)
    at_result(newcomer)
    assert "Both photos look the same." in words(newcomer.screen.blocks)
    looks = {button.intent.verb: button.look for button in (*buttons(newcomer.screen.blocks), *newcomer.screen.actions)}
    assert (looks["empty"], looks["save"]) == ("primary", "quiet")
    newcomer.touch(Intent("empty"))
    assert isinstance(newcomer.scene, EmptyScene)
    assert newcomer.work.empty is None


def test_a_table_that_cannot_be_saved_leaves_the_old_one(newcomer: Newcomer) -> None:
    newcomer.path.parent.write_text("a file where the folder should be")
    at_result(newcomer).touch(Intent("save"))
    assert isinstance(newcomer.scene, ResultScene)
    assert newcomer.screen.banner.startswith("Couldn't save; still using the old set-up: ")
    assert newcomer.saved == []
