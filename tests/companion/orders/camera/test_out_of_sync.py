"""Where the camera isn't sure it asks, and where the board and the record part either is put right."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from companion.perception.area_questions import AreaQuestion, standing_in
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import Item
from companion.scenes.base.consent import ConsentScene
from companion.scenes.orders.notices import TakenBackPanel
from companion.scenes.orders.proposal import (
    AlternativesPanel,
    ChoicePanel,
    ProposalPanel,
    QuestionPanel,
)
from companion.scenes.orders.repair import RepairScene
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import ADVANCE, FAR_S, Desk, several
from tests.companion.perception.seeing import Exact, say
from tests.companion.perception.sync.table import ONE_BLACK, TWO
from tests.companion.touching import buttons


def asked(desk: Desk, *answers: tuple[tuple[str, str, int], ...]) -> None:
    several(desk, 2)
    understanding = desk.app.stage.senses.monitor
    say(understanding, replace(understanding.sense, question=AreaQuestion("c4", answers)))


def test_it_asks_how_many_in_order_with_the_likeliest_marked_and_an_answer_is_certain(desk: Desk) -> None:
    asked(desk, (("red", "troop", 3),), (("red", "troop", 2),), ())
    assert "How many red troops are in c4?" in desk.text()
    found = [button for button in buttons(desk.screen.blocks) if button.intent.verb == "answer"]
    told = [(button.label, button.intent.n, button.note) for button in found]
    assert told == [("0", 2, ""), ("2", 1, ""), ("3", 0, "likeliest")]
    doubt = {"c4": (((("red", "troop", 3),), 0.6), ((("red", "troop", 2),), 0.4))}
    desk.press("2")
    desk.eye.lay(game.apply(desk.match.position, ADVANCE), doubt)
    assert isinstance(desk.panel, TurnPanel)


def test_of_several_kinds_it_asks_what_stands_there(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("black", "troop", 1), ("red", "troop", 1)), ())
    assert "What's in c4?" in desk.text()
    answers = ("Red: 2 troops", "Black: 1 troop, Red: 1 troop", "Nothing")
    assert [desk.button(label).intent.n for label in answers] == [0, 1, 2]


def choosing(desk: Desk, few: int, of: int = 2) -> None:
    several(desk, of)
    understanding = desk.app.stage.senses.monitor
    say(understanding, replace(understanding.sense, choice=few))


def test_of_a_few_turns_each_takes_one_touch_and_none_is_said_to_be_the_one(desk: Desk) -> None:
    choosing(desk, 2)
    assert isinstance(desk.panel, ChoicePanel)
    assert "Which of these was it?" in desk.text()
    assert "The camera can't tell" in desk.text()
    assert "Yes" not in desk.text()
    assert desk.button("Something else"), "it may have been none of them"
    desk.app.touch(Intent("take", "", 1))
    assert desk.match.steps == (Pass(),)


def test_beside_a_few_turns_there_is_the_way_to_the_others(desk: Desk) -> None:
    choosing(desk, 2, of=3)
    assert "draw" not in desk.text()
    desk.press("1 more possible turn")
    assert isinstance(desk.panel, AlternativesPanel)
    desk.app.touch(Intent("take", "", 2))
    assert desk.match.steps == (Deploy("plan:2", draw=2),)


def test_a_question_may_be_left_alone_or_counted(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    desk.press("Don't ask")
    assert isinstance(desk.panel, ProposalPanel)
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.refresh()
    desk.press("Something else").app.touch(Intent("count", "red/dragon", 1))
    desk.count("Red troops", 4).count("Red troops", -1).press("That's right")
    assert desk.app.stage.senses.monitor.state.answers.areas["c4"].units == (("red", "troop", 3),)
    desk.app.scene.refresh()
    assert isinstance(desk.panel, QuestionPanel)
    desk.press("Something else", "Cancel")
    assert isinstance(desk.panel, QuestionPanel)


# ---- the board is put right, or the record -------------------------------------------------------


def test_out_of_sync_is_said_once_and_the_game_goes_on(desk: Desk) -> None:
    desk.lay(desk.wrong())
    assert desk.sign == "out"
    assert "doesn't match" in desk.screen.banner
    desk.app.touch(Intent("hush"))
    desk.lay(desk.wrong()).wait(FAR_S)
    assert not desk.screen.banner, "once is enough"
    desk.eye.follow()
    assert desk.wait().sign == "sync"
    assert desk.lay(desk.wrong()).screen.banner, "once in sync again it may be said again"
    desk.press("Pass")
    assert desk.match.steps == (Pass(),)


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
    desk.eye.lay(desk.match.position, state="hand")
    assert "0 of 3 fixed" in desk.wait().text(), "while a hand is there nothing is ticked"
    half = game.apply(desk.wrong(), Agreed(areas=(("b3", (("black", "troop", 2),)),), to_move="red"))
    desk.lay(half)
    assert "1 of 3 fixed" in desk.text()
    desk.lay(desk.wrong())
    assert "0 of 3 fixed" in desk.text(), "and sees it where it comes back"
    desk.eye.follow()
    desk.wait()
    assert "matches again" in desk.text()


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


def test_at_a_simulated_table_hands_play_and_put_right(desk: Desk) -> None:
    hands = mock.Mock()
    equip(desk.app.stage, hands=hands)
    desk.press("Play on the board")
    repairing(desk)
    desk.press("Move the pieces for me")
    assert hands.mock_calls == [mock.call.do_turn(desk.match), mock.call.put_right(desk.match)]


REINFORCE = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3)))
FEWER = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 2)))


# ---- a turn touched by mistake, or taken back on the board ---------------------------------------


@pytest.fixture
def mistaken(desk: Desk) -> Desk:
    """Two troops came to e1; the runner-up is touched, in which three came."""
    few, many = (game.apply(desk.match.position, step) for step in (FEWER, REINFORCE))
    two, three = (standing_in(position, "e1") for position in (few, many))
    desk.eye.lay(few, {"e1": ((two, 0.97), (three, 0.03))})
    desk.wait().wait(FAR_S)
    turns = desk.app.stage.sense.explanations
    number = next(n for n, turn in enumerate(turns) if turn.steps[0] == REINFORCE)
    for step in turns[number].steps:
        desk.match.offer(step)
    desk.app.table.refresh()  # type: ignore[union-attr]
    return desk.wait().wait()


def test_what_is_amiss_stays_on_the_screen_until_a_person_has_counted(mistaken: Desk) -> None:
    for _minute in range(2):
        assert mistaken.sign == "behind"
        assert "But: 1 red troop missing from e1" in mistaken.text()
        mistaken.wait(60.0)
    assert "Board matches" not in str(mistaken.screen.status)
    assert not mistaken.screen.banner, "the line says it"
    mistaken.press("Count e1", "That's right").wait()
    assert mistaken.sign == "sync"
    assert "But:" not in mistaken.text()


def test_a_count_may_be_left_and_the_board_put_right(mistaken: Desk) -> None:
    mistaken.press("Count e1", "Cancel")
    assert "But: 1 red troop missing from e1" in mistaken.text()
    mistaken.app.touch(Intent("recount", "nowhere"))
    assert isinstance(mistaken.panel, TurnPanel)
    mistaken.eye.follow()
    mistaken.wait()
    assert mistaken.sign == "sync"
    assert "But:" not in mistaken.text()


def test_it_leads_to_where_the_record_is_put_right(mistaken: Desk) -> None:
    mistaken.press("Fix it")
    assert isinstance(mistaken.app.scene, RepairScene)
    mistaken.press("The board is right", "Correct the game").wait()
    assert mistaken.sign == "sync"
    assert standing_in(mistaken.position, "e1") == standing_in(mistaken.match.position, "e1")


@pytest.fixture
def back(desk: Desk) -> Desk:
    """Return a desk where a turn was seen and taken, and its pieces were put back."""
    start = desk.match.position
    desk.lay(game.apply(start, ADVANCE)).press("Yes, that's right").wait()
    assert desk.sign == "sync"
    return desk.lay(start)


def test_a_turn_that_was_taken_back_on_the_board_is_undone_with_one_touch(back: Desk) -> None:
    assert isinstance(back.panel, TakenBackPanel)
    assert "The last turn was undone on the board. Undo it here?" in back.text()
    assert "Red advances to c4 with 2 troops from d5." in back.text()
    assert not back.screen.banner
    back.press("Yes, undo it").wait()
    assert back.match.steps == ()
    assert back.sign == "sync"
    assert isinstance(back.panel, TurnPanel)
    back.app.touch(Intent("undo-turn"))
    assert back.match.steps == (), "there is nothing to undo any more"


def test_laid_again_the_question_is_gone_and_it_may_count_all_the_same(back: Desk) -> None:
    back.eye.follow()
    assert back.wait().sign == "sync"
    assert isinstance(back.panel, TurnPanel), "laid again the question is gone"
    back.lay(back.match.positions[0]).press("No, it counts")
    assert isinstance(back.panel, TurnPanel)
    back.wait().wait(FAR_S)
    assert isinstance(back.panel, TurnPanel)
    assert "Fix it" in back.labels
    assert len(back.match.steps) == 1


def test_where_dice_have_spoken_both_are_asked(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    start = desk.match.position
    attack = Deploy("advance:c5", moves=(("d5", "troop", 2),))
    desk.lay(game.fold(start, (attack, Roll((0,), "black")))).press("Yes, that's right").wait()
    desk.lay(start).press("Yes, undo it")
    assert isinstance(desk.app.scene, ConsentScene)


def test_both_sides_in_an_area_are_told_to_roll(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    moved_in = game.apply(desk.match.position, Deploy("advance:c5", moves=(("d5", "troop", 2),)))
    desk.eye.lay(moved_in, {"c5": ((TWO, 0.48), (ONE_BLACK + TWO, 0.52))})
    desk.wait().wait(FAR_S)
    assert "Both sides seem to be in c5. Roll the dice, then remove the losses." in desk.text()
    desk.press("Count c5").press("Cancel")
    assert isinstance(desk.panel, TurnPanel)


def test_a_banner_names_no_button_that_is_not_there_and_goes_with_what_it_tells(desk: Desk) -> None:
    desk.wait()
    desk.area("d5").space("advance:c4")  # a form is open
    desk.lay(desk.wrong())
    assert desk.screen.banner.startswith("Board differs: ")
    assert "Fix it" not in desk.screen.banner
    desk.eye.follow()
    desk.wait()
    assert not desk.screen.banner
