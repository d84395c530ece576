"""Every section of the rulebook is there in our own words, and all that rules and readings cite is one of them."""

from __future__ import annotations

import pytest

from engine.errors import BadTable
from engine.orders.mode import load_mode, mode_names, rules_of
from engine.rulebook import Section, book_from, cite, load_book
from engine.ruling import Citation, citing

HEADINGS_EN = {
    "sengoku": """
The Sengoku Period; Components; Setup; Round Structure; Important Concepts; Areas & Adjacency; Control; Supply;
Unit Restrictions, p. 7; Insufficient Units; How to Play; Deploy Commanders; Recall Commanders;
Advance the Round Marker; Game End, p. 10; Example of Game End; Actions, p. 12; Linked Actions; Advance;
Example of Advance; Sail; Example of Sail; Bombard; Fortifications; Example of Bombard; Shell; Example of Shell; Siege;
Example of Siege; Support Actions; Reinforce; Embark; Ports; Example of Embark; Plan; Conflicts, p. 29;
Example of Conflict; Area Bonuses; Operation Cards; Example Turn; Historical Note
""",
    "wwii": """
Game Modes; Components; Game Board Spotlight; Setup; How to Play; Deploy Commanders; Recall Commanders;
Advance Round Marker; Ending the Game; Important Concepts; Control; Supply; Actions, p. 11; Linked Actions; Advance;
Fly; Paradrop; Barrage; Bomb; Support Actions; Reinforce; Not Enough Troops?; Plan; Take-off; Not Enough Aircraft?;
Conflicts; Land Conflicts, p. 18; Air Conflicts, p. 19; Operation Cards; Area Bonuses, p. 22; Example Turn;
Historical Note
""",
}
HEADINGS_PT = """
Modos de Jogo; Componentes; Características do Tabuleiro de Jogo; Preparação do Jogo; Como Jogar; Enviar Comandantes;
Recolher Comandantes; Avançar o Marcador de Rodada; Fim de Jogo; Conceitos Importantes; Controle; Abastecimento;
Ações, p. 11; Ações Vinculadas; Avançar; Voar; Descer de Paraquedas; Convocar Barragem; Bombardear; Ações de Apoio;
Reforçar; Sem Tropas suficientes?; Planejar; Decolar; Sem Aeronaves suficientes?; Combates;
Combates Terrestres, p. 18; Combates Aéreos, p. 19; Cartas de Operação; Bônus de Área, p. 22; Exemplo de Turno;
Nota Histórica
"""
PARTS = {
    *(
        "Deploy Commanders: passing",
        "Standby area",
        "Headquarters",
        "Victory points",
        "Initiative",
        "Defence",
        "Attrition",
    ),
    *("Special effects", "Rerolling", "More dice than the box has"),
    *("Reinforce: five at most", "Land areas", "Starting troops and aircraft", "Area bonus spaces"),
    *("Printed area bonuses", "Air zones", "Aircraft sections"),
}
"""Sections of ours that are a part of a longer one in the book."""


def listed(headings: str) -> list[str]:
    return [heading.strip() for heading in headings.replace("\n", " ").split(";")]


PRINTED = {
    ("sengoku", "en"): listed(HEADINGS_EN["sengoku"]),
    ("wwii", "en"): listed(HEADINGS_EN["wwii"]),
    ("wwii", "pt"): listed(HEADINGS_PT),
}
"""The headings that the editions of a rulebook print, in their order, with the page where other sections tell it."""


def headings(book: str, edition: str) -> list[str]:
    """Return the headings of our sections in their order, leaving parts out."""
    with citing(edition):
        return [str(section.citation) for section in load_book(book).values() if section.title not in PARTS]


@pytest.mark.parametrize(("book", "edition"), PRINTED)
def test_each_heading_of_the_book_has_its_section(book: str, edition: str) -> None:
    assert headings(book, edition) == PRINTED[book, edition]
    assert all(section.text and section.tags and section.see for section in load_book(book).values())


@pytest.mark.parametrize(("book", "edition"), PRINTED)
def test_whatever_can_be_cited_is_a_heading_that_the_edition_prints(book: str, edition: str) -> None:
    modes = [mode for mode in map(load_mode, mode_names()) if mode.rulebook == book]
    cited = [place for rule in rules_of(book).values() for place in rule.citations if place != Citation()]
    cited += [reading.citation for mode in modes for reading in mode.readings.values()]
    cited += [section.citation for section in load_book(book).values()]
    with citing(edition):
        assert {str(place) for place in cited} <= set(PRINTED[book, edition])


def test_what_the_book_prints_nothing_on_is_cited_as_that() -> None:
    assert (str(Citation()), Citation().heading) == ("not printed", "not printed")
    with citing("pt"):
        assert str(cite("wwii", "")) == "not printed"


def test_a_part_of_a_section_has_a_title_of_its_own_and_is_cited_as_the_whole() -> None:
    part = load_book("wwii")["unit-restrictions"]
    assert (part.heading, str(part.citation)) == ("Reinforce: five at most", "Reinforce")
    with citing("pt"):
        assert (part.heading, str(part.citation)) == ("Reforçar: no máximo cinco", "Reforçar")
    assert {
        section.title for book in HEADINGS_EN for section in load_book(book).values() if section.title in PARTS
    } == PARTS


@pytest.mark.parametrize("section", load_book("wwii").values(), ids=lambda section: str(section.name))
def test_both_editions_have_a_section_on_the_same_page(section: Section) -> None:
    assert section.citation.pt is not None
    assert section.citation.pt.page == section.citation.page


def test_the_sengoku_book_has_one_edition() -> None:
    assert all(section.citation.of("pt") == section.citation for section in load_book("sengoku").values())


def test_a_rule_is_cited_with_its_page_and_from_the_edition_on_the_table() -> None:
    place = cite("wwii", "Land Conflicts")
    assert str(place) == "Land Conflicts, p. 18"
    with citing("pt"):
        assert str(place) == "Combates Terrestres, p. 18"
        assert place.heading == "Combates Terrestres"
        assert str(cite("sengoku", "Advance")) == "Advance"
    assert (place.heading, str(cite("wwii", "Advance"))) == ("Land Conflicts", "Advance")


def test_a_section_that_the_book_does_not_have_is_cited_as_it_is_named() -> None:
    assert str(cite("wwii", "House Rules", 3)) == "House Rules, p. 3"


def test_a_section_that_points_nowhere_is_named() -> None:
    row = {"title": "A", "text": "a", "tags": ["b"], "see": ["c", "a"], "part_of": "d"}
    told = r"book/x\.toml: sections\.a\.see: no section c; book/x\.toml: sections\.a\.part_of: no section d"
    with pytest.raises(BadTable, match=told):
        book_from("x", {"sections": {"a": row}})
