"""A saved game brings its owner's battle or decks along as they were when it began."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.app import SavedGames
from companion.content.battles import BATTLES
from companion.content.decks import DECKS, save_deck
from companion.content.embedded import with_texts
from companion.games.match import open_game
from engine.errors import BadPosition
from engine.systems import system_named
from tests.engine.generals.case import deck
from tests.engine.sonae.case import scenario_text

BATTLE = scenario_text().replace('known = "practice"', 'known = "owner"')


def test_a_changed_deck_leaves_its_games_as_they_are() -> None:
    mine = replace(deck(), name="mine", known="owner")
    save_deck(mine)
    request = {"system": "generals", "decks": {"red": "mine", "black": "practice-wolves"}, "first": "red"}
    match = SavedGames().start(request)
    begun = match.position
    match.close()
    save_deck(replace(mine, title="Another"))
    assert open_game(match.path).position == begun
    DECKS.delete("mine")
    again = SavedGames().open(match.path)
    assert again.position.sides[0].deck.title == mine.title


def test_a_battle_that_is_gone_is_fought_on() -> None:
    BATTLES.save("hills", BATTLE)
    match = SavedGames().start({"system": "sonae", "scenario": "hills"})
    match.close()
    BATTLES.delete("hills")
    assert SavedGames().open(match.path).position.scenario.title == "A field for tests"


def test_what_comes_with_gunbai_is_not_brought() -> None:
    request = {"system": "sonae", "scenario": "maru-shikaku"}
    assert with_texts(request) == request
    assert with_texts({"system": "generals", "decks": "none"}) == {"system": "generals", "decks": "none"}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"system": "sonae", "scenario": "hills", "texts": {"hills": 3}}, "texts.hills: expected a name, not 3"),
        ({"system": "sonae", "scenario": "hills", "texts": {"hills": "title = 3"}}, "scenario: texts.hills: "),
        (
            {"system": "generals", "decks": {"red": "a", "black": "b"}, "first": "red", "texts": {"a": "x"}},
            "decks.red: texts.a: ",
        ),
    ],
)
def test_a_text_that_is_none_is_told(request_: dict[str, object], told: str) -> None:
    with pytest.raises(BadPosition) as caught:
        system_named(request_["system"]).new(request_)
    assert str(caught.value).startswith(told)
