"""A game of any system in words, by what its telling says; its log, and how it stood at a moment of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion.language import _
from companion.match import AnyMatch
from companion.scenes.consent import People
from companion.scenes.play.log import LookingBack
from companion.scenes.play.ruling import RulingScene, plea_of
from companion.scenes.play.tale import Chapter, TurnEntry, entries, taken_back_marks
from companion.scenes.play.telling import Telling
from companion.scenes.screen import Block, Button, Intent, Screen, Text
from companion.scenes.stage import Scene

if TYPE_CHECKING:
    from companion.scenes.play.table import PlayTable

LEAST_TURNS = 4  # of a chapter: shorter turns are read together


class PlayTale:
    """A game with its telling's words."""

    def __init__(self, match: AnyMatch, telling: Telling[Any, Any], people: People) -> None:
        self.match = match
        self.telling = telling
        self.people = people

    def line(self, step: Any, before: Any) -> str:
        """What a step was, in a sentence."""
        return self.telling.line(step, before, self.people)

    def whole(self, step: Any, before: Any) -> str:
        """The same, with what came of it by itself."""
        line = self.line(step, before)
        after = self.match.system.play(before, step)[0]
        return " ".join(filter(None, (line, *self.telling.changes(before, after))))

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

    def chapters(self) -> list[Chapter]:
        """Turn by turn; a few short turns are a chapter together."""
        found: list[tuple[TurnEntry, ...]] = []
        for _turn, entries_of in groupby(self._turns(), key=lambda one: one.round):
            entered = tuple(entries_of)
            if found and len(found[-1]) < LEAST_TURNS:
                found[-1] = (*found[-1], *entered)
            else:
                found.append(entered)
        return [Chapter(_title(turns), turns) for turns in found]

    def _turns(self) -> Iterator[TurnEntry]:
        """The steps by turns, and in a turn by whose they are."""
        marks = taken_back_marks(self)
        for (turn, side), heads in groupby(range(len(self.match.steps)), key=self._head):
            indices = tuple(heads)
            steps = tuple(entries(self, range(indices[0], indices[-1] + 1), marks))
            if steps:
                yield TurnEntry(turn, self.telling.seats[side], turn, steps)

    def _head(self, index: int) -> tuple[int, int]:
        """The turn and the side that a step belongs to; nobody's steps go with the side that is asked."""
        before = self.match.positions[index]
        side = self.telling.acting(before)
        if side is None:
            side = next(iter(self.telling.waits_for(before)), 0)
        return self.telling.turn(before), side


def _title(turns: tuple[TurnEntry, ...]) -> str:
    first, last = turns[0].round, turns[-1].round
    return _("Turn {n}").format(n=first) if first == last else _("Turns {n} to {m}").format(n=first, m=last)


class MomentScene(LookingBack):
    """How it stood after a step: what the step was, what came of it, and why it was allowed."""

    def __init__(self, table: PlayTable[Any, Any], number: int, back: Scene) -> None:
        super().__init__(table, number, back)
        self.table = table

    def show(self) -> Screen:
        """The picture of the moment beside the words."""
        words = super().show()
        return replace(words, board=self.table.telling.picture(self.table.match.positions[self.number]))

    def where(self) -> str:
        """The turn, and the number of the step."""
        match = self.table.match
        turn = self.table.telling.turn(match.positions[self.number])
        return _("Turn {n}, after step {step} of {all}. Nothing changes while you look.").format(
            n=turn, step=self.number, all=len(match.steps)
        )

    def facts(self) -> tuple[Block, ...]:
        """How it stood, as far as the system says."""
        told = self.table.telling.facts(self.table.match.positions[self.number], self.table.people)
        return (Text(told),) if told else ()

    def of_step(self) -> tuple[Button, ...]:
        """Why it was allowed."""
        why = Button(_("Why was that allowed?"), Intent("why"), note=_("the rules behind it"))
        return (why,) if self.number else ()

    def elsewhere(self, intent: Intent) -> Scene | None:
        """The ruling on the step."""
        return step_ruling(self.table, self.number, self) if intent.verb == "why" and self.number else None


def step_ruling(table: PlayTable[Any, Any], number: int, back: Scene) -> Scene:
    """Why a step was allowed (counted from 1), where it was taken."""
    match = table.match
    return RulingScene(table, plea_of(table, match.positions[number - 1], match.steps[number - 1]), back)
