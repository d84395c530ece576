"""Memory is given back where a job with pictures ends."""

from __future__ import annotations

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
