"""A saved game gone through from its start: the picture of each moment, and the words that go with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import MatchError
from companion.games.game_file import GameFile
from companion.games.match import SESSIONS, AnyMatch, Match
from companion.games.reviews import read_review
from companion.scenes.story.course import Course
from companion.scenes.story.game_log import MatchLog
from companion.scenes.story.presenter import SystemPresenter
from companion.scenes.story.tables import PORTRAITS
from companion.terminal.inputs import load_game
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import MapPicture
from companion.ui.table_pictures import DuelPicture
from engine.orders.player.review import ReviewedTurn

Table = MapPicture | FieldPicture | DuelPicture
"""The table of any system, as a picture."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A step (its number counted from 1, 0 for the start) and what was done in it."""

    number: int
    words: str


@dataclass(frozen=True, slots=True)
class StoryTurn:
    """A turn: its title, the colour of the seat it belongs to, and its moments."""

    title: str
    seat: str
    moments: tuple[Moment, ...]


class Story:
    """A saved game as it lies on the disk. Its file is read once and stays as it is, even while the game goes on."""

    def __init__(self, path: Path) -> None:
        """Read the story in a saved game; MatchError if the file is none, or has no step that is understood here."""
        journal = load_game(str(path))
        if not journal.steps:
            raise MatchError(f"{path}: no step has been played yet, so there is nothing to replay")
        self.match: AnyMatch = SESSIONS.of(journal.system.name)(GameFile(path), journal)
        self.log: MatchLog = PORTRAITS.of(journal.system.name).log(self.match)
        self.course = Course(self.log)

    @property
    def presenter(self) -> SystemPresenter[Any, Any]:
        """The presenter of the game's system."""
        return self.log.presenter

    @property
    def era(self) -> str:
        """The era the game is set in, which decides the look of its pictures; "" where the system has none."""
        match = self.match
        return match.board.mode.rulebook if isinstance(match, Match) else ""

    @property
    def title(self) -> str:
        """What was played, and by whom."""
        people = self.log.people
        names = " – ".join(people.name(seat) for seat in people.factions)
        return f"{self.presenter.title(self.match.position)}: {names}"

    def picture(self, number: int) -> Table:
        """Return a picture of the table after this many steps."""
        picture = self.presenter.moment_picture(self.match, number)
        assert isinstance(picture, Table), "a game is played on a map, a field or between two castles"
        return picture

    def standing(self, number: int) -> str:
        """Say in a line how the game stood after this many steps; "" where the system has none."""
        return self.presenter.facts(self.match.positions[number], self.log.people)

    def review(self) -> tuple[ReviewedTurn, ...]:
        """Return the review kept beside the game, turn by turn; () if there is none of its present state."""
        match = self.match
        if not isinstance(match, Match):
            return ()
        return read_review(match.path, match.mark(len(match.steps)), match.positions, match.steps) or ()

    def turns(self) -> Iterator[StoryTurn]:
        """Yield the game's turns, a long one in several parts, leaving out those of which there is nothing to say."""
        for chapter in self.log.chapters():
            for turn in chapter.turns:
                moments = tuple(Moment(entry.number, entry.text) for entry in turn.entries)
                yield StoryTurn(chapter.title, turn.faction, moments)
