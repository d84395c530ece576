"""The log of a match: its steps in sentences, gathered by turns, with the marks that people should see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from companion.language import _
from companion.match import Match
from companion.scenes.consent import People
from companion.scenes.log_words import told, told_start, told_whole
from companion.scenes.play.tale import Chapter, TurnEntry, entries, taken_back_marks, told_steps
from engine.orders.position import Position
from engine.orders.steps import NOTHING_BESIDES, Accept, Agreed, Deploy, Pass, Reroll, Roll, Step
from engine.orders.turn import ready


class OrdersTale:
    """A match in words."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def people(self) -> People:
        """Who plays it."""
        return people_of(self.match)

    def line(self, step: Step, before: Position) -> str:
        """What a step was, in a sentence."""
        return told(step, before, self.people)

    def whole(self, step: Step, before: Position) -> str:
        """The same, with losses, a new round, the winner."""
        return told_whole(step, before, self.people)

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
        return told_start(self.match.positions[0], self.match.chance, self.people)

    def chapters(self) -> list[Chapter]:
        """A chapter for each round."""
        rounds = groupby(turns(self.match), key=lambda turn: turn.round)
        return [Chapter(_("Round {n}").format(n=n), tuple(found)) for n, found in rounds]


def people_of(match: Match) -> People:
    """Who plays a match."""
    return People(match.board.factions, match.players)


def turns(match: Match) -> list[TurnEntry]:
    """All turns so far, the first one first."""
    tale = OrdersTale(match)
    marks = taken_back_marks(tale)
    found: list[TurnEntry] = []
    for heads in _grouped(match):
        steps = tuple(entries(tale, heads, marks))
        if steps:
            before = ready(match.positions[heads.start], match.steps[heads.start])
            number = 1 + sum(one.round == before.round for one in found)
            found.append(TurnEntry(before.round, before.to_move_name, number, steps))
    return found


def _grouped(match: Match) -> Iterator[range]:
    """The steps' indices by turn: a turn begins with a commander, or with what the players agree."""
    starts = [i for i, step in enumerate(match.steps) if i == 0 or isinstance(step, Deploy | Pass | Agreed)]
    ends = [*starts[1:], len(match.steps)]
    for start, end in zip(starts, ends[: len(starts)], strict=True):
        yield range(start, end)


def last_lines(match: Match) -> Iterator[str]:
    """The steps in words, the newest first; those that nobody wants to read of are left out."""
    return (text for _number, text in told_steps(OrdersTale(match)))
