"""Looking a rule up finds each heading of every system's book, in both languages, with the reading that is taken."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.language import _, catalogue_of, use_language
from companion.games.rules_search import Library, library_of
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.rolls import SECTIONS
from companion.ui.screen import Text
from engine.generals import game as generals_game
from engine.orders.mode import load_mode
from engine.ruling import citing, use_edition
from engine.sonae import game as sonae_game
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario
from tests.companion.touching import Hand

ROOT = Path(__file__).parents[3]
MODES = {"sengoku": ("sengoku-rivers", "sengoku-fortress"), "wwii": ("wwii-alpine", "wwii-island")}

SENGOKU = """
the-sengoku-period | The Sengoku Period | O Período Sengoku
components | Components | Componentes
setup | Setup | Preparação
round-structure | Round Structure | Estrutura da Rodada
standby-area | Standby Area | Área de Espera
important-concepts | Important Concepts | Conceitos Importantes
areas-and-adjacency | Areas & Adjacency | Áreas e Adjacência
control | Control | Controle
supply | Supply | Abastecimento
unit-restrictions | Unit Restrictions | Restrições de Unidades
insufficient-units | Insufficient Units | Unidades Insuficientes
how-to-play | How to Play | Como Jogar
deploy-commanders | Deploy Commanders | Enviar Comandantes
recall-commanders | Recall Commanders | Recolher Comandantes
advance-the-round-marker | Advance the Round Marker | Avançar o Marcador de Rodada
game-end | Game End | Fim de Jogo
example-of-game-end | Example of Game End | Exemplo de Fim de Jogo
actions | Actions | Ações
linked-actions | Linked Actions | Ações Vinculadas
advance | Advance | Avançar
example-of-advance | Example of Advance | Exemplo de Avançar
sail | Sail | Navegar
example-of-sail | Example of Sail | Exemplo de Navegar
bombard | Bombard | Bombardear
fortifications | Fortifications | Fortificações
example-of-bombard | Example of Bombard | Exemplo de Bombardear
shell | Shell | Canhonear
example-of-shell | Example of Shell | Exemplo de Canhonear
siege | Siege | Sitiar
example-of-siege | Example of Siege | Exemplo de Sitiar
support-actions | Support Actions | Ações de Apoio
reinforce | Reinforce | Reforçar
embark | Embark | Embarcar
ports | Ports | Portos
example-of-embark | Example of Embark | Exemplo de Embarcar
plan | Plan | Planejar
conflicts | Conflicts | Combates
defence | Defence | Defesa
attrition | Attrition | Atrito
example-of-conflict | Example of Conflict | Exemplo de Combate
area-bonuses | Area Bonuses | Bônus de Área
operation-cards | Operation Cards | Cartas de Operação
special-effects | Special Effects | Efeitos Especiais
example-turn | Example Turn | Exemplo de Turno
historical-note | Historical Note | Nota Histórica
"""
"""The headings and the run-in ones that the book prints, with the section that tells each; ours in Portuguese."""
WWII = """
game-modes | Game Modes | Modos de Jogo
components | Components | Componentes
game-board-spotlight | Game Board Spotlight | Características do Tabuleiro de Jogo
land-areas | Land areas | Áreas terrestres
starting-units | Starting troops | Tropas iniciais
headquarters | HQ symbol | Indicação QG
victory-points | Victory points | Pontos de Vitória
linked-actions | Linked action spaces | Espaços com Ação Vinculada
bonus-spaces | Area bonus spaces | Espaços para bônus de área
printed-bonuses | Printed area bonus | Bônus de área impresso
air-zones | Air zones | Zonas aéreas
aircraft-sections | Aircraft section | Seção de Aeronaves
starting-units | Starting Aircraft | Aeronave inicial
setup | Setup | Preparação do Jogo
how-to-play | How to Play | Como Jogar
deploy-commanders | Deploy Commanders | Enviar Comandantes
passing | Pass | Passar
recall-commanders | Recall Commanders | Recolher Comandantes
advance-the-round-marker | Advance Round Marker | Avançar o Marcador de Rodada
game-end | Ending the Game | Fim de Jogo
important-concepts | Important Concepts | Conceitos Importantes
control | Control | Controle
supply | Supply | Abastecimento
actions | Actions | Ações
linked-actions | Linked Actions | Ações Vinculadas
advance | Advance | Avançar
fly | Fly | Voar
paradrop | Paradrop | Descer de Paraquedas
barrage | Barrage | Convocar Barragem
bomb | Bomb | Bombardear
support-actions | Support Actions | Ações de Apoio
reinforce | Reinforce | Reforçar
insufficient-units | Not Enough Troops? | Sem Tropas suficientes?
plan | Plan | Planejar
take-off | Take-off | Decolar
insufficient-aircraft | Not Enough Aircraft? | Sem Aeronaves suficientes?
conflicts | Conflicts | Combates
land-conflicts | Land Conflicts | Combates Terrestres
air-conflicts | Air Conflicts | Combates Aéreos
defence | Defence | Defesa
attrition | Attrition | Atrito
operation-cards | Operation Cards | Cartas de Operação
special-effects | Special Effect | Efeito Especial
rerolls | Re-roll | Rerrolar
area-bonuses | Area Bonuses | Bônus de Área
example-turn | Example Turn | Exemplo de Turno
historical-note | Historical Note | Nota Histórica
"""
"""The same of the other book, whose Portuguese headings are printed."""


def headings(table: str) -> Iterator[tuple[str, str, str]]:
    """Yield each section with its headings in English and in Portuguese."""
    for line in table.strip().splitlines():
        name, english, portuguese = map(str.strip, line.split("|"))
        yield name, english, portuguese


ASKED = [
    (mode, name, heading, language)
    for book, table in (("sengoku", SENGOKU), ("wwii", WWII))
    for mode in MODES[book]
    for name, english, portuguese in headings(table)
    for heading, language in ((english, "en"), (portuguese, "pt_BR"))
]


def say_in(language: str) -> Callable[[str], str]:
    return catalogue_of(language).gettext


@cache
def library(mode: str, language: str) -> Library:
    with citing("pt" if language == "pt_BR" else "en"):
        return library_of(load_mode(mode), say_in(language), language=language)


@pytest.mark.parametrize(("mode", "name", "heading", "language"), ASKED)
def test_each_heading_of_the_book_leads_to_its_entry(mode: str, name: str, heading: str, language: str) -> None:
    found = library(mode, language).find(heading, 3)
    assert f"section:{name}" in [entry.key for entry in found]


@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize("mode", [mode for modes in MODES.values() for mode in modes])
def test_each_bonus_and_each_card_has_its_entry(mode: str, language: str) -> None:
    shelf, played = library(mode, language), load_mode(mode)
    with citing("pt" if language == "pt_BR" else "en"):
        titles = {f"card:{name}": card.heading for name, card in played.cards.items()}
        titles |= {f"bonus:{name}": bonus.heading for name, bonus in played.bonuses.items()}
    assert {key: shelf.find(title)[0].key for key, title in titles.items()} == {key: key for key in titles}
    assert all(shelf.entries[key].text for key in titles)


@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize("mode", [mode for modes in MODES.values() for mode in modes])
def test_every_unclear_rule_is_told_with_a_section(mode: str, language: str) -> None:
    shelf = library(mode, language)
    told = {entry.name for section in shelf.contents() for entry in shelf.open_questions(section.key)}
    assert told == set(load_mode(mode).readings)


def test_a_section_says_how_what_it_leaves_open_is_played(hand: Hand) -> None:
    mode = load_mode("sengoku-rivers")
    for switched, answer in (((), "Yes: Bombard"), (("empty-target",), "No: Bombard")):
        shelf = library_of(mode, switched=switched)
        screen = EntryScene(shelf, "section:bombard", RulesScene(shelf, hand.app.scene)).show()
        told = [block.text for block in screen.blocks if isinstance(block, Text)]
        question = "Unclear in the book: Can you shoot at an area with no enemy units? Played here: "
        assert [text for text in told if text.startswith(question + answer)]
        reading = EntryScene(shelf, "reading:empty-target", RulesScene(shelf, hand.app.scene)).show()
        assert next(block.text for block in reading.blocks if isinstance(block, Text)).startswith(answer)


def test_a_section_is_told_in_the_language_of_the_table(hand: Hand) -> None:
    use_language("pt_BR")
    use_edition("pt")
    try:
        shelf = library_of(load_mode("wwii-island"), _)
        screen = EntryScene(shelf, "section:supply", RulesScene(shelf, hand.app.scene)).show()
    finally:
        use_language("en")
        use_edition()
    assert screen.title == "Abastecimento"
    assert [block for block in screen.blocks if isinstance(block, Text) and block.text.startswith("Não está claro")]


# ---- the books of Sonae and Generals Order, in our words ----------------------------------------------------------

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


def shelf_of(system: str, language: str) -> Library:
    use_language(language)
    shelf: Library = SYSTEMS[system][0].library(None)
    return shelf


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize(
    ("system", "heading"), [(system, heading) for system, (_p, _b, headings) in SYSTEMS.items() for heading in headings]
)
def test_each_heading_has_its_entries(system: str, heading: str, language: str) -> None:
    shelf = shelf_of(system, language)
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
    english, other = shelf_of(system, "en"), shelf_of(system, "pt_BR")
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
        assert any(entry.kind == "section" for entry in shelf_of(system, "en").see(key)), key


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
    assert shelf_of(system, language).find(query)[0].key == f"section:{name}"


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
