"""Scenes of a disk that refuses: the sign at the table, and the question before such a game is left."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from companion.match import Match
from companion.scenes.screen import Intent
from companion.scenes.table import TableScene
from tests.companion.gallery import scene
from tests.companion.sample_games import played
from tests.companion.touching import Hand


@contextmanager
def refusing(number: int) -> Iterator[None]:
    """A disk that takes no byte."""

    def refuse(*_given: object) -> int:
        raise OSError(number, os.strerror(number))

    with mock.patch.object(os, "write", refuse):
        yield


def _played_in_memory(hand: Hand, steps: int) -> Match:
    hand.press("New game", "Begin at once")
    assert isinstance(hand.app.scene, TableScene)
    match = hand.app.scene.match
    with refusing(errno.ENOSPC):
        for step in played()[0][:steps]:
            match.offer(step)
        hand.app.tick(0.0)
    return match


@scene
def unsaved_now(hand: Hand) -> None:
    """A table whose last steps are in memory only, as it is said first."""
    _played_in_memory(hand, 12)


@scene
def unsaved_later(hand: Hand) -> None:
    """The standing sign alone, once the sentence is put away."""
    _played_in_memory(hand, 12)
    hand.app.touch(Intent("hush"))


@scene
def unsaved_leaving(hand: Hand) -> None:
    """The way home is asked for while steps are in memory only."""
    _played_in_memory(hand, 3)
    with refusing(errno.ENOSPC):
        hand.app.touch(Intent("menu"))
        hand.press("Home")


@scene
def unsaved_touched(hand: Hand) -> None:
    """The sign was touched, and the disk tried again in vain."""
    _played_in_memory(hand, 1)
    with refusing(errno.ENOSPC):
        hand.app.touch(Intent("unsaved"))
        hand.press("Try again")
