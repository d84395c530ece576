"""A game in words, by what its presenter says of each step."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.match import AnyMatch
from companion.scenes.story.game_log import Chapter, TurnEntry, chapter_title, entries
from companion.scenes.story.outline import Followed, LogSection, Outline
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.text.people import People
from companion.ui.lazy import LazySequence


class MatchLog:
    """The log of a match, chapter by chapter, told as far as it is asked for."""

    def __init__(self, match: AnyMatch, presenter: SystemPresenter[Any, Any]) -> None:
        self.match = match
        self.presenter = presenter
        self._outline = Outline(
            match, presenter.parts, lambda steps: self._cards(len(steps)), presenter.cards_in_chapter
        )
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
        """Who plays."""
        return people_of(self.presenter, self.match.position, self.match.players)

    def line(self, step: Any, before: Any) -> str:
        """What a step was, in a sentence."""
        return self.presenter.line(step, before, self.people)

    def whole(self, step: Any, before: Any, after: Any) -> str:
        """The same, with what came of it by itself."""
        return self.presenter.line_with_effects(step, before, after, self.people)

    def is_silent(self, step: Any) -> bool:
        """Whether a step goes without saying."""
        return self.presenter.is_silent(step)

    def marks(self, step: Any) -> tuple[str, ...]:
        """Whether the players agreed on it."""
        return self.presenter.marks(step)

    def by_chance(self, step: Any, before: Any) -> bool:
        """Whether chance spoke in it."""
        return self.presenter.by_chance(step, before)

    def by_will(self, step: Any) -> bool:
        """Whether it was somebody's own choice."""
        return self.presenter.by_will(step)

    def start(self) -> str:
        """How the game began."""
        return self.presenter.start_words(self.match, self.people)

    def chapters(self) -> Sequence[Chapter]:
        """Turn by turn; a few short turns are a chapter together, a very long one has several."""
        return LazySequence(self._outline.sections, self._chapter)

    def _cards(self, lines: int) -> int:
        """On how many cards so many lines have room."""
        most = self.presenter.lines_on_card
        return -(-lines // most) if most is not None else min(lines, 1)

    def _chapter(self, section: LogSection) -> Chapter:
        first, last = (self._outline.parts[n].round for n in (section.parts[0], section.parts[-1]))
        title = self.presenter.chapter_title(first, last)
        return Chapter(chapter_title(title, section), lambda: tuple(self._turns(section, by_turns=first != last)))

    def _turns(self, section: LogSection, *, by_turns: bool) -> Iterator[TurnEntry]:
        """The cards of a chapter; by_turns: they bear the numbers of the turns, else their own in the turn."""
        seats = self.people.factions
        for index in section.parts:
            part = self._outline.parts[index]
            lines, seat = tuple(entries(self, part.steps)), seats[self.presenter.part_side(self.match, part.steps)]
            cards = self._cards(len(lines))
            for n in range(cards):
                card = lines[n * len(lines) // cards : (n + 1) * len(lines) // cards]
                yield TurnEntry(part.round, seat, part.round if by_turns else part.number, card)
