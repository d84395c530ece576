"""What tests of practice and of puzzles share: somebody who says at once what a turn that was tried is worth."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.scenes.learn import practice
from engine.orders.player.choice import Candidate, Comparison
from engine.orders.player.prospects import Turn
from engine.orders.player.reasons import Reason
from engine.orders.position import Position
from engine.orders.steps import Pass

REASONS = (Reason("takes", ("c4",), 2), Reason("waits"))


class Judge:
    """chance: of the turn that was taken; best: of the best one, a pass; position: the last that it was asked about."""

    chance, best = 0.4, 0.6
    position: Position | None = None

    def __call__(self, position: Position, turn: Turn) -> Iterator[Comparison]:
        self.position = position
        yield Comparison(Candidate(turn, self.chance, (), REASONS), Candidate(Pass(), self.best, (), ()))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Have turns that are tried judged at once."""
    found = Judge()
    monkeypatch.setattr(practice, "comparison", found)
    return found
