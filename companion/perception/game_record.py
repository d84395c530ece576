"""A game as it stood at one moment: what the table is held against."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.match import Match
from engine.orders.position import Position
from engine.orders.steps import Pass, Step
from engine.orders.turn import ready


@dataclass(frozen=True, slots=True, eq=False)
class GameRecord:
    """The steps so far, the start and the position after each of them, and the position that a next turn begins in.

    To play on passes by the windows that only cards hold open, so `turn_start` may lie behind the last position.
    """

    steps: tuple[Step, ...]
    positions: tuple[Position, ...]
    turn_start: Position

    @property
    def position(self) -> Position:
        """The position that the game has come to."""
        return self.positions[-1]


def record_of(match: Match) -> GameRecord:
    """Return the record of a match as it stands now."""
    return GameRecord(match.steps, match.positions, ready(match.position, Pass()))
