"""The engine in another language, and every sentence with 0, 1 and 2 of everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from string import Formatter

import pytest

from engine import words
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.supply import standing_words
from engine.ruling import Citation, Hearing, Rule, _Facts, _template
from engine.words import count_words, join_words, say, speak
from intake.po_file import Catalogue, parse_po
from tests.catalogue import LOCALE, WORDS, Text, texts

GAME = game.new_game("sengoku-rivers", "red", {"sun": "barracks", "moon": "war_room", "star": "shipyard"})
PORTUGUESE = {
    "Red": "Vermelho",
    "{who} passes": "{who} passa",
    "{others} and {last}": "{others} e {last}",
    "{n} red troop": "{n} tropa vermelha",
    "{n} red troops": "{n} tropas vermelhas",
    "you control {area}": "{area} é seu",
    "you already control {area}": "{area} já é seu",
    "{area} is in supply for {who}": "{who} abastece {area}",
}


@pytest.fixture
def abroad() -> Iterator[None]:
    speak(lambda text: PORTUGUESE.get(text, text), lambda one, many, n: PORTUGUESE[one if n == 1 else many])
    yield
    speak()


@pytest.mark.usefixtures("abroad")
def test_steps_are_told_in_the_language_spoken() -> None:
    assert describe_step(Pass(), GAME) == "Vermelho passa"
    assert join_words(["a", "b"]) == "a e b"
    assert count_words(1, "troop", "red") == "1 tropa vermelha"
    assert count_words(2, "troop", "red") == "2 tropas vermelhas"


@pytest.mark.usefixtures("abroad")
def test_rulings_are_told_in_the_language_spoken() -> None:
    ruling = game.judge(GAME, Deploy("advance:d5", moves=(("c4", "troop", 1),)))
    assert "d5 já é seu" in [finding.message for finding in ruling.objections]
    assert standing_words(GAME, 0, GAME.board.area_index["d5"]) == "Vermelho abastece d5"


def test_english_is_spoken_where_nobody_asked_for_more() -> None:
    assert say("{who} passes", who="red") == "red passes"
    assert say("a text with {braces}, as it stands") == "a text with {braces}, as it stands"
    assert words.mark("a") == "a"
    assert game.judge(GAME, Roll((1,), "red")).objections


def test_an_air_zone_is_called_by_its_colour_and_other_areas_by_their_names() -> None:
    assert [words.zone(area) for area in ("zone-green", "zone-mauve", "c4")] == ["green zone", "zone mauve", "c4"]
    assert [words.place(area) for area in ("zone-green", "c4")] == ["the green zone", "c4"]


# ==== Every sentence of the engine is said with 0, 1 and 2 of everything =======================

NUMBERS = {
    *("n", "m", "placed", "most", "due", "left", "there", "leaving", "drawn", "deck", "enemies", "blockers", "cost"),
    *("size", "least"),
}
"""The places of sentences that are filled with a bare number."""
THINGS = {"unit": ("troop", "ship", "siege", "aircraft", "unit", "general"), "die": ("die",), "kind": ("troop",)}
"""What the things are that a place such as `n_unit` counts; others are what they are called."""
AMOUNTS = (0, 1, 2)


@cache
def said() -> list[Text]:
    """All that the engine says with a number in it, each once."""
    seen = dict.fromkeys(text for text, _file in texts("engine") if text not in WORDS)
    return [text for text in seen if counting(text)]


def places(text: Text) -> list[str]:
    one = text if isinstance(text, str) else text[0]
    try:
        return [name for _, name, _, _ in Formatter().parse(one) if name]
    except ValueError:
        return []


def counting(text: Text) -> set[str]:
    """Return the numeric facts of a sentence."""
    numbers = {name.partition("_")[0] for name in places(text) if "_" in name}
    return numbers | {name for name in places(text) if name in NUMBERS}


def things(text: Text) -> set[str]:
    return {name.partition("_")[2] for name in places(text) if "_" in name}


def sentences(text: Text) -> Iterator[str]:
    """Yield a text in the current language with all numbers and with every kind of thing that it may count."""
    one, many = (text, "") if isinstance(text, str) else text
    numbers, counted = sorted(counting(text)), sorted(things(text))
    for amounts in product(AMOUNTS, repeat=len(numbers)):
        for kinds in product(*(THINGS.get(thing, (thing,)) for thing in counted)):
            facts = dict.fromkeys(places(text), "Xx") | dict(zip(numbers, amounts, strict=True))
            facts = {name: fact for name, fact in facts.items() if "_" not in name}
            yield _template(one, many, facts).format_map(_Facts(facts | dict(zip(counted, kinds, strict=True))))


# --- what is a slip ---------------------------------------------------------------------

NOUNS = {
    "en": """
        troop/troops ship/ships siege_weapon/siege_weapons commander/commanders card/cards die/dice point/points
        unit/units general/generals order/orders water/waters area/areas round/rounds step/steps space/spaces
        commander/commanders Movement/Movements
    """,
    "pt": """
        tropa/tropas navio/navios arma/armas aeronave/aeronaves comandante/comandantes carta/cartas dado/dados
        ponto/pontos unidade/unidades general/generais ordem/ordens água/águas área/áreas rodada/rodadas passo/passos
        espaço/espaços
    """,
}
VERBS = {
    "en": "is/are leaves/leave goes/go joins/join stands/stand returns/return comes/come was/were",
    "pt": """
        é/são sai/saem entra/entram volta/voltam está/estão pode/podem fica/ficam foi/foram deve/devem
        sairia/sairiam desce/descem conta/contam
    """,
}
BETWEEN = {
    "en": r"(?: of (?:at most |the )?\d+)?(?: (?!cannot|may|must|would|or)\w+)*?",
    "pt": r"(?: de (?:no máximo )?\d+)?(?: (?!ou)\w+)*?",
}
BEFORE = r"\b({verb}) (?:ser )?(?:comprad|colocad|tirad)\w+ (?:só )?(\d+)\b"
LEFT = r"\b(?:resta|falta) [02]\b|\b(?:restam|faltam) 1\b"
PARTICIPLE = r"\b1 (?:tropa|navio|arma de cerco|aeronave|unidade|carta|dado)(?: de \d+)?(?: não)? (?:\w+[ai]d[ao]s)\b"


def pairs(words: str) -> list[tuple[str, str]]:
    found = [word.replace("_", " ").partition("/") for word in words.split()]
    return [(singular, many) for singular, _, many in found]


def slips(sentence: str, language: str) -> list[str]:
    """Where a number stands with the form of a noun or a verb that does not go with it."""
    found = []
    for singular, many in pairs(NOUNS[language]):
        wrong = rf"\b1(?: contested| opposing)? {many}\b|\b[02](?: contested| opposing)? {singular}\b"
        found += re.findall(wrong, sentence)
    for singular, many in pairs(VERBS[language]):
        for clause in re.split(r"[,;:(]", sentence):
            begun = re.match(rf"(?:only )?(\d+){BETWEEN[language]} ({singular}|{many})\b", clause.strip())
            if begun and (begun[1] == "1") != (begun[2] == singular):
                found.append(begun[0])
            if language == "pt":
                begun = re.search(BEFORE.format(verb=f"{singular}|{many}"), clause)
                found += [clause] if begun and (begun[2] == "1") != (begun[1] == singular) else []
    return found + (re.findall(f"{PARTICIPLE}|{LEFT}", sentence) if language == "pt" else [])


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "1 units must go from b3, not 2"),
        ("en", "red: 2 troops from the reserve joins in c4"),
        ("en", "1 cards are drawn"),
        ("en", "1 card are drawn"),
        ("en", "1 of 3 units leave b1"),
        ("en", "only 1 of the 2 units due are placed"),
        ("en", "red does not have 1 cards to spend"),
        ("en", "2 contested water"),
        ("pt", "1 unidades têm de sair de b3"),
        ("pt", "1 de 3 unidades saem de b1"),
        ("pt", "são compradas 1 carta"),
        ("pt", "faltam 1 dado, não 2"),
        ("pt", "1 tropa de 2 não podem ser recolhidas"),
        ("pt", "1 tropa recolhidas, pois a reserva tem só 0"),
        ("pt", "vermelho: 2 tropas da reserva entra em c4"),
    ],
)
def test_a_slip_is_found(language: str, sentence: str) -> None:
    assert slips(sentence, language)


def slips_in_all(language: str) -> list[tuple[str, str]]:
    """Return every slip of the language in use, with its sentence."""
    assert len(said()) > 100
    spoken = [sentence for text in said() for sentence in sentences(text)]
    return [(sentence, slip) for sentence in spoken for slip in slips(sentence, language)]


def test_english_has_the_form_that_goes_with_the_number() -> None:
    assert slips_in_all("en") == []


@cache
def catalogue() -> Catalogue:
    return parse_po((LOCALE / "pt_BR" / "LC_MESSAGES" / "gunbai.po").read_bytes())


@pytest.fixture
def portuguese() -> Iterator[None]:
    speak(catalogue().gettext, catalogue().ngettext)
    yield
    speak()


@pytest.mark.usefixtures("portuguese")
def test_portuguese_has_the_form_that_goes_with_the_number() -> None:
    assert slips_in_all("pt") == []


def test_the_first_number_of_a_message_decides_its_form() -> None:
    rule = Rule("a.b", Citation(), "A.", "", "{n} of {most_unit} goes", fails_many="{n} of {most_unit} go")
    hearing = Hearing({"a.b": rule})
    hearing.weigh("a.b", False, n=1, most=2)
    hearing.weigh("a.b", False, n=2, most=1)
    assert [finding.message for finding in hearing.findings] == ["1 of 2 units goes", "2 of 1 unit go"]
