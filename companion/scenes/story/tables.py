"""What other scenes need of a game: its table, for menus, panels and arguments, and its portrait away from it."""

from __future__ import annotations

from typing import Any, Protocol, TypedDict, TypeVar

from companion.games.journal import AnyJournal
from companion.games.match import AnyMatch, GameSession, Match
from companion.games.rules_search import Library
from companion.games.saved.shelf import Saved
from companion.games.saved.statistics import CourseFacts
from companion.scenes.base.panels import Reply
from companion.scenes.base.stage import Scene
from companion.scenes.story.course import course_facts
from companion.scenes.story.game_log import LoggedTable, MatchLog
from companion.scenes.story.presenter import ArgumentQuestion, RulesQuestion, SystemPresenter, Ways
from companion.systems.game_system import Slot
from companion.ui.screen import Button, MapPicture, Picture
from engine.orders.position import Position
from engine.orders.steps import Step

P = TypeVar("P")
S = TypeVar("S")


class MenuTable(LoggedTable, Protocol):
    """A table whose game has a menu."""

    def library(self) -> Library:
        """Return the searchable rules of this game."""

    def readings(self, back: Scene) -> Scene:
        """Open the list of questions that the rules leave open."""

    def straight(self, back: Scene) -> Scene:
        """Open the scene in which players correct the record by hand."""

    def ways(self, back: Scene) -> Ways:
        """Return the menu's additional buttons for this system, each with what opens its scene."""


class GameTable(MenuTable, Protocol[P, S]):
    """A table, as panels and arguments need it."""

    @property
    def match(self) -> GameSession[P, S]:
        """The game."""

    @property
    def position(self) -> P:
        """The position that panels start from."""

    @property
    def presenter(self) -> SystemPresenter[P, S]:
        """The presenter of the game's system."""

    def follow(self, reply: Reply[S]) -> Scene | None:
        """Carry out a panel's reply; return the next scene, None to stay."""

    def offer(self, step: S) -> Scene | None:
        """Take a step if it is legal; return the scene that follows, which is the ruling where it isn't."""

    def with_redo(self, actions: tuple[Button, ...]) -> tuple[Button, ...]:
        """Return the buttons with "Redo" after "Undo", if there is something to redo."""

    def details(self, back: Scene) -> Scene:
        """Open the score of the game as it stands or ended."""

    def questions(self, back: Scene, seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the system's own questions for an argument.

        seat: the half that asks; "" if the screen isn't halved.
        """

    def step_scene(self, number: int, back: Scene) -> Scene:
        """Open the scene of a step (counted from 1), with why it was allowed."""

    def settle(self, question: RulesQuestion[P, S] | None, back: Scene) -> Scene:
        """Open the scene where players record an agreement. question: what was asked before, or None."""


class OrdersTable(GameTable[Position, Step], Protocol):
    """A table of General Orders, as other scenes need it."""

    @property
    def match(self) -> Match:
        """The game."""


AnyTable = GameTable[Any, Any]


# ---- away from its table: on the start page, on the shelf, where it is looked at -------------------


class Sight(TypedDict, total=False):
    """A picture as a keyword argument of `Screen`, under the field for its kind."""

    map: MapPicture
    board: Picture


class Portrait:
    """Presents a system's games away from their table, through the system's presenter."""

    def __init__(self, presenter: SystemPresenter[Any, Any]) -> None:
        self._presenter = presenter

    def sight(self, position: Any) -> Sight:
        """Return a position's picture as a keyword argument of `Screen`."""
        picture = self._presenter.picture(position)
        return {"map": picture} if isinstance(picture, MapPicture) else {"board": picture}

    def seat(self, game: Saved, side: str) -> str:
        """Return the colour of the side with this name in the game's file; the near side's if no side has it."""
        return self._presenter.seats(game.sides)[game.sides.index(side) if side in game.sides else 0]

    def seats(self, sides: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides. sides: their names in the game's file."""
        return self._presenter.seats(sides)

    def standing_words(self) -> str:
        """Return the word for what is counted of each side: "Points"."""
        return self._presenter.standing_words()

    def course(self, journal: AnyJournal) -> CourseFacts:
        """Return the curve, deciding round and fights of a game, for the statistics."""
        return course_facts(self._presenter, journal)

    def log(self, match: AnyMatch) -> MatchLog:
        """Return the log of a game."""
        return MatchLog(match, self._presenter)

    def library(self, _game: Saved) -> Library:
        """Return the searchable rules of a saved game."""
        return self._presenter.library(None)


PORTRAITS = Slot[Portrait]("portrait")
