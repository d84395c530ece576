"""Following a game step by step: what hands have to do after each, and what is to be said once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from companion.core.language import _
from companion.games.match import Match
from companion.games.undo_log import CORRECT
from companion.scenes.base.map_picture import undo_traces
from companion.scenes.orders.hand_tasks import Task, ToDo, announced_tasks, tasks, tasks_to_undo
from companion.scenes.story.outline import common_length
from companion.text.orders import faction_name
from companion.ui.screen import Trace
from engine.orders.position import Position
from engine.orders.score import HQ_LOST, VICTORY_POINTS
from engine.orders.steps import Agreed, Deploy, Pass, Step

Played = tuple[Position, Step, Position]
Course = tuple[tuple[Position, ...], tuple[Step, ...]]
"""A game's positions (the start, and one after each step) and its steps."""


@dataclass(frozen=True, slots=True)
class AskedTask:
    """A task of the list, and the step that asks for it.

    tasks_of: returns all tasks of the step; nth: the index of this one among them; step: the index of the step;
    back: whether the step is undone.
    """

    tasks_of: Callable[[Position, Position, Step], tuple[Task, ...]]
    played: Played
    nth: int
    step: int
    back: bool

    @property
    def task(self) -> Task:
        """The task in the current language."""
        was, step, then = self.played
        return self.tasks_of(was, then, step)[self.nth]


class HandTasks:
    """The list of tasks for the hands, and the last step's news; `follow` updates both."""

    def __init__(self, match: Match) -> None:
        self.todo = ToDo()
        self._came: Played | None = None
        self._seen: Course = match.positions, match.steps
        self._last = match.taken_back[-1:]
        self._asked: tuple[AskedTask, ...] = ()
        self._gone: tuple[Played, ...] = ()

    @property
    def news(self) -> str:
        """What everybody must know of the last step: a new round, or the end; "" if nothing."""
        return step_news(self._came) if self._came is not None else ""

    @property
    def going_back(self) -> tuple[Trace, ...]:
        """The map's arrows for units to move back after an undo; none once the list is done."""
        return undo_traces(self._gone) if self.todo.open else ()

    def follow(self, match: Match) -> None:
        """Update the list from the steps played or undone since the last call."""
        before, now = self._seen, (match.positions, match.steps)
        last, self._last = self._last, match.taken_back[-1:]
        self._seen = now
        same = _common(before, now)
        gone, came = _played(before, same), _played(now, same)
        if not gone and not came:
            return
        self._came = came[-1] if came else None
        if self._last != last and self._last[0].why == CORRECT:  # the record follows the table, not the table it
            self._ask((), ())
            return
        kept = () if any(_begins_anew(step) for _before, step, _after in came) else self._open(same)
        earlier = self._gone if any(request.back for request in kept) else ()
        back = _each(tasks_to_undo, reversed(gone), range(same + len(gone) - 1, same - 1, -1), back=True)
        new = _each(tasks, came, range(same, same + len(came)), back=False)
        self._ask((*kept, *back, *new), () if came else (*gone, *earlier))

    def mark_done(self, step: int) -> None:
        """Mark the announced tasks of a step done, but not those that ending a round adds. step: its index."""
        asked = [n for n, request in enumerate(self._asked) if request.step == step and not request.back]
        if asked:
            was, done, then = self._asked[asked[0]].played
            self.todo.done_tasks |= set(asked[: len(announced_tasks(was, then, done))])

    def _open(self, same: int) -> tuple[AskedTask, ...]:
        """Return the tasks not yet done, dropping those of steps since undone. same: how many steps are unchanged."""
        open_ = (request for n, request in enumerate(self._asked) if n not in self.todo.done_tasks)
        return tuple(request for request in open_ if request.back or request.step < same)

    def _ask(self, asked: tuple[AskedTask, ...], gone: tuple[Played, ...]) -> None:
        """Set the list to these tasks. gone: the undone steps, for the map."""
        self._asked, self._gone = asked, gone
        self.todo = ToDo(partial(_in_words, asked))


def _in_words(asked: tuple[AskedTask, ...]) -> tuple[str, Iterator[Task]]:
    """Return the heading of the list and its tasks, in the current language."""
    only_back = bool(asked) and all(request.back for request in asked)
    title = _("To undo on the board:") if only_back else _("Now on the board:")
    return title, (request.task for request in asked)


def _each(
    told: Callable[[Position, Position, Step], tuple[Task, ...]],
    played: Iterable[Played],
    numbers: Iterable[int],
    *,
    back: bool,
) -> tuple[AskedTask, ...]:
    """Return the tasks of these steps, whose indices are `numbers`. told: returns a step's tasks."""
    pairs = zip(played, numbers, strict=True)
    return tuple(
        AskedTask(told, played_step, nth, n, back)
        for played_step, n in pairs
        for nth in range(len(told(played_step[0], played_step[2], played_step[1])))
    )


def _begins_anew(step: Step) -> bool:
    """Return whether a step makes earlier tasks count as done: one that starts a turn, or a correction."""
    return isinstance(step, Deploy | Pass) or (isinstance(step, Agreed) and step != Agreed(readings=step.readings))


def _played(course: Course, start: int) -> list[Played]:
    """Return the steps from this index on, each with the positions before and after it."""
    positions, steps = course
    return list(zip(positions[start:], steps[start:], positions[start + 1 :], strict=False))


def _common(before: Course, now: Course) -> int:
    """Return how many leading steps both courses share."""
    same = max(common_length(before[0], now[0]) - 1, 0)
    pairs = zip(before[1][same:], now[1][same:], strict=False)
    most = min(len(before[1]), len(now[1]))
    return next((n for n, (was, is_) in enumerate(pairs, same) if was != is_), most)


def step_news(played: Played) -> str:
    """Return what everybody must know of a step, in words: a new round, or why the game ended; "" if neither."""
    before, _step, after = played
    if after.winner_name is not None:
        return {HQ_LOST: _("A headquarters is empty."), VICTORY_POINTS: _("The last round is over.")}.get(
            after.reason or "", _("As agreed by the players.")
        )
    if before.round != after.round:
        return _("Round {n}: {who} to move").format(n=after.round, who=faction_name(after.to_move_name))
    return ""
