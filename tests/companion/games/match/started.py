"""A game that was just started."""

from __future__ import annotations

from pathlib import Path

from companion.games.match import Match
from tests.companion.sample_games import BOARD, BONUSES


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES, {"red": "Mali", "black": "Bo"})
