"""A game of any system in words, by what its telling says; its log, and how it stood at a moment of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.language import _
from companion.games.match import AnyMatch
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.boardless_ruling import RulingScene, plea_of
from companion.scenes.story.game_log import Chapter, TurnEntry, entries, numbered, told_as, told_in_all
from companion.scenes.story.looking_back import LookingBack
from companion.scenes.story.outline import Outline, Section
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.text.people import People
from companion.ui.made import Made
from companion.ui.screen import Block, Button, Intent, Screen, Text

if TYPE_CHECKING:
    from companion.scenes.story.presenter import BoardlessTable

LEAST_TURNS = 4  # of a chapter: shorter turns are read together
MOST_LINES = 3  # on a card of the log
MOST_STEPS = 30  # of a part: more are told in several


class PlayTale:
    """A game with its telling's words."""

    def __init__(self, match: AnyMatch, telling: SystemPresenter[Any, Any]) -> None:
        self.match = match
        self.telling = telling
        self._outline = Outline(match, self._divide, lambda steps: -(-len(steps) // MOST_LINES), LEAST_TURNS)

    @property
    def people(self) -> People:
        """Who plays."""
        return people_of(self.telling, self.match.position, self.match.players)

    def line(self, step: Any, before: Any) -> str:
        """What a step was, in a sentence."""
        return self.telling.line(step, before, self.people)

    def whole(self, step: Any, before: Any, after: Any) -> str:
        """The same, with what came of it by itself."""
        return " ".join(filter(None, (self.line(step, before), *self.telling.changes(before, after))))

    def is_silent(self, step: Any) -> bool:
        """Something is said of every step."""
        del step
        return False

    def silent(self, number: int) -> int:
        """No step goes without saying."""
        del number
        return 0

    def follow(self) -> None:
        """Take in what is new, so that nobody waits for it later."""
        self._outline.follow()

    def marks(self, step: Any) -> tuple[str, ...]:
        """Whether the players agreed on it."""
        return (_("agreed"),) if self.telling.is_agreed(step) else ()

    def by_chance(self, step: Any, before: Any) -> bool:
        """Whether chance spoke in it."""
        del before
        return self.telling.by_chance(step)

    def by_will(self, step: Any) -> bool:
        """All that chance did not say."""
        return not self.telling.by_chance(step)

    def start(self) -> str:
        """How the game began."""
        return self.telling.start_line(self.match.positions[0])

    def chapters(self) -> Sequence[Chapter]:
        """Turn by turn; a few short turns are a chapter together, a very long one has several."""
        return Made(self._outline.sections, self._chapter)

    def _chapter(self, section: Section) -> Chapter:
        first, last = (self._outline.parts[n].round for n in (section.parts[0], section.parts[-1]))
        title = _("Turn {n}").format(n=first) if first == last else _("Turns {n} to {m}").format(n=first, m=last)
        return Chapter(numbered(title, section), lambda: tuple(self._told(section, by_turns=first != last)))

    def _told(self, section: Section, *, by_turns: bool) -> Iterator[TurnEntry]:
        """The cards of a chapter; by_turns: they bear the numbers of the turns, else their own in the turn."""
        for index in section.parts:
            part = self._outline.parts[index]
            told, seat = tuple(entries(self, part.steps)), self._seat(part.steps)
            cards = -(-len(told) // MOST_LINES)
            for n in range(cards):
                card = told[n * len(told) // cards : (n + 1) * len(told) // cards]
                yield TurnEntry(part.round, seat, part.round if by_turns else part.number, card)

    def _divide(self, match: AnyMatch, start: int) -> Iterator[tuple[range, int]]:
        """The steps' indices by turns, and in a turn by whose they are, or by what its parts begin with."""
        steps, positions = match.steps, match.positions
        side = None
        for i in range(start, len(steps)):
            acts, turn = self.telling.acting(positions[i]), self.telling.turn(positions[start])
            other = side is not None and acts is not None and acts != side
            turned = self.telling.turn(positions[i]) != turn
            if i > start and (other or turned or self.telling.begins(steps[i]) or i - start >= MOST_STEPS):
                yield range(start, i), turn
                start, side = i, None
            side = acts if side is None else side
        if start < len(steps):
            yield range(start, len(steps)), self.telling.turn(positions[start])

    def _seat(self, heads: range) -> str:
        """Whose steps these are: the first side that acts in them, or was asked before."""
        positions = self.match.positions
        acts = (self.telling.acting(positions[i]) for i in heads)
        side = next((one for one in acts if one is not None), None)
        waits_for = self.telling.waits_for(positions[heads.start])
        return self.telling.seats[next(iter(waits_for), 0) if side is None else side]


class MomentScene(LookingBack):
    """How it stood after a step: what the step was, what came of it, and why it was allowed."""

    def __init__(self, table: BoardlessTable[Any, Any], number: int, back: Scene) -> None:
        super().__init__(table, number, back)
        self.table = table

    def show(self) -> Screen:
        """The picture of the moment beside the words."""
        words = super().show()
        return replace(words, board=self.table.telling.picture(self.table.match.positions[self.number]))

    def where(self) -> str:
        """The turn, and the number of the step."""
        turn = self.table.telling.turn(self.table.match.positions[self.number])
        return _("Turn {n}, after step {step} of {all}. Nothing changes while you look.").format(
            n=turn, step=told_as(self.table.tale, self.number), all=told_in_all(self.table.tale)
        )

    def besides(self) -> tuple[Block, ...]:
        """How it stood, as far as the system says."""
        told = self.table.telling.facts(self.table.match.positions[self.number], self.table.people)
        return (Text(told, "quiet"),) if told else ()

    def of_step(self) -> tuple[Button, ...]:
        """Why it was allowed."""
        why = Button(_("Why was that allowed?"), Intent("why"), note=_("the rules behind it"))
        return (why,) if self.number else ()

    def elsewhere(self, intent: Intent) -> Scene | None:
        """The ruling on the step."""
        return step_ruling(self.table, self.number, self) if intent.verb == "why" and self.number else None


def step_ruling(table: BoardlessTable[Any, Any], number: int, back: Scene) -> Scene:
    """Why a step was allowed (counted from 1), where it was taken."""
    match = table.match
    return RulingScene(table, plea_of(table, match.positions[number - 1], match.steps[number - 1]), back)
