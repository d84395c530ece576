"""The score, at the end and as a projection, by hand, to pass on, and from a picture alone."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pytest

from companion.core.errors import CalibrationError
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.perception.cameras import CameraSession, Setup, Watching
from companion.perception.photo_reader import PhotoEye, areas_to_ask, photo_files, position_of, settled_with_game
from companion.perception.sync.status import TableView
from companion.scenes.disputes.ask import area_facts
from companion.scenes.home.home import HomeScene
from companion.scenes.table.ending import EndScene, ShareScene
from companion.scenes.table.game_menu import MoreMenuScene
from companion.scenes.table.score import PhotoScene, PhotoScoreScene, ScoreScene, score_picture
from companion.text.people import People
from companion.ui import screen as scr
from companion.ui.screen import Intent
from companion.view.page.canvas import save_card
from engine.orders.game import new_game
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy
from engine.orders.wire import position_from_json, position_to_json
from tests.companion.desk.desk import STEPS, Desk, DeskOf
from tests.companion.equip import equip
from tests.companion.gallery.rooms.log import StillEye
from tests.companion.perception.seeing import reading_of
from tests.companion.sample_games import played
from vision.errors import VisionError
from vision.geometry import Picture
from vision.reading.read import Reading

START = new_game("sengoku-rivers", "red", {})


class Scored(ScoreScene):
    """The score of another position than the table's."""

    def __init__(self, desk: Desk, position: Position) -> None:
        super().__init__(desk.table, desk.table)
        self._position = position

    @property
    def position(self) -> Position:
        return self._position

    @property
    def people(self) -> People:
        return People(self.position.board.factions)


def scored(desk: Desk, position: Position) -> Desk:
    """Put the score of another position on stage."""
    desk.app.scene = Scored(desk, position)
    return desk


# ---- the end --------------------------------------------------------------------------------------


def test_the_last_turn_leads_to_the_score(desk_of: DeskOf) -> None:
    desk = desk_of(len(STEPS) - 1)
    last = STEPS[-1]
    assert isinstance(last, Deploy)
    desk.touch(Intent("space", last.space))
    for area, unit, n in last.moves:
        desk.touch(*[Intent("count", f"{area}/{unit}", -1)] * 5, *[Intent("count", f"{area}/{unit}", 1)] * n)
    desk.touch(Intent("confirm"))
    assert isinstance(desk.app.scene, EndScene)
    assert desk.blocks(scr.Laurels)[0].title == "Bo wins!"
    desk.press("Home")
    assert isinstance(desk.app.scene, HomeScene)
    assert Match.open(desk.match.path).position.winner_name == "black", "and the file is free for whoever opens it"


def test_the_score_is_told_area_by_area_with_both_chains(desk_of: DeskOf) -> None:
    desk = desk_of(None)
    desk.touch(Intent("menu")).press("Score now", "Score")
    sides = [(side.label, side.points, side.won) for side in desk.blocks(scr.Tally)[0].sides]
    assert sides == [("Ana", 4, False), ("Bo", 6, True)]
    assert "Bo has 6 points, Ana has 4 points." in desk.text()
    assert {chain.faction for chain in desk.picture.supply} == {"red", "black"}
    assert {area.name: area.earns for area in desk.picture.areas if area.earns}["c4"] == "black"
    desk.press("Area by area")
    assert desk.blocks(scr.Grid)[0].headings == ("Area", "Ana", "Bo")
    assert len(desk.blocks(scr.Grid)[0].rows) == 12, "eleven areas with points, and the total"
    assert ("c5 (2), empty", "", "") in desk.blocks(scr.Grid)[0].rows
    desk.touch(Intent("page", "", 1))
    assert desk.screen.page == 1
    assert "Bo wins" in desk.press("Back").text()


def test_points_that_do_not_count_are_named_and_where_a_tie_is_decided(desk_of: DeskOf) -> None:
    desk = scored(desk_of(0), START)
    for told in ("Red would win now", "Tied at 0 points", "Game End, p. 10"):
        assert told in desk.text()
    cut = position_to_json(START)
    cut["units"]["b1"] = {"red": {"troop": 2}}
    desk = scored(desk, position_from_json(cut))
    assert "Not scored, cut off from Red's headquarters: b1 (1 point)." in desk.text()
    desk.press("Area by area")
    assert ("b1 (1), Red cut off", "", "") in desk.blocks(scr.Grid)[0].rows


def test_a_lost_headquarters_decides_whatever_the_points(desk_of: DeskOf) -> None:
    lost = dict(position_to_json(START), winner="black", reason="hq_lost")
    del lost["units"]["e3"]
    desk = scored(desk_of(0), position_from_json(lost))
    assert desk.screen.title == "Final score"
    assert "Black wins" in desk.text()
    assert "Red's headquarters e3 has fallen" in desk.text()
    del lost["units"]["a3"], lost["winner"], lost["reason"]
    assert "Both headquarters are empty: Red has the initiative" in scored(desk, position_from_json(lost)).text()


def test_a_conflict_in_the_middle_of_a_turn_is_undecided(desk_of: DeskOf) -> None:
    at = next(i for i, position in enumerate(played()[1]) if len(position.units_in("c5")) > 1)
    desk = scored(desk_of(0), played()[1][at])
    desk.press("Area by area")
    (row,) = (row for row in desk.blocks(scr.Grid)[0].rows if row[0].startswith("c5"))
    assert row[0] == "c5 (2), undecided"
    assert "" in row[1:], "its points count once at most"
    assert area_facts(played()[1][at], "c5")[0] == "Worth 2 points: undecided."


# ---- by hand -----------------------------------------------------------------------------------


def test_a_result_is_set_by_hand_when_both_agree_and_can_be_taken_back(desk_of: DeskOf) -> None:
    desk = desk_of(5)
    desk.touch(Intent("menu")).press("Score now", "Declare the winner", "Back", "Declare the winner", "Ana")
    desk.both_agree()
    assert isinstance(desk.app.scene, EndScene)
    assert desk.blocks(scr.Laurels)[0].title == "Ana wins!"
    assert desk.blocks(scr.Laurels)[0].text == "Agreed by both players and set by hand."
    assert isinstance(desk.match.steps[-1], Agreed)
    desk.press("Back", "Undo")
    assert desk.match.position.winner is None


# ---- to pass on -----------------------------------------------------------------------------------


def test_a_result_is_passed_on_as_a_picture_and_a_text(desk_of: DeskOf, tmp_path: Path) -> None:
    desk = desk_of(None)
    os.utime(desk.match.path, (1.8e9, 1.8e9))
    equip(desk.app.stage, draw=save_card)
    desk.touch(Intent("menu")).press("Score now", "Score", "Share")
    folder = tmp_path / "shared"
    assert {path.name for path in folder.iterdir()} == {"2026-11-21.txt", "2026-11-21.png"}
    assert (folder / "2026-11-21.png").read_bytes()[:4] == b"\x89PNG"
    text = (folder / "2026-11-21.txt").read_text()
    assert text.splitlines()[0] == "Sengoku Jidai: Rivers, 2027-01-15"
    assert "Bo (Black): 6 points – b1 1, b2 1, b4 1, c3 1, c4 2" in text
    assert text.endswith("Bo wins.\nBo has 6 points, Ana has 4 points.\n")
    assert "to shared" in desk.text()
    assert any(isinstance(block, scr.Columns) for block in desk.screen.blocks)
    assert isinstance(desk.press("Back").app.scene, ScoreScene)


def test_a_disk_that_refuses_the_files_is_told(desk_of: DeskOf, tmp_path: Path) -> None:
    desk = desk_of(5)
    assert score_picture(desk.match, desk.table.people).title == "Score so far"
    (tmp_path / "shared").write_text("in the way")
    desk.touch(Intent("menu")).press("Score now", "Share")
    assert isinstance(desk.app.scene, ShareScene)
    assert "can't be written" in desk.text()


# ---- from a picture ---------------------------------------------------------------------------------


def photo(desk: Desk, eye: StillEye, match: Match | None) -> PhotoScene:
    scene = PhotoScene(eye, (START.board, match), desk.table)
    desk.app.scene = scene
    return scene


def read(desk: Desk, scene: PhotoScene, *intents: Intent) -> Desk:
    desk.touch(*intents)
    scene.wait()
    desk.app.tick(0.0)
    return desk


def test_a_picture_is_scored_after_the_doubtful_areas_were_asked(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    scene = photo(desk, StillEye(), None)
    desk.press("Take a photo now")
    assert "Reading the photo" in desk.text()
    read(desk, scene, Intent("now"))
    assert desk.screen.title == "What's in b3?"
    assert "area 1 of 2" in desk.text()
    desk.count("Red troops", 2).count("Red troops", -1).press("That's right")
    assert desk.screen.title == "What's in c4?"
    desk.press("That's right")
    assert desk.screen.title == "Score from the photo"
    assert isinstance(desk.app.scene, PhotoScoreScene)
    assert desk.app.scene.position.units_in("b3") == {"red": {"troop": 1}}
    assert "You checked 2 areas" in desk.text()
    desk.press("Area by area")
    assert desk.blocks(scr.Grid)[0].headings == ("Area", "Red", "Black")
    desk.touch(Intent("page", "", 1))
    desk.press("Result", "Back")
    assert desk.at_table


def test_a_tie_in_a_picture_asks_for_the_initiative(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    desk.app.scene = PhotoScoreScene(settled_with_game(reading_of(START), None), (START.board, None), desk.table)
    assert [button.label for button in desk.all_buttons()][:2] == ["Red", "Black"]
    desk.press("Black")
    assert "Black would win now" in desk.text()
    assert "sure of every area" in desk.text()


def test_a_picture_of_a_game_is_weighed_with_it(desk_of: DeskOf) -> None:
    desk = desk_of(40)
    read(desk, photo(desk, StillEye(), desk.match), Intent("now"))
    scene = desk.app.scene
    assert isinstance(scene, PhotoScoreScene)
    assert scene.people.name("red") == "Ana"
    doubtful = reading_of(START, {"e3": (((("red", "troop", 3),), 0.6), ((), 0.4))})
    assert areas_to_ask(START.board, settled_with_game(doubtful, None)) == ["e3"]
    assert areas_to_ask(START.board, settled_with_game(doubtful, START)) == [], "the game settles it"


class Blind(StillEye):
    has_camera = False

    def read_file(self, path: Path) -> Reading:
        raise VisionError(f"{path.name}: no board is found")


def test_a_file_that_shows_no_board_or_no_position_is_told(desk_of: DeskOf, tmp_path: Path) -> None:
    desk = desk_of(0)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"")
    (tmp_path / "photos" / "list.txt").write_bytes(b"")
    scene = photo(desk, Blind(), None)
    labels = [button.label for button in desk.all_buttons()]
    assert "Take a photo now" not in labels
    read(desk, scene, Intent("file", "", 99))
    read(desk, scene, desk.button("cat.jpg").intent)
    assert desk.screen.banner == "cat.jpg: no board is found"
    desk.press("Back")
    assert desk.at_table
    (tmp_path / "photos" / "gone.jpg").symlink_to(tmp_path / "deleted.jpg")
    assert [path.name for path in photo_files()][:2] == ["cat.jpg"], "what is gone since it was listed is left out"
    seen = settled_with_game(reading_of(START), None).with_count("c6", {"red": {"troop": 3}})
    desk.app.scene = PhotoScoreScene(seen, (START.board, None), desk.table)
    assert "can't be a position" in desk.text()
    desk.press("Back")
    assert desk.at_table


class Table(Watching):
    """A watch with a reading but no picture of its own."""

    def __init__(self, glimpse: TableView | None) -> None:
        self.seen = glimpse

    def glimpse(self, _match: Match) -> TableView:
        assert self.seen is not None
        return self.seen

    def close(self) -> None:
        pass


def test_without_a_picture_the_last_settled_reading_stands_for_it(desk_of: DeskOf) -> None:
    def eye_of(glimpse: TableView) -> PhotoEye:
        return PhotoEye(CameraSession(lambda setup: Table(glimpse), Setup(None, None)), lambda: START.board)

    match, reading = desk_of(0).match, reading_of(START)
    eye = eye_of(TableView("settled", reading))
    assert (eye.has_camera, eye.ready) == (True, False)
    assert eye.read_now(match) is reading
    with pytest.raises(CalibrationError, match="no picture just now"):
        eye.read_now(None)
    with pytest.raises(CalibrationError, match="no light"):
        eye_of(TableView("lost", fault="no light")).read_now(match)


class Camera(Table):
    """A watch on a simulated table, with a picture and a calibration."""

    def __init__(self, position: Position) -> None:
        super().__init__(None)
        simulated = SimulatedTable(position.board, 1)
        self.table = simulated.calibrated()
        simulated.lay(position)
        self.picture = simulated.photo()

    def latest(self) -> Picture:
        """Return the picture."""
        return self.picture


@pytest.mark.long
def test_the_real_eye_scores_a_picture_of_the_camera_and_reads_a_file(desk_of: DeskOf, tmp_path: Path) -> None:
    last = played()[1][-1]
    camera = Camera(last)
    eye = PhotoEye(CameraSession(lambda setup: camera, Setup(None, None)), lambda: last.board)
    assert eye.ready
    desk = desk_of(0)
    scene = PhotoScene(eye, (last.board, None), desk.table)
    desk.app.scene = scene
    read(desk, scene, Intent("now"))
    assert isinstance(desk.app.scene, PhotoScoreScene)
    while desk.app.scene.left:
        area = desk.app.scene.left[0]
        desk.app.scene.counts = {(who, k): n for who, units in last.units_in(area).items() for k, n in units.items()}
        desk.press("That's right")
    assert [side.points for side in desk.blocks(scr.Tally)[0].sides] == [4, 6]
    file = tmp_path / "end.png"
    file.write_bytes(cv2.imencode(".png", camera.picture)[1].tobytes())
    assert camera.table is not None
    camera.table.save(str(tmp_path / "kitchen.table"))
    saved = PhotoEye(CameraSession(lambda setup: None, Setup(tmp_path / "kitchen.table", None)), lambda: last.board)
    assert saved.ready
    assert not saved.has_camera
    assert position_of(last.board, settled_with_game(saved.read_file(file), None), None, None).board is last.board


# ---- the menu -------------------------------------------------------------------------------------


def test_the_menu_of_a_board_leads_to_its_photos_too(desk_of: DeskOf) -> None:
    desk = desk_of(2)
    equip(desk.app.stage, eye=StillEye())
    desk.touch(Intent("menu")).press("More")
    assert "Every step is saved as soon as it's confirmed." in desk.text()
    desk.press("Unclear rules")
    desk.touch(Intent("page", "", 1)).press("Back", "Photos of the last turns", "Back", "Score from a photo", "Back")
    assert isinstance(desk.app.scene, MoreMenuScene)
