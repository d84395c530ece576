"""What a thought is: work that goes on elsewhere, what has come of it so far, and whether it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypeVar

Found_co = TypeVar("Found_co", covariant=True)
Result = TypeVar("Result")
State = Literal["thinking", "done", "failed"]
Work = Callable[[], Iterable[Result]]
"""What is thought through: yields what it finds, one thing after the other. For another process it must pickle: a
function of a module, or `functools.partial` of one with values."""


class Thought(Protocol[Found_co]):
    """Work under way."""

    @property
    def state(self) -> State:
        """As of the last look at its news; a thought that was stopped is done."""

    def news(self) -> tuple[Found_co, ...]:
        """Return what was found since the last look, in order.

        Takes no time: to be asked once a frame. Never raises.
        """

    def stop(self) -> None:
        """End the work at once, as nobody wants to know any more, and find nothing more."""


class Thinking(Protocol):
    """Where thoughts are begun."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Start the work; where it can't be started, the thought has failed."""


class InlineThought:
    """Thinks it all when it is first asked for news."""

    def __init__(self, work: Work[Any]) -> None:
        self._work: Work[Any] | None = work

    @property
    def state(self) -> State:
        """Done, once its news was asked for."""
        return "done" if self._work is None else "thinking"

    def news(self) -> tuple[Any, ...]:
        """Return all that is found; what the work raises is raised."""
        work, self._work = self._work, None
        return () if work is None else tuple(work())

    def stop(self) -> None:
        """Find nothing."""
        self._work = None


class InlineThinking:
    """Thinks while it is asked: for tests and pictures."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Return a thought that begins only when its news are first asked for."""
        return InlineThought(work)
