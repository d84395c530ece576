"""Newer games on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.match import Match, open_game
from companion.games.saved import shelf
from companion.scenes.base.stage import Table
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.only_look import OnlyLookScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from tests.companion.games.newer.newer_steps import NEWER, STEPS, begun, lying, newer_start, went_on
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import TAKEN
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
