"""Reviews to test with: of the recorded game, at a glance, so that they cost little."""

from __future__ import annotations

from functools import cache

from engine.orders.player import Level
from engine.orders.player.review import ReviewedTurn, review
from tests.companion.sample_games import played

GLANCE = Level("glance", 0)


@cache
def reviewed(steps: int | None = None) -> tuple[ReviewedTurn, ...]:
    """Return the review of the recorded game, or of its first so many steps."""
    done, positions = played()
    done = done[:steps]
    return tuple(review(positions[: len(done) + 1], done, GLANCE))
