"""Memory is given back where a job with pictures ends."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

import numpy as np
import pytest

from companion.app import app as app_module
from companion.app.app import App
from companion.core import heap
from companion.games.match import Match
from companion.perception import calibration
from companion.tracing import work as tracing
from companion.tracing.work import TraceWork, new_draft
from companion.ui.screen import Intent
from tests.companion.perception.calibrating import Newcomer


class Library:
    """A C library that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, tuple[int, ...]]] = []

    def malloc_trim(self, *given: int) -> None:
        self.told.append(("malloc_trim", given))

    def mallopt(self, *given: int) -> None:
        self.told.append(("mallopt", given))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: made)
    return made


def test_the_c_library_is_told(library: Library) -> None:
    heap.one_heap()
    heap.give_back()
    assert library.told == [("mallopt", (heap.M_ARENA_MAX, 1)), ("malloc_trim", (0,))]


def test_a_c_library_that_knows_no_such_thing_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    heap.one_heap()
    heap.give_back()


def test_garbage_is_collected_at_rest_once_there_may_be_some(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([(9, 9, heap.DUE - 1), (0, 0, heap.DUE)])
    collected: list[str] = []
    monkeypatch.setattr(gc, "get_count", lambda: next(counts))
    monkeypatch.setattr(gc, "collect", lambda: collected.append("all"))
    assert not heap.collect_if_due()
    assert collected == []
    assert heap.collect_if_due()
    assert collected == ["all"]


def test_no_touch_waits_for_a_whole_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, ...]] = []
    monkeypatch.setattr(gc, "freeze", lambda: told.append(()))
    monkeypatch.setattr(gc, "set_threshold", lambda *limits: told.append(limits))
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    heap.collect_at_rest()
    assert told == [(), (700, 10, heap.LATEST)]


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which rooms have given memory back."""
    told: list[str] = []
    for module in (app_module, calibration, tracing):
        monkeypatch.setattr(module, "give_back", lambda name=module.__name__: told.append(name))
    return told


def test_after_a_calibration(given_back: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Newcomer(tmp_path, monkeypatch).work.close()
    assert given_back == ["companion.perception.calibration"]


def test_after_a_board_was_traced(given_back: list[str]) -> None:
    TraceWork(new_draft("sengoku-rivers", "x"), np.zeros((480, 640, 3), np.uint8)).close()
    assert given_back == ["companion.tracing.work"]


def test_at_home_after_a_game_and_not_at_every_touch_there(given_back: list[str], match: Match) -> None:
    app = App(match=match)
    app.touch(Intent("menu"))
    app.touch(Intent("home"))
    assert given_back == ["companion.app.app"]
    app.touch(Intent("more"))
    app.touch(Intent("back"))
    assert given_back == ["companion.app.app"]
