"""Scenes around games of all three systems: home, the choice of the game, the shelf."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import engine
from companion.core import storage
from companion.demo.game_demo import DEMOS
from companion.games import checksums
from companion.games.match import Match, open_game
from companion.scenes.home.home import GamesScene
from companion.scenes.home.only_look import OnlyLookScene
from companion.scenes.home.statistics import StatisticsScene
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.gallery.rooms.begin import read_all
from tests.companion.other_games import begun, file_of
from tests.companion.sample_games import BOARD, BONUSES, TAKEN, played
from tests.companion.touching import Hand

AT_S = datetime(2026, 5, 3, 20, 15).timestamp()


def put(system: str, *, over: bool = False) -> None:
    """Put a game on the shelf, played on an evening in May."""
    games = storage.games_dir()
    path = file_of(games, system, over=True, name=f"{system}-over") if over else _running(system)
    os.utime(path, (AT_S + over, AT_S + over))


def _running(system: str) -> os.PathLike[str]:
    sides = {"sonae": ("maru", "shikaku"), "generals": ("red", "black")}[system]
    match = begun(storage.games_dir() / f"{system}.jsonl", system, dict(zip(sides, ("Ana", "Takeshi"), strict=True)))
    match.close()
    return match.path


def own_battle() -> None:
    """Put a battle of one's own on the shelf: the one that comes with Gunbai, said to be an owner's."""
    text = (Path(engine.__file__).parent / "data" / "sonae" / "maru-shikaku.toml").read_text(encoding="utf-8")
    folder = storage.data_dir() / "scenarios"
    folder.mkdir(parents=True)
    told = re.sub("^note = .*$", "", text.replace('known = "practice"', 'known = "owner"'), flags=re.MULTILINE)
    (folder / "ford.toml").write_text(told, encoding="utf-8")


def shelf(_hand: Hand) -> None:
    """Fill the shelf with a game of each system that is under way, and one that is over."""
    for system in ("sonae", "generals"):
        put(system)
        put(system, over=True)


@scene
def saved_of_all_systems(hand: Hand) -> None:
    shelf(hand)
    read_all(hand)


@scene
def games_to_choose(hand: Hand) -> None:
    hand.app.scene = GamesScene(hand.app.stage, hand.app.home, hand.app.home)


@scene
def demonstrations_to_choose(hand: Hand) -> None:
    stage = hand.app.stage
    equip(stage, demonstration=lambda system: DEMOS.of(system).demonstration(1, stage.board))
    hand.press("More", "Watch a demo")


@scene
def statistics_of_all_systems(hand: Hand) -> None:
    shelf(hand)
    hand.press("Statistics")
    scene = hand.app.scene
    assert isinstance(scene, StatisticsScene)
    scene.wait()
    hand.intent(Intent("tab", "sonae"))


# ---- games that are only to be looked at: a newer Gunbai went on, or the rules refuse a step ---------

NEWER = {"teleport": "c4", "format": 2}


def _game(step: dict[str, Any]) -> Path:
    """Write a game of two people that ends with this step."""
    match = Match.start(storage.games_dir() / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Takeshi"})
    for played_step in played()[0][:9]:
        assert match.offer(played_step).legal
    match.close()
    return _with(match.path, step)


def _with(path: Path, step: dict[str, Any]) -> Path:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, checksums.with_checksum(step, lines)]))
    return path


def _begun(path: Path) -> Path:
    """Mark the game as begun by a newer Gunbai."""
    first, *_steps = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(checksums.with_checksum({**checksums.plain(json.loads(first)), "format": 2}, ()))
    return path


def _look(hand: Hand, path: Path) -> None:
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(path), hand.app.home)


scenes_after(
    __name__,
    {
        "home_with_a_battle": (lambda hand: put("sonae"), Intent("hush")),
        "home_with_a_duel": (lambda hand: put("generals"), Intent("hush")),
        # nothing to go on with: a new battle is what a table of miniatures wants
        "home_after_a_battle": (lambda hand: put("sonae", over=True), Intent("hush")),
        "saved_battle": (lambda hand: put("sonae"), "Saved games", Intent("game", "sonae.jsonl")),
        "saved_duel": (lambda hand: put("generals"), "Saved games", Intent("game", "generals.jsonl")),
        "own_battles": (lambda hand: own_battle(), "More", "Your battles"),
        "own_battle_alone": ("own_battles", Intent("battle", "ford")),
        "home_newcomer": (at_home, Intent("hush")),
        "own_battles_none": (at_home, "More", "Your battles"),
        # a game whose rest was played with a newer Gunbai
        "newer_game": (lambda hand: _look(hand, _game(NEWER)),),
        "newer_game_earlier": ("newer_game", *["Earlier"] * 9),
        # before it is looked at
        "newer_game_on_the_shelf": (lambda hand: _game(NEWER), Intent("hush"), "Saved games", "Ana vs Takeshi"),
        # a game of which the rules refuse the step that comes next
        "refused_game": (lambda hand: _look(hand, _game(TAKEN)),),
        # a battle that a newer Gunbai went on with
        "newer_battle": (lambda hand: _look(hand, _with(file_of(storage.games_dir(), "sonae"), NEWER)),),
        # a game of cards that a newer Gunbai began
        "newer_duel": (lambda hand: _look(hand, _begun(file_of(storage.games_dir(), "generals"))),),
    },
)
