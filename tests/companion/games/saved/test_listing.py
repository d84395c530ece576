"""A shelf of many games: looked over and read beside the screen, kept as it goes, junk remembered."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.content.shelves import BATTLES
from companion.games.match import GameSession, Match
from companion.games.saved import index_file, listing, shelf
from companion.games.saved.listing import AT_ONCE_BYTES, BATCH_BYTES
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from companion.view.window.window import Window
from engine.orders.steps import Pass
from engine.sonae.scenario import remove_scenario
from tests.companion.gallery.rooms.shelf import own_battle
from tests.companion.sample_games import REQUEST, lines_of, saved
from tests.companion.touching import Hand

MANY = 12
ORDERS = {**REQUEST, "players": {"red": "Ana", "black": "Bo"}}


@pytest.fixture
def many(games: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """More games than are looked over while somebody waits, none of them known: the last ones are running."""
    monkeypatch.setattr(listing, "FEW", 5)
    monkeypatch.setattr(listing, "BATCH_BYTES", 1)
    for n in range(MANY):
        put(games, f"game-{n:02}", 1e9 + n, whole=n < MANY - 3)
    return games


def put(games: Path, name: str, at_s: float, *, whole: bool = False) -> Path:
    path = games / f"{name}.jsonl"
    path.write_bytes(saved() if whole else lines_of(ORDERS))
    os.utime(path, (at_s, at_s))
    return path


def names() -> list[str]:
    """Return what is known of the shelf, the game played last first."""
    return [game.path.stem for game in shelf.shelf().games]


def ticks(tick: Callable[[float], object], most: int = 60) -> Iterator[int]:
    """Let it go on beside the screen, one thing after the other."""
    for n in range(most):
        tick(n * listing.LOOK_EVERY_S)
        shelf.shelf().wait()
        yield n


def read_all(tick: Callable[[float], object]) -> None:
    for _n in ticks(tick):
        if shelf.shelf().whole:
            return
    pytest.fail("the shelf is never read to its end")


def rows(hand: Hand) -> list[str]:
    return [button.intent.what for button in hand.all_buttons() if button.intent.verb == "game"]


# ---- beside the screen --------------------------------------------------------------------------


def test_many_games_appear_as_they_are_read_and_the_screen_says_so(many: Path) -> None:
    hand = Hand(App())
    assert isinstance(hand.app.scene, HomeScene)
    hand.press("Saved games")
    assert rows(hand) == ["game-11.jsonl"]
    assert "Still reading: 11 games to go." in hand.text()
    seen = []
    for _n in ticks(hand.app.tick):
        seen.append(len(rows(hand)))
        if shelf.shelf().whole:
            break
    hand.app.tick(1e6)
    assert sorted(seen) == seen, "none goes away again"
    assert len(set(seen)) > 3
    assert rows(hand) == [f"game-{n:02}.jsonl" for n in reversed(range(MANY))]
    assert "Still reading" not in hand.text()


def test_the_newest_are_read_first_and_home_offers_the_game_to_go_on_with(many: Path, read: list[str]) -> None:
    app = App()
    os.utime(many / "game-03.jsonl", (2e9, 2e9))
    hand = Hand(app)
    assert "Continue last game" not in [button.label for button in hand.all_buttons()], "that one is over"
    for _n in ticks(app.tick):
        if len(shelf.shelf().games) > 1:
            break
    hand.press("Continue last game")
    assert isinstance(app.scene, BoardTable)
    assert app.scene.match.path.stem == f"game-{MANY - 1:02}"
    assert len(read) < MANY, "nobody waited for all"
    app.scene.match.close()


def test_home_is_drawn_anew_only_where_it_offers_something_else(many: Path) -> None:
    app = App()
    app.screen()
    versions = {app.version}
    for _n in ticks(app.tick):
        if app.version not in versions:
            app.screen()
        versions.add(app.version)
    assert shelf.shelf().whole
    assert len(versions) == 1, "the newest game was there from the beginning"


def test_what_was_read_is_kept_as_it_goes(many: Path, read: list[str]) -> None:
    listed = shelf.shelf()
    listed.look()
    for _n in ticks(listed.tick):
        if listed.waiting == MANY // 2:
            break
    before = len(read)
    shelf.forget()
    read_all(shelf.shelf().look().tick)
    again = [name for name in read[before:] if name in read[:before]]
    assert again in ([], ["game-11"]), "none is read twice, but for the newest, which home shows"
    assert names() == [f"game-{n:02}" for n in reversed(range(MANY))]
    shelf.forget()
    before = len(read)
    read_all(shelf.shelf().look().tick)
    assert len(read) == before, "the index is whole, and has the newest at its end"


def test_a_start_is_not_longer_for_many_games(many: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.saved_games()
    shelf.forget()
    read.clear()
    looked: list[str] = []
    real = listing.GameFolder._state

    def looking(folder: listing.GameFolder[object], name: str) -> object:
        looked.append(name)
        return real(folder, name)

    monkeypatch.setattr(listing.GameFolder, "_state", looking)
    monkeypatch.setattr(listing.GameFolder, "_states", lambda self: pytest.fail("all files are looked at"))
    monkeypatch.setattr(index_file, "TAIL_BYTES", 1400)
    hand = Hand(App())
    assert "Continue last game" in [button.label for button in hand.all_buttons()]
    assert 0 < len(looked) < MANY
    assert read == ["game-11"], "for its picture"


def test_a_game_that_is_taken_up_is_the_last_one_after_a_power_cut(many: Path) -> None:
    shelf.saved_games()
    hand = Hand(App())
    hand.press("Saved games").app.touch(Intent("game", "game-09.jsonl"))
    hand.press("Continue")
    assert isinstance(hand.app.scene, BoardTable)
    hand.app.scene.match.close()
    shelf.forget()
    last = shelf.last_running(shelf.shelf().look().games)
    assert last is not None
    assert last.path.stem == "game-09"


def test_a_game_that_was_left_is_known_at_home(many: Path) -> None:
    shelf.saved_games()
    hand = Hand(App()).press("Continue last game")
    assert isinstance(hand.app.scene, BoardTable)
    name = hand.app.scene.match.path.name
    hand.app.scene.match.offer(Pass())
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    assert next(game for game in shelf.shelf().games if game.path.name == name).steps == 1


def test_a_shelf_of_many_is_looked_over_anew_now_and_then(many: Path, read: list[str]) -> None:
    read_all(shelf.shelf().look().tick)
    put(many, "another", 5e8)
    (many / "game-05.jsonl").unlink()
    shelf.shelf().look()
    assert "another" not in names()
    for n in range(4):
        shelf.shelf().tick(1e6 + n)
        shelf.shelf().wait()
    assert names()[0] == "another", "it has come since the last look, whatever its time"
    assert "game-05" not in names()


def test_what_is_put_away_copied_or_named_is_seen_at_once(many: Path) -> None:
    shelf.saved_games()
    hand = Hand(App())
    hand.press("Saved games").app.touch(Intent("game", "game-11.jsonl"))
    hand.press("Make a copy", "Delete")
    assert rows(hand)[0] == "game-11-2.jsonl"
    assert "game-11.jsonl" not in rows(hand)
    hand.press("Undo")
    assert rows(hand)[0] == "game-11.jsonl"


def test_a_very_long_game_is_read_after_all_others(
    many: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = many / "long.jsonl"
    long.write_bytes(lines_of(ORDERS) + b"\n" * 4000)
    monkeypatch.setattr(listing, "LONG_BYTES", 3900)
    read_all(shelf.shelf().look().tick)
    assert read[-1] == "long"
    assert names()[0] == "long"


def test_work_that_was_overtaken_is_let_go(many: Path) -> None:
    listed = shelf.shelf()
    listed.look()
    listed.tick(0.0)
    listed.wait()
    shelf.saved_games()
    assert not listed.tick(1.0)
    assert listed.whole


def test_few_games_are_all_there_at_once(games: Path) -> None:
    for n in range(3):
        put(games, f"game-{n}", 1e9 + n)
    assert len(rows(Hand(App()).press("Saved games"))) == 3


def test_what_takes_long_is_read_beside_the_screen_where_there_are_few_too(games: Path) -> None:
    put(games, "short", 1e9)
    (games / "long.jsonl").write_bytes(lines_of(ORDERS) + b"\n" * AT_ONCE_BYTES)
    hand = Hand(App()).press("Saved games")
    assert rows(hand) == ["short.jsonl"]
    assert "Still reading: 1 game to go." in hand.text()
    read_all(hand.app.tick)
    hand.app.tick(1e6)
    assert len(rows(hand)) == 2
    assert BATCH_BYTES < AT_ONCE_BYTES * 2


# ---- rows that are seen ---------------------------------------------------------------------------


def seen(window: Window) -> set[str]:
    """Return the games that the page has a card for."""
    targets = window.canvas.sheet.targets
    return {target.intent.what.partition(".")[0] for target in targets if target.intent.verb == "game"}


def test_only_the_rows_that_are_seen_are_made(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.saved_games()
    made: list[str] = []

    def titled(game: shelf.Saved) -> str:
        made.append(game.path.stem)
        return game.path.stem

    monkeypatch.setattr("companion.scenes.home.saved.title", titled)
    window = Window(App(), pygame.display.set_mode((800, 480)))
    window.hand(Intent("saved"))
    window.refresh()
    first = seen(window)
    assert {*made} == first
    assert 0 < len(first) < MANY
    made.clear()
    window.hand(Intent("page", "", 1))
    window.refresh()
    assert {*made} == seen(window)
    assert not seen(window) & first
    window.hand(Intent("page", "", -1))
    window.refresh()
    assert [target.intent.what for target in window.canvas.sheet.targets if target.intent.verb == "game"][:2] == [
        "game-11.jsonl",
        "game-10.jsonl",
    ]


# ---- junk -----------------------------------------------------------------------------------------


def test_junk_is_read_once(games: Path, read: list[str]) -> None:
    (games / "torn.jsonl").write_text("{")
    (games / "other.jsonl").write_bytes(os.urandom(50) + b"\n{}\n")
    (games / "gone.jsonl").write_text('{"do": "new", "system": "sonae", "scenario": "ford"}\n')
    for _look in range(3):
        assert not any(game.readable for game in shelf.saved_games())
        shelf.forget()
    assert sorted(read) == ["gone", "other", "torn"]
    (games / "torn.jsonl").write_text("{}")
    shelf.saved_games()
    assert read[3:] == ["torn"], "another size, another file"


def test_only_what_lacks_a_battle_is_read_again_when_it_comes(games: Path, read: list[str]) -> None:
    own_battle()
    BATTLES.register()
    GameSession.begin(games / "ford.jsonl", {"system": "sonae", "scenario": "ford"}).close()
    remove_scenario("ford")
    (games / "torn.jsonl").write_text("{")
    (games / "duel.jsonl").write_text('{"do": "new", "system": "generals", "decks": {"red": "a", "black": "b"}}\n')
    shelf.saved_games()
    read.clear()
    BATTLES.register()
    assert [game.path.stem for game in shelf.saved_games() if game.readable] == ["ford"]
    assert read == ["ford"]
    shelf.saved_games()
    assert read == ["ford"]


def test_a_battle_whose_file_is_another_now_is_tried_again(games: Path, read: list[str]) -> None:
    (games / "gone.jsonl").write_text('{"do": "new", "system": "sonae", "scenario": "ford"}\n')
    shelf.saved_games()
    own_battle()
    shelf.saved_games()
    assert read == ["gone", "gone"]
    shelf.saved_games()
    assert read == ["gone", "gone"]


# ---- the order in which games were played -----------------------------------------------------------


def test_the_order_is_kept_when_the_first_index_is_cut_short(many: Path) -> None:
    listed = shelf.shelf()
    listed.look()
    for _n in ticks(listed.tick):
        if listed.waiting <= MANY - 2:
            break
    for n in range(MANY):
        os.utime(many / f"game-{n:02}.jsonl", (2e9 - n,) * 2)
    index = {name: entry for line in index_lines(many) for name, entry in line.items()}
    for n in range(MANY):
        name = f"game-{n:02}.jsonl"
        os.utime(many / name, ns=(0, index[name]["state"][0]))
    shelf.forget()
    read_all(shelf.shelf().look().tick)
    assert names() == [f"game-{n:02}" for n in reversed(range(MANY))]


def index_lines(games: Path) -> list[dict[str, dict[str, list[int]]]]:
    return [json.loads(line) for line in (games / shelf.INDEX).read_bytes().split(b"\n") if line]


def test_orders_beyond_all_measure_are_counted_anew(games: Path) -> None:
    for n in range(3):
        put(games, f"game-{n}", 1e9 + n)
    shelf.saved_games()
    [line] = index_lines(games)
    entries: dict[str, dict[str, object]] = {name: dict(entry) for name, entry in line.items()}
    entries["game-1.jsonl"]["order"] = index_file.MOST_ORDER
    (games / shelf.INDEX).write_text(json.dumps(entries))
    shelf.forget()
    put(games, "game-3", 1e8)
    for _start in range(2):
        assert [game.path.stem for game in shelf.saved_games()] == ["game-3", "game-1", "game-2", "game-0"]
        shelf.forget()
    assert max(game.order for game in shelf.saved_games()) == 4


def test_an_index_that_has_grown_long_is_written_anew(games: Path) -> None:
    path = put(games, "game", 1e9)
    for n in range(40):
        os.utime(path, (1e9 + n,) * 2)
        shelf.saved_games()
    index = games / shelf.INDEX
    assert len(index_lines(games)) == 40, "each look adds a line"
    index.write_bytes(index.read_bytes() * 12)
    shelf.forget()
    shelf.saved_games()
    assert len(index_lines(games)) == 1


def test_a_game_played_since_adds_one_line(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [put(games, f"game-{n}", 1e9 + n) for n in range(4)]
    shelf.saved_games()
    size = (games / shelf.INDEX).stat().st_size
    match = Match.open(paths[0])
    match.offer(Pass())
    match.close()
    shelf.saved_games()
    assert (games / shelf.INDEX).stat().st_size < size * 1.5
    shelf.forget()
    assert names() == []
    assert [game.path.stem for game in shelf.saved_games()] == ["game-0", "game-3", "game-2", "game-1"]
