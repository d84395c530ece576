"""The photo of the starting position, and what the table has become."""

from __future__ import annotations

from companion.scenes.camera.calibration import EmptyScene
from companion.scenes.camera.calibration_start import LearningScene, ResultScene, StartScene
from companion.ui.screen import Intent
from tests.companion.perception.calibrating import Newcomer, as_printed
from tests.companion.scenes.calibration.steps import at_result, at_start
from tests.companion.touching import buttons, words
from vision.calibration.faults import Fault


def test_the_photo_waits_until_hands_are_away(newcomer: Newcomer) -> None:
    at_start(newcomer)
    newcomer.later(3)
    assert isinstance(newcomer.scene, StartScene), "nobody has said that all is set up"
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


def test_a_camera_that_fails_at_the_start_says_so(newcomer: Newcomer) -> None:
    at_start(newcomer)
    newcomer.camera.fault = "the camera is gone"
    assert "the camera is gone" in words(newcomer.screen.blocks)


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
