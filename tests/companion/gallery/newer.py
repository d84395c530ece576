"""Scenes of games that are only to be looked at: a newer Gunbai went on with them, or the rules refuse a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.core import storage
from companion.games import checksums
from companion.games.match import Match, open_game
from companion.scenes.home.only_look import OnlyLookScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene
from tests.companion.other_games import file_of
from tests.companion.sample_games import BOARD, BONUSES, TAKEN, played
from tests.companion.touching import Hand

NEWER = {"teleport": "c4", "format": 2}


def _game(step: dict[str, Any]) -> Path:
    """A game of two people that ends with this step."""
    match = Match.start(storage.games_dir() / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Takeshi"})
    for one in played()[0][:9]:
        assert match.offer(one).legal
    match.close()
    return _with(match.path, step)


def _with(path: Path, step: dict[str, Any]) -> Path:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, checksums.with_checksum(step, lines)]))
    return path


def _begun(path: Path) -> Path:
    """The game, said to have been begun by a newer Gunbai."""
    first, *_steps = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(checksums.with_checksum({**checksums.plain(json.loads(first)), "format": 2}, ()))
    return path


def _look(hand: Hand, path: Path) -> None:
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(path), hand.app.home)


@scene
def newer_game(hand: Hand) -> None:
    """The rest was played with a newer Gunbai."""
    _look(hand, _game(NEWER))


@scene
def newer_game_earlier(hand: Hand) -> None:
    """Its start."""
    _look(hand, _game(NEWER))
    hand.press(*["Earlier"] * 9)


@scene
def newer_game_on_the_shelf(hand: Hand) -> None:
    """Before it is looked at."""
    _game(NEWER)
    hand.app.touch(Intent("hush"))
    hand.press("Saved games", "Ana against Takeshi")


@scene
def refused_game(hand: Hand) -> None:
    """The rules refuse the step that comes next."""
    _look(hand, _game(TAKEN))


@scene
def newer_battle(hand: Hand) -> None:
    """A battle that a newer Gunbai went on with."""
    _look(hand, _with(file_of(storage.games_dir(), "sonae"), NEWER))


@scene
def newer_duel(hand: Hand) -> None:
    """A game of cards that a newer Gunbai began."""
    _look(hand, _begun(file_of(storage.games_dir(), "generals")))
