"""A game of any system in words, by what its telling says; its log, and how it stood at a moment of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion.language import _
from companion.match import AnyMatch
from companion.scenes.consent import People
from companion.scenes.play.log import LookingBack
from companion.scenes.play.ruling import RulingScene, plea_of
from companion.scenes.play.tale import Chapter, TurnEntry, entries, taken_back_marks, told_as, visible
from companion.scenes.play.telling import Telling
from companion.scenes.screen import Block, Button, Intent, Screen, Text
from companion.scenes.stage import Scene

if TYPE_CHECKING:
    from companion.scenes.play.table import PlayTable

LEAST_TURNS = 4  # of a chapter: shorter turns are read together
MOST_LINES = 3  # on a card of the log


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
        return " ".join(filter(None, (line, *self.telling.changes(before, self._after(step, before)))))

    def _after(self, step: Any, before: Any) -> Any:
        """Where a step led: as the game has it, where it is one of its own."""
        index = self._indices.get(id(before), -1)
        if index >= 0 and self.match.steps[index] is step:
            return self.match.positions[index + 1]
        return self.match.system.play(before, step)[0]

    @cached_property
    def _indices(self) -> dict[int, int]:
        """{identity of a position: how many steps led to it}, but for the last one."""
        return {id(position): i for i, position in enumerate(self.match.positions[:-1])}

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
        for _turn, parts in groupby(self._parts(), key=lambda one: one.round):
            if found and len(found[-1]) < LEAST_TURNS:
                found[-1] = (*found[-1], *parts)
            else:
                found.append(tuple(parts))
        return [Chapter(_title(parts), _numbered(parts)) for parts in found]

    def _parts(self) -> Iterator[TurnEntry]:
        """The steps by turns, and in a turn by whose they are, or by what its parts begin with."""
        marks = taken_back_marks(self)
        for number, heads in enumerate(self._grouped(), 1):
            turn = self.telling.turn(self.match.positions[heads.start])
            steps = tuple(entries(self, heads, marks))
            cards = -(-len(steps) // MOST_LINES)
            for n in range(cards):
                card = steps[n * len(steps) // cards : (n + 1) * len(steps) // cards]
                yield TurnEntry(turn, self._seat(heads), number, card)

    def _grouped(self) -> Iterator[range]:
        """The steps' indices by parts of turns."""
        start, side = 0, None
        for i, step in enumerate(self.match.steps):
            position = self.match.positions[i]
            acts = self.telling.acting(position)
            other = side is not None and acts is not None and acts != side
            turned = self.telling.turn(position) != self.telling.turn(self.match.positions[start])
            if i > start and (other or turned or self.telling.begins(step)):
                yield range(start, i)
                start, side = i, None
            side = acts if side is None else side
        if self.match.steps:
            yield range(start, len(self.match.steps))

    def _seat(self, heads: range) -> str:
        """Whose steps these are: the first side that acts in them, or was asked before."""
        positions = [self.match.positions[i] for i in heads]
        acts = (self.telling.acting(position) for position in positions)
        side = next((one for one in acts if one is not None), None)
        return self.telling.seats[next(iter(self.telling.waits_for(positions[0])), 0) if side is None else side]


def _numbered(parts: tuple[TurnEntry, ...]) -> tuple[TurnEntry, ...]:
    """The parts of a single turn by their own numbers in it; those of several by the turns'."""
    if len({one.round for one in parts}) > 1:
        return tuple(replace(one, number=one.round) for one in parts)
    before = parts[0].number - 1
    return tuple(replace(one, number=one.number - before) for one in parts)


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
            n=turn, step=told_as(self.table.tale, self.number), all=len(visible(self.table.tale))
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


def step_ruling(table: PlayTable[Any, Any], number: int, back: Scene) -> Scene:
    """Why a step was allowed (counted from 1), where it was taken."""
    match = table.match
    return RulingScene(table, plea_of(table, match.positions[number - 1], match.steps[number - 1]), back)
