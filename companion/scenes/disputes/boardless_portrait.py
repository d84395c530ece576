"""A game without a board away from its table, as the presenter of its system has it."""

from __future__ import annotations

from typing import Any

from companion.core.language import _
from companion.games.match import AnyMatch
from companion.games.rules_search import Library, book_library
from companion.games.shelf import Saved
from companion.scenes.disputes.narration import PlayTale
from companion.scenes.story.game_log import GameLog
from companion.scenes.story.portrait import Portrait, Sight
from companion.scenes.story.presenter import SystemPresenter


class BoardlessPortrait(Portrait):
    """What the presenter shows and says."""

    def __init__(self, presenter: SystemPresenter[Any, Any]) -> None:
        self._presenter = presenter

    def sight(self, position: Any) -> Sight:
        """The presenter's picture."""
        return {"board": self._presenter.picture(position)}

    def seat(self, game: Saved, side: str) -> str:
        """The colour of the place where the side sits."""
        return self._presenter.seats[game.sides.index(side) if side in game.sides else 0]

    def log(self, match: AnyMatch) -> GameLog[Any, Any]:
        """The game in the presenter's words."""
        return PlayTale(match, self._presenter)

    def library(self, game: Saved) -> Library:
        """The book of the system."""
        del game
        return book_library(self._presenter.rules(), self._presenter.readings(), _)
