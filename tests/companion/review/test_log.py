"""The log, looking back, taking back and doing again, and both players' word."""

from __future__ import annotations

from itertools import pairwise
from unittest import mock

import pytest

from companion.games.journal import read_journal
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.reasons import StepScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.review.correct import MapMomentScene
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.story.game_log import MatchLog, line_numbers, step_lines, take_back, visible_numbers
from companion.scenes.table.orders_presenter import ORDERS
from companion.text.log import start_words, step_and_effects, step_sentence
from companion.text.people import People
from companion.ui.screen import Columns, Intent, LogTurn, Options, Pledges, Screen
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Reroll, Roll, Step
from tests.companion.desk.desk import PEOPLE, STEPS, DeskOf
from tests.companion.sample_games import played
from tests.companion.touching import Hand, words

TWO = People(("red", "black"), PEOPLE)
POSITIONS = played()[1]


NO_SPACE = mock.Mock(side_effect=OSError(28, "no space left"))


# ---- sentences ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1))),
         "Ana advanced to c4 with 2 troops from d5 and 1 troop from d3."),
        (Deploy("advance:c4", moves=(("reserve", "troop", 1),), cards=("ground_assault",)),
         "Ana advanced to c4 with 1 troop from the reserve. Ana played Ground Assault with it."),
        (Deploy("bombard:c2", target="b2"), "Ana bombarded b2 from c2."),
        (Deploy("reinforce:1", place=(("e3", "troop", 4),), recall=(("d3", "troop", 1),)),
         "Ana recalled 1 troop from d3. Ana reinforced: 4 troops in e3."),
        (Deploy("embark:2"), "Ana embarked: nothing."),
        (Deploy("plan:1", draw=("ambush",)), "Ana drew 1 card."),
        (Deploy("plan:2", draw=2), "Ana drew 2 cards."),
        (Pass(), "Ana passed."),
        (Play("ambush", "black"), "Bo played Ambush."),
        (Play("ship_strike", "red", target="c3"), "Ana played Ship Strike at c3."),
        (Play("ground_assault", "red", units=2), "Ana played Ground Assault: 2 troops."),
        (Play("mobilise", "red", place=(("e3", "troop", 1),)), "Ana played Mobilise: 1 troop in e3."),
        (Roll((2, 0), "black"), "Bo rolled 2 and 0."),
        (Reroll("ambush", "black"), "Bo spent Ambush to reroll."),
        (Remove((("troop", 2),), "black"), "Bo chose to lose 2 troops."),
        (Accept(), ""),
    ],
)  # fmt: skip
def test_every_step_is_a_sentence_with_names(step: Step, text: str) -> None:
    assert step_sentence(step, POSITIONS[0], TWO) == text


def test_the_initiative_is_told_where_it_changes_hands() -> None:
    step = Deploy("plan:1", draw=1)
    assert step_sentence(step, POSITIONS[0], TWO) == "Ana drew 1 card.", "Ana had it"
    given = game.apply(POSITIONS[0], Agreed(other=OtherCorrections(initiative="black")))
    assert step_sentence(step, given, TWO) == "Ana drew 1 card and took the initiative."
    assert describe_step(step, given) == "Red plans and draws 1 card, taking the initiative"
    assert describe_step(step, POSITIONS[0]) == "Red plans and draws 1 card"


def test_what_the_players_agreed_is_told_place_by_place_and_never_which_cards_they_hold() -> None:
    step = Agreed(
        areas=(("c4", (("red", "troop", 2),)), ("b3", ())),
        spaces=(("advance:c4", ("red",)), ("advance:b3", ())),
        note="a sleeve",
        readings=(("empty-target", "other"), ("both-hqs", "default")),
        other=OtherCorrections(
            standby=(("red", 1),),
            left=(("black", 1), ("red", 3)),
            hands=(("red", ("ambush",)), ("black", 2)),
            discard=("ambush",),
            initiative="black",
            round=2,
            bonuses=(("sun", ""), ("moon", "war_room")),
            dice=2,
            winner="red",
        ),
    )
    text = step_sentence(step, POSITIONS[0], TWO)
    for part in (
        "Agreed (a sleeve): Ana has 2 troops in c4; b3 is empty; Advance to c4: Ana; Advance to b3: no commander",
        "Ana has 1 on standby", "Bo has 1 commander left", "Ana has 3 commanders left", "Ana has 1 card in hand",
        "Bo has 2 cards in hand", "the discard pile has 1 card", "Bo has the initiative", "it is round 2",
        "Sun has nothing", "Moon has War Room", "2 dice to roll", "Ana has won",
        "” – the alternative", "” – the standard rule",
    ):  # fmt: skip
        assert part in text
    assert "Ambush" not in text
    assert step_sentence(Agreed(to_move="black"), POSITIONS[0], TWO) == "Agreed: it's Bo's turn."
    assert step_sentence(Agreed(), POSITIONS[0], TWO) == "Agreed: the board matches the record."
    assert step_sentence(Pass(), POSITIONS[0], People(("red", "black"))) == "Red passed.", "by colour without a name"


def test_the_start_says_what_the_app_had_drawn() -> None:
    assert start_words(POSITIONS[0], {}, TWO) == "Ana had the initiative at the start."
    drawn = start_words(POSITIONS[0], {"initiative": "app", "bonuses": "app"}, TWO)
    assert drawn.endswith("Gunbai flipped the marker. Gunbai drew the bonus tokens.")


def test_losses_rounds_and_the_winner_are_told_with_the_step_that_brought_them() -> None:
    text = " ".join(step_and_effects(s, p, TWO) for s, p in zip(STEPS, POSITIONS, strict=False))
    assert "Bo rolled 1. Ana lost 1 troop in d5." in text
    assert "Round 2 began." in text
    assert text.endswith("Bo won.")


# ---- the log -----------------------------------------------------------------------------------


def test_the_log_has_every_step_by_rounds_and_turns_and_offers_three_rounds_at_a_time(desk_of: DeskOf) -> None:
    desk = desk_of(None)
    match = desk.match
    found = [turn for chapter in MatchLog(match, ORDERS).chapters() for turn in chapter.turns]
    assert {entry.number for turn in found for entry in turn.entries} >= set(visible_numbers(MatchLog(match, ORDERS)))
    assert [(turn.round, turn.number) for turn in found][:11] == [(1, n) for n in range(1, 11)] + [(2, 1)]
    assert found[0].faction == "red"
    assert all(turn.faction != other.faction for turn, other in pairwise(found[:10]))
    told = [number for number, _text in step_lines(desk.table.game_log)]
    assert told == list(line_numbers(desk.table.game_log)), "silent steps with effects among them"
    desk.touch(Intent("log"))
    assert desk.labels[:3] == ["Round 2", "Round 3", "Round 4"]
    desk.press("Round 2")
    assert desk.labels[:3] == ["Round 1", "Round 2", "Round 3"]


def test_the_log_shows_the_newest_turn_first_and_leads_to_its_moment(desk_of: DeskOf) -> None:
    desk = desk_of(24)
    desk.touch(Intent("menu")).press("Game log")
    assert [button.look for button in desk.all_buttons()][:2] == ["plain", "chosen"]
    assert [block.faction for block in desk.screen.blocks if isinstance(block, LogTurn)][-1] == "red"
    desk.touch(Intent("page", "", 1))
    assert desk.screen.page == 1
    desk.touch(Intent("round", "", 3))
    assert desk.button("Round 2").look == "chosen", "the third has not begun"
    desk.press("Round 1")
    cards = desk.blocks(LogTurn)
    assert cards[-1].lines[0].text == "Ana advanced to c5 with 2 troops from d5."
    assert words(desk.screen.blocks) == "Ana had the initiative at the start."
    desk.touch(cards[-1].intent)
    assert isinstance(desk.app.scene, MapMomentScene)
    assert "Ana advanced to c5" in desk.text()
    desk.press("Back", "Back", "Back")
    assert desk.at_table


def test_a_moment_is_only_looked_at(desk_of: DeskOf) -> None:
    desk = desk_of(24)
    desk.app.scene = MapMomentScene(desk.table, 2, LogScene(desk.table, desk.table))
    stacks = {area.name: area.stacks for area in desk.picture.areas}
    assert [(stack.faction, stack.n) for stack in stacks["c4"]] == [("black", 2)]
    assert "step 2 of 24" in desk.text()
    desk.press("Later")
    assert "step 3 of 24" in desk.text()
    desk.press("Earlier", "Earlier", "Earlier")
    assert "The start of the game." in desk.text()
    assert desk.button("Earlier").look == "off"
    desk.press("Earlier")
    assert len(desk.match.steps) == 24
    desk.press("Back", "Back")
    assert desk.at_table


def test_a_moment_leads_to_the_rules_behind_it_and_to_what_if(desk_of: DeskOf) -> None:
    desk = desk_of(5)
    desk.app.scene = MapMomentScene(desk.table, 3, desk.table)
    desk.press("Why?")
    assert isinstance(desk.app.scene, StepScene)
    desk.app.scene = MapMomentScene(desk.table, 0, desk.table)
    assert "Why?" not in desk.labels
    desk.press("What if?")
    assert isinstance(desk.app.scene, WhatIfScene)
    assert len(desk.match.steps) == 5
    desk.app.scene = MapMomentScene(desk.table, 5, desk.table)
    assert desk.button("Later").look == "off"
    assert "Resume here" not in desk.labels, "nothing is gone on from at the end"
    assert "step 5 of 5" in desk.press("Later").text()


# ---- taking back ---------------------------------------------------------------------------------


def test_steps_are_taken_back_and_done_again_by_name(desk_of: DeskOf) -> None:
    desk = desk_of(5)
    desk.touch(Intent("undo-list"))
    assert desk.touch(options(desk.screen, 0)[1]).match.steps == STEPS[:3]
    assert isinstance(desk.app.scene, UndoScene)
    desk.touch(options(desk.screen, 1)[0])
    assert desk.match.steps == STEPS[:4]
    desk.press("Back")
    assert desk.at_table


def options(screen: Screen, side: int) -> list[Intent]:
    """Return what the options at the left or right stand for."""
    columns = next(block for block in screen.blocks if isinstance(block, Columns))
    blocks = columns.right if side else columns.left
    return [option.intent for block in blocks if isinstance(block, Options) for option in block.options]


def test_a_roll_is_taken_back_only_when_both_agree(desk_of: DeskOf) -> None:
    desk = desk_of(7)
    assert isinstance(STEPS[6], Roll)
    desk.press("Undo")
    assert isinstance(desk.app.scene, ConsentScene)
    assert "Bo rolled 1." in desk.text()
    desk.touch(Intent("agree", "red", seat="red"))
    assert len(desk.match.steps) == 7
    desk.touch(Intent("agree", "black", seat="black"))
    assert desk.match.steps == STEPS[:6]
    assert desk.at_table


def test_a_draw_asks_too_and_either_may_decline(desk_of: DeskOf) -> None:
    at = next(i for i, step in enumerate(STEPS) if isinstance(step, Deploy) and step.space.startswith("plan"))
    desk = desk_of(at + 1)
    desk.press("Undo")
    assert isinstance(desk.app.scene, ConsentScene)
    desk.press("Cancel")
    assert desk.at_table
    assert len(desk.match.steps) == at + 1


def test_much_that_is_taken_back_is_told_briefly(desk_of: DeskOf) -> None:
    desk = desk_of(20)
    asked = take_back(desk.table, 2, desk.table)
    assert isinstance(asked, ConsentScene)
    assert asked.effect.endswith("earlier steps.")
    assert take_back(desk.table, 20, desk.table) is desk.table, "nothing goes"


def test_a_silent_step_goes_with_the_one_before_it(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    for step in STEPS:
        desk.match.offer(step)
        owed = game.owed(desk.match.position)
        if owed is not None and owed.wants == "accept":
            break
    else:
        pytest.fail("the sample game opens a window for cards")
    before = len(desk.match.steps)
    assert desk.match.offer(Accept()).legal
    desk.table.refresh()
    scene = desk.table.touch(Intent("undo"))
    if isinstance(scene, ConsentScene):
        desk.app.scene = scene
        desk.both_agree()
    assert len(desk.match.steps) == before - 1
    desk.touch(Intent("undo-list"))
    desk.touch(options(desk.screen, 1)[0])
    assert len(desk.match.steps) == before + 1


def test_a_game_that_is_closed_takes_nothing_back_and_the_lists_say_so(desk_of: DeskOf) -> None:
    desk = desk_of(4)
    desk.touch(Intent("undo-list"))
    desk.match.close()
    desk.touch(options(desk.screen, 0)[0])
    assert "couldn't undo the step" in desk.screen.banner
    desk.app.scene = MapMomentScene(desk.table, 1, desk.table)
    desk.press("Resume here")
    assert "couldn't undo the step" in desk.screen.banner
    assert len(desk.match.steps) == 4


def test_a_disk_that_refuses_keeps_the_steps_that_are_taken_back(
    desk_of: DeskOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of(4)
    monkeypatch.setattr("companion.games.undo_log.append", NO_SPACE)
    desk.touch(Intent("undo-list"))
    desk.touch(options(desk.screen, 0)[0])
    assert len(desk.match.steps) < 4
    assert len(read_journal(desk.match.path).steps) == 4
    monkeypatch.undo()
    assert desk.match.save()
    assert read_journal(desk.match.path).steps == desk.match.steps


# ---- both players' word ----------------------------------------------------------------------------


def asked(hand: Hand, done: list[str]) -> ConsentScene:
    scene = ConsentScene(("Do it?", "It is done."), TWO, lambda: done.append("done"), hand.app.scene)
    hand.app.scene = scene
    return scene


def test_nobody_agrees_for_the_other(desk_of: DeskOf) -> None:
    desk, done = desk_of(0), list[str]()
    scene = asked(desk, done)
    desk.touch(Intent("agree", "black", seat="red"), Intent("agree", "red", seat="red"), Intent("hush"))
    desk.touch(Intent("page", "", 1))
    assert desk.screen.page == 1
    assert scene.agreed_sides == {"red"}
    desk.touch(Intent("agree", "red", seat="red"))
    assert scene.agreed_sides == set(), "a second touch takes it back"
    desk.touch(Intent("agree", "red"))
    own, both = scene.show_to("black"), scene.show()
    assert [pledge.name for block in own.blocks if isinstance(block, Pledges) for pledge in block.pledges] == ["Bo"]
    assert "Waiting for Bo." in words(own.blocks), "each half shows its own button"
    given = [pledge.is_given for block in both.blocks if isinstance(block, Pledges) for pledge in block.pledges]
    assert given == [True, False]
    desk.touch(Intent("agree", "red"))
    desk.both_agree()
    assert done == ["done"]
    assert desk.at_table


def test_what_is_agreed_and_cannot_be_done_is_asked_again(desk_of: DeskOf) -> None:
    desk = desk_of(2)
    scene = ConsentScene(("Do it?", ""), TWO, NO_SPACE, desk.table)
    desk.app.scene = scene
    desk.both_agree()
    assert desk.app.scene is scene
    assert "disk is full" in desk.app.fault
    assert scene.agreed_sides == set()
