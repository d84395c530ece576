"""Dice that were read, pictures that are kept, reports, and what is learned."""

from __future__ import annotations

from companion.games.match import Match
from companion.perception.dice import DiceOffer
from companion.perception.sync.monitor import SyncMonitor
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.proposal import (
    ProposalPanel,
)
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import ADVANCE, Desk
from tests.companion.perception.seeing import Exact, reading_of
from tests.companion.sample_games import up_to_a_window
from vision.reading.read import Reading


def rolling(desk: Desk) -> RollPanel:
    desk.match.offer(ADVANCE)
    desk.match.offer(Pass())
    desk.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    desk.app.screen()
    assert isinstance(desk.panel, RollPanel)
    return desk.panel


def test_dice_that_were_read_stand_there_to_be_confirmed(desk: Desk) -> None:
    rolling(desk)
    desk.app.stage.senses.dice.offer = DiceOffer((1,))
    assert "Seen on the table" in desk.text()
    assert len(desk.match.steps) == 3, "nothing is taken by itself"
    desk.press("Confirm")
    assert len(desk.match.steps) > 3


def test_once_touched_the_dice_are_the_hand_s(desk: Desk) -> None:
    panel = rolling(desk)
    desk.dice(2)
    desk.app.stage.senses.dice.offer = DiceOffer((0,))
    desk.app.screen()
    assert panel.faces == [2]
    assert "Seen on the table" not in desk.text()


def test_the_menu_leads_to_the_pictures_and_to_a_report(desk: Desk) -> None:
    told: list[tuple[bool, bool]] = []

    def export(match: Match, stands: bool, *, names: bool = False) -> str:
        told.append((stands, names))
        return f"in {match.path.name}"

    desk.app.touch(Intent("menu"))
    assert isinstance(desk.app.scene, MenuScene)
    assert isinstance(desk.press("More", "Photos of the last turns").app.scene, EvidenceScene)
    desk.press("Back")
    equip(desk.app.stage, export=export)
    assert isinstance(desk.press("Export for a bug report").app.scene, ExportScene)
    desk.press("Yes, export")
    desk.app.touch(Intent("flip", "names"))
    desk.press("No, export")
    assert told == [(True, False), (False, True)]


def test_settled_readings_between_turns_are_recorded_once(desk: Desk) -> None:
    seen: list[int] = []

    class Note:
        def see(self, match: Match, reading: object, frame: bytes | None = None) -> None:
            seen.append(len(match.steps))

    equip(desk.app.stage, recorder=Note())
    desk.wait().wait()
    desk.match.offer(ADVANCE)
    desk.wait().wait()
    desk.eye.lay(desk.match.position, state="moving")
    desk.wait()
    desk.match.offer(Pass())
    desk.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    desk.eye.follow()
    desk.wait()
    assert seen == [0, 1]


def test_what_is_confirmed_teaches_and_what_was_learned_is_believed(desk: Desk) -> None:
    doubt = {"c4": (((("red", "troop", 2),), 0.6), ((("red", "troop", 1),), 0.4))}
    after = game.apply(desk.match.position, ADVANCE)
    sure, told = reading_of(after), []

    class Wise:
        def refine(self, reading: Reading) -> Reading:
            return sure

        def learn(self, position: Position) -> bool:
            told.append(position)
            return True

    equip(desk.app.stage, learner=Wise())
    desk.eye.lay(after, doubt)
    desk.wait().press("Yes, that's right")
    assert told == [desk.match.position]
    desk.lay(desk.wrong())
    assert told == [desk.match.position], "what the camera sees by itself teaches nothing"


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
