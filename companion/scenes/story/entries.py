"""The log of a match: its steps in sentences, gathered by turns, with the marks that people should see."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Protocol

from companion.core.language import _
from companion.games.match import AnyMatch, Match
from companion.scenes.story.game_log import Chapter, TurnEntry, entries, numbered, told_steps
from companion.scenes.story.menu import MenuTable
from companion.scenes.story.outline import Followed, Outline, Section
from companion.text.log import start_words, step_and_effects, step_sentence
from companion.text.people import People
from companion.ui.made import Made
from engine.orders.position import Position
from engine.orders.steps import NOTHING_BESIDES, Accept, Agreed, Deploy, Pass, Reroll, Roll, Step
from engine.orders.turn import ready


class OrdersTable(MenuTable, Protocol):
    """The table of a game of General Orders, as what lies around it needs it."""

    @property
    def match(self) -> Match:
        """The game."""


class OrdersTale:
    """A match in words."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._outline = Outline(match, _turns, lambda _steps: 1)
        self._followed = Followed(match)
        self._silent: list[int] = []  # the indices of steps that go without saying

    def follow(self) -> None:
        """Take in what is new, so that nobody waits for it later."""
        self._outline.follow()
        same, steps = self._followed.same(), self.match.steps
        del self._silent[bisect_left(self._silent, same) :]
        self._silent += (n for n in range(same, len(steps)) if self.is_silent(steps[n]))

    def silent(self, number: int) -> int:
        """How many of the first so many steps go without saying."""
        self.follow()
        return bisect_left(self._silent, number)

    @property
    def people(self) -> People:
        """Who plays it."""
        return people_of(self.match)

    def line(self, step: Step, before: Position) -> str:
        """What a step was, in a sentence."""
        return step_sentence(step, before, self.people)

    def whole(self, step: Step, before: Position, after: Position) -> str:
        """The same, with losses, a new round, the winner."""
        del after
        return step_and_effects(step, before, self.people)

    def is_silent(self, step: Step) -> bool:
        """That cards were not played goes without saying."""
        return isinstance(step, Accept)

    def marks(self, step: Step) -> tuple[str, ...]:
        """Agreed, and set by hand where the rules did not bring it about."""
        if not isinstance(step, Agreed):
            return ()
        by_hand = step.areas or step.spaces or step.besides != NOTHING_BESIDES
        return (_("set by hand"),) if by_hand else (_("agreed"),)

    def by_chance(self, step: Step, before: Position) -> bool:
        """Dice, or cards drawn."""
        if isinstance(step, Deploy):
            return before.board.space(step.space).action.verb == "draw"
        return isinstance(step, Roll | Reroll)

    def by_will(self, step: Step) -> bool:
        """All but dice and cards that were not played."""
        return not isinstance(step, Roll | Accept)

    def start(self) -> str:
        """Who had the initiative."""
        return start_words(self.match.positions[0], self.match.chance, self.people)

    def chapters(self) -> Sequence[Chapter]:
        """A chapter for each round; a very long one has several."""
        return Made(self._outline.sections, self._chapter)

    def _chapter(self, section: Section) -> Chapter:
        first = self._outline.parts[section.parts.start]
        title = _("Round {n}").format(n=first.round)
        return Chapter(numbered(title, section), lambda: tuple(self._told(section)))

    def _told(self, section: Section) -> Iterator[TurnEntry]:
        """The turns of a chapter in words."""
        for index in section.parts:
            part = self._outline.parts[index]
            before = ready(self.match.positions[part.steps.start], self.match.steps[part.steps.start])
            told = tuple(entries(self, part.steps))
            if told:
                yield TurnEntry(part.round, before.to_move_name, part.number, told)


def people_of(match: Match) -> People:
    """Who plays a match."""
    return People(match.board.factions, match.players)


def turns(match: Match) -> list[TurnEntry]:
    """All turns so far in words, the first one first."""
    return [turn for chapter in OrdersTale(match).chapters() for turn in chapter.turns]


def _turns(match: AnyMatch, start: int) -> Iterator[tuple[range, int]]:
    """The steps' indices by turn: a turn begins with a commander, or with what the players agree."""
    steps, positions = match.steps, match.positions
    for i in range(start + 1, len(steps) + 1):
        if i == len(steps) or isinstance(steps[i], Deploy | Pass | Agreed):
            yield range(start, i), ready(positions[start], steps[start]).round
            start = i


def last_lines(tale: OrdersTale) -> Iterator[str]:
    """The steps in words, the newest first; those that nobody wants to read of are left out."""
    return (text for _number, text in told_steps(tale))
