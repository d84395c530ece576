"""A game of General Orders being played, and any saved game opened as what it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from companion.games.opponent import Opponent, opponent_of
from companion.games.session import GameSession, open_file, remark
from companion.systems.game_system import Slot
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Step

__all__ = ["AnyMatch", "Match", "open_game", "remark"]

AnyMatch = GameSession[Any, Any]


class Match(GameSession[Position, Step]):
    """A game of General Orders."""

    SYSTEM: ClassVar[str] = "orders"

    @classmethod
    def start(
        cls,
        path: Path,
        board_name: str,
        initiative: str,
        bonuses: Mapping[str, str],
        players: Mapping[str, str] | None = None,
    ) -> Self:
        """Begin a game in a new file; EngineError for a wrong board or bonuses, MatchError for a file that is there."""
        request: dict[str, object] = {"board": board_name, "initiative": initiative, "bonuses": dict(bonuses)}
        if players:
            request["players"] = dict(players)
        return cls.begin(path, request)

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.position.board

    @property
    def opponent(self) -> Opponent | None:
        """The side that the app plays; None where two people play."""
        return opponent_of(self.request, self.board.factions)


SESSIONS = Slot[type[AnyMatch]]("session")


def open_game(path: Path) -> AnyMatch:
    """Open a saved game of any system, as `GameSession.open` does."""
    file, journal = open_file(path)
    return SESSIONS.of(journal.system.name).of(file, journal)
