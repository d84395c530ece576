"""The rule search finds what people type, however they type it, in both languages and for every system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from companion.core.language import _, language_code, use_language
from companion.games.rules_index import Spelling, tongues
from companion.games.rules_search import Library, library_of
from companion.scenes.generals.presenter import GENERALS as GENERALS_PRESENTER
from companion.scenes.sonae.presenter import SONAE as SONAE_PRESENTER
from engine.orders.mode import load_mode
from engine.rulebook import KINDS, load_book, load_questions, load_words
from tests.companion.games.questions import (
    ALPINE,
    FORTRESS,
    GENERALS,
    HELD,
    ISLAND,
    LATER,
    PT,
    RIVERS,
    SONAE,
    TUNED,
    Question,
)

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
    found = [entry.key for entry in LIBRARY.explaining(["bombard.supply", "bombard.enemy", "no.such"])]
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


BOOKS = {"general-orders": (RIVERS, FORTRESS, ALPINE, ISLAND), "sonae": (SONAE,), "generals": (GENERALS,)}
PRESENTERS: dict[str, Any] = {SONAE: SONAE_PRESENTER, GENERALS: GENERALS_PRESENTER}
BEST, THREE, TWELVE, NOWHERE = 1, 3, 12, 99


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@cache
def library(where: str, language: str) -> Library:
    use_language(language)
    if where in (SONAE, GENERALS):
        shelf: Library = PRESENTERS[where].library(None)
        return shelf
    return library_of(load_mode(where), _, language=language_code())


def places(rows: Sequence[Question]) -> list[tuple[int, str]]:
    """Where the first right entry stands among twelve, NOWHERE without one, and the question."""
    found = []
    for where, language, typed, answers in rows:
        keys = [entry.key for entry in library(where, language).find(typed)]
        found.append((min((keys.index(key) + 1 for key in answers.split() if key in keys), default=NOWHERE), typed))
    return found


@pytest.mark.parametrize(
    ("rows", "first", "in_three"),
    [(TUNED, 83, 92), (HELD, 54, 59), (LATER, 93, 108)],
    ids=["tuned", "held back", "later"],
)
def test_questions_find_their_entry_among_the_first_three(rows: Sequence[Question], first: int, in_three: int) -> None:
    found = places(rows)
    assert sum(place <= BEST for place, _typed in found) >= first
    assert sum(place <= THREE for place, _typed in found) >= in_three
    assert [typed for place, typed in found if place > TWELVE] == []


@pytest.mark.parametrize("rows", [TUNED, HELD, LATER], ids=["tuned", "held back", "later"])
def test_every_answer_is_an_entry(rows: Sequence[Question]) -> None:
    lost = [
        (where, key)
        for where, language, _typed, answers in rows
        for key in answers.split()
        if key not in library(where, language).entries
    ]
    assert lost == []


@pytest.mark.parametrize("language", ["en", PT])
@pytest.mark.parametrize("book", BOOKS)
def test_everything_to_read_has_questions_and_none_was_copied_from_those_held_back(book: str, language: str) -> None:
    known = {key for where in BOOKS[book] for key in library(where, language).entries}
    asked = load_questions(book, language)
    assert asked
    assert [key for key in asked if key not in known] == []
    assert [key for key in sorted(known - asked.keys()) if not key.startswith("rule:")] == []
    assert {key.partition(":")[0] for key in asked} <= set(KINDS)
    held = {typed for where, _language, typed, _answers in (*HELD, *LATER) if where in BOOKS[book]}
    assert [line for lines in asked.values() for line in lines if line in held] == []


def test_a_language_without_questions_is_searched_by_its_texts_and_in_english() -> None:
    assert load_questions("general-orders", "tlh") == {}
    assert load_words("tlh") is None
    german = library_of(load_mode(RIVERS), language="tlh")
    assert german.find("am i cut off")[0].key == "section:supply"
    assert [tongue.stem("moved") for tongue in tongues("tlh")] == ["moved", "mov"]


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("suplly", ["supply"]), ("spply", ["supply"]), ("suppply", ["supply"]), ("supplx", ["supply"]),
        ("supllly", []), ("shp", []), ("hsip", ["ship"]),
    ],
)  # fmt: skip
def test_a_word_is_known_with_one_slip(typed: str, near: list[str]) -> None:
    assert Spelling(["supply", "ship", "a"]).near(typed) == near


def test_a_word_is_known_by_its_beginning() -> None:
    spelling = Spelling(["supply", "support", "ship"])
    assert spelling.beginning_with("sup") == ["supply", "support"]
    assert spelling.beginning_with("s") == []
