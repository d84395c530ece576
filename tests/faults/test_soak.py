"""The soak in little: two games in one app, and how lines are fitted to what it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak import play
from benchmarks.soak.play import Sample, Soak, slope, verdict

pytestmark = pytest.mark.long


def test_after_a_second_game_handles_and_threads_are_as_after_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(play, "WAYS", {"watched": 1})
    monkeypatch.setattr(play, "BOARDS", ("sengoku-rivers",))
    told: list[Sample] = []
    one = Soak(41, 1, told.append)
    try:
        one.run()
    finally:
        one.close()
    assert (one.games, one.samples) == (2, told)
    _start, first, second = told
    assert second.turns > 41 > first.turns > 0
    assert (second.handles, second.threads) == (first.handles, first.threads)


def holding(leak: int) -> list[Sample]:
    """Return a soak that gains this many handles every hundred turns, and memory until it is warm."""
    return [Sample(n, 1000.0 + min(n, 200), 500, 7 + leak * n // 100, 3, 0.1 * n) for n in range(0, 1001, 50)]


def test_a_line_is_fitted_to_what_is_held_once_it_is_warm() -> None:
    assert slope(holding(leak=1), "handles") == pytest.approx(0.01, rel=0.02)
    assert verdict(holding(leak=1)) == ("handles",)
    assert verdict(holding(leak=0)) == (), "the memory of the warm-up does not count"
    assert verdict(holding(leak=0)[:5]) == ("fewer than 5 samples",), "nothing is flat that was hardly looked at"
