"""Every heading of the books of Sonae and Generals Order can be looked up, in our words and in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.language import use_language
from companion.games.rules_search import Library
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.rolls import SECTIONS
from engine.generals import game as generals_game
from engine.sonae import game as sonae_game
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario

ROOT = Path(__file__).parents[3]
SONAE_HEADINGS = {  # heading: how many entries there are under it, at least
    "Core Mechanics": 1,
    "Command and Control": 7,
    "Movement": 4,
    "Ranged Combat": 3,
    "Close Combat": 6,
    "Morale": 3,
    "Other Considerations": 1,
    "Battle Report": 2,
}
GENERALS_HEADINGS = dict.fromkeys(
    (
        "Knowing the battlefield and goal of the game",
        "Knowing the card types",
        "Winning Criteria",
        *(f"Game Play {n}" for n in range(1, 12)),
        *(f"Game Play 11{letter}" for letter in "abcd"),
        *(f"Game Play {n}" for n in range(12, 19)),
        "A Flow Chart of the Game Play",
    ),
    1,
)
TOPICS = {  # what people look for at the table, in both languages, and the entry that comes first
    "sonae": [
        ("shock table", "tabela de choque", "shock"),
        ("Closing Fire", "fogo defensivo", "closing-fire"),
        ("status ladder", "escala de estados", "status-ladder"),
        ("flank and rear attacks", "ataques de flanco e retaguarda", "flank-attacks"),
        ("front, flank and rear", "frente, flanco e retaguarda", "quarters"),
        ("winning the battle", "vencer a batalha", "winning"),
        ("messenger", "mensageiro", "messengers"),
        ("rally", "reagrupar", "rally"),
        ("fatigue", "fadiga", "orders"),
    ],
    "generals": [
        ("upkeep", "manutenção", "upkeep"),
        ("hand limit", "limite da mão", "hand-limit"),
        ("attack outcomes", "resultados do ataque", "attack-outcomes"),
        ("winning the game", "vencer o jogo", "winning"),
        ("blocking", "bloqueio", "movement"),
        ("deployment cost", "custo de posicionamento", "deployment-cost"),
        ("who goes first", "quem começa", "first-player"),
        ("battlefield", "campo de batalha", "battlefield"),
    ],
}
SYSTEMS: dict[str, Any] = {
    "sonae": (SONAE, sonae_game, SONAE_HEADINGS),
    "generals": (GENERALS, generals_game, GENERALS_HEADINGS),
}
BOTH = ("en", "pt_BR")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


def library(system: str, language: str) -> Library:
    use_language(language)
    shelf: Library = SYSTEMS[system][0].library(None)
    return shelf


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize(
    ("system", "heading"), [(system, heading) for system, (_p, _b, headings) in SYSTEMS.items() for heading in headings]
)
def test_each_heading_has_its_entries(system: str, heading: str, language: str) -> None:
    shelf = library(system, language)
    under = [entry for entry in shelf.contents() if entry.citation.section == heading]
    assert len(under) >= SYSTEMS[system][2][heading]
    assert all(len(entry.text) > 20 and entry.title != heading for entry in under)
    assert under[0] in shelf.find(heading, 30)
    assert all(shelf.find(entry.title)[0] is entry for entry in under)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_entry_is_under_another_heading(system: str) -> None:
    _presenter, book, headings = SYSTEMS[system]
    assert list(dict.fromkeys(section.citation.section for section in book.sections().values())) == list(headings)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_entries_are_told_in_portuguese(system: str) -> None:
    english, other = library(system, "en"), library(system, "pt_BR")
    for entry in english.contents():
        told = other.entries[entry.key]
        assert told.title != entry.title or told.title in ("Melee",)
        assert told.text != entry.text


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_rule_and_each_reading_belongs_to_an_entry(system: str) -> None:
    _presenter, book, _headings = SYSTEMS[system]
    sections = book.sections().values()
    assert {rule for section in sections for rule in section.rules} == set(book.rules())
    assert {reading for section in sections for reading in section.readings} == set(book.readings())
    for key in (*(f"rule:{name}" for name in book.rules()), *(f"reading:{name}" for name in book.readings())):
        assert any(entry.kind == "section" for entry in library(system, "en").see(key)), key


@pytest.mark.parametrize(
    ("system", "words", "name"),
    [
        (system, words, name)
        for system, rows in TOPICS.items()
        for *both, name in rows
        for words in zip(BOTH, both, strict=True)
    ],
)
def test_what_people_look_for_comes_first(system: str, words: tuple[str, str], name: str) -> None:
    language, query = words
    assert library(system, language).find(query)[0].key == f"section:{name}"


def named_by_panels(system: str) -> set[str]:
    """Return the sections that buttons of a system's panels lead to."""
    calls = (
        node
        for path in sorted((ROOT / "companion" / "scenes" / system).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule_button"
    )
    told = (part for call in calls for argument in call.args for part in ast.walk(argument))
    return {part.value for part in told if isinstance(part, ast.Constant) and isinstance(part.value, str)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_panel_leads_to_is_an_entry(system: str) -> None:
    named = named_by_panels(system)
    assert len(named) >= 4
    assert named <= SYSTEMS[system][1].sections().keys()
    assert set(SECTIONS.values()) <= sonae_game.sections().keys()


def test_an_entry_shows_the_answer_that_is_played() -> None:
    start = new_game(load_scenario("maru-shikaku"))
    switched = replace(start, readings=frozenset({"large-number"}))
    key = "reading:large-number"
    assert SONAE.library(start).entries[key].text.startswith("three in one activation")
    assert SONAE.library(switched).entries[key].text.startswith("five in one activation")
