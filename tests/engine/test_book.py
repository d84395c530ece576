"""Every section of the rulebook is there in our own words, and all that rules and readings cite is one of them."""

from __future__ import annotations

import pytest

from engine.errors import BadTable
from engine.orders.book import Section, book_from, cite, load_book
from engine.orders.mode import load_mode, mode_names, rules_of
from engine.ruling import cited_from

HEADINGS = {
    "sengoku": """
The Sengoku Period; Components; Setup; Round Structure; Important Concepts; Areas & Adjacency; Control; Supply;
Unit Restrictions; Insufficient Units; How to Play; Deploy Commanders; Recall Commanders; Advance the Round Marker;
Game End; Example of Game End; Actions; Linked Actions; Advance; Example of Advance; Sail; Example of Sail; Bombard;
Fortifications; Example of Bombard; Shell; Example of Shell; Siege; Example of Siege; Support Actions; Reinforce;
Embark; Ports; Example of Embark; Plan; Conflicts; Example of Conflict; Area Bonuses; Operation Cards; Example Turn;
Historical Note
""",
    "wwii": """
Game Modes; Components; Game Board Spotlight; Setup; How to Play; Deploy Commanders; Recall Commanders;
Advance Round Marker; Ending the Game; Important Concepts; Control; Supply; Actions; Linked Actions; Advance; Fly;
Paradrop; Barrage; Bomb; Support Actions; Reinforce; Not Enough Troops?; Plan; Take-off; Not Enough Aircraft?;
Conflicts; Land Conflicts; Air Conflicts; Operation Cards; Area Bonuses; Example Turn; Historical Note
""",
}
HEADINGS_PT = """
Modos de Jogo; Componentes; Características do Tabuleiro de Jogo; Preparação do Jogo; Como Jogar; Enviar Comandantes;
Recolher Comandantes; Avançar o Marcador de Rodada; Fim de Jogo; Conceitos Importantes; Controle; Abastecimento; Ações;
Ações Vinculadas; Avançar; Voar; Descer de Paraquedas; Convocar Barragem; Bombardear; Ações de Apoio; Reforçar;
Sem Tropas suficientes?; Planejar; Decolar; Sem Aeronaves suficientes?; Combates; Combates Terrestres; Combates Aéreos;
Cartas de Operação; Bônus de Área; Exemplo de Turno; Nota Histórica
"""
OF_ONE_EDITION = {"Deploy Commanders: passing", "Reinforce: five at most"}
"""Sections of ours that are a part of a longer one in the book."""


def listed(headings: str) -> list[str]:
    return [one.strip() for one in headings.replace("\n", " ").split(";")]


@pytest.mark.parametrize(("book", "heading"), [(book, one) for book in HEADINGS for one in listed(HEADINGS[book])])
def test_each_heading_of_the_book_has_its_section(book: str, heading: str) -> None:
    section = next(one for one in load_book(book).values() if one.title == heading)
    assert section.text
    assert section.tags
    assert section.see


def test_the_portuguese_edition_has_the_same_sections_in_the_same_order() -> None:
    places = [one.citation for one in load_book("wwii").values() if one.title not in OF_ONE_EDITION]
    assert [place.section for place in places] == listed(HEADINGS["wwii"])
    assert [place.of("pt").section for place in places] == listed(HEADINGS_PT)


@pytest.mark.parametrize("section", load_book("wwii").values(), ids=lambda section: str(section.name))
def test_both_editions_have_a_section_on_the_same_page(section: Section) -> None:
    assert section.citation.pt is not None
    assert section.citation.pt.page == section.citation.page


def test_the_sengoku_book_has_one_edition() -> None:
    assert all(section.citation.of("pt") == section.citation for section in load_book("sengoku").values())


@pytest.mark.parametrize("mode", mode_names())
def test_what_rules_and_readings_cite_is_a_section_and_its_page(mode: str) -> None:
    book = load_mode(mode).rulebook
    places = {section.title: section.citation for section in load_book(book).values()}
    cited = [rule.citation for rule in rules_of(book).values()]
    cited += [reading.citation for reading in load_mode(mode).readings.values()]
    wrong = {str(one) for one in cited if one != places.get(one.section)}
    assert not wrong


def test_a_rule_is_cited_with_its_page_and_from_the_edition_on_the_table() -> None:
    place = cite("wwii", "Land Conflicts")
    assert str(place) == "Land Conflicts, p. 18"
    with cited_from("pt"):
        assert str(place) == "Combates Terrestres, p. 18"
        assert place.heading == "Combates Terrestres"
        assert str(cite("sengoku", "Advance")) == "Advance"
    assert (place.heading, str(cite("wwii", "Advance"))) == ("Land Conflicts", "Advance")


def test_a_section_that_the_book_does_not_have_is_cited_as_it_is_named() -> None:
    assert str(cite("wwii", "House Rules", 3)) == "House Rules, p. 3"


def test_a_section_that_points_nowhere_is_named() -> None:
    row = {"title": "A", "text": "a", "tags": ["b"], "see": ["c", "a"]}
    with pytest.raises(BadTable, match=r"book/x\.toml: sections\.a\.see: no section c"):
        book_from("x", {"sections": {"a": row}})
