"""A game as what lies around it needs it: its table for the log, the menu, panels and arguments, and its portrait."""

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
        """Return the rules for looking things up."""

    def readings(self, back: Scene) -> Scene:
        """Open the list of questions that the rules leave open."""

    def straight(self, back: Scene) -> Scene:
        """Open the form for correcting the record by hand."""

    def ways(self, back: Scene) -> Ways:
        """Return what else can be done with a game of this system."""


class GameTable(MenuTable, Protocol[P, S]):
    """The table of a game, as its panels and arguments need it."""

    @property
    def match(self) -> GameSession[P, S]:
        """The game."""

    @property
    def position(self) -> P:
        """The position to go on from."""

    @property
    def presenter(self) -> SystemPresenter[P, S]:
        """How the screen tells of its system."""

    def follow(self, reply: Reply[S]) -> Scene | None:
        """Do what a panel replies, and return the scene that follows, None to stay."""

    def offer(self, step: S) -> Scene | None:
        """Judge a step and take it if it is legal; return the scene that follows: its ruling if it isn't legal."""

    def with_redo(self, actions: tuple[Button, ...]) -> tuple[Button, ...]:
        """Return the actions with a redo button added beside undo."""

    def details(self, back: Scene) -> Scene:
        """Open the figures of how the game stands, or ended."""

    def questions(self, back: Scene, seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return what may be asked in an argument, besides why a step was allowed.

        seat: the half that asks; "" if the screen isn't halved.
        """

    def step_scene(self, number: int, back: Scene) -> Scene:
        """Open a step (counted from 1) and why it was allowed."""

    def settle(self, question: RulesQuestion[P, S] | None, back: Scene) -> Scene:
        """Open the form for what the players agree on, whatever the rules say about the question."""


class OrdersTable(GameTable[Position, Step], Protocol):
    """The table of a game of General Orders, as what lies around it needs it."""

    @property
    def match(self) -> Match:
        """The game."""


AnyTable = GameTable[Any, Any]


# ---- away from its table: on the start page, on the shelf, where it is looked at -------------------


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
