"""Why the camera says so: the diagnostic view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.perception.sync.status import TableView
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.orders.repair import RepairScene
from companion.scenes.table.board_table import BoardTable
from companion.ui import screen as scr
from companion.ui.screen import Intent
from companion.ui.table_pictures import BoardPicture
from engine.orders.steps import Agreed
from tests.companion.equip import equip
from tests.companion.gallery.rooms.camera import ShownWhere, Sights
from tests.companion.orders.camera.desk import FAR_S, Desk
from tests.companion.perception.seeing import reading_of
from tests.companion.touching import Hand
from vision.live.watcher import LOST


def test_one_touch_shows_what_the_camera_sees(desk: Desk) -> None:
    reading = reading_of(desk.wrong(), {"c5": (((("red", "troop", 2),), 0.7), ((), 0.3))}, ("a1",), picture=True)
    desk.eye.laid = TableView("settled", reading)
    desk.wait().wait(FAR_S)
    desk.app.touch(Intent("live"))
    picture = desk.screen.board
    assert isinstance(picture, BoardPicture)
    states = {area.name: area.state for area in picture.areas}
    assert (states["b3"], states["c5"], states["a1"], states["e3"]) == ("differs", "unsure", "covered", "agrees")
    assert {area.label for area in picture.areas if area.name in ("a1", "c5")} == {"", "70%"}
    assert any(piece.score < 0.95 for piece in picture.pieces)
    text = desk.all_text()
    assert "Hidden: a1" in text
    assert "c5 · 70% sure · Red: 2 troops" in text
    assert "Board found (90%)" in text
    assert isinstance(desk.press("Fix it").app.scene, RepairScene)


def test_areas_at_an_edge_say_so(desk: Desk) -> None:
    reading = reading_of(desk.match.position, covered=("a1", "b1"), picture=True)
    desk.eye.laid = TableView("settled", replace(reading, cut_off=("a1",), at_a_line=("c5", "c6")))
    desk.wait().app.touch(Intent("live"))
    for line in ("Hidden: b1", "Partly out of the picture: a1", "A piece stands on a border: c5 c6"):
        assert line in desk.all_text().splitlines()
    desk.app.touch(Intent("area", "a1"))
    assert desk.screen.title == "a1 · partly out of the picture"


def test_an_area_touched_before_the_first_picture_waits_for_it(hand: Hand) -> None:
    table = hand.start().app.scene
    assert isinstance(table, BoardTable)
    hand.app.scene = DiagnosisScene(hand.app.stage, table)
    hand.app.touch(Intent("area", "a1"))  # on the map between two halves
    assert hand.screen.title == "What the camera sees"
    assert "No steady picture yet." in hand.text()


class AskedAgain:
    """Stands for what takes today's board: whether it was asked for."""

    asked = 0

    def see(self, *_what: object) -> bool:
        return False

    def retake(self, _position: object) -> bool:
        self.asked += 1
        return True


def test_another_light_says_so_and_is_photographed_at_a_touch(desk: Desk) -> None:
    doubt = {"c5": (((("red", "troop", 2),), 0.7), ((), 0.3))}
    reading = replace(reading_of(desk.match.position, doubt), board_image=None, light=0.2)
    reading = replace(reading, board_image=reading_of(desk.match.position, picture=True).board_image)
    desk.eye.laid = TableView("settled", replace(reading, why={"c5": ("contrast", "light", "glare")}))
    desk.wait().app.touch(Intent("live"))
    assert "The light isn't that of the empty board's photo." in desk.all_text()
    assert "Photograph it again" not in desk.all_text(), "no camera takes it"
    today = AskedAgain()
    equip(desk.app.stage, today=today)
    desk.press("Photograph it again")
    assert today.asked == 1
    desk.app.touch(Intent("area", "c5"))
    assert "Unsure: pieces hardly stand out from the board, the light has changed" in desk.text()
    desk.app.touch(Intent("area", "c4"))
    assert "Unsure:" not in desk.text()


def test_a_board_that_is_not_found_is_shown_by_its_corners(desk: Desk) -> None:
    today = ShownWhere()
    equip(desk.app.stage, today=today)
    desk.eye.laid = TableView("lost", fault=LOST, blind=True)
    desk.wait().wait(FAR_S)
    desk.app.touch(Intent("live"))
    desk.press("Show its corners")
    assert desk.screen.title == "What the camera sees", "there is no picture yet"
    today.picture = np.full((480, 640, 3), 90, np.uint8)
    desk.press("Show its corners")
    assert desk.screen.title == "Where is the board?"
    for number, at in enumerate([(0.25, 0.2), (0.2, 0.1), (0.1, 0.1)]):
        desk.app.touch(Intent("corner", n=number, at=at))
    desk.press("Look there")
    assert today.shown[0][0] == pytest.approx((0.1, 0.1))
    today.placing = "failed"
    desk.wait()
    assert "The board's print isn't there" in desk.screen.banner
    desk.press("Look there")
    assert not desk.screen.banner
    today.placing = "done"
    desk.wait()
    assert desk.screen.title == "What the camera sees"


def photo_of(screen: scr.Screen) -> scr.Photo:
    return next(block for block in screen.blocks if isinstance(block, scr.Photo))


def test_an_area_shows_its_numbers_beside_the_empty_board(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c5", (("red", "troop", 2),)),)))
    doubt = {"c5": (((("red", "troop", 2),), 0.7), ((("red", "troop", 1),), 0.297), ((), 0.003))}
    desk.eye.laid = TableView("settled", reading_of(desk.match.position, doubt, picture=True))
    sights = Sights()
    equip(desk.app.stage, sight=sights)
    desk.wait().app.touch(Intent("live"))
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "c5 · 70% sure"
    assert "70% · Red: 2 troops\n29% · Red: 1 troop" in desk.all_text()
    assert "Pieces found\n99% · Red: 1 troop\n60% · Red: 1 troop" in desk.all_text()
    assert "In the game: Red: 2 troops" in desk.text()
    scene = desk.app.scene
    assert isinstance(scene, DiagnosisScene)
    scene.wait()
    drawn, before = desk.app.version, desk.screen
    desk.wait()
    assert desk.app.version > drawn, "what is taken for pieces is shown as soon as it is found"
    assert photo_of(desk.screen).data != photo_of(before).data
    assert "looks like pieces" in photo_of(desk.screen).caption
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "What the camera sees"
    desk.app.touch(Intent("area", "c6"))
    assert desk.all_text().endswith("Pieces found")
    equip(desk.app.stage, sight=None)
    assert photo_of(desk.screen).caption == "now"
    desk.press("Back", "Back")
    assert isinstance(desk.app.scene, BoardTable)


def test_frozen_it_stays_and_live_it_follows(desk: Desk) -> None:
    desk.app.touch(Intent("live"))
    scene = desk.app.scene
    assert isinstance(scene, DiagnosisScene)
    desk.press("Freeze")
    held = scene.reading
    desk.lay(desk.wrong())
    assert scene.reading is held
    desk.press("Live")
    assert scene.reading is not held
    drawn = desk.app.version
    desk.eye.follow()
    desk.wait()
    assert desk.app.version > drawn
    desk.app.touch(Intent("page", "", 1))
    assert scene.page == 1


def test_without_a_board_in_the_picture_it_says_so(desk: Desk) -> None:
    desk.app.touch(Intent("live"))
    assert desk.screen.board is None
    assert "The board isn't in the picture" in desk.text()
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "c5 · 99% sure"
    desk.eye.laid = TableView("settled", reading_of(desk.match.position, covered=("c5",)))
    desk.wait()
    assert desk.screen.title == "c5 · hidden"


def test_before_the_first_picture_there_is_none(desk: Desk) -> None:
    desk.eye.laid = TableView("waiting")
    desk.wait().app.touch(Intent("live"))
    assert "No steady picture yet." in desk.text()
