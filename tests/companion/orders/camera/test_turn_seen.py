"""A turn seen by the camera is taken with one touch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.perception.adapters import record_of
from companion.perception.dice import DiceFollower, most_rerolls
from companion.perception.sync.state import CameraIgnored, GameChanged
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.proposal import (
    ProposalPanel,
    ThrowPanel,
    proposal_words,
)
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Play, Reroll, Roll, Step
from engine.orders.turn import commanders_before_homecoming, ready
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import ADVANCE, Desk, cards, several
from tests.companion.perception.seeing import dice_look, say
from tests.companion.touching import buttons
from vision.dice.reader import DiceReading


def test_a_turn_seen_on_the_board_is_marked_on_the_map_and_taken_with_one_touch(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert desk.sign == "proposal"
    assert "Red advances to c4 with 2 troops from d5." in desk.text()
    marks = {area.name: area.mark for area in desk.picture.areas if area.mark}
    assert marks == {"c4": "target", "d5": "chosen"}
    assert not any(area.check for area in desk.picture.areas), "and nothing else"
    changes = {(area.name, stack.change) for area in desk.picture.areas for stack in area.stacks if stack.change}
    assert changes == {("c4", 2), ("d5", -2)}
    assert not desk.match.steps, "not before the touch"
    desk.press("Yes, that's right")
    assert isinstance(desk.panel, TurnPanel), "it is offered no more, though the camera has not been asked since"
    desk.wait()
    assert desk.match.steps[0] == ADVANCE
    assert desk.sign == "sync"
    assert isinstance(desk.panel, TurnPanel)


def test_more_that_fit_are_listed(desk: Desk) -> None:
    several(desk, 3)
    assert [card.text for card in cards(desk.screen)] == ["Red passes."], "the runner-up is one touch away"
    desk.press("1 more possible turn")
    assert [card.text.split()[1] for card in cards(desk.screen)] == ["advances", "passes.", "plans"]
    desk.press("Back")
    assert isinstance(desk.panel, ProposalPanel)
    desk.press("1 more possible turn")
    desk.app.touch(cards(desk.screen)[2].intent)
    assert desk.match.steps == (Deploy("plan:2", draw=2),)


def test_turns_that_read_the_same_say_which_space_was_used(desk: Desk) -> None:
    start = desk.match.position
    steps: tuple[Step, ...] = (*(Deploy(f"embark:{n}", place=(("d4", "ship", 1),)) for n in (1, 2)), ADVANCE, Pass())
    turns = tuple(Explanation((step,), game.apply(start, step), "", 0.25) for step in steps)
    panel = ProposalPanel(start, turns)
    assert [proposal_words(panel.turns, number, start) for number in range(4)] == [
        "Red embarks 1 ship in d4. The commander is on “Embark 1”.",
        "Red embarks 1 ship in d4. The commander is on “Embark 2”.",
        "Red advances to c4 with 2 troops from d5.",
        "Red passes.",
    ]
    prompt = next(block for block in panel.show().blocks if isinstance(block, scr.Prompt))
    assert prompt.hint == "The commander is on “Embark 1”."
    dropped = ProposalPanel(start, (turns[1], turns[2])).turns
    assert [turn.steps[0] for turn in dropped] == [steps[1], steps[0], ADVANCE], "also one that inference has dropped"


def test_the_same_from_another_space_of_the_support_board_is_the_runner_up(desk: Desk) -> None:
    place = (("d3", "troop", 3), ("e1", "troop", 2))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:2", place=place)))
    assert "The commander is on “Reinforce 2”." in desk.text()
    [runner_up] = cards(desk.screen)
    assert "The commander is on “Reinforce 1”." in runner_up.text
    desk.app.touch(runner_up.intent)
    assert desk.match.steps[0] == Deploy("reinforce:1", place=place)


def test_a_space_that_could_not_be_used_is_not_named(desk: Desk) -> None:
    """Five troops may come from Reinforce 2, six from Reinforce 1 alone."""
    place = (("d3", "troop", 3), ("e1", "troop", 3))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:1", place=place)))
    assert "The commander is on" not in desk.text()


def test_two_turns_played_before_the_first_was_confirmed_are_taken_with_one_touch(desk: Desk) -> None:
    answer = Deploy("advance:c5", moves=(("b5", "troop", 2),))
    desk.lay(game.apply(game.apply(desk.match.position, ADVANCE), answer))
    assert desk.sign == "proposal"
    assert "Red advances to c4 with 2 troops from d5." in desk.text()
    assert "Black advances to c5 with 2 troops from b5." in desk.text()
    desk.press("Yes, that's right")
    assert desk.match.steps == (ADVANCE, answer)
    desk.wait()
    assert desk.sign == "sync"


@pytest.mark.parametrize(("likely", "offered"), [((0.9, 0.002), 1), ((0.9, 0.05, 0.002), 2), ((0.6, 0.3, 0.05), 3)])
def test_what_is_hardly_possible_is_not_offered_at_all(desk: Desk, likely: tuple[float, ...], offered: int) -> None:
    start = desk.match.position
    steps: tuple[Step, ...] = (ADVANCE, Pass(), Deploy("bombard:e4", target="e3"))
    turns = tuple(Explanation((step,), start, "", chance) for step, chance in zip(steps, likely, strict=False))
    assert len(ProposalPanel(start, turns).turns) == offered


@pytest.mark.parametrize("way", [("Something else",), ("1 more possible turn", "Something else")])
def test_none_of_them_leaves_the_turn_to_the_players(desk: Desk, way: tuple[str, ...]) -> None:
    several(desk, 3)
    desk.press(*way)
    assert isinstance(desk.panel, TurnPanel)
    assert desk.match.steps == ()


def test_a_touch_that_the_rules_refuse_meanwhile_shows_the_ruling(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert isinstance(desk.panel, ProposalPanel)
    desk.match.offer(ADVANCE)
    desk.app.touch(Intent("take"))
    assert isinstance(desk.app.scene, RulingScene)
    assert desk.match.steps == (ADVANCE,)


def test_a_game_that_is_closed_takes_no_step_and_that_is_told(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    desk.match.close()
    desk.press("Yes, that's right")
    assert "couldn't save the step (the game is closed)" in desk.screen.banner


def test_a_form_that_is_being_filled_in_is_left_alone(desk: Desk) -> None:
    desk.area("c5")
    before = desk.panel
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert desk.panel is before
    desk.press("Cancel")
    assert isinstance(desk.panel, ProposalPanel)
    desk.area("b3").press("Back")
    assert isinstance(desk.panel, ProposalPanel), "a touch on the map opens the area, and back is the offer"
    desk.press("Yes, that's right").wait().press("Undo").wait()
    assert isinstance(desk.panel, ProposalPanel), "taken back it is offered again"


def test_a_turn_that_ends_the_game_leads_to_the_score(desk: Desk) -> None:
    several(desk, 2)
    while desk.match.position.winner is None:
        last = desk.match.position
        desk.match.offer(Pass())
    desk.match.undo()
    understanding = desk.app.stage.senses.monitor
    turn = replace(understanding.sense.explanations[0], steps=(Pass(),))
    say(understanding, replace(understanding.sense, explanations=(turn,)))
    understanding.advance(GameChanged(record_of(desk.match)))
    assert desk.match.position is last
    desk.press("Yes, that's right")
    assert isinstance(desk.app.scene, EndScene)


def test_what_was_offered_is_no_offer_once_a_turn_is_entered_by_touch(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c4", (("black", "troop", 1),)),)))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3)))))
    assert isinstance(desk.panel, ProposalPanel)
    desk.press("Something else")
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.try_step(ADVANCE)
    desk.app.scene.refresh()
    assert isinstance(desk.panel, RollPanel), "though the camera has not been asked since"


def test_what_is_odd_beside_the_turn_stands_with_it(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(game.apply(after, Agreed(areas=(("b3", (("black", "troop", 3),)),))))
    assert "But: 1 black troop too many in b3" in desk.text()


def shelling(desk: Desk) -> Desk:
    """Let the desk see a commander who shells from d3, and nothing else."""
    here = desk.match.position
    return desk.lay(replace(here, commanders=commanders_before_homecoming(here, Deploy("shell:d3"))))


def test_a_shot_that_hit_nothing_takes_one_touch_and_nothing_is_proposed(desk: Desk) -> None:
    black = (("black", "ship", 2),)
    desk.match.offer(Agreed(areas=(("c2", black), ("c3", black))))
    shelling(desk)
    assert desk.sign == "dice"
    assert isinstance(desk.panel, ThrowPanel)
    assert "Red: Shell from d3?" in desk.text()
    desk.press("Something else").wait()
    assert isinstance(desk.panel, TurnPanel)
    desk.app.stage.senses.monitor.advance(CameraIgnored(False))
    desk.wait()
    desk.press("c3")
    assert [type(step) for step in desk.match.steps] == [Agreed, Deploy, Roll]
    shot = next(step for step in desk.match.steps if isinstance(step, Deploy))
    assert shot.target == "c3"
    desk.wait()
    assert desk.sign == "sync"


def shelled(desk: Desk, *hand: str) -> Desk:
    """Let the desk see a shell that hit, fired by a side with these cards."""
    besides = OtherCorrections(hands=(("red", hand),))
    desk.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),), other=besides))
    hit = game.fold(desk.match.position, (Deploy("shell:d3", target="c2"), Roll((1, 1), "red")))
    return desk.lay(ready(hit, Pass()))


def numbers(desk: Desk) -> list[str]:
    """Return the numbers of cards that may have been spent, as they are offered."""
    return [button.note for button in buttons(desk.screen.blocks) if button.intent.verb == "rerolled"]


def spent(desk: Desk) -> list[str]:
    return [step.card for step in desk.match.steps if isinstance(step, Reroll)]


def test_cards_that_were_spent_to_roll_again_take_a_touch_each_and_one_to_say_how_many(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise", "mobilise")
    assert numbers(desk) == ["1 card", "2 cards", "3 cards"]
    desk.app.touch(Intent("rerolled", "", 2))
    assert "Which 2 cards did Red spend to reroll?" in desk.text()
    desk.press("Mobilise", "Mobilise")
    assert spent(desk) == ["mobilise", "mobilise"]
    assert desk.match.position.hands[0] == ("ambush",)
    desk.wait()
    assert desk.sign == "sync"


def test_whoever_spends_the_last_card_is_asked_about_none_afterwards(desk: Desk) -> None:
    shelled(desk, "ambush").press("Rerolled", "Ambush")
    assert spent(desk) == ["ambush"]
    assert desk.match.position.hands[0] == ()
    assert [type(step) for step in desk.match.steps[-2:]] == [Reroll, Roll]


def test_one_more_card_as_far_as_the_hand_goes(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise").press("Rerolled")
    assert [action.label for action in desk.screen.actions if action.intent.verb == "one-more"] == ["One more card"]
    desk.press("One more card")
    assert not [action for action in desk.screen.actions if action.intent.verb == "one-more"]
    desk.press("Ambush", "Ambush")
    assert desk.button("Ambush").look == "plain", "the hand has one of them: a second touch takes it back"
    desk.press("Mobilise", "Ambush")
    assert spent(desk) == ["mobilise", "ambush"]


def test_no_more_cards_are_offered_than_a_hand_has_and_there_is_a_way_back(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise", "mobilise", "shore_strike", "ship_strike")
    assert len(numbers(desk)) == 3
    desk.press("Rerolled", "Cancel")
    assert isinstance(desk.panel, ProposalPanel)
    desk.match.undo()
    shelled(desk)
    assert numbers(desk) == []


def test_a_card_played_for_its_effect_is_not_spent_to_roll_again(desk: Desk) -> None:
    """Black defends c4 with Ambush and one die more than without, and has another card left."""
    here = game.apply(desk.match.position, Agreed(other=OtherCorrections(hands=(("black", ("ambush", "mobilise")),))))
    steps = (Deploy("advance:c5", moves=(("d5", "troop", 1),)), Play("ambush", "black"), Roll((1, 1, 1), "black"))
    turn = Explanation(steps, here, "", 0.9)
    assert most_rerolls(turn, here) == 1
    assert most_rerolls(replace(turn, steps=(steps[0], steps[2])), here) == 2
    assert most_rerolls(replace(turn, steps=steps[:1]), here) == 0


def rethrown(desk: Desk, *throws: DiceReading) -> Desk:
    """After these throws in sight, the table as it is then."""
    for reading in (DiceReading(()), *throws):
        desk.app.stage.senses.dice.follow(desk.match, reading)
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.refresh()
    return desk


def test_dice_that_were_seen_to_be_thrown_again_ask_for_the_card_in_one_touch(desk: Desk) -> None:
    rethrown(shelled(desk, "ambush", "mobilise"), dice_look(0, 0), dice_look(1, 1, move=20))
    assert "The dice were rerolled. Which card was spent?" in desk.text()
    desk.press("Mobilise")
    assert spent(desk) == ["mobilise"]
    assert desk.match.position.hands[0] == ("ambush",)
    assert [step.dice for step in desk.match.steps if isinstance(step, Roll)] == [(0, 0), (1, 1)], "as they fell"


@pytest.mark.parametrize("ways", [("No card",), ("Rerolled", "Ambush")])
def test_dice_that_fell_twice_may_have_been_rolled_again_for_no_card_or_more_of_them(
    desk: Desk, ways: tuple[str, ...]
) -> None:
    rethrown(shelled(desk, "ambush", "mobilise"), dice_look(0, 0), dice_look(1, 0, move=20), dice_look(1, 1, move=40))
    assert "The dice were rerolled 2 times. Which cards?" in desk.text()
    desk.press(*ways)
    assert spent(desk) == (["ambush"] if len(ways) > 1 else [])
    assert Roll((1, 1), "red") in desk.match.steps


def test_no_card_is_asked_for_where_none_can_have_been_spent(desk: Desk) -> None:
    shelled(desk, "ambush")
    for throws in ((dice_look(1, 1),), (dice_look(1, 1), dice_look(1, move=20)), (dice_look(1), dice_look(0, move=20))):
        equip(desk.app.stage, dice=DiceFollower())
        assert "Is that right?" in rethrown(desk, *throws).text()
    desk.app.stage.apply(replace(desk.app.stage.settings, camera_dice=False))
    assert "Is that right?" in rethrown(desk, dice_look(0, 0), dice_look(1, 1, move=20)).text()
    desk.match.undo()
    assert "Is that right?" in rethrown(shelled(desk), dice_look(0, 0), dice_look(1, 1, move=20)).text()


def test_a_shot_that_hit_nothing_though_cards_were_spent(desk: Desk) -> None:
    black, besides = (("black", "ship", 2),), OtherCorrections(hands=(("red", ("ambush", "mobilise")),))
    desk.match.offer(Agreed(areas=(("c2", black), ("c3", black)), other=besides))
    shelling(desk)
    assert isinstance(desk.panel, ThrowPanel)
    assert numbers(desk) == ["1 card", "2 cards"]
    desk.press("Rerolled", "Mobilise")
    assert not spent(desk), "not before the target is touched"
    assert "Which area was the target?" in desk.text()
    desk.press("c3")
    assert spent(desk) == ["mobilise"]
    shot = next(step for step in desk.match.steps if isinstance(step, Deploy))
    assert shot.target == "c3"
    assert desk.match.position.hands[0] == ("ambush",)


def test_beside_a_camera_planning_takes_one_touch(desk: Desk) -> None:
    desk.press("Plan 2")
    assert desk.match.steps == (Deploy("plan:2", draw=2),)
    desk.wait()
    assert desk.sign == "sync"
