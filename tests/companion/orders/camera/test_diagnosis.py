"""What the camera shows, keeps and learns: why it says so, dice that were read, pictures, reports."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest

from companion.perception.dice import DiceOffer
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import TableView
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.proposal import (
    ProposalPanel,
)
from companion.scenes.orders.repair import RepairScene
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from companion.ui.table_pictures import BoardPicture
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from tests.companion.equip import equip
from tests.companion.gallery.rooms.camera import ShownWhere, Sights
from tests.companion.orders.camera.desk import ADVANCE, FAR_S, Desk
from tests.companion.perception.seeing import Exact, reading_of
from tests.companion.sample_games import up_to_a_window
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
    text = desk.text()
    assert "Hidden: a1" in text
    assert "c5 · 70% sure · Red: 2 troops" in text
    assert "Board found (90%)" in text
    assert isinstance(desk.press("Fix it").app.scene, RepairScene)
    reading = reading_of(desk.match.position, covered=("a1", "b1"), picture=True)
    desk.eye.laid = TableView("settled", replace(reading, cut_off=("a1",), at_a_line=("c5", "c6")))
    desk.press("Back").wait().app.touch(Intent("live"))
    for line in ("Hidden: b1", "Partly out of the picture: a1", "A piece stands on a border: c5 c6"):
        assert line in desk.text().splitlines(), "areas at an edge say so"
    desk.app.touch(Intent("area", "a1"))
    assert desk.screen.title == "a1 · partly out of the picture"


def test_an_area_touched_before_the_first_picture_waits_for_it(hand: Hand) -> None:
    table = hand.start().app.scene
    assert isinstance(table, BoardTable)
    hand.app.scene = DiagnosisScene(hand.app.stage, table)
    hand.app.touch(Intent("area", "a1"))  # on the map between two halves
    assert hand.screen.title == "What the camera sees"
    assert "No steady picture yet." in hand.text()


def test_another_light_says_so_and_is_photographed_at_a_touch(desk: Desk) -> None:
    doubt = {"c5": (((("red", "troop", 2),), 0.7), ((), 0.3))}
    reading = replace(reading_of(desk.match.position, doubt), board_image=None, light=0.2)
    reading = replace(reading, board_image=reading_of(desk.match.position, picture=True).board_image)
    desk.eye.laid = TableView("settled", replace(reading, why={"c5": ("contrast", "light", "glare")}))
    desk.wait().app.touch(Intent("live"))
    assert "The light isn't that of the empty board's photo." in desk.text()
    assert "Photograph it again" not in desk.text(), "no camera takes it"
    today = mock.Mock(see=lambda *_seen: False)
    equip(desk.app.stage, today=today)
    desk.press("Photograph it again")
    today.retake.assert_called_once()
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
    assert "70% · Red: 2 troops\n29% · Red: 1 troop" in desk.text()
    assert "Pieces found\n99% · Red: 1 troop\n60% · Red: 1 troop" in desk.text()
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
    assert desk.text().endswith("Pieces found")
    equip(desk.app.stage, sight=None)
    assert photo_of(desk.screen).caption == "now"
    desk.press("Back", "Back")
    assert isinstance(desk.app.scene, BoardTable)


def test_frozen_it_stays_and_live_it_follows_also_without_a_board_in_the_picture(desk: Desk) -> None:
    desk.app.touch(Intent("live"))
    assert desk.screen.board is None
    assert "The board isn't in the picture" in desk.text()
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "c5 · 99% sure"
    desk.eye.laid = TableView("settled", reading_of(desk.match.position, covered=("c5",)))
    assert desk.wait().screen.title == "c5 · hidden"
    desk.eye.follow()
    desk.wait().app.touch(Intent("area", "c5"))
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


RAID = (ADVANCE, Pass(), Deploy("advance:b5", moves=(("c4", "troop", 1),)))


@pytest.mark.parametrize("touched", [False, True])
def test_dice_that_were_read_stand_there_to_be_confirmed_and_once_touched_they_are_the_hand_s(
    desk: Desk, touched: bool
) -> None:
    for step in RAID:
        desk.match.offer(step)
    if touched:
        desk.dice(2)
    desk.app.stage.senses.dice.offer = DiceOffer((1,))
    assert ("Seen on the table" in desk.text()) != touched
    assert isinstance(desk.panel, RollPanel)
    assert desk.panel.faces == [2 if touched else 1]
    assert len(desk.match.steps) == 3, "nothing is taken by itself"
    desk.press("Confirm")
    assert Roll((2 if touched else 1,), "black") in desk.match.steps


def test_the_menu_leads_to_the_pictures_and_to_a_report(desk: Desk) -> None:
    export = mock.Mock(return_value="in a file")
    desk.app.touch(Intent("menu"))
    assert isinstance(desk.app.scene, MenuScene)
    assert isinstance(desk.press("More", "Photos of the last turns").app.scene, EvidenceScene)
    desk.press("Back")
    equip(desk.app.stage, export=export)
    assert isinstance(desk.press("Export for a bug report").app.scene, ExportScene)
    desk.press("Yes, export")
    desk.app.touch(Intent("flip", "names"))
    desk.press("No, export")
    assert export.mock_calls == [mock.call(desk.match, True), mock.call(desk.match, False, names=True)]


def test_settled_readings_between_turns_are_recorded_once(desk: Desk) -> None:
    seen: list[int] = []
    recorder = mock.Mock(see=lambda match, *_what: seen.append(len(match.steps)))
    equip(desk.app.stage, recorder=recorder)
    desk.wait().wait()
    desk.match.offer(ADVANCE)
    desk.wait().wait()
    desk.eye.lay(desk.match.position, state="moving")
    desk.wait()
    for step in RAID[1:]:
        desk.match.offer(step)
    desk.eye.follow()
    desk.wait()
    assert seen == [0, 1]


def test_what_is_confirmed_teaches_and_what_was_learned_is_believed(desk: Desk) -> None:
    doubt = {"c4": (((("red", "troop", 2),), 0.6), ((("red", "troop", 1),), 0.4))}
    after = game.apply(desk.match.position, ADVANCE)
    learner = mock.Mock()
    learner.refine.return_value, learner.learn.return_value = reading_of(after), True
    equip(desk.app.stage, learner=learner)
    desk.eye.lay(after, doubt)
    desk.wait().press("Yes, that's right")
    learner.learn.assert_called_once_with(desk.match.position)
    desk.lay(desk.wrong())
    learner.learn.assert_called_once()  # what the camera sees by itself teaches nothing


def test_a_turn_with_a_mistake_is_put_right_and_then_taken(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.lay(game.apply(after, wrong)).press("Fix it")
    assert "Closest legal turn: Red advances to c4 with 2 troops from d5. But:" in desk.text()
    assert "0 of 1 fixed" in desk.text()
    desk.lay(after)
    assert "What's left is a legal turn" in desk.text()
    desk.press("Back", "Yes, that's right")
    assert desk.match.steps[0] == ADVANCE


def test_a_turn_with_what_was_really_there_is_recorded_with_it(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.lay(game.apply(after, wrong)).press("Fix it", "The board is right")
    assert desk.button("Black").look == "chosen", "red's turn is over"
    desk.press("Correct the game").wait()
    assert desk.match.steps[0] == ADVANCE
    assert isinstance(desk.match.steps[-1], Agreed)
    assert desk.position.units_in("b3") == {"black": {"troop": 3}}
    assert desk.position.to_move_name == "black"


def test_a_turn_played_on_the_board_takes_the_place_of_the_question_about_cards(desk: Desk) -> None:
    turn = up_to_a_window(desk.match)
    assert desk.app.table is not None
    desk.app.table.refresh()
    desk.wait()
    assert isinstance(desk.panel, WindowPanel)
    after = game.apply(desk.match.position, turn)
    desk.lay(after)
    assert isinstance(desk.panel, ProposalPanel)
    desk.app.touch(Intent("take"))
    assert desk.match.position.units == after.units
