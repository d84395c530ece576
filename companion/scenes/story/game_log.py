"""The steps of any system's game in words, for its log, for undo and redo, and for arguments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from companion.core.language import _, plural
from companion.games import checksums
from companion.games.journal import object_of
from companion.games.match import AnyMatch
from companion.games.undo_log import CORRECT, UndoRecord
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.reasons import bare_message
from companion.scenes.base.stage import Scene, Table
from companion.scenes.story.outline import Followed, LogPart, LogSection, Outline
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.text.people import People
from companion.ui.lazy import LazySequence
from engine.errors import EngineError, Illegal


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A step in the log: its number (from 1), its sentence, and its marks, such as "agreed"."""

    number: int
    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """A turn in the log, or a part of one: its round, its side's colour, its number or that of its turn, its steps."""

    round: int
    faction: str
    number: int
    entries: tuple[LogEntry, ...]

    @property
    def last(self) -> int:
        """The number (from 1) of the turn's last step."""
        return self.entries[-1].number


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the log: a round, or a few turns. tell: puts the turns into words."""

    title: str
    tell: Callable[[], tuple[TurnEntry, ...]]

    @property
    def turns(self) -> tuple[TurnEntry, ...]:
        """The chapter's turns, put into words at each access."""
        return self.tell()


class MatchLog:
    """The log of a match; only what is asked for is put into words."""

    def __init__(self, match: AnyMatch, presenter: SystemPresenter[Any, Any]) -> None:
        self.match = match
        self.presenter = presenter
        self._outline = Outline(
            match, presenter.parts, lambda steps: self._cards(len(steps)), presenter.cards_in_chapter
        )
        self._followed = Followed(match)
        self._silent: list[int] = []  # the indices of steps that go without saying

    def follow(self) -> None:
        """Update the outline from the match, so that opening the log is quick."""
        self._outline.follow()
        same, steps = self._followed.catch_up(), self.match.steps
        del self._silent[bisect_left(self._silent, same) :]
        self._silent += (n for n in range(same, len(steps)) if self.is_silent(steps[n]))

    @property
    def parts(self) -> tuple[LogPart, ...]:
        """The parts that the log divides the game into, turns as a rule."""
        return tuple(self._outline.parts)

    def silent_count(self, number: int) -> int:
        """Return how many of the first `number` steps the log leaves out."""
        self.follow()
        return bisect_left(self._silent, number)

    @property
    def people(self) -> People:
        """Both sides with the players' names."""
        return people_of(self.presenter, self.match.position, self.match.players)

    def line(self, step: Any, before: Any) -> str:
        """Return a step as a sentence; "" for one that the log leaves out. before: the position before it."""
        return self.presenter.line(step, before, self.people)

    def line_with_effects(self, step: Any, before: Any, after: Any) -> str:
        """Return a step as a sentence, with its effects. before, after: the positions around it."""
        return self.presenter.line_with_effects(step, before, after, self.people)

    def recorded_line(self, number: int) -> str:
        """Return step `number` (from 1) with its effects, and a note if today's rules forbid it; or ""."""
        step, (before, after) = self.match.steps[number - 1], self.match.positions[number - 1 : number + 1]
        text = self.line_with_effects(step, before, after)
        if number not in self.match.kept_steps:
            return text
        why = self.match.system.judge(before, step).objections[0]
        form = _("Kept as it was recorded; today's rules wouldn't allow it: {why} ({cite}).")
        return f"{text} {form.format(why=bare_message(why), cite=why.citation)}".strip()

    def is_silent(self, step: Any) -> bool:
        """Return whether the log leaves a step out."""
        return self.presenter.is_silent(step)

    def marks(self, step: Any) -> tuple[str, ...]:
        """Return the log's marks for a step, such as "agreed"."""
        return self.presenter.marks(step)

    def start_words(self) -> str:
        """Return a sentence on how the game began."""
        return self.presenter.start_words(self.match, self.people)

    def chapters(self) -> Sequence[Chapter]:
        """Return the chapters of the log.

        The log is read turn by turn: a few short turns make one chapter, a very long turn has several.
        """
        return LazySequence(self._outline.sections, self._chapter)

    def _cards(self, lines: int) -> int:
        """Return how many cards of the log this many lines take up."""
        most = self.presenter.lines_on_card
        return -(-lines // most) if most is not None else min(lines, 1)

    def _chapter(self, section: LogSection) -> Chapter:
        first, last = (self._outline.parts[n].round for n in (section.parts[0], section.parts[-1]))
        title = self.presenter.chapter_title(first, last)
        return Chapter(chapter_title(title, section), lambda: tuple(self._turns(section, by_turns=first != last)))

    def _turns(self, section: LogSection, *, by_turns: bool) -> Iterator[TurnEntry]:
        """Yield a chapter's cards; by_turns: they bear the numbers of their turns, else their own within the turn."""
        seats = self.people.factions
        for index in section.parts:
            part = self._outline.parts[index]
            lines, seat = tuple(entries(self, part.steps)), seats[self.presenter.part_side(self.match, part.steps)]
            cards = self._cards(len(lines))
            for n in range(cards):
                card = lines[n * len(lines) // cards : (n + 1) * len(lines) // cards]
                yield TurnEntry(part.round, seat, part.round if by_turns else part.number, card)


def chapter_title(title: str, section: LogSection) -> str:
    """Return the title of a chapter, with its number if a long round has several."""
    return title if section.number == 1 else _("{title} ({n})").format(title=title, n=section.number)


def entries(log: MatchLog, indices: range) -> Iterator[LogEntry]:
    """Yield the log's entries for the steps at these indices, skipping silent ones."""
    steps, marks = log.match.steps, taken_back_marks(log, indices)
    for i in indices:
        text = log.recorded_line(i + 1)
        if text:
            yield LogEntry(i + 1, text, (*log.marks(steps[i]), *marks.get(i, ())))


def taken_back_marks(log: MatchLog, indices: range) -> dict[int, list[str]]:
    """Return {index of a step: marks that tell what was undone or corrected there}, without exact repeats."""
    match, marks = log.match, dict[int, list[str]]()
    for record in (undone for undone in match.taken_back if undone.after in indices):
        old = first_undone_step(record, match)
        if old is None or match.steps[record.after] == old:
            continue
        form = _("corrected; was: {step}") if record.why == CORRECT else _("(undone: {step})")
        text = log.line(old, match.positions[record.after])
        if text:
            marks.setdefault(record.after, []).append(form.format(step=text))
    return {i: list(dict.fromkeys(texts)) for i, texts in marks.items()}


def first_undone_step(record: UndoRecord, match: AnyMatch) -> Any | None:
    """Return the first step that was undone or corrected; None if it can't be read, or isn't legal there any more."""
    try:
        step = match.system.read_step(checksums.plain(object_of(record.lines[0])))
        legal = match.system.judge(match.positions[record.after], step).legal
    except (ValueError, EngineError):
        return None
    return step if legal else None


def needs_both(log: MatchLog, to: int) -> bool:
    """Return whether undoing the steps from index `to` on needs both players' consent: whether chance decided any."""
    gone = zip(log.match.steps[to:], log.match.positions[to:], strict=False)
    return any(log.presenter.by_chance(step, before) for step, before in gone)


def visible_numbers(log: MatchLog) -> list[int]:
    """Return the numbers (from 1) of all steps that aren't silent, newest first."""
    return [*last_visible(log)]


def last_visible(log: MatchLog) -> Iterator[int]:
    """Yield the numbers (from 1) of the steps that aren't silent, newest first."""
    steps = log.match.steps
    return (number for number in range(len(steps), 0, -1) if not log.is_silent(steps[number - 1]))


def visible_number(log: MatchLog, number: int) -> int:
    """Return how many of the first `number` steps aren't silent: the step's number as players count."""
    return number - log.silent_count(number)


def visible_count(log: MatchLog) -> int:
    """Return how many steps of the match aren't silent."""
    return visible_number(log, len(log.match.steps))


def line_numbers(log: MatchLog) -> Iterator[int]:
    """Yield the numbers (from 1) of the steps with a sentence, or with effects that have one, newest first."""
    steps = log.match.steps
    return (n for n in range(len(steps), 0, -1) if not log.is_silent(steps[n - 1]) or log.recorded_line(n))


def step_lines(log: MatchLog) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, sentence with effects) for the steps that have one, newest first."""
    for number in range(len(log.match.steps), 0, -1):
        text = log.recorded_line(number)
        if text:
            yield number, text


def chosen_lines(log: MatchLog) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, sentence) for the steps that were a player's decision, newest first."""
    steps, by_will = log.match.steps, log.presenter.by_will
    return ((number, text) for number, text in step_lines(log) if by_will(steps[number - 1]))


def steps_left_by_undo(log: MatchLog) -> int:
    """Return how many steps are left after undoing the last one that isn't silent, and all after it."""
    return next(last_visible(log), 1) - 1


def redo_lines(log: MatchLog) -> list[tuple[int, str]]:
    """Return (how many steps to redo, sentence) for each step that can be redone up to, the next one first."""
    found: list[tuple[int, str]] = []
    match = log.match
    position = match.position
    for n, step in enumerate(match.redoable_steps, 1):
        try:
            after = match.system.play_recorded(position, step)[0]
        except Illegal:
            break
        text = log.line(step, position)
        position = after
        if text:
            found.append((n, text))
        elif found:  # a silent step goes with the one before it
            found[-1] = (n, found[-1][1])
    return found


class LoggedTable(Table, Protocol):
    """A table whose game has a log."""

    @property
    def game_log(self) -> MatchLog:
        """The log of the game."""

    def moment(self, number: int, back: Scene) -> Scene:
        """Open the game as it was after this many steps."""


def take_back(table: LoggedTable, to: int, back: Scene) -> Scene:
    """Undo the match back to its first `to` steps, and return the scene that follows.

    Both players are asked if chance decided something in the steps to undo. Raises MatchError if the disk refuses.
    """
    if to >= len(table.match.steps):
        return back
    if not needs_both(table.game_log, to):
        return _shorten(table, to)
    asked = _("Undo dice or cards?"), _loss_words(table.game_log, to)
    return ConsentScene(asked, table.people, lambda: _shorten(table, to), back)


def _shorten(table: LoggedTable, to: int) -> Scene:
    """Undo the match back to its first `to` steps, and return the refreshed table."""
    table.match.undo(len(table.match.steps) - to)
    table.refresh()
    return table


def _loss_words(log: MatchLog, to: int) -> str:
    """Return what undoing would lose: the newest steps' sentences, and how many more steps."""
    texts = [line_of(log, n) for n in islice(last_visible(log), 3) if n > to]
    gone = visible_count(log) - visible_number(log, to)
    if gone > 3:
        texts.append(plural("And {n} earlier step.", "And {n} earlier steps.", gone - 3))
    return " ".join(texts)


def line_of(log: MatchLog, number: int) -> str:
    """Return step `number` (from 1) as a sentence; "" if the log leaves it out."""
    return log.line(log.match.steps[number - 1], log.match.positions[number - 1])
