"""An argument ends: rules are looked up, open questions switched by both, and the players settle what is left."""

from __future__ import annotations

import json

import pytest

from companion.app.app import App
from companion.games.match import Match
from companion.games.rules_search import library_of
from companion.scenes.base.rules import EntryScene, RulesScene, SearchScene, first_sentences
from companion.scenes.base.typing import TypingScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import ReadingScene
from companion.scenes.disputes.settle_map import SettleMapScene
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui import screen as scr
from companion.ui.screen import Intent, Text, Verdict
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from tests.companion.gallery.rooms.dispute import ruling_of_two_editions, section_of_two_editions
from tests.companion.review.arguing import agree, argued, begun, match_of, ruled, touch_slip
from tests.companion.touching import Hand
from tests.tables import after, deploy, rivers


@pytest.fixture
def hand(hand: Hand) -> Hand:
    return begun(hand)


@pytest.fixture
def dispute(hand: Hand) -> Hand:
    return argued(hand)


# ---- looking rules up -------------------------------------------------------------------------


def test_the_contents_lead_to_every_section(dispute: Hand) -> None:
    dispute.press("Look up a rule")
    labels = dispute.labels
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
    assert dispute.button("Supply").note == "best match", "found while it is typed"
    dispute.press("Supply")
    assert isinstance(dispute.app.scene, EntryScene)
    dispute.press("Back").press("Show all 24")
    assert dispute.screen.title == "Rules: “suply”"
    assert dispute.blocks(scr.Slip)[0].title == "Supply"
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.app.touch(Intent("entry", "no:such"))
    dispute.press("Contents")
    assert dispute.screen.title == "The rules"


def test_nothing_is_shown_where_nothing_is_found_and_that_is_said(dispute: Hand) -> None:
    dispute.press("Look up a rule", "Search")
    for intent in (Intent("done"), Intent("entry", "no:such"), Intent("type", "\n")):
        dispute.app.touch(intent)
        assert isinstance(dispute.app.scene, SearchScene)
    assert [action.label for action in dispute.screen.actions] == ["Cancel", "Show all 0"]
    dispute.press("Cancel")
    assert isinstance(dispute.app.scene, RulesScene)
    dispute.app.scene = RulesScene(library_of(match_of(dispute).board.mode), dispute.app.scene, "zzzz")
    assert "Nothing found." in dispute.text()
    assert first_sentences("One. Two.") == "One. Two."
    assert first_sentences("One. " + "x" * 100 + ".") == "One.", "as far as a slip goes"


def test_an_open_question_is_told_with_both_answers(dispute: Hand) -> None:
    dispute.app.scene = RulesScene(library_of(match_of(dispute).board.mode), dispute.app.scene, "empty target")
    dispute.app.touch(Intent("entry", "reading:empty-target"))
    assert "Alternative: No: Bombard, Shell and Siege need an enemy unit in the target." in dispute.text()
    dispute.app.touch(Intent("entry", "rule:bombard.enemy"))
    assert dispute.screen.title == "Bombard", "a rule's own words are its text"
    dispute.app.touch(Intent("entry", "no:such"))


def test_the_verdict_is_short_and_the_edition_that_is_followed_stands_below(app: App) -> None:
    hand = Hand(app)
    ruling_of_two_editions(hand)
    verdict, *others = hand.screen.blocks
    assert isinstance(verdict, Verdict)
    assert "editions" not in verdict.text
    assert "Descer de Paraquedas" in verdict.cite
    followed = "The Portuguese edition doesn't say the space must be your colour; we follow the English one."
    assert Text(followed, "quiet") in others


def test_the_section_is_headed_as_the_edition_has_it(app: App) -> None:
    hand = Hand(app)
    section_of_two_editions(hand)
    assert hand.screen.title == "Descer de Paraquedas"


# ---- open questions ---------------------------------------------------------------------------


def test_a_reading_is_switched_by_both_marked_and_undone(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("Unclear rules")
    touch_slip(dispute, "Can you shoot")
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
    options = dispute.blocks(scr.Options)[0]
    assert [option.chosen for option in options.options] == [False, True]
    dispute.press("Back")
    assert any(slip.cite == "changed in this game" for slip in dispute.blocks(scr.Slip))
    match.close()
    again = Match.open(match.path)
    assert again.position.readings == {"empty-target"}
    again.undo()
    assert again.position.readings == frozenset()
    again.close()


def test_a_question_with_one_answer_says_so(dispute: Hand) -> None:
    dispute.press("Unclear rules")
    dispute.app.touch(Intent("page", "", 1))
    touch_slip(dispute, "Who wins if both")
    assert "There's no alternative to choose." in dispute.text()
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


def test_many_changes_are_cut_short_and_none_is_said_too(dispute: Hand) -> None:
    dispute.press("Unclear rules")
    touch_slip(dispute, "Can you shoot")
    assert "With the other answer, now:" in dispute.text()
    assert dispute.text().splitlines()[-1] == "… and 2 more."
    dispute.press("Back")
    touch_slip(dispute, "Can you place")
    assert "Red could no longer use Reinforce 1 at fewer than 6 units." in dispute.text()
    dispute.press("Back")
    touch_slip(dispute, "What happens when the deck")
    assert "Right now it changes nothing on this board." in dispute.text()


def test_without_a_match_a_reading_is_only_read() -> None:
    position = rivers("e3:3", "a3:3")
    back = Hand(App()).app.scene
    scene = ReadingScene(ORDERS, "empty-target", position, back)
    assert scene.touch(Intent("answer", "other")) is None
    assert scene.position is position
    fought = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:2"))
    told = ReadingScene(ORDERS, "empty-target", fought, back).show().blocks[-1]
    assert isinstance(told, scr.Text)
    assert told.text.startswith("Finish this turn")


# ---- settled between them ---------------------------------------------------------------------


def settling(hand: Hand) -> SettleMapScene:
    assert isinstance(hand.app.scene, SettleMapScene)
    return hand.app.scene


def test_what_they_agree_on_is_recorded_with_their_note(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("We agreed on something").area("c4")
    dispute.count("Red: troops", 2).press("Back")
    assert "c4: Red: 2 troops." in dispute.text()
    touch_slip(dispute, "Add a note")
    assert isinstance(dispute.app.scene, TypingScene)
    for letter in "ok":
        dispute.app.touch(Intent("type", letter))
    dispute.press("Done", "Black", "We both agree")
    assert "Agreed (ok): Red has 2 troops in c4. It's Black's turn." in dispute.text(), "what they say yes to"
    agree(dispute)
    assert isinstance(dispute.app.scene, DisputeScene)
    assert match.steps[-1] == Agreed((("c4", (("red", "troop", 2),)),), (), "black", "ok")
    assert match.position.to_move_name == "black"


def test_the_box_alone_may_refuse(dispute: Hand) -> None:
    dispute.press("We agreed on something").area("c4").count("Red: troops", 25).press("Back")
    assert "the box only has 25" in dispute.text()
    settling(dispute.press("We both agree"))


def test_an_area_is_closed_by_a_second_touch_and_put_back(dispute: Hand) -> None:
    dispute.press("We agreed on something").area("c4", "c4")
    assert dispute.screen.title == "Settle it yourselves"
    dispute.area("c4").count("Black: troops", 1).count("Black: troops", -1).press("Back")
    assert "Touch any area that should be different." in dispute.text()
    dispute.app.touch(Intent("area", "z9"))
    dispute.app.touch(Intent("units", "red/troop", 1))
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    assert isinstance(dispute.press("Back").app.scene, DisputeScene)


def test_a_step_that_is_refused_can_be_agreed_on(dispute: Hand) -> None:
    match = match_of(dispute)
    before = match.position.units_in("e3")["red"]["troop"]
    ruled(dispute, Deploy("advance:a1", moves=(("e3", "troop", 1), ("reserve", "troop", 1))))
    settling(dispute.press("We play it differently"))
    assert "Advance to a1: Red's commander." in dispute.text()
    dispute.press("We both agree")
    agree(dispute)
    assert match.position.units_in("e3")["red"]["troop"] == before - 1
    assert match.position.units_in("a1")["red"]["troop"] == 2
    assert match.position.commanders_on("advance:a1") == ("red",)
    assert match.position.to_move_name == "black"


def test_placements_are_put_on_the_board_and_other_steps_noted(dispute: Hand) -> None:
    ruled(dispute, Deploy("reinforce:1", place=(("a3", "troop", 2),)))
    assert settling(dispute.press("We play it differently")).force("a3")["red", "troop"] == 2
    dispute.press("Back")
    ruled(dispute, Roll((1,), "red"))
    assert settling(dispute.press("We play it differently")).note


def test_a_game_that_went_on_meanwhile_is_settled_anew(dispute: Hand) -> None:
    match = match_of(dispute)
    dispute.press("We agreed on something").area("c4").count("Red: troops", 2).press("Back", "We both agree")
    match.offer(Pass())
    steps = match.steps
    agree(dispute)
    assert match.steps == steps
    assert settling(dispute).start is match.position
