"""What the shelf, the health check, the statistics and the commands make of newer games."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.checks import health
from companion.cli import main
from companion.games.journal import read_game
from companion.games.saved import index_file, shelf
from companion.games.saved.statistics import Gathered, gather
from tests.companion.games.newer.newer_steps import NEWER, begun, lying, newer_start, went_on
from tests.companion.sample_games import BOARD, TAKEN

SAID = "isn't a step this Gunbai knows"


def test_the_shelf_offers_to_look_at_it(games: Path) -> None:
    path = went_on(begun(games), NEWER)
    (game,) = shelf.saved_games()
    assert (game.readable, game.running, bool(game.look_only), game.steps) == (True, False, True, 6)
    assert SAID in game.fault
    assert shelf.last_running([game]) is None
    assert shelf.export(path).read_bytes() == path.read_bytes() == shelf.copy(path).read_bytes()
    assert shelf.put_back(shelf.throw_away(path)).read_bytes() == shelf.saved_games()[0].path.read_bytes()


def test_a_newer_gunbai_looks_at_it_anew(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on(begun(games), NEWER)
    assert shelf.saved_games()[0].look_only
    read: list[Path] = []

    def reading(path: Path) -> Any:
        read.append(path)
        return read_game(path)

    monkeypatch.setattr(shelf, "read_game", reading)
    shelf.saved_games()
    assert read == [], "the same one knows it already"
    monkeypatch.setattr(index_file, "__version__", "99.0")
    shelf.saved_games()
    assert len(read) == 1


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


def test_replay_goes_as_far_as_it_understands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_step_that_the_rules_refuse_ends_a_replay_with_a_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = went_on(begun(tmp_path), TAKEN)
    before = lying(tmp_path)
    assert main(["replay", str(path)]) == 1
    assert "against the rules" in capsys.readouterr().err
    assert lying(tmp_path) == before


@pytest.mark.parametrize("command", [["score"], ["check", "pass"]], ids=["score", "check"])
def test_other_commands_say_so_and_take_the_last_position_they_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    assert main([command[0], str(path), *command[1:]]) in (0, 1)
    out, err = capsys.readouterr()
    assert out
    assert SAID in err
    assert lying(tmp_path) == before
