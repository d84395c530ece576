"""A turn that was touched by mistake, and one that was taken back on the board, as the table shows it."""

from __future__ import annotations

import pytest

from companion.perception.area_questions import standing_in
from companion.scenes.base.consent import ConsentScene
from companion.scenes.orders.notices import TakenBackPanel
from companion.scenes.orders.repair import RepairScene
from companion.scenes.orders.turn import TurnPanel
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, Roll
from tests.companion.orders.camera.desk import ADVANCE, FAR_S, Desk
from tests.companion.perception.sync.table import ONE_BLACK, TWO

REINFORCE = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3)))
FEWER = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 2)))


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


def test_what_is_amiss_stays_on_the_screen(mistaken: Desk) -> None:
    for _minute in range(2):
        assert mistaken.sign == "behind"
        assert "But: 1 red troop missing from e1" in mistaken.text()
        mistaken.wait(60.0)
    assert "Board matches" not in str(mistaken.screen.status)
    assert not mistaken.screen.banner, "the line says it"


def test_counted_by_a_person_it_is_settled(mistaken: Desk) -> None:
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


def test_it_may_count_all_the_same(back: Desk) -> None:
    back.press("No, it counts")
    assert isinstance(back.panel, TurnPanel)
    back.wait().wait(FAR_S)
    assert isinstance(back.panel, TurnPanel)
    assert "Fix it" in [button.label for button in back.all_buttons()]
    assert len(back.match.steps) == 1


def test_laid_again_the_question_is_gone(back: Desk) -> None:
    back.eye.follow()
    back.wait()
    assert back.sign == "sync"
    assert isinstance(back.panel, TurnPanel)


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
