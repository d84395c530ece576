"""The small maps of saved games: each file is read in between, one at a time, and once."""

from __future__ import annotations

import pytest

from companion.games.saved.shelf import shelf
from companion.scenes.home.saved import SavedPortraits, side_of
from companion.ui.small_map import SmallMap
from tests.companion.gallery.rooms.begin import put

pytestmark = pytest.mark.usefixtures("app")


def test_a_game_has_its_map_once_its_file_has_been_read() -> None:
    put("a", {"red": "Ana"})
    put("b", {}, passes=40)
    portraits, games = SavedPortraits(), shelf().look().games
    assert [portraits.find(game) for game in games] == [None, None]
    assert not portraits.read_next()
    assert portraits.read_next(), "the last one brings all pictures onto the screen"
    assert not portraits.read_next()
    maps = [portraits.find(game) for game in games]
    assert all(isinstance(portrait, SmallMap) and portrait.areas for portrait in maps)


def test_a_card_has_the_winners_mark_or_whose_turn_it_is() -> None:
    put("a", {})
    put("b", {}, passes=40)
    assert {game.path.stem: side_of(game) for game in shelf().look().games} == {"a": "black", "b": "red"}


def test_a_file_that_is_no_game_has_neither() -> None:
    path = put("a", {})
    path.write_text("no game")
    (game,) = shelf().look().games
    portraits = SavedPortraits()
    assert portraits.find(game) is None
    assert not portraits.read_next()
    assert side_of(game) == ""
