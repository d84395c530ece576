"""docs/generals.md: its deck is read, the readings with two answers and every word of a deck are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.generals.cards import (
    BEARERS,
    FEATURES,
    KINDS,
    TRIGGERS,
    VERBS,
    WHENS,
    ZONES,
    deck_names,
    read_deck,
)
from engine.generals.game import check_deck, readings

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "generals.md").read_text(encoding="utf-8")


def test_the_deck_of_the_page_is_read_and_may_be_played() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    deck = read_deck("foxes", text, "foxes.toml")
    assert check_deck(deck).legal
    assert (deck.size, deck.factions, deck.known) == (40, ("Foxes", "Marsh"), "owner")
    assert {card.kind for card in deck.cards.values()} == set(KINDS)


@pytest.mark.parametrize("name", [name for name, reading in readings().items() if reading.other])
def test_every_reading_with_two_answers_is_on_the_page(name: str) -> None:
    reading = readings()[name]
    assert f"| `{name}` | {reading.question} | {reading.other} |" in PAGE


@pytest.mark.parametrize("words", [VERBS, WHENS, TRIGGERS, KINDS, ZONES, FEATURES, BEARERS])
def test_every_word_of_a_deck_is_on_the_page(words: tuple[str, ...]) -> None:
    assert [word for word in words if f"`{word}`" not in PAGE] == []


def test_the_practice_decks_are_on_the_page() -> None:
    practice = [name for name in deck_names() if name.startswith("practice-")]
    assert len(practice) == 2
    assert all(name in PAGE for name in practice)
