"""A system of rules is plugged in by its rooms, its value and one line; nothing else in the house knows its name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from companion.app.app import App
from companion.cli import main
from companion.core.storage import games_dir
from companion.crash.report import crash_of, report
from companion.games.match import AnyMatch, open_game
from companion.games.saved.shelf import saved_games
from companion.games.saved.statistics import gather, wins
from companion.scenes.base.stage import Table
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.saved import SavedGameScene
from companion.scenes.home.statistics import StatisticsScene
from companion.settings.layers import Settings
from companion.text.saved_games import board_of, other_system, state
from companion.ui.screen import Intent, LogTurn, Slip, Text
from companion.view.window import display
from engine import systems
from engine.referee import reply
from tests.companion import pebbles
from tests.companion.commands.terminal import Capture, written
from tests.companion.plain_tables import PlainTable
from tests.companion.touching import Hand


@pytest.fixture(autouse=True)
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value, as a module of `companion.systems` would hold it, and the one line."""
    monkeypatch.setitem(sys.modules, "companion.systems.pebbles", pebbles)
    monkeypatch.setitem(systems.SYSTEMS, "pebbles", lambda: pebbles.PEBBLES)


@pytest.fixture
def table(hand: Hand) -> PlainTable:
    """Return the table of a game that was begun from home."""
    hand.press("Pebbles", "Begin")
    assert isinstance(hand.app.scene, PlainTable)
    return hand.app.scene


def take(hand: Hand, *numbers: int) -> None:
    """Take pebbles by touch."""
    table = hand.app.scene
    assert isinstance(table, PlainTable)
    for n in numbers:
        table.ready = pebbles.Take(n)
        hand.press("Confirm")


def saved(match: AnyMatch) -> Path:
    """Return the game's file, once the game is left."""
    match.close()
    return match.path


def test_it_stands_in_the_lists_of_games(hand: Hand) -> None:
    assert "stones" in [button.note for button in hand.all_buttons()], "at home"
    hand.press("New game").intent(Intent("boards"))
    assert "Pebbles" in [button.label for button in hand.all_buttons()], "among the boards"
    hand.press("Pebbles", "Another game")
    slips = [block.title for block in hand.screen.blocks if isinstance(block, Slip)]
    assert slips == ["General Orders", "Sonae", "Generals Order", "Pebbles"]


def test_it_is_played_told_and_argued_about(hand: Hand, table: PlainTable) -> None:
    take(hand, 2)
    assert "5 left" in hand.text()
    hand.app.touch(Intent("log"))
    lines = [line.text for block in hand.screen.blocks if isinstance(block, LogTurn) for line in block.lines]
    assert lines == ["Ana takes 2."]
    hand.press("Back")
    take(hand, 3)
    assert isinstance(hand.app.scene, RulingScene)
    assert "3 are too many" in repr(hand.screen.blocks)
    hand.press("Back")
    assert len(table.match.steps) == 1


def test_it_is_saved_and_gone_on_with(hand: Hand, table: PlainTable, tmp_path: Path) -> None:
    take(hand, 1)
    path = saved(table.match)
    again = open_game(path)
    assert (again.system, again.steps, again.position.left) == (pebbles.PEBBLES, (pebbles.Take(1),), 6)
    again.close()
    home = Hand(App())
    assert isinstance(home.app.scene, HomeScene)
    assert home.screen.board is not None
    assert "Bo to act" in home.text()
    home.press("Rules")
    assert "Taking" in [block.title for block in home.screen.blocks if isinstance(block, Slip)]
    home.press("Back", "Continue last game")
    assert isinstance(home.app.scene, Table)
    home.app.scene.match.close()


def test_the_shelf_knows_it(hand: Hand, table: PlainTable) -> None:
    path = saved(table.match)
    [game] = saved_games()
    assert (game.readable, game.running, game.system) == (True, True, "pebbles")
    assert (board_of(game), other_system(game), state(game)) == ("Pebbles: A heap", "Pebbles", "turn 1, Ana to act")
    home = Hand(App()).press("Saved games").intent(Intent("game", path.name))
    assert isinstance(home.app.scene, SavedGameScene)
    assert home.screen.board is not None


def test_a_game_of_a_newer_gunbai_is_looked_at(hand: Hand, table: PlainTable) -> None:
    take(hand, 1)
    path = saved(table.match)
    path.write_bytes(path.read_bytes() + b'{"fly": true}\n')
    hand = Hand(App()).press("Saved games").intent(Intent("game", path.name)).press("View")
    assert "Turn 2 – step 1 of 1" in hand.text()
    assert "Ana takes 1." in hand.text()


def test_it_is_counted(hand: Hand, table: PlainTable) -> None:
    take(hand, 2, 2, 2, 1)
    saved(table.match)
    found = gather(games_dir())
    assert wins(found.games) == {"Bo": (1, 1), "Ana": (0, 1)}
    scene = StatisticsScene(games_dir(), HomeScene(hand.app.stage))
    scene.wait()
    scene.touch(Intent("tab", "pebbles"))
    told = [
        inner.text for block in scene.show().blocks for inner in getattr(block, "left", ()) if isinstance(inner, Text)
    ]
    assert told == ["1 game started · 1 finished", "Average turns: 5", "A heap"]


def test_a_report_of_a_fault_has_its_steps(hand: Hand, table: PlainTable) -> None:
    take(hand, 1)
    told = report(crash_of(ValueError("odd"), "PlainTable", saved(table.match)), Settings())
    assert '{"do": "new", "system": "pebbles", "format": 1, "pile": "heap"}' in told
    assert '{"take": 1}' in told
    assert "Ana" not in told


def test_the_commands_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    game = written(tmp_path / "g.jsonl", {"do": "new", "system": "pebbles", "pile": "heap"}, {"take": 2})
    assert main(["score", game]) == 0
    assert "turn 2, the game goes on" in capsys.readouterr().out
    assert main(["score", game, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sides"] == {"red": {"turns": 1}, "black": {"turns": 0}}
    assert main(["replay", game]) == 0
    assert capsys.readouterr().out.startswith("7 pebbles lie there.\n   1  turn 1    Near takes 2.")
    assert main(["check", game, '{"take": 3}']) == 1
    assert "3 are too many" in capsys.readouterr().out
    monkeypatch.setattr(display, "has_screen", lambda: False)
    assert main(["demo", "--system", "pebbles", "--pictures", str(tmp_path / "shots")]) == 0
    assert "red wins: the last pebble" in capsys.readouterr().out


def test_the_referee_judges_it() -> None:
    answer = reply('{"do": "check", "position": {"system": "pebbles", "pile": "heap", "left": 1, "moved": 6}, '
                   '"steps": [{"take": 2}]}')  # fmt: skip
    assert "2 are too many" in json.dumps(answer)
