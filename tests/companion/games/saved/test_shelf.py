"""The saved games on the disk, and the scenes that show them."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from companion.core.errors import MatchError
from companion.games.match import Match
from companion.games.saved import shelf
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.saved import SavedGameScene, SavedScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.table.board_table import BoardTable
from companion.text.saved_games import state, title, when
from companion.ui.screen import Intent
from engine.orders.steps import Pass
from tests.companion.touching import Hand, buttons

TOKENS = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
PASSES = 40  # both sides pass until the last round is over


def put(games: Path, name: str, players: dict[str, str] | None = None, passes: int = 1, at_s: float = 1e9) -> Path:
    path = games / f"{name}.jsonl"
    match = Match.start(path, "sengoku-rivers", "red", TOKENS, players)
    for _turn in range(passes):
        match.offer(Pass())
    match.close()
    os.utime(path, (at_s, at_s))
    return path


# ---- the shelf ------------------------------------------------------------------------------------


def test_the_game_played_last_comes_first(games: Path) -> None:
    put(games, "one", {"red": "Ana"}, at_s=1e9)
    put(games, "two", {"black": "Bia", "red": "Ana"}, at_s=2e9)
    put(games, "over", passes=PASSES, at_s=3e9)
    put(games, "demo-1", {"red": "Robot"}, at_s=4e9)
    (games / "torn.jsonl").write_text("{")
    os.utime(games / "torn.jsonl", (5e9, 5e9))
    found = shelf.saved_games()
    assert [game.path.stem for game in found] == ["torn", "demo-1", "over", "two", "one"]
    last = shelf.last_running(found)
    assert last is not None
    assert last.path.stem == "two", "a game that is over, a demonstration or a torn one is not gone on with"
    assert shelf.known_names(game for game in found if not game.demo) == ("Bia", "Ana")
    assert (found[0].position(), found[0].steps, found[0].factions) == (None, 0, ())
    assert found[0].fault.startswith("not a saved game")


def test_an_empty_shelf(games: Path) -> None:
    assert shelf.saved_games() == shelf.trash().finish().games == ()
    assert shelf.last_running(()) is None


def test_a_file_is_read_once(games: Path, read: list[str]) -> None:
    for number in range(3):
        put(games, f"game-{number}", {"red": "Ana"})
    before = shelf.saved_games()
    read.clear()
    assert shelf.saved_games() == before
    assert read == [], "the index tells what is in the files"
    put(games, "game-1-more")
    shelf.saved_games()
    assert read == ["game-1-more"]


@pytest.mark.parametrize("jump_s", [-50 * 365 * 86400.0, 300 * 365 * 86400.0])
def test_the_game_played_last_comes_first_whatever_the_clock_says(games: Path, jump_s: float) -> None:
    put(games, "first", at_s=1.7e9)
    put(games, "second", at_s=1.7e9 + 60)
    assert [game.path.stem for game in shelf.saved_games()] == ["second", "first"]
    put(games, "third", at_s=1.7e9 + jump_s)
    assert [game.path.stem for game in shelf.saved_games()] == ["third", "second", "first"]
    match = Match.open(games / "first.jsonl")
    match.offer(Pass())
    match.close()
    os.utime(games / "first.jsonl", (1.7e9 + jump_s - 60, 1.7e9 + jump_s - 60))
    assert [game.path.stem for game in shelf.saved_games()] == ["first", "third", "second"]
    last = shelf.last_running(shelf.saved_games())
    assert last is not None
    assert last.path.stem == "first"
    assert when(last.written, datetime(2026, 5, 3)), "a time is a label, however far off"


def test_a_time_beyond_every_calendar_is_a_label_still(games: Path) -> None:
    assert shelf._moment(1e18).year == datetime.fromtimestamp(0).year


def test_a_name_for_a_game_goes_with_it(games: Path) -> None:
    path = put(games, "one")
    shelf.set_label(path, "Rainy Sunday")
    assert shelf.saved_games()[0].label == "Rainy Sunday"
    thrown = shelf.throw_away(path)
    assert shelf.saved_games() == ()
    assert shelf.trash().finish().games[0].label == "Rainy Sunday"
    shelf.put_back(thrown)
    assert shelf.saved_games()[0].label == "Rainy Sunday"
    shelf.set_label(path, "")
    assert shelf.saved_games()[0].label == ""


@pytest.mark.parametrize("content", ["{", "[1]"])
def test_a_broken_file_of_names_costs_only_the_names(games: Path, content: str) -> None:
    path = put(games, "one")
    (games / shelf.LABELS).write_text(content)
    assert shelf.saved_games()[0].label == ""
    shelf.set_label(path, "again")
    assert shelf.saved_games()[0].label == "again"


def test_what_lies_beside_a_game_goes_with_it(games: Path) -> None:
    path = put(games, "one")
    evidence = games / "one.jsonl.evidence"
    evidence.mkdir()
    (evidence / "turn.jpg").write_bytes(b"picture")
    (games / "one.jsonl.broken-1").write_bytes(b"rest")
    thrown = shelf.throw_away(path)
    beside = {file.name for file in thrown.parent.iterdir()}
    assert {"one.jsonl", "one.jsonl.evidence", "one.jsonl.broken-1"} <= beside
    put(games, "one")
    shelf.put_back(thrown)
    assert (games / "one-2.jsonl.evidence" / "turn.jpg").read_bytes() == b"picture", "the name was taken meanwhile"
    assert (games / "one-2.jsonl").exists()


def test_an_open_game_is_not_thrown_away(games: Path) -> None:
    path = put(games, "one")
    match = Match.open(path)
    with pytest.raises(MatchError, match="open in another"):
        shelf.throw_away(path)
    with pytest.raises(MatchError, match="open in another"):
        shelf.discard(path)
    match.close()
    assert path.exists()


def test_only_a_game_without_steps_is_discarded(games: Path) -> None:
    played, new = put(games, "one"), put(games, "new", passes=0)
    (games / "new.jsonl.evidence").mkdir()
    (games / "new.jsonl.clock.json").write_text("{}")
    shelf.discard(played)
    shelf.discard(new)
    assert list(games.glob("new*")) == []
    assert played.exists()
    assert not new.exists()


def test_copies_and_exports_are_games_too(games: Path) -> None:
    path = put(games, "one")
    (games / "one.jsonl.clock.json").write_text("{}")
    assert shelf.copy(path).read_bytes() == path.read_bytes()
    assert (games / "one-2.jsonl.clock.json").exists()
    assert shelf.export(path).read_bytes() == path.read_bytes()
    assert shelf.export(path).name == "one-2.jsonl"


def test_an_export_goes_to_a_memory_stick_where_there_is_one(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(games, "one")
    stick = games.parent / "media" / "gunbai" / "sda1"
    stick.mkdir(parents=True)
    monkeypatch.setattr(Path, "is_mount", lambda self: self == stick)
    exported = shelf.export(path)
    assert exported == stick / "one.jsonl"
    assert list(stick.iterdir()) == [exported]


# ---- words ------------------------------------------------------------------------------------------


def test_a_moment_in_words() -> None:
    today = datetime(2026, 5, 3, 21, 0)
    assert when(datetime(2026, 5, 3, 9, 5), today) == "today, 09:05"
    assert when(datetime(2026, 5, 2, 23, 59), today) == "yesterday, 23:59"
    assert when(datetime(2025, 12, 24, 18, 0), today) == "24 December 2025"


def test_a_game_in_words(games: Path) -> None:
    put(games, "one", {"red": "Ana"}, at_s=5e9)
    put(games, "over", {"black": "Bia"}, passes=PASSES, at_s=4e9)
    put(games, "demo-7", at_s=3e9)
    (games / "torn.jsonl").write_text("{")
    os.utime(games / "torn.jsonl", (2e9, 2e9))
    told = [(title(game), state(game)) for game in shelf.saved_games()]
    assert told[0] == ("Ana vs Black", "round 1, Black to move")
    assert told[1][0] == "Red vs Bia"
    assert told[1][1] in ("Red has won", "Bia has won")
    assert told[2][0] == "Demo 7"
    assert told[3] == ("torn", "can't be opened")


# ---- the scenes ---------------------------------------------------------------------------------------


def rows(hand: Hand) -> list[str]:
    """Return what the buttons of the games say."""
    listed = [button for button in buttons(hand.screen.blocks) if button.intent.verb in ("game", "put-back")]
    return [f"{button.label}\n{button.note}" for button in listed]


def look_at(hand: Hand, name: str) -> SavedGameScene:
    hand.press("Saved games").app.touch(Intent("game", f"{name}.jsonl"))
    assert isinstance(hand.app.scene, SavedGameScene)
    return hand.app.scene


def test_the_list_tells_who_how_far_and_when(hand: Hand, games: Path) -> None:
    put(games, "one", {"red": "Ana", "black": "Bia"})
    hand.press("Saved games")
    assert rows(hand) == ["Ana vs Bia\nround 1, Bia to move · 9 September 2001"]
    assert isinstance(hand.press("Back").app.scene, HomeScene)


def test_a_game_is_opened_from_the_list(hand: Hand, games: Path) -> None:
    put(games, "one")
    look_at(hand, "one")
    assert hand.screen.map is not None
    assert isinstance(hand.press("Continue").app.scene, BoardTable)


def test_a_game_that_is_over_is_looked_at(hand: Hand, games: Path) -> None:
    put(games, "over", passes=PASSES)
    look_at(hand, "over")
    hand.press("View")
    assert hand.position.winner_name


def test_a_game_gets_a_name(hand: Hand, games: Path) -> None:
    put(games, "one", {"red": "Ana", "black": "Bia"})
    look_at(hand, "one")
    hand.press("Rename")
    assert isinstance(hand.app.scene, TypingScene)
    for letter in "Rainy":
        hand.app.touch(Intent("type", letter))
    hand.press("Done")
    assert hand.screen.title == "Rainy"
    assert "Ana vs Bia" in hand.text()
    assert rows(hand.press("Back"))[0].startswith("Rainy\n")


def test_a_disk_that_refuses_is_told(hand: Hand, games: Path) -> None:
    put(games, "one")
    look_at(hand, "one")
    (games.parent / "exports").write_text("a file where the folder belongs")
    hand.press("Save to a file")
    assert "exports" in hand.screen.banner


def test_a_game_is_thrown_away_by_a_touch_and_put_back_by_another(hand: Hand, games: Path) -> None:
    path = put(games, "one", {"red": "Ana", "black": "Bia"})
    look_at(hand, "one")
    hand.press("Delete")
    assert isinstance(hand.app.scene, SavedScene)
    assert hand.screen.banner == "“Ana vs Bia” moved to the trash."
    assert (rows(hand), path.exists()) == ([], False)
    hand.press("Undo")
    assert hand.screen.banner == "“Ana vs Bia” restored."
    assert (len(rows(hand)), path.exists()) == (1, True)


def test_the_trash_can_be_left(hand: Hand, games: Path) -> None:
    shelf.throw_away(put(games, "one"))
    hand.press("Saved games", "1 game in the trash", "Back")
    assert isinstance(hand.app.scene, SavedScene)
    assert isinstance(hand.press("New game").app.scene, SetupScene)


def test_a_file_that_is_no_game_says_what_is_wrong(hand: Hand, games: Path) -> None:
    (games / "torn.jsonl").write_text("{")
    look_at(hand, "torn")
    assert "Gunbai can't open this file." in hand.text()
    assert [button.label for button in hand.all_buttons()] == ["Save to a file", "Details", "Delete", "Back"]
    assert "not a saved game" in hand.press("Details").text()
    assert "Gunbai can't open this file." in hand.press("Back").text()


def test_a_damaged_end_says_how_far_it_opens(hand: Hand, games: Path) -> None:
    path = put(games, "one")
    path.write_bytes(path.read_bytes() + b'{"pa')
    [found] = shelf.saved_games()
    assert (found.running, "cut off" in found.fault) == (True, True)
    look_at(hand, "one")
    assert "opens up to that point" in hand.text()
    hand.press("Continue")
    assert "step 1" in hand.screen.banner


def test_a_game_that_went_meanwhile_leads_nowhere(hand: Hand, games: Path) -> None:
    hand.press("Saved games").app.touch(Intent("game", "gone.jsonl"))
    assert isinstance(hand.app.scene, SavedScene)
