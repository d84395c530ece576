"""Folding and replaying steps, for any system of rules; here one that adds and refuses to go below nothing."""

from __future__ import annotations

import pytest

from engine.errors import Illegal
from engine.ruling import Citation, Finding, Ruling
from engine.system import Replay, fold, replay

BELOW = Ruling((Finding("sum.below", False, Citation("Sums"), "below nothing"),))


def add(position: int, step: int) -> int:
    if position + step < 0:
        raise Illegal(BELOW)
    return position + step


def test_a_game_is_a_fold_over_its_steps() -> None:
    assert fold(add, 0, [3, -1, 4]) == 6
    assert fold(add, 7, []) == 7


def test_a_fold_ends_at_the_first_step_refused() -> None:
    with pytest.raises(Illegal, match="below nothing") as caught:
        fold(add, 0, [3, -4, 5])
    assert caught.value.ruling is BELOW


def test_a_replay_keeps_what_came_before_the_step_refused() -> None:
    assert replay(add, 0, [3, -4, 5]) == Replay(3, 1, BELOW)


def test_a_replay_of_legal_steps_reaches_their_end() -> None:
    assert replay(add, 0, [3, -1]) == Replay(2, 2, None)


def test_steps_may_come_one_at_a_time() -> None:
    assert fold(add, 0, iter(range(4))) == 6
