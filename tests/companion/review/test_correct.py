"""What was recorded wrongly: a step replaced or taken out, the rest as far as it holds; the present put straight."""

from __future__ import annotations

from dataclasses import replace

from companion.games.match import Match
from companion.games.undo_log import path_of
from companion.scenes.base.typing import TypingScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.turn import AreaPanel
from companion.scenes.review.correct import CorrectScene, MapMomentScene, ReplaceScene, ReviewScene, former_game, recast
from companion.scenes.review.correct_now import StraightScene, merge
from companion.scenes.story.game_log import TurnEntry, visible_numbers
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent, Slip
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Roll
from tests.companion.desk.desk import STEPS, Desk, DeskOf

ROLL = 6  # the index of a roll whose result leaves later steps as they are, or not


def turns_of(table: BoardTable) -> list[TurnEntry]:
    """All turns of a game in words."""
    return [turn for chapter in table.game_log.chapters() for turn in chapter.turns]


def wrong(desk: Desk, number: int) -> Desk:
    """Replay at a step, and saying that it was wrong."""
    desk.app.scene = MapMomentScene(desk.table, number, desk.table)
    desk.press("This is wrong")
    assert isinstance(desk.app.scene, CorrectScene)
    return desk


# ---- a step replaced -----------------------------------------------------------------------------


def test_a_roll_recorded_wrongly_is_replaced_when_both_agree(desk_of: DeskOf) -> None:
    desk = wrong(desk_of(10), ROLL + 1)
    assert STEPS[ROLL] == Roll((1,), "black")
    desk.press("Different move")
    assert desk.labels == ["Cancel", "Confirm"], "what goes with a running game, as the number of dice, is not offered"
    desk.touch(Intent("dice"))
    desk.dice(1).press("Confirm")
    assert isinstance(desk.app.scene, CorrectScene), "the same step again changes nothing"
    desk.press("Different move").dice(2).press("Confirm")
    assert isinstance(desk.app.scene, ReviewScene)
    assert "Recorded: Bo rolled 1." in desk.text()
    assert "Now: Bo rolled 2." in desk.text()
    assert "All 3 later steps still work." in desk.text()
    assert len(desk.match.steps) == 10
    desk.both_agree()
    assert desk.at_table
    assert desk.match.steps == (*STEPS[:ROLL], Roll((2,), "black"), *STEPS[ROLL + 1 : 10])
    marks = [mark for turn in turns_of(desk.table) for entry in turn.entries for mark in entry.marks]
    assert marks == ["corrected; was: Bo rolled 1."]


def test_a_correction_can_be_undone(desk_of: DeskOf) -> None:
    desk = desk_of(10)
    found = recast(desk.match, ROLL + 1, (Roll((0,), "black"),))
    desk.match.recast(found.after, found.steps)
    desk.app.scene = MapMomentScene(desk.table, ROLL + 1, desk.table)
    desk.press("Undo the correction")
    assert "goes back to before the correction" in desk.text()
    desk.both_agree()
    assert desk.match.steps == STEPS[:10]
    assert former_game(desk.match, ROLL + 2) is None
    latest = former_game(desk.match, ROLL + 1)
    assert latest is not None, "and that can be undone too"
    assert latest.steps[0] == Roll((0,), "black")


def test_what_stood_there_and_cannot_be_told_any_more_is_not_offered(desk_of: DeskOf) -> None:
    desk = desk_of(10)
    found = recast(desk.match, ROLL + 1, (Roll((0,), "black"),))
    desk.match.recast(found.after, found.steps)
    desk.match.close()
    path = path_of(desk.match.path)
    path.write_bytes(path.read_bytes()[:-9] + b"\n")
    assert former_game(Match.open(desk.match.path), ROLL + 1) is None


def test_the_first_step_that_cannot_have_been_is_named_with_its_ruling(desk_of: DeskOf) -> None:
    desk = wrong(desk_of(10), 1)
    desk.press("Didn't happen")
    assert "Now: this step is removed." in desk.text()
    assert "This later move is then impossible: Bo advanced to c4 with 2 troops from b5." in desk.text()
    assert "(9 steps) will be removed" in desk.text()
    desk.touch(Intent("page", "", 1))
    assert desk.screen.page == 1
    desk.both_agree()
    assert desk.match.steps == ()


def test_a_turn_of_the_other_side_is_not_judged_as_if_it_were_one_s_own(desk_of: DeskOf) -> None:
    """Ana's pass taken out, Bo's would become Ana's."""
    desk = desk_of(0)
    for _n in range(3):
        assert desk.match.offer(Pass()).legal
    wrong(desk, 1).press("Didn't happen")
    assert "This later move is then impossible: Bo passed." in desk.text()
    assert "Then it would be Ana's turn." in desk.text()
    desk.both_agree()
    assert desk.match.steps == ()


def test_that_no_card_was_played_is_no_reason(desk_of: DeskOf) -> None:
    """The window for cards after a roll that never was: the turn after it cannot have been, for want of dice."""
    number = next(n for n, step in enumerate(STEPS, 1) if isinstance(step, Accept)) - 1
    assert isinstance(STEPS[number - 1], Roll)
    desk = wrong(desk_of(number + 2), number)
    desk.press("Didn't happen")
    assert "This later move is then impossible: Bo shelled c2 from b3." in desk.text()
    [slip] = desk.blocks(Slip)
    assert (slip.title, slip.mark) == ("First, Black rolls 1 die for c5.", "no")


def test_steps_are_counted_as_they_are_told(desk_of: DeskOf) -> None:
    """One that goes without saying counts on no screen: 30 told ones are 30 wherever they are counted."""
    desk = desk_of(None)
    told, last = len(visible_numbers(desk.table.game_log)), len(STEPS)
    assert told < last
    desk.app.scene = MapMomentScene(desk.table, last, desk.table)
    assert f"step {told} of {told} " in desk.text()
    desk.press("This is wrong")
    assert f"Recorded as step {told}:" in desk.text()
    desk.app.scene = MapMomentScene(desk.table, 1, desk.table)
    assert desk.button("Resume here").note == f"undoes {told - 1} steps"
    desk.press("This is wrong", "Didn't happen")
    assert f"({told - 1} steps) will be removed" in desk.text()


def test_another_turn_takes_the_place_of_a_turn(desk_of: DeskOf) -> None:
    desk = wrong(desk_of(1), 1)
    desk.press("Different move", "Pass")
    assert "Now: Ana passed." in desk.text()
    desk.both_agree()
    assert desk.match.steps == (Pass(),)
    wrong(desk, 1).press("Didn't happen").both_agree()
    assert not desk.match.steps, "the last one taken out leaves the rest"


def test_on_the_panels_of_the_past_nothing_is_recorded(desk_of: DeskOf) -> None:
    desk = wrong(desk_of(4), 1)
    desk.press("Different move")
    scene = desk.app.scene
    assert isinstance(scene, ReplaceScene)
    desk.touch(Intent("page", "", 1), Intent("undo"), Intent("menu"))
    assert desk.app.scene is scene
    for area, opened in (("d3", "d3"), ("e3", "e3"), ("e3", None)):
        desk.touch(Intent("area", area))
        assert (scene.panel.area.name if isinstance(scene.panel, AreaPanel) else None) == opened
        assert scene.page == 0
    assert desk.app.scene is scene
    desk.touch(Intent("space", "embark:1")).press("Cancel")
    desk.touch(Intent("space", "advance:a1"))
    assert isinstance(desk.app.scene, RulingScene)
    desk.touch(Intent("back"))
    assert isinstance(scene._review(Deploy("advance:a1")), RulingScene)
    assert isinstance(desk.press("Cancel").app.scene, CorrectScene)
    assert isinstance(desk.press("Didn't happen", "Cancel").app.scene, CorrectScene)
    assert desk.match.steps == STEPS[:4]


# ---- the present ---------------------------------------------------------------------------------


def test_the_present_is_put_straight_place_by_place_in_one_step(desk_of: DeskOf) -> None:
    desk = wrong(desk_of(5), 5)
    desk.press("Just fix the board")
    assert "Nothing is changed yet." in desk.text()
    desk.touch(Intent("area", "e3"), Intent("count", "red/troop", -1)).press("Set by hand")
    desk.touch(Intent("side", "black")).count("Cards", 2).press("Set by hand")
    desk.touch(Intent("round")).count("Round", 1).press("Set by hand")
    assert "Bo has 2 cards in hand" in desk.text()
    assert "it is round 2" in desk.text()
    desk.touch(Intent("mover", "black")).press("Record it")
    before = desk.match.position.units_in("e3")["red"]["troop"]
    desk.both_agree()
    position = desk.match.position
    assert desk.at_table
    assert position.units_in("e3")["red"]["troop"] == before - 1
    assert (position.round, position.hand("black"), position.to_move_name) == (2, 2, "black")
    step = desk.match.steps[-1]
    assert isinstance(step, Agreed)
    assert step.note == "set by hand"
    assert turns_of(desk.table)[-1].entries[-1].marks == ("set by hand",)


def test_a_note_goes_into_the_log(desk_of: DeskOf) -> None:
    desk = desk_of(5)
    desk.app.scene = StraightScene(desk.table, desk.table)
    desk.touch(Intent("area", "e3"), Intent("area", "d3"), Intent("count", "red/troop", 1)).press("Set by hand", "Note")
    assert isinstance(desk.app.scene, TypingScene)
    desk.touch(*(Intent("type", letter) for letter in "cat"), Intent("type", "\n"))
    desk.press("Record it").both_agree()
    step = desk.match.steps[-1]
    assert isinstance(step, Agreed)
    assert step.note.lower() == "cat"
    assert step.to_move == "black", "whose turn it was"
    desk.match.undo(1)
    desk.match.offer(STEPS[5])
    owed = desk.match.position.turn
    assert owed is not None
    desk.app.scene = StraightScene(desk.table, desk.table)
    desk.touch(Intent("side", "red")).count("Cards", 1).press("Set by hand", "Record it").both_agree()
    assert desk.match.position.hand("red") == 1
    assert desk.match.position.turn == owed, "cards alone do not end a turn"


def test_what_the_box_cannot_hold_is_not_taken(desk_of: DeskOf) -> None:
    desk = desk_of(5)
    scene = StraightScene(desk.table, desk.table)
    desk.app.scene = scene
    scene._gather(Agreed(areas=(("e3", (("red", "troop", 99),)),)))
    assert scene.step == Agreed()
    desk.touch(Intent("record"), Intent("page", "", 1))
    assert desk.app.scene is scene
    desk.touch(Intent("round"), Intent("page", "", 1)).press("Cancel", "Back")
    assert desk.at_table


def test_two_corrections_become_one() -> None:
    one = Agreed(
        areas=(("e3", (("red", "troop", 1),)), ("d3", ())),
        spaces=(("advance:e3", ("red",)),),
        other=OtherCorrections(round=2, hands=(("red", 1),), bonuses=(("sun", ""),), dice=2, passed=("red",)),
    )
    two = Agreed(
        areas=(("e3", ()),), other=OtherCorrections(initiative="black", hands=(("red", 3),), discard=(), winner="red")
    )
    both = merge(one, two)
    assert dict(both.areas) == {"e3": (), "d3": ()}
    assert both.spaces == one.spaces
    expected = OtherCorrections(
        hands=(("red", 3),),
        bonuses=(("sun", ""),),
        round=2,
        initiative="black",
        discard=(),
        dice=2,
        winner="red",
        passed=("red",),
    )
    assert both.other == expected
    nobody = merge(both, Agreed(other=OtherCorrections(passed=())))
    assert nobody.other == replace(expected, passed=())
