"""Game Play 1 and 2: what a deck must meet; decks as files, with every fault named; and docs/generals.md's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import BadTable
from engine.generals import cards
from engine.generals.cards import (
    BEARERS,
    FEATURES,
    KINDS,
    TRIGGERS,
    VERBS,
    WHENS,
    ZONES,
    add_deck,
    deck_names,
    load_deck,
    own_deck_names,
    read_deck,
    remove_deck,
)
from engine.generals.game import check_deck, readings
from tests.engine.generals.case import deck, deck_text


@pytest.mark.parametrize("name", ["practice-cranes", "practice-wolves"])
def test_the_practice_decks_meet_it_and_say_what_they_are(name: str) -> None:
    found = load_deck(name)
    assert check_deck(found).legal
    assert found.known == "practice"
    assert found.size == 50


@pytest.mark.parametrize(("size", "fails"), [(39, ["deck.size"]), (40, []), (60, []), (61, ["deck.size"])])
def test_40_to_60_cards(size: int, fails: list[str]) -> None:
    general = deck().cards["fox"]
    cards = {f"fox{n}": replace(general, name=f"fox{n}", title=f"Fox {n}", copies=1) for n in range(size)}
    assert [objection.rule for objection in check_deck(replace(deck(), cards=cards)).objections] == fails


def test_three_of_a_name() -> None:
    four = replace(deck(), cards={**deck().cards, "fox": replace(deck().cards["fox"], copies=4)})
    (objection,) = check_deck(four).objections
    assert (objection.rule, objection.message) == ("deck.copies", "Fox: 4 cards; at most 3 allowed")


def test_three_of_a_name_whatever_they_are_called_in_the_file() -> None:
    twin = replace(deck().cards["fox"], name="fox_again", title="FOX ", copies=1)
    (objection,) = check_deck(replace(deck(), cards={**deck().cards, "fox_again": twin})).objections
    assert (objection.rule, str(objection.citation)) == ("deck.copies", "Game Play 1, p. 3")


def test_every_card_that_names_a_faction_counts_for_the_hand() -> None:
    marked = replace(deck().cards["rain"], faction="Sea")
    assert deck().factions == ("Hill", "Lake")
    assert replace(deck(), cards={**deck().cards, "rain": marked}).factions == ("Hill", "Lake", "Sea")


def test_a_deck_without_generals_has_no_faction() -> None:
    none = {name: card for name, card in deck().cards.items() if card.kind != "general"}
    bare = replace(deck(), cards=none)
    assert [objection.rule for objection in check_deck(bare).objections] == ["deck.size", "deck.generals"]
    assert bare.hand_limit == 10


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('kind = "item"', 'kind = "boat"', "hills.toml: cards.sword.kind: 'boat' is none of"),
        ('faction = "Hill"\n', "", "hills.toml: cards.horse.faction: a general has one"),
        ('after = "move"\n', "", "hills.toml: cards.trap.after: a special card says what it answers"),
        ('{ verb = "ready" }', '{ verb = "ready", amount = 2 }', "cards.drum.effect.amount: not for this verb"),
        ('{ verb = "damage", amount = 3 }', '{ verb = "damage" }', "cards.fire.effect.amount: missing"),
        ('kind = "troop"', 'kind = "troop"\nswift = true', "cards.band.swift: not for a card of kind troop"),
        ('effect = { verb = "win" }', "", "cards.crown.effect: missing"),
        ("[cards.fox]", "[cards.Fox]", "hills.toml: cards.Fox: a name that may not be"),
        ('title = "Horse"', 'title = ""', "hills.toml: cards.horse.title: '' is no line of 1 to 60 characters"),
        ('title = "Horse"', 'title = "a\\u001b[2J"', "cards.horse.title: 'a\\x1b[2J' is no line of 1 to 60"),
        ('kind = "event"\n', 'kind = "event"\nmilitary = 2\n', "cards.rain.military: not for a card of kind event"),
        (
            'kind = "troop"',
            'kind = "troop"\neffect = { verb = "win" }',
            "cards.band.effect: not for a card of kind troop",
        ),
        ('{ verb = "win" }', '{ verb = "win", cost = 1 }', "cards.crown.effect.cost: only a general's effect"),
        ('verb = "intelligence", when', 'verb = "table", when', "cards.lamp.feature.amount: not for this verb"),
        ('when = "facing", amount = 1', 'when = "facing"', "cards.lamp.feature.amount: missing"),
        ('when = "facing"', 'when = "raining"', "cards.lamp.feature.when: 'raining' is none of"),
    ],
)
def test_faults_are_named_with_file_and_key(before: str, after: str, fault: str) -> None:
    assert before in deck_text()
    with pytest.raises(BadTable) as raised:
        read_deck("hills", deck_text().replace(before, after, 1), "hills.toml")
    assert fault in str(raised.value)


@pytest.fixture
def shelf() -> Iterator[None]:
    """Decks that a test adds are gone after it."""
    yield
    cards.DECKS._added.clear()


@pytest.mark.usefixtures("shelf")
def test_owners_decks_are_known_by_their_name() -> None:
    with pytest.raises(BadTable, match="no deck 'hills'; there are practice-cranes, practice-wolves"):
        load_deck("hills")
    add_deck(deck())
    assert load_deck("hills") == deck()
    assert "hills" in deck_names()
    assert own_deck_names() == ("hills",)
    remove_deck("hills")
    remove_deck("hills")
    assert "hills" not in deck_names()


def test_none_takes_the_name_of_one_that_comes_with_gunbai() -> None:
    with pytest.raises(BadTable, match="practice-cranes: a deck of that name comes with Gunbai"):
        add_deck(replace(deck(), name="practice-cranes"))


def test_the_practice_decks_have_every_kind_of_card_and_every_verb() -> None:
    both = [card for name in ("practice-cranes", "practice-wolves") for card in load_deck(name).cards.values()]
    assert {card.kind for card in both} == set(KINDS)
    features = {card.feature.verb for card in both if card.feature is not None}
    assert {card.effect.verb for card in both if card.effect is not None} | features == set(VERBS)
    assert {card.after for card in both if card.after} == {"deploy", "move", "attack", "castle"}


# ==== docs/generals.md =========================================================================

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
