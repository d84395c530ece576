"""How a game of any system is shown away from its table: on the start page, on the shelf, where it is looked at."""

from __future__ import annotations

from typing import Any, TypedDict

from companion.games.journal import AnyJournal
from companion.games.match import AnyMatch
from companion.games.rules_search import Library
from companion.games.saved.shelf import Saved
from companion.games.saved.statistics import CourseFacts
from companion.scenes.story.course import course_facts
from companion.scenes.story.game_log import MatchLog
from companion.scenes.story.presenter import SystemPresenter
from companion.systems.game_system import Slot
from companion.ui.screen import MapPicture, Picture


class Sight(TypedDict, total=False):
    """The picture beside a screen's words, as the field of `Screen` that takes it."""

    map: MapPicture
    board: Picture


class Portrait:
    """What the system's presenter shows and says of it."""

    def __init__(self, presenter: SystemPresenter[Any, Any]) -> None:
        self._presenter = presenter

    def sight(self, position: Any) -> Sight:
        """Return a position as a picture."""
        picture = self._presenter.picture(position)
        return {"map": picture} if isinstance(picture, MapPicture) else {"board": picture}

    def seat(self, game: Saved, side: str) -> str:
        """Return the colour of a side named as in its file; the near side's colour if the name is nobody's."""
        return self._presenter.seats(game.sides)[game.sides.index(side) if side in game.sides else 0]

    def seats(self, sides: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides, from their names in the game's file."""
        return self._presenter.seats(sides)

    def standing_words(self) -> str:
        """Return the word for what is counted of each side: "Points"."""
        return self._presenter.standing_words()

    def course(self, journal: AnyJournal) -> CourseFacts:
        """Return the course of a game, for the statistics."""
        return course_facts(self._presenter, journal)

    def log(self, match: AnyMatch) -> MatchLog:
        """Return a game in words."""
        return MatchLog(match, self._presenter)

    def library(self, _game: Saved) -> Library:
        """Return the rules that the game is played by, for looking things up."""
        return self._presenter.library(None)


PORTRAITS = Slot[Portrait]("portrait")
