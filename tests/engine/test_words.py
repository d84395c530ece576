"""The engine in another language: its sentences, its rulings and its numbers of things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import words
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.supply import standing_words
from engine.words import count_words, join_words, say, speak

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
