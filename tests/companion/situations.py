"""How a game of General Orders stands, for tests of what is around a table."""

from __future__ import annotations

from pathlib import Path

from companion.games.match import Match
from companion.games.status import Rounds, Situation
from engine.orders.game import owed
from engine.orders.position import Position

NOWHERE = Path("game.jsonl")


def stands(
    position: Position, game: Path = NOWHERE, steps: int = 0, waits_for: frozenset[str] | None = None
) -> Situation:
    """Return a position as its table would tell of it, to whoever is not named to be waited for."""
    due = owed(position)
    asked = position.to_move_name if due is None else due.by
    return Situation(
        game=game,
        position=position,
        steps=steps,
        sides=position.board.factions,
        asked_side=asked,
        waits_for=frozenset({asked}) if waits_for is None else waits_for,
        winner=position.winner_name,
        rounds=Rounds(position.round, position.board.mode.rounds, position.initiative_name),
    )


def of(match: Match) -> Situation:
    """Return a match as its table would tell of it."""
    return stands(match.position, match.path, len(match.steps))
