"""Saved games looked for by what people remember of them, and their small maps."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.games.match import Match
from companion.games.saved import listing, shelf
from companion.scenes.base.typing import ENTER
from companion.scenes.home.saved import SavedGameScene, SavedPortraits, SavedScene, SavedSearchScene, marked_seat
from companion.scenes.home.saved_search import Finder, search_key
from companion.text.saved_games import stem
from companion.ui.screen import Intent
from companion.ui.small_map import SmallMap
from tests.companion.gallery.rooms.begin import put as put_played
from tests.companion.other_games import begun
from tests.companion.sample_games import BONUSES
from tests.companion.touching import Hand

TODAY = datetime(2026, 5, 3, 21, 0)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr("companion.scenes.home.saved.machine_time", lambda: TODAY)
    folder = tmp_path / "games"
    folder.mkdir()
    for name, board, players, at in (
        ("one", "sengoku-rivers", {"red": "Zoé", "black": "Takeshi"}, datetime(2026, 5, 3, 20, 0)),
        ("two", "sengoku-fortress", {"red": "Ana", "black": "Zoé"}, datetime(2026, 5, 2, 20, 0)),
        ("three", "sengoku-rivers", {}, datetime(2024, 12, 24, 18, 0)),
    ):
        path = folder / f"{name}.jsonl"
        Match.start(path, board, "red", BONUSES if board == "sengoku-rivers" else {}, players).close()
        date_it(path, at)
    begun(folder / "four.jsonl", "generals", {"red": "Ana", "black": "Bo"}).close()
    begun(folder / "five.jsonl", "sonae").close()
    for name, n in (("four", 4), ("five", 5)):
        date_it(folder / f"{name}.jsonl", TODAY - timedelta(days=300 * n))
    (folder / "2019-torn.jsonl").write_text("{")
    date_it(folder / "2019-torn.jsonl", datetime(2019, 1, 1))
    shelf.set_label(folder / "two.jsonl", "Rainy Sunday")
    return folder


def date_it(path: Path, at: datetime) -> None:
    os.utime(path, (at.timestamp(),) * 2)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("zo", ["one", "two"]),
        ("ZOE", ["one", "two"]),
        ("zoé takeshi", ["one"]),
        ("ana", ["two", "four"]),
        ("ana bo", ["four"]),
        ("rainy", ["two"]),
        ("rivers", ["one", "three"]),
        ("generals order", ["four"]),
        ("bridge", ["five"]),
        ("2024", ["three"]),
        ("2024-12", ["three"]),
        ("24 december", ["three"]),
        ("today", ["one"]),
        ("yesterday", ["two"]),
        ("black", ["three"]),
        ("torn", ["2019-torn"]),
        ("nobody", []),
        ("", ["one", "two", "three", "four", "five", "2019-torn"]),
        ("  zo   tak ", ["one"]),
    ],
)
def test_every_word_is_looked_for_in_all_that_is_known_of_a_game(games: Path, query: str, found: list[str]) -> None:
    finder = Finder(TODAY)
    listed = shelf.saved_games()
    assert [stem(game) for game in finder.find(listed, query)] == found
    assert finder.find(listed, query) is finder.find(listed, query), "worked out once"


def test_the_day_is_looked_for_in_the_language_of_the_table(games: Path) -> None:
    use_language("pt_BR")
    assert [stem(game) for game in Finder(TODAY).find(shelf.saved_games(), "dezembro")] == ["three"]


def test_letters_without_case_or_accents_are_left() -> None:
    assert search_key("Straße ÉÎÕ 日本") == "strasse eio 日本"


@pytest.fixture
def hand(games: Path) -> Hand:
    return Hand(App()).press("Saved games", "Search")


def rows(hand: Hand) -> list[str]:
    return [button.intent.what for button in hand.all_buttons() if button.intent.verb == "game"]


def test_each_letter_tells_how_many_fit_and_offers_the_newest(hand: Hand) -> None:
    assert hand.button("Show 6 games").look == "primary"
    hand.write("ana")
    assert hand.button("Newest").note == "Rainy Sunday"
    assert hand.button("Show 2 games").look == "primary"
    hand.write("x")
    assert hand.button("Show 0 games").look == "off"
    hand.app.touch(Intent("done"))
    assert isinstance(hand.app.scene, SavedSearchScene)


def test_what_was_found_is_listed_and_left_again(hand: Hand) -> None:
    hand.write("zo").press("Show 2 games")
    assert isinstance(hand.app.scene, SavedScene)
    assert hand.screen.title == "Games: “zo”"
    assert rows(hand) == ["one.jsonl", "two.jsonl"]
    hand.press("Search")
    assert hand.screen.blocks[0].text == "zo"  # type: ignore[union-attr]
    hand.press("Cancel", "All games")
    assert hand.screen.title == "Saved games"
    assert len(rows(hand)) == 6


def test_the_newest_that_fits_is_one_touch_away_and_a_key_of_a_keyboard_shows_all(hand: Hand) -> None:
    hand.write("rainy").press("Newest")
    assert isinstance(hand.app.scene, SavedGameScene)
    hand.press("Back")
    assert len(rows(hand)) == 6
    hand.press("Search").write("2019").app.touch(Intent("type", ENTER))
    assert rows(hand) == ["2019-torn.jsonl"]


def test_a_list_that_fits_no_game_any_more_says_so(hand: Hand) -> None:
    hand.write("rainy").press("Show 1 game").app.touch(Intent("game", "two.jsonl"))
    hand.press("Delete")
    assert "No games match." in hand.text()
    assert len(rows(hand.press("All games"))) == 5


def test_games_that_are_still_read_are_found_as_they_come(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "FEW", 1)
    monkeypatch.setattr(listing, "BATCH_BYTES", 1)
    hand = Hand(App()).press("Saved games", "Search").write("zo")
    counts = []
    for n in range(20):
        hand.app.tick(float(n))
        shelf.shelf().wait()
        counts.append(sum(button.label in ("Show 1 game", "Show 2 games") for button in hand.all_buttons()))
    assert counts[-1] == 1
    assert hand.button("Show 2 games").look == "primary"
    assert isinstance(hand.app.scene, SavedSearchScene)


def test_a_game_has_its_map_once_its_file_has_been_read_and_the_mark_of_its_winner_or_mover(app: App) -> None:
    put_played("a", {"red": "Ana"})
    put_played("b", {}, passes=40)
    portraits, listed = SavedPortraits(), shelf.shelf().look().games
    assert {game.path.stem: marked_seat(game) for game in listed} == {"a": "black", "b": "red"}
    assert [portraits.find(game) for game in listed] == [None, None]
    assert not portraits.read_next()
    assert portraits.read_next(), "the last one brings all pictures onto the screen"
    assert not portraits.read_next()
    maps = [portraits.find(game) for game in listed]
    assert all(isinstance(portrait, SmallMap) and portrait.areas for portrait in maps)


def test_a_file_that_is_no_game_has_neither(app: App) -> None:
    put_played("a", {}).write_text("no game")
    (game,) = shelf.shelf().look().games
    portraits = SavedPortraits()
    assert portraits.find(game) is None
    assert not portraits.read_next()
    assert marked_seat(game) == ""
