"""A game of General Orders away from its table."""

from __future__ import annotations

from typing import Any

from companion.core.language import _
from companion.games.match import AnyMatch, Match
from companion.games.rules_search import Library, library_of
from companion.games.shelf import Saved
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.story.entries import OrdersTale
from companion.scenes.story.game_log import GameLog
from companion.scenes.story.portrait import Portrait, Sight
from engine.orders.board import load_board
from engine.orders.position import Position


class BoardPortrait(Portrait):
    """The map; sides are called by their colours."""

    def sight(self, position: Position) -> Sight:
        """The map with all pieces."""
        return {"map": map_picture(position, Marks(), None)}

    def seat(self, game: Saved, side: str) -> str:
        """The side itself."""
        del game
        return side

    def log(self, match: AnyMatch) -> GameLog[Any, Any]:
        """The match in words."""
        assert isinstance(match, Match)
        return OrdersTale(match)

    def library(self, game: Saved) -> Library:
        """The rules of the board's mode."""
        return library_of(load_board(game.board).mode, _)


PORTRAIT = BoardPortrait()
