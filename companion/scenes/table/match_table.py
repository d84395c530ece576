"""What the log, the menu and all that is around the board ask of the table of a match."""

from __future__ import annotations

from abc import ABC, abstractmethod

from companion.core.language import _
from companion.games.match import Match
from companion.games.rules_search import Library, library_of
from companion.games.status import Rounds
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.disputes.readings import ReadingsScene
from companion.scenes.review.correct_now import StraightScene
from companion.scenes.review.moment import MomentScene
from companion.scenes.story.entries import OrdersTale, people_of
from companion.scenes.story.menu import Ways
from companion.scenes.table.menu import ways
from companion.text.people import People
from companion.ui.screen import Intent, Screen
from engine.orders import game


class MatchTable(ABC):
    """The table of a match, but for what it shows and what a touch does."""

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        self.stage = stage
        self.match = match
        self.home = home
        self.banner = match.notice or ""
        self._tale = OrdersTale(match)
        self._tale.follow()

    @property
    def sides(self) -> tuple[str, ...]:
        """The factions."""
        return self.match.board.factions

    @property
    def asked(self) -> str:
        """The faction whose answer the table waits for."""
        owed = game.owed(self.match.position)
        return self.match.position.to_move_name if owed is None else owed.by

    @property
    def winner(self) -> str | None:
        """Who has won."""
        return self.match.position.winner_name

    @property
    def rounds(self) -> Rounds:
        """The round, of how many, and who has the initiative."""
        position = self.match.position
        return Rounds(position.round, position.board.mode.rounds, position.initiative_name)

    @property
    def people(self) -> People:
        """Who plays."""
        return people_of(self.match)

    @property
    def tale(self) -> OrdersTale:
        """The match in words."""
        return self._tale

    def moment(self, number: int, back: Scene) -> Scene:
        """The board after so many steps."""
        return MomentScene(self, number, back)

    def library(self) -> Library:
        """The rules of the mode."""
        return library_of(self.match.board.mode, _)

    def readings(self, back: Scene) -> Scene:
        """What they leave open."""
        return ReadingsScene(self.match, back)

    def straight(self, back: Scene) -> Scene:
        """The present put right by hand."""
        return StraightScene(self, back)

    def ways(self, back: Scene) -> Ways:
        """What the menu has more."""
        return ways(self, back)

    @property
    @abstractmethod
    def waits_for(self) -> frozenset[str]:
        """The factions that the table waits for."""

    @abstractmethod
    def show(self) -> Screen:
        """What to show now."""

    @abstractmethod
    def touch(self, intent: Intent) -> Scene | None:
        """React to a touch."""

    @abstractmethod
    def listens(self, intent: Intent) -> bool:
        """Whether a touch from this half counts now."""

    @abstractmethod
    def refresh(self) -> None:
        """Show what the position asks for now."""

    @abstractmethod
    def score(self) -> Scene:
        """How the game stands, or ended."""
