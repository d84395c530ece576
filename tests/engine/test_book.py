"""Every section of the rulebook is there in our own words, and all that rules and readings cite is one of them."""

from __future__ import annotations

import pytest

from engine.errors import BadTable
from engine.orders.book import book_from, load_book
from engine.orders.mode import load_mode, load_rules

HEADINGS = """
The Sengoku Period; Components; Setup; Round Structure; Important Concepts; Areas & Adjacency; Control; Supply;
Unit Restrictions; Insufficient Units; How to Play; Deploy Commanders; Recall Commanders; Advance the Round Marker;
Game End; Example of Game End; Actions; Linked Actions; Advance; Example of Advance; Sail; Example of Sail; Bombard;
Fortifications; Example of Bombard; Shell; Example of Shell; Siege; Example of Siege; Support Actions; Reinforce;
Embark; Ports; Example of Embark; Plan; Conflicts; Example of Conflict; Area Bonuses; Operation Cards; Example Turn;
Historical Note
"""
BOOK = load_book(load_mode("sengoku-rivers").rulebook)


@pytest.mark.parametrize("heading", [one.strip() for one in HEADINGS.replace("\n", " ").split(";")])
def test_each_heading_of_the_book_has_its_section(heading: str) -> None:
    section = next(one for one in BOOK.values() if one.title == heading)
    assert section.text
    assert section.tags
    assert section.see


def test_what_rules_and_readings_cite_is_a_section_and_its_page() -> None:
    pages = {section.title: section.citation.page for section in BOOK.values()}
    cited = [rule.citation for rule in load_rules("sengoku").values()]
    cited += [reading.citation for reading in load_mode("sengoku-rivers").readings.values()]
    wrong = {str(one) for one in cited if one.section not in pages or one.page not in (None, pages[one.section])}
    assert not wrong


def test_a_section_that_points_nowhere_is_named() -> None:
    row = {"title": "A", "text": "a", "tags": ["b"], "see": ["c", "a"]}
    with pytest.raises(BadTable, match=r"book/x\.toml: sections\.a\.see: no section c"):
        book_from("x", {"sections": {"a": row}})
