"""When readings may be believed, and that several of one scene never make the eye surer than it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.live.settling import (
    COVERED_S,
    FLICKER_MOST,
    FLICKER_S,
    HOLD_S,
    MOST_AVERAGED,
    SettledReading,
    Settling,
    StillMean,
    fuse,
)
from vision.reading.count import Combo, CountBelief
from vision.reading.read import Reading

TWO: Combo = (("red", "troop", 2),)
THREE: Combo = (("red", "troop", 3),)
NONE: Combo = ()


def reading(
    a1: dict[Combo, float] | None = None, leader: float = 0.0, hidden: tuple[str, ...] = (), b2: float = 0.98
) -> Reading:
    """Return a reading of two areas and a space.

    a1: as told; b2: the probability that b2 is empty; leader: that red's commander is on advance:a1.
    """
    beliefs = {"a1": a1 or {TWO: 0.95, THREE: 0.05}, "b2": {NONE: b2, TWO: 1 - b2}}
    counts = {
        area: CountBelief(tuple(sorted(options.items(), key=lambda option: -option[1])))
        for area, options in beliefs.items()
    }
    return Reading(
        units={"a1": {"red": {"troop": 2}}},
        commanders={"advance:a1": "red"} if leader > 0.5 else {},
        confidence={area: 0.0 if area in hidden else count.confidence for area, count in counts.items()},
        unreadable=hidden,
        ms=1.0,
        counts=counts,
        leaders={"advance:a1": {"red": leader}} if leader else {},
    )


def settle(
    readings: list[Reading], every_s: float = 0.3, usual: frozenset[str] = frozenset()
) -> tuple[float, SettledReading]:
    """When readings that come so often settle, and as what; the last one goes on coming."""
    settling = Settling()
    for i in range(100):
        held = settling.add(readings[min(i, len(readings) - 1)], i * every_s, usual)
        if held is not None:
            return i * every_s, held
    raise AssertionError("it never settles")


def test_what_holds_for_a_second_is_settled() -> None:
    when, held = settle([reading()])
    assert HOLD_S <= when < HOLD_S + 0.3
    assert held.reading.units == {"a1": {"red": {"troop": 2}}}
    assert held.areas == held.spaces == ()


def test_a_few_readings_far_apart_are_too_few() -> None:
    when, _ = settle([reading()], every_s=1.0)
    assert when == 2.0


def test_a_table_that_changes_settles_on_what_it_became() -> None:
    when, held = settle([reading({THREE: 0.99}), reading({THREE: 0.99}), reading()])
    assert when >= 0.6 + HOLD_S
    assert held.reading.counts["a1"].best == TWO
    assert held.areas == (), "what was before is no doubt"


def test_motion_in_between_begins_anew() -> None:
    settling = Settling()
    assert settling.add(reading(), 0.0) is None
    assert settling.holding
    settling.clear()
    assert not settling.holding
    assert settling.add(reading(), 1.5) is None
    assert settling.add(reading(), 2.0) is None
    assert settling.add(reading(), 2.5) is not None


def test_what_flickers_is_waited_for_and_then_unsure() -> None:
    flicker = [reading(), reading({THREE: 0.97, TWO: 0.03}, leader=0.9)] * 20
    when, held = settle(flicker)
    assert when >= FLICKER_S
    assert held.areas == ("a1",)
    assert held.spaces == ("advance:a1",)
    assert held.reading.confidence["a1"] <= FLICKER_MOST
    assert held.reading.confidence["b2"] == 0.98
    assert held.reading.leaders["advance:a1"]["red"] <= FLICKER_MOST


def test_what_is_covered_is_waited_for_longer() -> None:
    when, held = settle([reading(hidden=("a1",))])
    assert when >= COVERED_S
    assert held.reading.unreadable == ("a1",)
    assert held.reading.confidence["a1"] == 0.0
    assert "a1" not in held.reading.units


def test_a_card_that_lay_there_before_is_not_waited_for() -> None:
    when, _ = settle([reading(hidden=("a1",))], usual=frozenset({"a1"}))
    assert when < COVERED_S


def test_beliefs_are_averaged() -> None:
    held = fuse([reading({TWO: 0.9, THREE: 0.1}, leader=0.6), reading({TWO: 0.7, NONE: 0.3}, leader=0.8)])
    assert dict(held.reading.counts["a1"].options) == pytest.approx({TWO: 0.8, NONE: 0.15, THREE: 0.05})
    assert held.reading.leaders["advance:a1"]["red"] == pytest.approx(0.7)
    assert held.reading.commanders == {"advance:a1": "red"}


def test_a_commander_that_one_reading_misses_counts_as_not_seen_there() -> None:
    held = fuse([reading(leader=0.9), reading()])
    assert held.spaces == ("advance:a1",)
    assert held.reading.leaders["advance:a1"]["red"] == pytest.approx(0.45)
    assert held.reading.commanders == {}


def test_a_support_space_that_one_reading_does_not_see_is_out_of_sight() -> None:
    seen, covered = (replace(reading(), support=spaces) for spaces in (("plan:1", "plan:2"), ("plan:2",)))
    assert fuse([seen, seen]).reading.support == ("plan:1", "plan:2")
    assert fuse([seen, covered]).reading.support == ("plan:2",)


@given(st.lists(st.floats(0.02, 0.98), min_size=1, max_size=6))
def test_readings_together_are_never_surer_than_the_surest(chances: list[float]) -> None:
    readings = [reading({TWO: p, THREE: 1 - p}) for p in chances]
    together = fuse(readings).reading
    assert together.counts["a1"].confidence <= max(look.counts["a1"].confidence for look in readings) + 1e-9
    assert sum(p for _, p in together.counts["a1"].options) <= 1 + 1e-9


# ---- the mean of still pictures -----------------------------------------------------------------


def test_the_mean_of_pictures_has_less_noise() -> None:
    rng = np.random.default_rng(1)
    clean = np.full((60, 80, 3), 100.0)
    mean, noisy = (
        StillMean(),
        [np.round(clean + rng.normal(0, 10, clean.shape)).astype(np.uint8) for _ in "1234"],
    )
    for picture in noisy:
        mean.add(picture)
    seen = mean.mean
    assert seen.dtype == np.uint8
    assert np.std(seen - clean) < 0.6 * np.std(noisy[0] - clean)
    assert abs(float(seen.mean()) - 100) < 0.5


def test_the_mean_begins_anew_when_told_and_with_another_size() -> None:
    mean = StillMean()
    mean.add(np.full((4, 4, 3), 10, np.uint8))
    mean.clear()
    mean.add(np.full((4, 4, 3), 90, np.uint8))
    assert mean.mean[0, 0, 0] == 90
    mean.add(np.full((2, 4, 3), 30, np.uint8))
    assert mean.mean[0, 0, 0] == 30


def test_the_mean_has_an_end() -> None:
    mean = StillMean()
    for _ in range(MOST_AVERAGED):
        mean.add(np.full((2, 2, 3), 255, np.uint8))
    mean.add(np.zeros((2, 2, 3), np.uint8))
    assert mean.mean[0, 0, 0] == 255
