"""Looking rules up in an argument: contents, words, and what the book leaves open."""

from __future__ import annotations

import pytest

from companion.games.rules_search import library_of
from companion.scenes.base.rules import EntryScene, RulesScene, SearchScene, first_sentences
from companion.ui.screen import Intent
from tests.companion.review.arguing import argued, begun, match_of, slips, touch_slip
from tests.companion.touching import Hand


@pytest.fixture
def hand(hand: Hand) -> Hand:
    return begun(hand)


@pytest.fixture
def dispute(hand: Hand) -> Hand:
    return argued(hand)


# ---- looking rules up -------------------------------------------------------------------------


def test_the_contents_lead_to_every_section(dispute: Hand) -> None:
    dispute.press("Look up a rule")
    labels = [button.label for button in dispute.all_buttons()]
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
    assert [action.label for action in dispute.screen.actions] == ["Cancel", "Show all 0"]
    dispute.press("Cancel")
    assert isinstance(dispute.app.scene, RulesScene)


def test_nothing_found_is_said_with_a_way_on(dispute: Hand) -> None:
    dispute.app.scene = RulesScene(library_of(match_of(dispute).board.mode), dispute.app.scene, "zzzz")
    assert "Nothing found." in dispute.text()


def test_an_open_question_is_told_with_both_answers(dispute: Hand) -> None:
    rules = RulesScene(library_of(match_of(dispute).board.mode), dispute.app.scene, "empty target")
    dispute.app.scene = rules
    dispute.app.touch(Intent("entry", "reading:empty-target"))
    assert "Alternative: No: Bombard, Shell and Siege need an enemy unit in the target." in dispute.text()
    dispute.app.touch(Intent("entry", "rule:bombard.enemy"))
    assert dispute.screen.title == "Bombard", "a rule's own words are its text"
    dispute.app.touch(Intent("entry", "no:such"))


def test_a_slip_holds_the_first_sentences() -> None:
    assert first_sentences("One. Two.") == "One. Two."
    assert first_sentences("One. " + "x" * 100 + ".") == "One."
