"""Turns are looked for in a thread."""

from __future__ import annotations

import threading

import pytest

from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.turn_inference import InlineExplainer, ThreadedExplainer, explain
from engine.orders import game
from engine.orders.inference.infer import Inference
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, moved
from tests.patience import until


def test_while_it_thinks_the_last_meaning_stays(match: Match) -> None:
    class Slow:
        done = False

        def explanation(self, asked: InferenceRequest) -> Inference | None:
            return explain(asked) if self.done else None

    slow = Slow()
    minded = SyncMonitor(slow)
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs = [minded.sense.sign]
    slow.done = True
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs.append(minded.sense.sign)
    slow.done = False
    minded.update(match, TableView("settled", reading_of(game.apply(match.position, ADVANCE))), 0.0)
    assert [*signs, minded.sense.sign] == ["waiting", "sync", "sync"]


def waited_for(thinking: ThreadedExplainer, asked: InferenceRequest) -> Inference:
    assert until(lambda: thinking.explanation(asked) is not None), "the thread gave no answer"
    found = thinking.explanation(asked)
    assert found is not None
    return found


def test_the_thread_finds_what_is_found_at_once(match: Match) -> None:
    thinking = ThreadedExplainer()
    for n in (1, 2):
        asked = InferenceRequest(match.position, reading_of(game.apply(match.position, moved(n))))
        assert waited_for(thinking, asked) == InlineExplainer().explanation(asked)
        assert thinking.explanation(asked) is not None, "it is kept"
    thinking.close()
    thinking.join()


def test_a_fault_of_the_thread_comes_to_light(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(asked: InferenceRequest) -> Inference:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.perception.turn_inference.explain", breaks)
    thinking = ThreadedExplainer()
    asked = InferenceRequest(match.position, reading_of(match.position))
    with pytest.raises(ZeroDivisionError):
        waited_for(thinking, asked)
    thinking.join()


def test_the_thread_leaves_out_what_nobody_waits_for_any_more(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    began, may_end = threading.Event(), threading.Event()
    explained: list[InferenceRequest] = []

    def slowly(asked: InferenceRequest) -> Inference:
        explained.append(asked)
        began.set()
        may_end.wait()
        return Inference((), ())

    monkeypatch.setattr("companion.perception.turn_inference.explain", slowly)
    thinking = ThreadedExplainer()
    first, second, third = (InferenceRequest(match.position, reading_of(match.position)) for _ in range(3))
    thinking.explanation(first)
    began.wait()
    thinking.explanation(second)
    thinking.explanation(third)
    may_end.set()
    assert waited_for(thinking, third) == Inference((), ())
    assert explained == [first, third]
    thinking.close()
    thinking.join()
