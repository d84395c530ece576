"""Things done to a machine one after the other; where one fails, those before it are undone.

An action undoes itself where it fails halfway. A power cut undoes nothing: so each action leaves the machine as usable
as it was, and the one that counts is a single rename.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

Undo = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    told: a line for the list that is shown first, "" for none; do: does it, and returns how it is undone, None
    where nothing is.
    """

    told: str
    do: Callable[[], Undo | None]


def for_good(do: Callable[..., object], *arguments: object) -> None:
    """Do what is not undone, whatever `do` returns."""
    do(*arguments)


def carry_out(actions: Iterable[Action], watched: Callable[[int], object] = lambda _done: None) -> None:
    """Do all of them; if that ends early for any reason, undo what was done, the last first.

    `watched` is called after each with the number done.
    """
    with plain_rights(), ExitStack() as undone:
        for done, action in enumerate(actions, 1):
            undo = action.do()
            if undo is not None:
                undone.callback(undo)
            watched(done)
        undone.pop_all()


@contextmanager
def plain_rights() -> Iterator[None]:
    """Let all read new files and root alone write them, whatever umask the caller had."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)
