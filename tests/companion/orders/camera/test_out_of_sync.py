"""The board is put right, or the record is."""

from __future__ import annotations

from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import Item
from companion.scenes.orders.repair import RepairScene, correction
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Pass
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import FAR_S, Desk
from tests.companion.perception.seeing import Exact


def test_out_of_sync_is_said_once_and_the_game_goes_on(desk: Desk) -> None:
    desk.lay(desk.wrong())
    assert desk.sign == "out"
    assert "doesn't match" in desk.screen.banner
    desk.app.touch(Intent("hush"))
    desk.lay(desk.wrong()).wait(FAR_S)
    assert not desk.screen.banner, "once is enough"
    desk.press("Pass")
    assert desk.match.steps == (Pass(),)


def test_once_in_sync_again_it_may_be_said_again(desk: Desk) -> None:
    desk.lay(desk.wrong())
    desk.app.touch(Intent("hush"))
    desk.eye.follow()
    desk.wait()
    assert desk.sign == "sync"
    desk.lay(desk.wrong())
    assert desk.screen.banner


def repairing(desk: Desk) -> RepairScene:
    desk.lay(desk.wrong()).press("Fix it")
    assert isinstance(desk.app.scene, RepairScene)
    return desk.app.scene


def test_the_repair_goes_from_one_thing_to_the_next(desk: Desk) -> None:
    repairing(desk)
    assert "0 of 3 fixed" in desk.text()
    assert "1 black troop too many in b3" in desk.text()
    assert "Take it off the board." in desk.text()
    desk.press("Done")
    assert "1 of 3 fixed" in desk.text()
    assert "1 red troop missing from d5" in desk.text()
    assert "Put it back." in desk.text()
    desk.press("Done")
    assert "1 red commander too many on “Sail to c2”" in desk.text()
    desk.press("Done")
    assert "matches again" in desk.text()
    desk.press("Back")
    assert isinstance(desk.app.scene, BoardTable)
    assert desk.match.steps == ()


def test_the_camera_ticks_off_what_hands_put_right(desk: Desk) -> None:
    repairing(desk)
    half = game.apply(desk.wrong(), Agreed(areas=(("b3", (("black", "troop", 2),)),), to_move="red"))
    desk.lay(half)
    assert "1 of 3 fixed" in desk.text()
    desk.lay(desk.wrong())
    assert "0 of 3 fixed" in desk.text(), "and sees it where it comes back"
    desk.eye.follow()
    desk.wait()
    assert "matches again" in desk.text()


def test_while_a_hand_is_there_nothing_is_ticked(desk: Desk) -> None:
    repairing(desk)
    desk.eye.lay(desk.match.position, state="hand")
    desk.wait()
    assert "0 of 3 fixed" in desk.text()


def test_what_was_really_there_corrects_the_record(desk: Desk) -> None:
    repairing(desk)
    desk.press("The board is right", "Done", "Done")
    assert "b3 · Black: 3 troops" in desk.text()
    assert desk.button("Red").look == "chosen"
    desk.press("Black", "Correct the game")
    assert isinstance(desk.app.scene, BoardTable)
    assert desk.position.units_in("b3") == {"black": {"troop": 3}}
    assert desk.position.units_in("d5") == {"red": {"troop": 3}}
    assert desk.position.to_move_name == "black"
    assert "Agreed (as seen on the board)" in desk.text()
    desk.press("Undo")
    assert desk.position.units_in("b3") == {"black": {"troop": 2}}


def test_all_as_on_the_board_and_the_other_one_is_to_move_after_a_commander(desk: Desk) -> None:
    repairing(desk)
    desk.press("Use the board as it is")
    assert desk.button("Black").look == "chosen", "red has placed a commander"
    assert "Sail to c2 · Red" in desk.text()
    desk.press("Correct the game").wait()
    assert desk.position.commanders_on("sail:c2") == ("red",)
    assert desk.sign == "sync"


def test_what_the_box_cannot_hold_is_told(desk: Desk) -> None:
    scene = repairing(desk)
    scene.kept = set(scene.items)
    scene.items = (*scene.items, Item("b3", "black", "troop", 90))
    scene.kept.add(scene.items[-1])
    scene.done.discard(scene.items[-1])
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.press("Correct the game")
    assert "the box only has" in desk.screen.banner
    assert desk.match.steps == ()


def test_the_camera_may_be_ignored_and_used_again(desk: Desk) -> None:
    repairing(desk)
    desk.press("Ignore the camera").wait()
    assert desk.sign == "ignored"
    desk.app.touch(Intent("live"))
    desk.press("Use the camera").press("Back").wait()
    assert desk.sign == "waiting"
    desk.wait(FAR_S)
    assert desk.sign == "out"


class Hands:
    """Simulated hands that note what they are asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def do_turn(self, match: Match) -> None:
        self.asked.append(f"turn {len(match.steps)}")

    def put_right(self, match: Match) -> None:
        self.asked.append(f"right {len(match.steps)}")


def test_at_a_simulated_table_hands_play_and_put_right(desk: Desk) -> None:
    hands = Hands()
    equip(desk.app.stage, hands=hands)
    desk.press("Play on the board")
    repairing(desk)
    desk.press("Move the pieces for me")
    assert hands.asked == ["turn 0", "right 0"]


def test_a_correction_of_commanders_alone_says_no_areas(desk: Desk) -> None:
    step = correction(desk.match.position, [Item("sail:c2", "red", "commander", 1)], "black")
    assert (step.areas, step.spaces, step.to_move) == ((), (("sail:c2", ("red",)),), "black")
