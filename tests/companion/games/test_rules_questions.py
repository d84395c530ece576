"""The rule search answers questions as people type them, in both languages and for every system."""

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
from engine.rulebook import KINDS, load_questions, load_words
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
    assert spelling.begun("sup") == ["supply", "support"]
    assert spelling.begun("s") == []
