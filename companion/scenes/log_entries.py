"""The log of a match: its steps in sentences, gathered by turns, with the marks that people should see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion import sums
from companion.journal import object_of
from companion.language import _
from companion.match import Match
from companion.scenes.consent import People
from companion.scenes.log_words import told, told_whole
from companion.undone import CORRECT, TakenBack
from engine.errors import EngineError
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import NOTHING_BESIDES, Agreed, Deploy, Pass, Reroll, Roll, Step
from engine.orders.turn import ready
from engine.orders.wire import step_from_json


@dataclass(frozen=True, slots=True)
class Entry:
    """A step that is worth a sentence: its number counted from 1, the sentence, and its marks."""

    number: int
    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """A turn: the round, whose it is, its number in the round, and its steps."""

    round: int
    faction: str
    number: int
    entries: tuple[Entry, ...]

    @property
    def last(self) -> int:
        """The number of its last step."""
        return self.entries[-1].number


def people_of(match: Match) -> People:
    """Who plays a match."""
    return People(match.board.factions, match.players)


def turns(match: Match) -> list[TurnEntry]:
    """All turns so far, the first one first."""
    marks = _taken_back_marks(match)
    people = people_of(match)
    found: list[TurnEntry] = []
    for heads in _grouped(match):
        entries = tuple(_entries(match, heads, marks, people))
        if entries:
            before = ready(match.positions[heads.start], match.steps[heads.start])
            number = 1 + sum(one.round == before.round for one in found)
            found.append(TurnEntry(before.round, before.to_move_name, number, entries))
    return found


def _grouped(match: Match) -> Iterator[range]:
    """The steps' indices by turn: a turn begins with a commander, or with what the players agree."""
    starts = [i for i, step in enumerate(match.steps) if i == 0 or isinstance(step, Deploy | Pass | Agreed)]
    ends = [*starts[1:], len(match.steps)]
    for start, end in zip(starts, ends[: len(starts)], strict=True):
        yield range(start, end)


def _entries(match: Match, indices: range, marks: dict[int, list[str]], people: People) -> Iterator[Entry]:
    for i in indices:
        step = match.steps[i]
        text = told_whole(step, match.positions[i], people)
        if text:
            yield Entry(i + 1, text, (*own_marks(step), *marks.get(i, ())))


def own_marks(step: Step) -> tuple[str, ...]:
    """The marks that a step carries itself: agreed, and set by hand where the rules did not bring it about."""
    if not isinstance(step, Agreed):
        return ()
    by_hand = step.areas or step.spaces or step.besides != NOTHING_BESIDES
    return (_("set by hand"),) if by_hand else (_("agreed"),)


def _taken_back_marks(match: Match) -> dict[int, list[str]]:
    """{index of a step: what stood in its place before}; where the same was done again there is nothing to say."""
    marks: dict[int, list[str]] = {}
    for record in match.taken_back:
        old = first_of(record, match)
        if old is None or record.after >= len(match.steps) or match.steps[record.after] == old:
            continue
        form = _("corrected; before: {step}") if record.why == CORRECT else _("taken back before: {step}")
        text = form.format(step=told(old, match.positions[record.after], people_of(match)))
        if told(old, match.positions[record.after], people_of(match)):
            marks.setdefault(record.after, []).append(text)
    return {i: list(dict.fromkeys(texts)) for i, texts in marks.items()}


def first_of(record: TakenBack, match: Match) -> Step | None:
    """The first of the steps that a record took out, where it can still be told in this game."""
    try:
        step = step_from_json(sums.plain(object_of(record.lines[0])))
        legal = game.judge(match.positions[record.after], step).legal
    except (ValueError, EngineError):
        return None
    return step if legal else None


def asks_both(steps: Iterable[tuple[Step, Position]]) -> bool:
    """Whether chance spoke in one of these steps, each given with the position before it: dice, or cards drawn."""
    return any(_by_chance(step, before) for step, before in steps)


def _by_chance(step: Step, before: Position) -> bool:
    if isinstance(step, Deploy):
        return before.board.space(step.space).action.verb == "draw"
    return isinstance(step, Roll | Reroll)


def visible(match: Match) -> list[int]:
    """The numbers of the steps, counted from 1, that are worth a sentence, the newest first."""
    pairs = zip(match.steps, match.positions[:-1], strict=True)
    people = people_of(match)
    return [n for n, (step, before) in enumerate(pairs, 1) if told(step, before, people)][::-1]


def last_lines(match: Match) -> Iterator[str]:
    """The steps in words, the newest first; those that nobody wants to read of are left out."""
    steps = zip(reversed(match.steps), reversed(match.positions[:-1]), strict=True)
    return filter(None, (told_whole(step, before, people_of(match)) for step, before in steps))
