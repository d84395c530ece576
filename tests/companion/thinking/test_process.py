"""Thoughts in a process of their own: results come as they are found; faults and stops end the thought alone."""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from itertools import count
from random import Random
from typing import Any

import pytest

from companion.core.own_process import own_command, own_environment
from companion.thinking.player import TurnWanted, choice, choices
from companion.thinking.thought import (
    LENGTH,
    InlineThinking,
    ProcessThinking,
    ProcessThought,
    Thought,
    answer_elsewhere,
)
from companion.thinking.worker import serve
from engine.orders.player import LEVELS, choose
from tests.companion.commands.terminal import Capture
from tests.companion.thinking import works
from tests.engine.orders.player.positions import last_turns
from tests.patience import until

LAST = last_turns("sengoku-rivers", ({"e3": 3, "d4": 1}, {"a3": 3}), (2, 2))


@pytest.fixture
def thinking() -> Iterator[ProcessThinking]:
    begun = ProcessThinking()
    yield begun
    begun.close()


def heard(thought: Thought[Any], enough: int = 1 << 30) -> list[Any]:
    """Its news until it is over, or until there are enough."""
    found: list[Any] = []

    def over() -> bool:
        found.extend(thought.news())
        return thought.state != "thinking" or len(found) >= enough

    assert until(over)
    return found


def test_results_come_in_order_and_then_it_is_done(thinking: ProcessThinking) -> None:
    thought = thinking.begin(partial(works.counting, 3))
    assert heard(thought) == [0, 1, 2]
    assert (thought.state, thought.news()) == ("done", ())


def test_a_result_larger_than_the_pipe_comes_whole(thinking: ProcessThinking) -> None:
    assert heard(thinking.begin(works.large)) == [bytes(1 << 20)]


def test_a_fault_ends_the_thought_and_nothing_else(thinking: ProcessThinking, capfd: Capture) -> None:
    thought = thinking.begin(works.failing)
    assert heard(thought) == [1]
    assert thought.state == "failed"
    assert "a fault in the work" in capfd.readouterr().err


@pytest.mark.parametrize("end", ["stop", "close"])
def test_it_is_ended_at_any_moment(thinking: ProcessThinking, end: str) -> None:
    thought = thinking.begin(works.endless)
    assert isinstance(thought, ProcessThought)
    assert heard(thought, 1) == [1]
    pid = thought.pid
    assert pid is not None
    thought.stop() if end == "stop" else thinking.close()
    assert (thought.state, thought.pid, thought.news()) == ("done", None, ())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_process_that_cannot_be_started_is_a_failed_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*told: object, **more: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    thought = ProcessThinking().begin(partial(works.counting, 3))
    assert (thought.state, thought.news()) == ("failed", ())
    thought.stop()
    assert thought.state == "failed"


def test_the_worker_ends_where_nobody_listens_any_more() -> None:
    child = subprocess.Popen(
        own_command("companion.thinking.worker"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=own_environment()
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdout.close()
    with child.stdin:
        pickle.dump(partial(works.counting, 3), child.stdin)
    assert until(lambda: child.poll() == 0)


def test_each_result_is_framed_and_an_empty_one_ends_it() -> None:
    out = BytesIO()
    serve(BytesIO(pickle.dumps(partial(works.counting, 1))), out)
    data = pickle.dumps(0)
    assert out.getvalue() == LENGTH.pack(len(data)) + data + LENGTH.pack(0)


def test_another_process_chooses_as_this_one_does(thinking: ProcessThinking) -> None:
    [found] = heard(thinking.begin(partial(choice, TurnWanted(LAST, "red", "even", 7, 60.0))))
    assert found == choose(LAST, "red", LEVELS["even"], Random(7))


def test_a_choice_is_ready_at_a_glance_and_the_last_is_as_if_none_had_been_told_before() -> None:
    wanted = TurnWanted(LAST, "red", "even", 7, 60.0, 2)
    found = list(choices(wanted))
    assert [choice.iterations for choice in found][:3] == [0, 8, 16]
    assert found[-1:] == list(choice(wanted))


def test_time_ends_a_choice_by_its_clock() -> None:
    wanted, ticks = TurnWanted(LAST, "red", "strong", 7, 5.0), count()
    [whole] = InlineThinking().begin(partial(choice, wanted, lambda: 0.0)).news()
    [short] = InlineThinking().begin(partial(choice, wanted, lambda: float(next(ticks)))).news()
    assert short.iterations < whole.iterations


def test_a_thought_in_place_is_over_once_its_news_were_asked_for() -> None:
    thought = InlineThinking().begin(partial(works.counting, 2))
    assert (thought.state, thought.news(), thought.state, thought.news()) == ("thinking", (0, 1), "done", ())
    stopped = InlineThinking().begin(partial(works.counting, 2))
    stopped.stop()
    assert (stopped.state, stopped.news()) == ("done", ())


# ---- one answer --------------------------------------------------------------------------------


def test_what_the_work_returns_is_returned() -> None:
    assert answer_elsewhere(partial(divmod, 7, 2), ValueError) == (3, 1)


@pytest.mark.parametrize(("fault", "told"), [(ValueError, "invalid literal"), (OSError, "cut short")])
def test_a_fault_is_raised_and_a_process_that_ends_too_soon_is_one(fault: type[Exception], told: str) -> None:
    with pytest.raises(fault, match=told):
        answer_elsewhere(partial(int, "x"), fault)
