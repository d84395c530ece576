"""Newer games on the screen and the shelf, in the health check, the statistics and the commands."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from companion.app.app import App
from companion.checks import health
from companion.cli import main
from companion.games.match import Match, open_game
from companion.games.saved import index_file, shelf
from companion.games.saved.statistics import Gathered, gather
from companion.scenes.base.stage import Table
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.only_look import OnlyLookScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from tests.companion.commands.terminal import Capture
from tests.companion.games.newer.newer_steps import NEWER, STEPS, begun, lying, newer_start, went_on
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import BOARD, TAKEN
from tests.companion.touching import Hand


def labels(hand: Hand) -> set[str]:
    return {button.label for button in hand.all_buttons()}


def test_it_is_looked_at_from_the_shelf_and_nothing_changes(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    went_on(begun(tmp_path / "games"), NEWER)
    hand.app.touch(Intent("hush"))
    assert "Continue last game" not in labels(hand)
    before = lying(tmp_path)
    hand.press("Saved games", "Ana vs Bo")
    assert "This Gunbai can't replay it to the end" in hand.text()
    hand.press("View")
    assert isinstance(hand.app.scene, OnlyLookScene)
    assert "The rest of this game was played with a newer Gunbai." in hand.text()
    assert "step 6 of 6" in hand.text()
    assert labels(hand) == {"Home", "Earlier", "Later", "Play on from here in a copy"}
    hand.app.stage.change(clock_minutes=10)
    for second in range(200):
        hand.app.tick(float(second))
    hand.press(*["Earlier"] * 9)
    assert "step 0 of 6" in hand.text()
    hand.press(*["Later"] * 9)
    for verb in ("undo", "deploy", "now", "unsaved", "lock", "page"):
        hand.app.touch(Intent(verb))
    assert (hand.app.table, hand.screen.map is not None) == (None, True)
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)
    after = lying(tmp_path)
    assert {name for name in after.keys() | before.keys() if after.get(name) != before.get(name)} <= {
        "games/index.json"
    }


def test_a_copy_is_gone_on_with_at_the_table(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    path = went_on(begun(tmp_path / "games"), NEWER)
    before = path.read_bytes()
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(path), hand.app.home)
    hand.press("Earlier", "Play on from here in a copy")
    assert isinstance(hand.app.scene, BoardTable)
    assert hand.app.table is hand.app.scene
    copied = hand.app.scene.match
    assert (copied.path.name, path.read_bytes()) == ("game-2.jsonl", before)
    assert copied.steps == STEPS[: len(copied.steps)]
    assert copied.offer(STEPS[len(copied.steps)]).legal
    copied.close()
    assert {game.label for game in shelf.saved_games()} == {"", "Ana vs Bo, copy"}


def test_the_ruling_against_a_step_is_shown(hand: Hand, tmp_path: Path) -> None:
    match = open_game(went_on(begun(tmp_path), TAKEN))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "The next step breaks the rules: " in hand.text()


def test_a_damaged_end_of_what_a_newer_gunbai_began_is_not_called_newer(hand: Hand, tmp_path: Path) -> None:
    match = open_game(went_on(newer_start(begun(tmp_path)), rest=b'{"pass": tr'))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "This game was started in a newer Gunbai." in hand.text()


def test_a_game_of_too_many_steps_says_so(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("companion.games.journal", "companion.scenes.home.only_look"):
        monkeypatch.setattr(f"{place}.MOST_STEPS", 4)
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(begun(tmp_path)), hand.app.home)
    assert "This game is too long for Gunbai to follow." in hand.text()


@pytest.mark.parametrize("system", SYSTEMS)
def test_games_of_every_system_are_looked_at(hand: Hand, tmp_path: Path, system: str) -> None:
    match = open_game(newer_start(file_of(tmp_path, system)))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "This game was started in a newer Gunbai." in hand.text()
    assert hand.screen.board is not None
    hand.press("Earlier", "Earlier", "Play on from here in a copy")
    assert isinstance(hand.app.scene, Table)
    assert not hand.app.scene.match.look_only


def test_a_start_that_was_begun_newer_is_told_on_the_shelf(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    newer_start(begun(tmp_path / "games"))
    hand.app.touch(Intent("hush"))
    hand.press("Saved games", "Ana vs Bo")
    assert "This game was started in a newer Gunbai." in hand.text()


def test_play_opens_it_to_look_at(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    app = App(match=open_game(path))
    assert isinstance(app.scene, OnlyLookScene)
    assert app.table is None
    app.tick(0.0)
    assert lying(tmp_path) == before


def test_after_a_fault_of_our_own_it_is_looked_at_again(hand: Hand, tmp_path: Path) -> None:
    match = Match.open(begun(tmp_path))
    hand.app.scene = hand.app.table = BoardTable(hand.app.stage, match, hand.app.home)
    hand.app.show_crash(ValueError("ours"))
    assert isinstance(hand.app.scene, CrashScene)
    went_on(match.path, NEWER)
    hand.press("Continue")
    assert isinstance(hand.app.scene, OnlyLookScene)


SAID = "isn't a step this Gunbai knows"


def test_the_shelf_offers_to_look_at_it(games: Path) -> None:
    path = went_on(begun(games), NEWER)
    (game,) = shelf.saved_games()
    assert (game.readable, game.running, bool(game.look_only), game.steps) == (True, False, True, 6)
    assert SAID in game.fault
    assert shelf.last_running([game]) is None
    assert shelf.export(path).read_bytes() == path.read_bytes() == shelf.copy(path).read_bytes()
    assert shelf.put_back(shelf.throw_away(path)).read_bytes() == shelf.saved_games()[0].path.read_bytes()


def test_a_newer_gunbai_looks_at_it_anew(games: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    went_on(begun(games), NEWER)
    assert shelf.saved_games()[0].look_only
    shelf.saved_games()
    assert read == ["game"], "the same one knows it already"
    monkeypatch.setattr(index_file, "__version__", "99.0")
    shelf.saved_games()
    assert read == ["game", "game"]


def test_a_game_whose_only_steps_are_newer_is_not_thrown_away(games: Path) -> None:
    path = went_on(begun(games, steps=0), NEWER)
    before = lying(games)
    shelf.discard(path)
    assert lying(games) == before


def test_the_self_check_calls_it_no_damage(games: Path) -> None:
    went_on(begun(games), NEWER)
    assert health.games()[0] == "ok"


def test_statistics_leave_it_out(games: Path) -> None:
    went_on(begun(games), NEWER).rename(games / "went-on.jsonl")
    shutil.rmtree(games / "game.jsonl.evidence")
    newer_start(begun(games)).rename(games / "begun.jsonl")
    assert gather(games) == Gathered((), ("begun.jsonl", "went-on.jsonl"))


def test_a_copy_of_all_games_has_every_byte_and_gives_it_back(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went_on(begun(games), NEWER)
    before = lying(games)
    assert main(["backup", "--to", str(tmp_path / "copies")]) == 0
    (copied,) = (tmp_path / "copies").iterdir()
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "other"))
    assert main(["restore", str(copied)]) == 0
    after = lying(tmp_path / "other" / "games")
    assert after == {name: data for name, data in before.items() if ".evidence" not in name}


def test_replay_goes_as_far_as_it_understands(tmp_path: Path, capsys: Capture) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    assert main(["replay", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "round 1" in out
    said = "line 8 isn't a step this Gunbai knows (written by a newer Gunbai); opened up to step 6"
    assert err == f"gunbai: note: {path}: {said}\n"
    assert main(["replay", str(newer_start(path)), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["board"] == BOARD
    assert f"{path}: started in a newer Gunbai; line 8 isn't a step" in err
    assert lying(tmp_path).keys() == before.keys()


def test_a_step_that_the_rules_refuse_ends_a_replay_with_a_no(tmp_path: Path, capsys: Capture) -> None:
    path = went_on(begun(tmp_path), TAKEN)
    before = lying(tmp_path)
    assert main(["replay", str(path)]) == 1
    assert "against the rules" in capsys.readouterr().err
    assert lying(tmp_path) == before


@pytest.mark.parametrize("command", [["score"], ["check", "pass"]], ids=["score", "check"])
def test_other_commands_say_so_and_take_the_last_position_they_know(
    tmp_path: Path, capsys: Capture, command: list[str]
) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    assert main([command[0], str(path), *command[1:]]) in (0, 1)
    out, err = capsys.readouterr()
    assert out
    assert SAID in err
    assert lying(tmp_path) == before
