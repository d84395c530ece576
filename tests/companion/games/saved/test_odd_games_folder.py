"""Whatever lies in the folder of the games: the app starts, and shows every game under a name that can be read."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.core import storage
from companion.games.journal import AnyJournal, read_game
from companion.games.saved import shelf, statistics
from companion.scenes.home.home import HomeScene
from companion.scenes.home.saved import SavedGameScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from companion.view.window.window import Window
from tests.companion.sample_games import REQUEST, lines_of
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
    shelf.call(odd, "Rainy Sunday")
    shelf.forget()
    assert shelf.saved_games()[0].label == "Rainy Sunday"
    hand = Hand(App()).press("Saved games")
    hand.app.touch(Intent("game", odd.name))
    hand.press("Delete")
    assert shelf.saved_games() == ()
    hand.press("Back", "Saved games", "1 game in the trash").app.touch(Intent("put-back", odd.name))
    assert [game.label for game in shelf.saved_games()] == ["Rainy Sunday"]
    assert odd.exists()


def test_a_game_of_any_name_is_copied_and_saved_for_elsewhere(odd: Path) -> None:
    hand = Hand(App()).press("Saved games")
    hand.app.touch(Intent("game", odd.name))
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
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    shelf.call(games / "e.jsonl", "Evening")
    assert shelf.saved_games()[4].label == "Evening"


# ---- what a process that is gone has left ------------------------------------------------------------------


def test_only_what_was_left_by_a_process_that_is_gone_is_removed(tmp_path: Path) -> None:
    stay = [
        "x.new-\N{SUPERSCRIPT TWO}",
        "x.new-99999999999999999999",
        "x.new-\u0663",
        "x.new-",
        "x.new--1",
        ".new-4194305",
    ]
    stay += ["x.new-1e3", "x.new-0x10", "x.new- 1", f"x.new-{os.getpid()}", "x.new-0"]
    gone = f"x\ny.new-{2**22 + 1}"
    for name in (*stay, gone):
        (tmp_path / name).write_text("x")
    folder = tmp_path / f"folder.new-{2**22 + 1}"
    folder.mkdir()
    storage.sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*stay, folder.name}


def test_a_game_looked_at_has_a_scene_of_its_own(odd: Path) -> None:
    hand = Hand(App()).press("Saved games")
    hand.app.touch(Intent("game", odd.name))
    assert isinstance(hand.app.scene, SavedGameScene)
    assert hand.screen.title == "Ana vs Bo"
