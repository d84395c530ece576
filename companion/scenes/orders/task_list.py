"""What hands must do on the board: ticked as a whole, one by one, or by the camera. It never waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.core.language import _, language_in_use
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.panels import Close, Face, Reply
from companion.scenes.orders.hand_tasks import Task
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    CheckLine,
    Checklist,
    Intent,
    Prompt,
    Text,
    back_button,
    confirm_button,
)
from engine.orders.steps import Step

AGREES = ("sync", "unsure", "proposal")


class ToDo:
    """The tasks that the last step left for the hands, and which of them are done.

    tell: its title and the tasks, in the language that is spoken; asked again where that has changed.
    """

    def __init__(self, tell: Callable[[], tuple[str, Iterable[Task]]] = lambda: ("", ())) -> None:
        self._tell = tell
        self._told: tuple[object, str, tuple[Task, ...]] = None, "", ()
        self.done_tasks: set[int] = set()

    @property
    def title(self) -> str:
        """What stands over the tasks."""
        return self._in_words()[1]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All of them, in the order of the table."""
        return self._in_words()[2]

    def _in_words(self) -> tuple[object, str, tuple[Task, ...]]:
        if self._told[0] is not language_in_use():
            title, tasks = self._tell()
            self._told = language_in_use(), title, tuple(tasks)
        return self._told

    @property
    def open(self) -> bool:
        """Whether something is left to do."""
        return len(self.done_tasks) < len(self.tasks)

    def finish(self) -> None:
        """Mark all tasks done."""
        self.done_tasks = set(range(len(self.tasks)))

    def tick(self, number: int) -> None:
        """Mark one task done, or not done if it already was."""
        self.done_tasks ^= {number} & set(range(len(self.tasks)))

    def heed(self, sense: SyncStatus) -> None:
        """Tick what the camera sees done: all where the board agrees, else what lies apart from all that is amiss."""
        if sense.sign in AGREES:
            self.finish()
        elif sense.sign == "behind":
            amiss = {place for item in sense.items for place in (item.place, item.place.partition(":")[2])}
            seen = (n for n, task in enumerate(self.tasks) if task.places and not task.places & amiss)
            self.done_tasks |= set(seen)

    def line(self) -> str:
        """Sum up in one line what is left to do."""
        left = " · ".join(task.text for n, task in enumerate(self.tasks) if n not in self.done_tasks)
        return f"{self.title} {left}"

    def block(self, head: Prompt | None = None) -> tuple[Block, ...]:
        """Return the list as a small card; nothing once all is done.

        head: a prompt to put on the same card.
        """
        if not self.open:
            return ()
        lines = tuple(CheckLine(task.text, n in self.done_tasks) for n, task in enumerate(self.tasks))
        return (Checklist(self.title, lines, head),)


class ToDoPanel:
    """The list in large, to be ticked one by one."""

    def __init__(self, todo: ToDo) -> None:
        self.todo = todo

    def show(self) -> Face:
        """Show a button for each task, which ticks it."""
        lines = tuple(
            Button(task.text, Intent("tick", "", n), ticked=n in self.todo.done_tasks)
            for n, task in enumerate(self.todo.tasks)
        )
        blocks = (Text(self.todo.title, "title"), Buttons(lines, 1))
        return Face(blocks, (back_button(verb="cancel"), confirm_button(_("Done"), intent=Intent("did"))))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Tick one, tick all, or go back."""
        if intent.verb == "tick":
            self.todo.tick(intent.n)
        elif intent.verb == "did":
            self.todo.finish()
        return Close() if intent.verb in ("did", "cancel") or not self.todo.open else None
