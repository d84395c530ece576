"""Where the two editions of a book do not say the same, a ruling says so in a line of its own."""

from __future__ import annotations

from companion.ui.screen import Text, Verdict
from tests.companion.gallery.rooms.dispute import ruling_of_two_editions, section_of_two_editions
from tests.companion.touching import Hand


def test_the_verdict_is_short_and_the_edition_that_is_followed_stands_below(hand: Hand) -> None:
    ruling_of_two_editions(hand)
    verdict, *others = hand.screen.blocks
    assert isinstance(verdict, Verdict)
    assert "editions" not in verdict.text
    assert "Descer de Paraquedas" in verdict.cite
    followed = "The Portuguese edition doesn't say the space must be your colour; we follow the English one."
    assert Text(followed, "quiet") in others


def test_the_section_is_headed_as_the_edition_has_it(hand: Hand) -> None:
    section_of_two_editions(hand)
    assert hand.screen.title == "Descer de Paraquedas"
