"""The rule search finds what people type, however they type it, and every section of the book."""

from __future__ import annotations

import pytest

from companion.games.rules_search import library_of
from engine.orders.mode import load_mode
from engine.rulebook import load_book

MODE = load_mode("sengoku-rivers")
LIBRARY = library_of(MODE)


def keys(query: str, most: int = 12) -> list[str]:
    return [entry.key for entry in LIBRARY.find(query, most)]


@pytest.mark.parametrize("name", load_book(MODE.rulebook))
def test_every_section_is_found_by_its_heading(name: str) -> None:
    title = LIBRARY.entries[f"section:{name}"].title
    assert keys(title)[0] == f"section:{name}"
    assert f"section:{name}" in keys(title.lower(), 3)


@pytest.mark.parametrize("name", load_book(MODE.rulebook))
def test_every_section_is_found_by_each_of_its_tags(name: str) -> None:
    entry = LIBRARY.entries[f"section:{name}"]
    assert [tag for tag in entry.tags if entry.key not in keys(tag, 60)] == []


@pytest.mark.parametrize("kind", ["card", "bonus", "reading", "rule"])
def test_every_other_entry_is_found_by_its_title(kind: str) -> None:
    mine = [entry for entry in LIBRARY.entries.values() if entry.kind == kind]
    assert len(mine) > 4
    assert [entry.key for entry in mine if entry.key not in keys(entry.title, 20)] == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("supply", "section:supply"),
        ("SUPPLIES", "section:supply"),
        ("suplly", "section:supply"),
        ("daimyo", "section:the-sengoku-period"),
        ("daimyō", "section:the-sengoku-period"),
        ("fortificatoin", "section:fortifications"),
        ("embar", "section:embark"),
        ("may I cross water?", "section:advance"),
        ("tie", "section:game-end"),
        ("attrition", "section:attrition"),
        ("ambush", "card:ambush"),
        ("hidden base", "bonus:hidden_base"),
        ("both headquarters", "reading:both-hqs"),
        ("roll again", "section:rerolls"),
        ("defense", "section:defence"),
        ("advance.reach", "rule:advance.reach"),
        ("standby", "section:standby-area"),
    ],
)
def test_people_find_it_as_they_type_it(query: str, first: str) -> None:
    assert keys(query)[0] == first


def test_entries_with_all_the_words_stand_before_those_with_few_of_them() -> None:
    assert set(keys("port enemy ship", 2)) == {"section:ports", "section:embark"}


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzzzzz", "xq"])
def test_nothing_is_found_where_nothing_fits(query: str) -> None:
    assert keys(query) == []


def test_small_words_alone_are_looked_for_too() -> None:
    assert keys("you")


def test_no_more_than_asked_for() -> None:
    assert len(keys("advance", 3)) == 3


def test_what_goes_together_leads_to_one_another() -> None:
    assert [e.key for e in LIBRARY.see("card:counterattack")[:2]] == ["section:advance", "section:operation-cards"]
    assert "reading:third-commander" not in [e.key for e in LIBRARY.see("card:ambush")]
    assert "rule:counterattack.space" in [e.key for e in LIBRARY.see("card:counterattack")]
    assert "card:shore_strike" in [e.key for e in LIBRARY.see("section:bombard")]
    assert "bonus:pirate_haven" in [e.key for e in LIBRARY.see("section:bombard")]
    assert "reading:empty-target" in [e.key for e in LIBRARY.see("rule:shell.enemy")]
    assert "rule:sail.reach" in [e.key for e in LIBRARY.see("rule:advance.reach")]
    alone = {key for key in LIBRARY.entries if not LIBRARY.see(key)}
    assert alone <= {key for key, entry in LIBRARY.entries.items() if not entry.citation.section}


def test_a_ruling_leads_to_its_sections_its_readings_and_its_rules() -> None:
    found = [entry.key for entry in LIBRARY.about(["bombard.supply", "bombard.enemy", "no.such"])]
    assert found == ["section:bombard", "reading:empty-target", "rule:bombard.supply", "rule:bombard.enemy"]


def test_the_contents_are_the_sections_in_the_order_of_the_book() -> None:
    assert [entry.name for entry in LIBRARY.contents()] == list(load_book(MODE.rulebook))


def test_in_another_language_both_its_words_and_those_of_the_data_lead_there() -> None:
    spoken = {"Supply": "Suprimento", "chain": "corrente"}
    library = library_of(MODE, lambda text: spoken.get(text, text))
    entry = library.entries["section:supply"]
    assert entry.title == "Suprimento"
    assert "corrente" in entry.tags
    assert library.find("suprimentos")[0] is entry
    assert entry in library.find("corrente")
    assert entry in library.find("supply")
