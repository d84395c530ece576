"""Thoughts that take as long as a test wants."""

from __future__ import annotations

from typing import Any

from companion.thinking.thought import InlineThought, State, Thought, Work


class SlowThought(InlineThought):
    """A thought that is over once the test says so; found: what it has found on the way."""

    ready = False
    stopped = False
    fails = False
    found: tuple[Any, ...] = ()

    @property
    def state(self) -> State:
        return "failed" if self.fails else super().state

    def news(self) -> tuple[Any, ...]:
        found, self.found = self.found, ()
        return super().news() if self.ready else found

    def stop(self) -> None:
        self.stopped = True


class SlowThinking:
    """Keeps the thoughts for the test."""

    def __init__(self) -> None:
        self.thoughts: list[SlowThought] = []

    def begin(self, work: Work[Any]) -> Thought[Any]:
        self.thoughts.append(SlowThought(work))
        return self.thoughts[-1]
