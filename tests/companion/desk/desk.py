"""A table with the sample game and two named players, for tests of what goes on around a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.app.app import App
from companion.core.storage import games_dir
from companion.games.match import Match
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.touching import Hand

STEPS = played()[0]
PEOPLE = {"red": "Ana", "black": "Bo"}


class Desk(Hand):
    """A hand at a table in the middle of a game."""

    def __init__(self, steps: int | None) -> None:
        self.match = Match.start(games_dir() / "2026-11-21.jsonl", BOARD, "red", BONUSES, PEOPLE)
        for step in STEPS[:steps]:
            assert self.match.offer(step).legal
        super().__init__(App(match=self.match))
        assert isinstance(self.app.scene, BoardTable)
        self.table = self.app.scene

    @property
    def at_table(self) -> bool:
        """Whether the table itself is on stage."""
        return self.app.scene is self.table

    def touch(self, *intents: Intent) -> Desk:
        """Touch things that have no label of their own."""
        for intent in intents:
            self.app.touch(intent)
        return self

    def both_agree(self) -> Desk:
        """Both players touch their buttons."""
        return self.touch(Intent("agree", "red"), Intent("agree", "black"))


DeskOf = Callable[[int | None], Desk]
"""Puts the recorded game on the table after so many steps; None: after all of them."""


def desk_at(folder: Path, monkeypatch: pytest.MonkeyPatch, steps: int | None) -> Desk:
    """Build a desk whose data lie in the folder."""
    monkeypatch.setenv("GUNBAI_DATA", str(folder))
    return Desk(steps)
