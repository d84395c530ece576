"""An argument at the table: the clock waits, steps are looked at, questions answered, and the players settle it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app import App
from companion.evidence import Name, folder_of, keep
from companion.match import Match
from companion.scenes import screen as scr
from companion.scenes.consent import ConsentScene
from companion.scenes.dispute import DisputeScene, StepScene, last_deeds, section_of, told_steps
from companion.scenes.dispute_ask import AreaScene, AskScene, CardsAskedScene
from companion.scenes.dispute_readings import ReadingScene, ReadingsScene
from companion.scenes.dispute_settle import SettleScene
from companion.scenes.rules import EntryScene, RulesScene, SearchScene, shortened
from companion.scenes.ruling import RulingScene
from companion.scenes.screen import Intent
from companion.scenes.table import TableScene
from companion.scenes.typing import TypingScene
from companion.scenes.whatif import WhatIfScene
from engine.orders import game
from engine.orders.draft import Event
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from tests.companion.touching import Hand
from tests.tables import after, deploy, rivers


@pytest.fixture
def hand(hand: Hand) -> Hand:
    table = hand.start().app.scene
    assert isinstance(table, TableScene)
    table.match.offer(Pass())
    table.match.offer(Deploy("plan:1", draw=1))
    table.refresh()
    return hand


@pytest.fixture
def dispute(hand: Hand) -> Hand:
    hand.app.touch(Intent("dispute"))
    assert isinstance(hand.app.scene, DisputeScene)
    return hand


def match_of(hand: Hand) -> Match:
    scene = hand.app.table
    assert scene is not None
    return scene.match


def slips(hand: Hand) -> list[scr.Slip]:
    return [block for block in hand.screen.blocks if isinstance(block, scr.Slip)]


def touch_slip(hand: Hand, begins: str) -> Hand:
    found = next(one for one in slips(hand) if one.title.startswith(begins) or one.text.startswith(begins))
    assert found.intent is not None
    hand.app.touch(found.intent)
    return hand


def agree(hand: Hand) -> Hand:
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "red"))
    hand.app.touch(Intent("agree", "black"))
    return hand


# ---- the argument -----------------------------------------------------------------------------


def test_the_clock_stands_still_until_they_are_back_at_the_table(dispute: Hand) -> None:
    assert dispute.app.stage.clock.held
    assert dispute.screen.frame.startswith("Paused")
    dispute.press("May I …?", "Back")
    assert dispute.app.stage.clock.held
    dispute.press("Back to the table")
    assert isinstance(dispute.app.scene, TableScene)
    assert not dispute.app.stage.clock.held


def test_the_last_steps_are_there_the_newest_first(dispute: Hand) -> None:
    assert [slip.cite for slip in slips(dispute)] == ["Why was that allowed?"] * 2
    assert slips(dispute)[0].intent == Intent("step", "", 2)
    dispute.app.touch(Intent("step", "", 99))
    assert isinstance(dispute.app.scene, DisputeScene)


def test_before_the_first_step_there_is_nothing_to_argue_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    hand = Hand(App()).start()
    hand.app.touch(Intent("dispute"))
    assert "Nothing has happened yet." in hand.text()
    hand.app.touch(Intent("page", "", 1))
    assert hand.screen.page == 1


@pytest.mark.parametrize(
    ("label", "scene"),
    [
        ("May I …?", AskScene),
        ("What if …?", WhatIfScene),
        ("Look up a rule", RulesScene),
        ("Open questions", ReadingsScene),
        ("We settled it", SettleScene),
    ],
)
def test_each_way_to_settle_it_is_one_touch_away(dispute: Hand, label: str, scene: type) -> None:
    assert isinstance(dispute.press(label).app.scene, scene)


def test_whoever_opened_it_asks_first(hand: Hand) -> None:
    hand.app.touch(Intent("dispute", seat="black"))
    hand.press("May I …?")
    assert hand.button("Black").look == "chosen"


# ---- a step -----------------------------------------------------------------------------------


def test_a_step_is_told_with_its_ruling(dispute: Hand) -> None:
    touch_slip(dispute, "Red")
    assert isinstance(dispute.app.scene, StepScene)
    assert "The camera kept no picture of it." in dispute.text()
    touch_slip(dispute, "Why was that allowed?")
    scene = dispute.app.scene
    assert isinstance(scene, RulingScene)
    assert scene.ruling == game.examine(match_of(dispute).positions[0], match_of(dispute).steps[0])
    verdict = dispute.screen.blocks[0]
    assert isinstance(verdict, scr.Verdict)
    assert verdict.holds
    dispute.press("Back", "Back")
    assert isinstance(dispute.app.scene, DisputeScene)


def test_steps_are_leafed_through(dispute: Hand) -> None:
    touch_slip(dispute, "Red")
    assert dispute.button("Earlier").look == "off"
    dispute.press("Earlier")
    assert dispute.screen.title == "Step 1"
    dispute.press("Later")
    assert dispute.screen.title == "Step 2"
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


def test_its_picture_is_shown_where_one_was_kept(dispute: Hand) -> None:
    match = match_of(dispute)
    jpeg = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))[1].tobytes()
    keep(folder_of(match.path), Name("turn", 2, match.mark(2)), jpeg, {"first": 2, "areas": {}})
    touch_slip(dispute, "Black")
    photo = next(block for block in dispute.screen.blocks if isinstance(block, scr.Photo))
    assert photo.size_px == (60, 40)
    dispute.press("Earlier")
    assert not any(isinstance(block, scr.Photo) for block in dispute.screen.blocks)


def test_what_followed_by_itself_is_told_with_its_section(dispute: Hand) -> None:
    touch_slip(dispute, "Black")
    touch_slip(dispute, "Black takes the initiative")
    assert isinstance(dispute.app.scene, EntryScene)
    assert dispute.screen.title == "Plan"


def test_losses_are_those_of_a_conflict_or_of_a_shot() -> None:
    shot = after(rivers("e3:3 d4:2", "a3:3"), deploy("bombard:d4", "e3"))
    fought = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:2"))
    lost = Event("lost", 0, 1, 0, 1)
    assert section_of(lost, shot) == "bombard"
    assert section_of(lost, fought) == "conflicts"
    assert section_of(lost, rivers("e3:3")) == "conflicts"
    assert section_of(Event("moved", 0), fought) is None
    assert section_of(Event("surplus", 0), fought) == "unit-restrictions"


def test_no_window_passed_by_is_a_step_to_argue_about(hand: Hand) -> None:
    assert len(told_steps(match_of(hand))) == 2


# ---- may I ------------------------------------------------------------------------------------


def test_a_support_space_is_answered(dispute: Hand) -> None:
    dispute.press("May I …?", "Plan 1")
    verdict = dispute.screen.blocks[0]
    assert isinstance(verdict, scr.Verdict)
    assert not verdict.holds
    assert verdict.text == "No. “Plan 1” holds a commander of black."
    assert verdict.cite.startswith("Rulebook: ")


def test_the_other_side_asks_too(dispute: Hand) -> None:
    dispute.press("May I …?", "Black", "Reinforce 1")
    assert dispute.screen.title == "Black: Reinforce 1?"
    assert "It is Red's turn now." in dispute.text()


def test_an_area_is_answered_with_its_spaces_and_its_chain(dispute: Hand) -> None:
    dispute.press("May I …?").area("d5")
    assert isinstance(dispute.app.scene, AreaScene)
    assert dispute.screen.map is not None
    assert [chain.areas[-1] for chain in dispute.screen.map.chains] == ["e3"]
    assert {slip.mark for slip in slips(dispute)} <= {"yes", "no"}
    dispute.area("a3")
    assert dispute.screen.title == "a3 · Red asks"
    dispute.press("Ask for Black")
    assert dispute.screen.title == "a3 · Black asks"
    first = slips(dispute)[0].title
    touch_slip(dispute, first)
    assert dispute.screen.title == f"Black: {first}"
    dispute.press("Back")
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.press("Back", "Back")
    assert isinstance(dispute.app.scene, DisputeScene)


def test_what_is_open_shows_at_once(dispute: Hand) -> None:
    dispute.press("May I …?")
    assert (dispute.button("Plan 1").note, dispute.button("Plan 2").note) == ("no: why?", "yes")
    assert dispute.screen.map is not None
    assert any(space.live for space in dispute.screen.map.spaces)


def test_an_answer_says_when_the_game_has_gone_on(dispute: Hand) -> None:
    dispute.press("May I …?", "Plan 2")
    assert dispute.screen.banner == ""
    match_of(dispute).offer(Pass())
    assert dispute.screen.banner.startswith("The game has gone on")


def test_a_card_of_this_moment_says_so(hand: Hand) -> None:
    match = match_of(hand)
    while match.position.to_move_name != "black":
        match.offer(Pass())
    assert match.offer(Deploy("reinforce:1", place=(("a3", "troop", 1),))).legal
    scene = CardsAskedScene(match, "black", hand.app.scene)
    told = [block for block in scene.show().blocks if isinstance(block, scr.Slip) and block.cite]
    assert [slip.title for slip in told] == ["Mobilise"]


def test_a_card_is_answered(dispute: Hand) -> None:
    dispute.press("May I …?", "About a card")
    assert isinstance(dispute.app.scene, CardsAskedScene)
    assert len(slips(dispute)) == 8
    touch_slip(dispute, "Ambush")
    assert dispute.screen.title == "Red: Ambush?"
    dispute.press("Back")
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.app.touch(Intent("card", "no-such"))
    dispute.press("Back")
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


# ---- the ruling -------------------------------------------------------------------------------


def ruled(hand: Hand, step: Step) -> RulingScene:
    position = match_of(hand).position
    scene = RulingScene(game.examine(position, step), (position, step), hand.app.scene, match_of(hand))
    hand.app.scene = scene
    return scene


def test_the_verdict_counts_what_else_stands_against_it(dispute: Hand) -> None:
    ruled(dispute, Deploy("advance:a1", moves=(("e3", "troop", 1), ("d5", "troop", 1))))
    verdict = dispute.screen.blocks[0]
    assert isinstance(verdict, scr.Verdict)
    assert "1 more rule stands against it" in verdict.cite
    assert verdict.text.startswith("No. ")


def test_a_touched_criterion_moves_the_map(dispute: Hand) -> None:
    scene = ruled(dispute, Deploy("advance:c4", moves=(("d5", "troop", 1), ("d4", "troop", 1))))
    before = dispute.screen.map
    chosen = next(slip for slip in slips(dispute) if not slip.chosen)
    assert chosen.intent is not None
    dispute.app.touch(chosen.intent)
    assert dispute.app.scene is scene
    assert dispute.screen.map != before
    dispute.app.touch(Intent("criterion", "", 99))
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


def test_a_reading_leads_to_its_answers_and_back(dispute: Hand) -> None:
    ruled(dispute, Deploy("shell:d5", target="c6"))
    slip = next(one for one in slips(dispute) if "open question" in one.cite)
    assert slip.intent is not None
    dispute.app.touch(slip.intent)
    assert isinstance(dispute.app.scene, ReadingScene)
    assert isinstance(dispute.press("Back").app.scene, RulingScene)


def test_a_ruling_with_nothing_looked_at_is_a_yes() -> None:
    position = rivers("e3:3", "a3:3")
    scene = RulingScene(game.judge(position, Pass()), (position, Pass()), Hand(App()).app.scene)
    verdict = scene.show().blocks[0]
    assert isinstance(verdict, scr.Verdict)
    assert verdict.holds
    assert len(scene.show().actions) == 2


def test_rules_about_a_ruling_can_be_read(dispute: Hand) -> None:
    ruled(dispute, Deploy("advance:a1", moves=(("e3", "troop", 1),)))
    dispute.press("Rules about this")
    assert slips(dispute)[0].title == "Advance"
    dispute.press("Back")
    assert isinstance(dispute.app.scene, RulingScene)


# ---- open questions ---------------------------------------------------------------------------


def test_a_reading_is_switched_by_both_marked_and_undone(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("Open questions")
    touch_slip(dispute, "May you shoot")
    dispute.app.touch(Intent("answer", "default"))
    assert isinstance(dispute.app.scene, ReadingScene), "it is played like that already"
    dispute.app.touch(Intent("answer", "other"))
    dispute.app.touch(Intent("agree", "red"))
    assert match.position.readings == frozenset(), "one player alone changes nothing"
    dispute.app.touch(Intent("agree", "black"))
    assert isinstance(dispute.app.scene, ReadingScene)
    assert match.position.readings == {"empty-target"}
    line = json.loads(match.path.read_text().splitlines()[-1])
    assert (line["agreed"], line["readings"]) == ({}, {"empty-target": "other"})
    options = next(block for block in dispute.screen.blocks if isinstance(block, scr.Options))
    assert [one.chosen for one in options.options] == [False, True]
    dispute.press("Back")
    assert any(slip.cite == "switched in this game" for slip in slips(dispute))
    path = match.path
    match.close()
    again = Match.open(path)
    assert again.position.readings == {"empty-target"}
    again.undo()
    assert again.position.readings == frozenset()
    again.close()


def test_a_reading_tells_what_it_changes_on_this_board(dispute: Hand) -> None:
    dispute.press("Open questions")
    touch_slip(dispute, "May you place")
    assert "With the other answer, now:" in dispute.text()
    assert "Red could no longer use Reinforce 1 at fewer than 6 units." in dispute.text()


def test_a_question_with_one_answer_says_so(dispute: Hand) -> None:
    dispute.press("Open questions")
    dispute.app.touch(Intent("page", "", 1))
    touch_slip(dispute, "Who wins when both")
    assert "There is no other answer to choose." in dispute.text()
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


def test_many_changes_are_cut_short_and_none_is_said_too(dispute: Hand) -> None:
    dispute.press("Open questions")
    touch_slip(dispute, "May you shoot")
    assert "With the other answer, now:" in dispute.text()
    assert dispute.text().splitlines()[-1] == "… and 2 more."
    dispute.press("Back")
    touch_slip(dispute, "What happens when the deck")
    assert "On this board it changes nothing right now." in dispute.text()


def test_without_a_match_a_reading_is_only_read() -> None:
    position = rivers("e3:3", "a3:3")
    back = Hand(App()).app.scene
    scene = ReadingScene("empty-target", position, back)
    assert scene.touch(Intent("answer", "other")) is None
    assert scene.position is position
    fought = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:2"))
    told = ReadingScene("empty-target", fought, back).show().blocks[-1]
    assert isinstance(told, scr.Text)
    assert told.text.startswith("What it changes shows")


# ---- settled between them ---------------------------------------------------------------------


def test_what_they_agree_on_is_recorded_with_their_note(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("We settled it").area("c4")
    dispute.count("Red: troops", 2).press("Done")
    assert "c4: Red: 2 troops." in dispute.text()
    touch_slip(dispute, "Add a note")
    assert isinstance(dispute.app.scene, TypingScene)
    for letter in "ok":
        dispute.app.touch(Intent("type", letter))
    dispute.press("Done", "Black", "We both agree")
    agree(dispute)
    assert isinstance(dispute.app.scene, DisputeScene)
    assert match.steps[-1] == Agreed((("c4", (("red", "troop", 2),)),), (), "black", "ok")
    assert match.position.to_move_name == "black"


def test_the_box_alone_may_refuse(dispute: Hand) -> None:
    dispute.press("We settled it").area("c4").count("Red: troops", 25).press("Done")
    assert "the box has 25" in dispute.text()
    assert dispute.press("We both agree").app.scene is not None
    assert isinstance(dispute.app.scene, SettleScene)


def test_an_area_is_closed_by_a_second_touch_and_put_back(dispute: Hand) -> None:
    dispute.press("We settled it").area("c4", "c4")
    assert dispute.screen.title == "Settle it between you"
    dispute.area("c4").count("Black: troops", 1).count("Black: troops", -1).press("Done")
    assert "Touch an area that should stand otherwise." in dispute.text()
    dispute.app.touch(Intent("area", "z9"))
    dispute.app.touch(Intent("units", "red/troop", 1))
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    assert isinstance(dispute.press("Back").app.scene, DisputeScene)


def test_a_step_that_is_refused_can_be_agreed_on(dispute: Hand) -> None:
    match = match_of(dispute)
    before = match.position.units_in("e3")["red"]["troop"]
    ruled(dispute, Deploy("advance:a1", moves=(("e3", "troop", 1), ("reserve", "troop", 1))))
    dispute.press("We play it otherwise")
    scene = dispute.app.scene
    assert isinstance(scene, SettleScene)
    assert "“Advance to a1”: commander of Red." in dispute.text()
    dispute.press("We both agree")
    agree(dispute)
    assert match.position.units_in("e3")["red"]["troop"] == before - 1
    assert match.position.units_in("a1")["red"]["troop"] == 2
    assert match.position.commanders_on("advance:a1") == ("red",)
    assert match.position.to_move_name == "black"


def test_placements_are_put_on_the_board_and_other_steps_noted(dispute: Hand) -> None:
    ruled(dispute, Deploy("reinforce:1", place=(("a3", "troop", 2),)))
    dispute.press("We play it otherwise")
    scene = dispute.app.scene
    assert isinstance(scene, SettleScene)
    assert scene.force("a3")["red", "troop"] == 2
    dispute.press("Back")
    ruled(dispute, Roll((1,), "red"))
    dispute.press("We play it otherwise")
    scene = dispute.app.scene
    assert isinstance(scene, SettleScene)
    assert scene.note


def test_a_game_that_went_on_meanwhile_is_settled_anew(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("We settled it").area("c4").count("Red: troops", 2).press("Done", "We both agree")
    match.offer(Pass())
    steps = match.steps
    agree(dispute)
    assert match.steps == steps
    scene = dispute.app.scene
    assert isinstance(scene, SettleScene)
    assert scene.start is match.position


# ---- looking rules up -------------------------------------------------------------------------


def test_the_contents_lead_to_every_section(dispute: Hand) -> None:
    dispute.press("Look up a rule")
    labels = [one.label for one in dispute.all_buttons()]
    assert labels[:3] == ["Supply", "Conflicts", "Advance"]
    assert {"Components", "Historical Note", "Ports"} <= set(labels)
    dispute.press("Ports")
    assert isinstance(dispute.app.scene, EntryScene)
    assert "Rulebook: Ports. In our words." in dispute.text()
    touch_slip(dispute, "Embark")
    assert dispute.screen.title == "Embark"
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.press("All rules")
    assert dispute.screen.title == "The rules"


def test_a_word_is_looked_for(dispute: Hand) -> None:
    dispute.press("Look up a rule", "Search")
    for letter in "suply":
        dispute.app.touch(Intent("type", letter))
    assert dispute.button("Supply").note == "fits best", "found while it is typed"
    dispute.press("Supply")
    assert isinstance(dispute.app.scene, EntryScene)
    dispute.press("Back").press("Show all 23")
    assert dispute.screen.title == "Rules: “suply”"
    assert slips(dispute)[0].title == "Supply"
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.app.touch(Intent("entry", "no:such"))
    dispute.press("Contents")
    assert dispute.screen.title == "The rules"


def test_nothing_is_shown_where_nothing_is_found(dispute: Hand) -> None:
    dispute.press("Look up a rule", "Search")
    dispute.app.touch(Intent("done"))
    assert isinstance(dispute.app.scene, SearchScene)
    dispute.app.touch(Intent("entry", "no:such"))
    dispute.app.touch(Intent("type", "\n"))
    assert isinstance(dispute.app.scene, SearchScene)
    assert [one.label for one in dispute.screen.actions] == ["Cancel", "Show all 0"]
    dispute.press("Cancel")
    assert isinstance(dispute.app.scene, RulesScene)


def test_nothing_found_is_said_with_a_way_on(dispute: Hand) -> None:
    dispute.app.scene = RulesScene(match_of(dispute).board.mode, dispute.app.scene, "zzzz")
    assert "Nothing fits." in dispute.text()


def test_an_open_question_is_told_with_both_answers(dispute: Hand) -> None:
    rules = RulesScene(match_of(dispute).board.mode, dispute.app.scene, "empty target")
    dispute.app.scene = rules
    dispute.app.touch(Intent("entry", "reading:empty-target"))
    assert "The other answer: Bombard, Shell and Siege need an enemy unit in the target." in dispute.text()
    dispute.app.touch(Intent("entry", "rule:bombard.enemy"))
    assert dispute.screen.title == "Bombard", "a rule's own words are its text"
    dispute.app.touch(Intent("entry", "no:such"))


def test_a_slip_holds_the_first_sentences() -> None:
    assert shortened("One. Two.") == "One. Two."
    assert shortened("One. " + "x" * 100 + ".") == "One."


def test_rolls_are_steps_but_not_what_arguments_begin_with(hand: Hand) -> None:
    match = match_of(hand)
    space, offer = next(one for one in game.legal(match.position).spaces.items() if one[1].targets)
    assert match.offer(Deploy(space, target=offer.targets[0])).legal
    assert match.offer(Roll((0,) * offer.dice, "red")).legal
    assert told_steps(match)[0][1].startswith("Red rolled")
    assert last_deeds(match)[0][0] == len(match.steps) - 1
