"""The table of a game as what lies around it needs it: the log, the menu, panels and arguments."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from companion.games.match import GameSession, Match
from companion.games.rules_search import Library
from companion.scenes.base.panels import Reply
from companion.scenes.base.stage import Scene
from companion.scenes.story.game_log import LoggedTable
from companion.scenes.story.presenter import ArgumentQuestion, RulesQuestion, SystemPresenter, Ways
from companion.ui.screen import Button
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
