"""Whatever a stranger lays into the folder of the games or writes into its index: the app starts and shows them."""

from __future__ import annotations

import json
import os
import random
import socket
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pygame
import pytest

from companion.app.app import App
from companion.games.journal import AnyJournal, read_game
from companion.games.saved import shelf, statistics
from companion.scenes.home.home import HomeScene
from companion.scenes.home.saved import SavedGameScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from companion.view.window.window import Window
from tests.companion.commands.terminal import Capture
from tests.companion.gallery.gallery import unpainted
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import REQUEST, lines_of, saved
from tests.companion.touching import Hand

pytestmark = pytest.mark.long

GAME = lines_of({**REQUEST, "players": {"red": "Ana", "black": "Bo"}})
SIZE = (800, 480)
NAMES = {
    "not UTF-8": b"caf\xe9.jsonl",
    "a newline": b"two\nlines.jsonl",
    "an escape character": b"\x1b[31mred\x1b[0m.jsonl",
    "255 bytes": b"w" * 249 + b".jsonl",
    "255 bytes of two each": "é".encode() * 124 + b"e.jsonl",
    "a dash in front": b"-rf.jsonl",
    "a pattern": b"[a-z]*?.jsonl",
    "quotes and a backslash": b"\"\\'.jsonl",
    "nothing before the end": b".jsonl",
    "a direction mark": "a\u202eb.jsonl".encode(),
    "as a key of the index": b"636166e92e6a736f6e6c.jsonl",
}


@pytest.fixture(params=NAMES)
def odd(games: Path, request: pytest.FixtureRequest) -> Path:
    path = Path(os.fsdecode(os.fsencode(games) + b"/" + NAMES[request.param]))
    path.write_bytes(GAME)
    return path


def listed(hand: Hand) -> list[str]:
    return [button.label for button in hand.all_buttons() if button.intent.verb == "game"]


# ---- names ------------------------------------------------------------------------------------------


def test_a_game_of_any_name_is_listed_drawn_and_kept(odd: Path) -> None:
    window = Window(App(), pygame.display.set_mode(SIZE))
    window.hand(Intent("saved"))
    window.refresh()
    [game] = shelf.saved_games()
    assert (game.path, game.readable) == (odd, True)
    shelf.forget()
    assert [game.path for game in shelf.saved_games()] == [odd]


def test_a_game_of_any_name_is_opened_and_gone_on_with(odd: Path) -> None:
    hand = Hand(App()).press("Continue last game")
    assert isinstance(hand.app.scene, BoardTable)
    hand.press("Pass")
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)
    [game] = shelf.saved_games()
    assert (game.path, game.steps) == (odd, 1)


def test_a_game_of_any_name_is_named_thrown_away_and_put_back(odd: Path) -> None:
    shelf.set_label(odd, "Rainy Sunday")
    shelf.forget()
    assert shelf.saved_games()[0].label == "Rainy Sunday"
    hand = Hand(App()).press("Saved games")
    hand.app.touch(Intent("game", odd.name))
    hand.press("Delete")
    assert shelf.saved_games() == ()
    hand.press("Back", "Saved games", "1 game in the trash")
    with mock.patch("companion.scenes.home.saved.put_back", side_effect=OSError(28, "No space left on device")):
        hand.app.touch(Intent("put-back", odd.name))
    assert "No space left on device" in hand.screen.banner
    hand.press("1 game in the trash").app.touch(Intent("put-back", odd.name))
    assert [game.label for game in shelf.saved_games()] == ["Rainy Sunday"]
    assert odd.exists()


def test_a_game_of_any_name_is_copied_and_saved_for_elsewhere(odd: Path) -> None:
    hand = Hand(App()).press("Saved games")
    hand.app.touch(Intent("game", odd.name))
    assert isinstance(hand.app.scene, SavedGameScene)
    assert hand.screen.title == "Ana vs Bo"
    assert "The copy continues" in hand.press("Make a copy").text()
    hand.press("Save to a file")
    assert not hand.screen.banner
    [exported] = (odd.parent.parent / shelf.EXPORTS).iterdir()
    assert exported.name.isprintable()
    assert exported.read_bytes() == odd.read_bytes()
    assert len(listed(hand.press("Back"))) == 2


def test_a_file_that_is_no_game_has_a_name_that_can_be_read(games: Path) -> None:
    for n, name in enumerate(NAMES.values()):
        path = Path(os.fsdecode(os.fsencode(games) + b"/" + name))
        path.write_text("{")
        os.utime(path, (1e9 - n, 1e9 - n))
    labels = listed(Hand(App()).press("Saved games"))
    assert len(labels) == len(NAMES)
    assert all(label.isprintable() for label in labels)
    assert labels[:3] == ["caf\ufffd", "two lines", " [31mred [0m"]


def test_what_lies_beside_a_game_goes_with_that_game_alone(games: Path) -> None:
    for name in ("[ab].jsonl", "a.jsonl"):
        (games / name).write_bytes(GAME)
        (games / f"{name}.undone").write_bytes(b"")
    shelf.throw_away(games / "[ab].jsonl")
    assert (games / "trash" / "[ab].jsonl.undone").exists()
    assert (games / "a.jsonl.undone").exists()


def test_statistics_count_games_of_any_name(odd: Path) -> None:
    (odd.parent / "broken.jsonl").write_text("{")
    for _look in range(2):
        found = statistics.gather(odd.parent)
        assert [game.players for game in found.games] == [{"red": "Ana", "black": "Bo"}]
        assert found.damaged == ("broken.jsonl",)


def test_a_file_that_trips_the_rules_up_stops_no_other(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for name in ("good", "bad"):
        (games / f"{name}.jsonl").write_bytes(GAME)

    def reading(path: Path) -> AnyJournal:
        if path.stem == "good":
            return read_game(path)
        raise KeyError("no such rule")

    monkeypatch.setattr(shelf, "read_game", reading)
    monkeypatch.setattr(statistics, "read_game", reading)
    hand = Hand(App()).press("Saved games")
    assert len(listed(hand)) == 2
    hand.app.touch(Intent("game", "bad.jsonl"))
    assert "an error in Gunbai (KeyError)" in hand.press("Details").text()
    assert statistics.gather(games).damaged == ("bad.jsonl",)
    assert capsys.readouterr().err.count("bad.jsonl: can't be read because of an error in Gunbai") == 2, (
        "told once each"
    )


# ---- what is no file ------------------------------------------------------------------------------------


def test_what_is_no_plain_file_is_passed_over(games: Path) -> None:
    (games / "good.jsonl").write_bytes(GAME)
    (games / "folder.jsonl").mkdir()
    os.mkfifo(games / "pipe.jsonl")
    (games / "dangling.jsonl").symlink_to(games / "nothing")
    (games / "round.jsonl").symlink_to(games / "round.jsonl")
    (games / "null.jsonl").symlink_to("/dev/zero")
    server = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(games)  # a socket's whole path may be too long
    server.bind("socket.jsonl")
    os.chdir(here)
    (games / "linked.jsonl").symlink_to(games / "good.jsonl")
    assert {game.path.name for game in shelf.saved_games()} == {"good.jsonl", "linked.jsonl"}
    assert len(listed(Hand(App()).press("Saved games"))) == 2
    assert len(statistics.gather(games).games) == 2
    server.close()


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a file without end", "a link that leads nowhere"])
@pytest.mark.parametrize("name", [shelf.INDEX, shelf.LABELS, statistics.INDEX])
def test_a_file_of_ours_may_be_anything(games: Path, name: str, kind: str) -> None:
    (games / "good.jsonl").write_bytes(GAME)
    path = games / name
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "a file without end" else games / "nothing")
    for _start in range(2):
        assert [game.steps for game in shelf.saved_games()] == [0]
        assert len(statistics.gather(games).games) == 1
        shelf.forget()


# ---- labels ---------------------------------------------------------------------------------------------


def test_labels_of_a_stranger_are_cut_to_what_a_line_holds(games: Path) -> None:
    names = [f"{letter}.jsonl" for letter in "abcde"]
    for n, name in enumerate(names):
        (games / name).write_bytes(GAME)
        os.utime(games / name, (1e9 - n, 1e9 - n))
    labels = {"a.jsonl": "long " * 9999, "b.jsonl": 7, "c.jsonl": "two\nlines\x1b[2J", "d.jsonl": ["x"], "/zz": "x"}
    (games / shelf.LABELS).write_text(json.dumps(labels))
    assert [game.label for game in shelf.saved_games()] == ["long " * 16, "", "two lines [2J", "", ""]
    shelf.set_label(games / "e.jsonl", "Evening")
    assert shelf.saved_games()[4].label == "Evening"


# ---- what a process that is gone has left ------------------------------------------------------------------


def values() -> Iterator[object]:
    """Yield values that may stand in the place of any other."""
    yield from (None, True, -1, 0, 1.5, 10**15, "", "x" * 5000, "\0\x1b")
    yield from ([], {}, [[]], {"a": []}, ["red"], {"red": "x"})
    yield from ([None, None], [1, 2], "purple", "orders", "sonae", ["red", "black"], ["maru", "shikaku"], ["x"] * 90)


def shelf_of_all(games: Path) -> None:
    (games / "one.jsonl").write_bytes(GAME)
    (games / "over.jsonl").write_bytes(saved())
    (games / "torn.jsonl").write_text("{")
    for system in SYSTEMS:
        file_of(games, system, name=system)


def look_round(games: Path) -> None:
    """Look at all that shows saved games, each drawn."""
    window = Window(App(), pygame.display.set_mode(SIZE))
    for verb in ("saved", "search", "cancel"):
        window.hand(Intent(verb))
        window.refresh()
    for path in games.glob("*.jsonl"):
        window.hand(Intent("game", path.name))
        window.refresh()
        window.hand(Intent("back"))
    for verb in ("back", "new", "back", "statistics"):
        window.hand(Intent(verb))
        window.refresh()
    scene = window.app.scene
    assert isinstance(scene, StatisticsScene)
    scene.wait()
    for tab in ("players", "games", "play"):
        window.hand(Intent("tab", tab))
        window.refresh()


def told(games: Path) -> list[object]:
    """Return what the shelf, in the order of names, and the statistics say."""
    facts = [
        (game.path.name, game.title, game.players, game.winner, game.steps, game.fault) for game in shelf.saved_games()
    ]
    return [*sorted(facts, key=lambda fact: fact[0]), statistics.gather(games)]


@pytest.mark.parametrize("name", [shelf.INDEX, statistics.INDEX])
def test_an_entry_of_wrong_values_is_read_anew(games: Path, name: str) -> None:
    shelf_of_all(games)
    right = told(games)
    index = games / name
    good: dict[str, dict[str, Any]] = json.loads(index.read_bytes())
    key = "one.jsonl"
    for fact in good[key]:
        for value in values():
            if value == good[key][fact] or fact == "order":
                continue
            index.write_text(json.dumps({**good, key: {**good[key], fact: value}}))
            shelf.forget()
            found = told(games)
            if fact in HANG_TOGETHER:
                assert found == right, (fact, value)
            if name == shelf.INDEX:
                Hand(App()).press("Saved games").text()


HANG_TOGETHER = {"state", "sides", "needs"}
"""Another value here cannot be right; elsewhere a stranger may say what could be so, and nothing breaks."""


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n\n\n", b"{", b"[]", b"3", b'"one.jsonl"'),
        b'{"one.jsonl": 3}',
        b'{"one.jsonl": {"state": [1, 2]}}',
        b'{"one.jsonl": {"state": [NaN, 2], "order": 1}}',
        b'{"one.jsonl": {"state": [1e400, 2], "order": Infinity}}',
        b'{"one.jsonl": {"state": [' + b"9" * 400 + b", 2], " + b'"order": 1}}',
        b'{"one.jsonl": {"state": [1, 2], "order": ' + b"9" * 5000 + b"}}",
        b'{"one.jsonl": ' + b"[" * 3000 + b"]" * 3000 + b"}",
        b'{"a":' * 100_000,
        b'{"/zz": {"state": [1, 2], "order": 1}, "/": {"state": [1, 2], "order": 2}}',
        b'{"gone.jsonl": {"state": [1, 2], "order": 5, "board": "x"}, "../x": {"state": [1, 2], "order": 6}}',
        b'{"one.jsonl": {"state": [1, 2], "order": 1, "\\ud800": "\\udfff"}}',
        *(b"\xff\xfe\x00", b"\0" * 5000, b"{}\n" * 100_000),
    ],
)
@pytest.mark.parametrize("name", [shelf.INDEX, statistics.INDEX])
def test_an_index_of_anything_is_made_anew(games: Path, name: str, content: bytes) -> None:
    shelf_of_all(games)
    right = told(games)
    (games / name).write_bytes(content)
    shelf.forget()
    assert told(games) == right
    shelf.forget()
    assert told(games) == right


def test_an_index_with_bytes_that_were_changed_is_made_anew(games: Path) -> None:
    shelf_of_all(games)
    right, rng = told(games), random.Random(3)
    for name in (shelf.INDEX, statistics.INDEX):
        good = (games / name).read_bytes()
        for _try in range(30):
            bad = bytearray(good)
            for _byte in range(rng.randint(1, 6)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
            (games / name).write_bytes(bytes(bad[: rng.randint(1, len(bad))]))
            shelf.forget()
            assert len(told(games)) == len(right)
            with suppress(FileNotFoundError):
                (games / name).unlink()
    shelf.forget()
    assert told(games) == right


def test_an_index_far_too_long_is_not_read(games: Path) -> None:
    shelf_of_all(games)
    right = told(games)
    with (games / shelf.INDEX).open("wb") as file:
        file.truncate(3_000_000_000)
    shelf.forget()
    assert told(games) == right
    assert (games / shelf.INDEX).stat().st_size < 10_000, "it is written anew"


def test_what_a_stranger_says_of_games_is_drawn(games: Path) -> None:
    """Words are painted too, as letters may break that."""
    shelf_of_all(games)
    told(games)
    good: dict[str, dict[str, Any]] = json.loads((games / shelf.INDEX).read_bytes())
    for n, value in enumerate(values()):
        odd = {name: dict(entry) for name, entry in good.items()}
        for k, entry in enumerate(odd.values()):
            facts = [fact for fact in entry if fact not in ("state", "order")]
            entry[facts[(n + k) % len(facts)]] = value
        (games / shelf.INDEX).write_text(json.dumps(odd))
        shelf.forget()
        with nullcontext() if isinstance(value, str) else unpainted():
            look_round(games)
