"""A recorder beside a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.match import Match
from tests.companion.sample_games import BOARD, BONUSES


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
