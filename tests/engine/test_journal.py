"""Folding and replaying steps, for any system of rules; here one that adds and refuses to go below nothing."""

from __future__ import annotations

import pytest

from engine.errors import Illegal
from engine.ruling import Citation, Hearing, Rule
from engine.system import Judge, Replay

RULES = {"sum.below": Rule("sum.below", Citation("Sums"), "no sum below nothing", "from nothing up", "below nothing")}


def weigh(hearing: Hearing, position: int, step: int) -> None:
    hearing.weigh("sum.below", position + step >= 0)


SUMS: Judge[int, int] = Judge(lambda position: RULES, weigh, lambda position, step: position + step)


def test_a_game_is_a_fold_over_its_steps() -> None:
    assert SUMS.fold(0, [3, -1, 4]) == 6
    assert SUMS.fold(7, []) == 7


def test_a_fold_ends_at_the_first_step_refused() -> None:
    with pytest.raises(Illegal, match="below nothing") as caught:
        SUMS.fold(0, [3, -4, 5])
    assert caught.value.ruling == SUMS.judge(3, -4)


def test_a_replay_keeps_what_came_before_the_step_refused() -> None:
    assert SUMS.replay(0, [3, -4, 5]) == Replay(3, 1, SUMS.judge(3, -4))


def test_a_replay_of_legal_steps_reaches_their_end() -> None:
    assert SUMS.replay(0, [3, -1]) == Replay(2, 2, None)


def test_steps_may_come_one_at_a_time() -> None:
    assert SUMS.fold(0, iter(range(4))) == 6
