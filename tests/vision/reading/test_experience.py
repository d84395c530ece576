"""Readings weighed with confirmed turns, which cannot do harm, and with what the game expects."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.errors import TableError
from vision.reading import experience
from vision.reading.count import SURE, Combo, CountBelief, combo_of
from vision.reading.experience import (
    KIND,
    Experience,
    Units,
    experience_of,
    experience_text,
    posterior,
    with_expectation,
)
from vision.reading.read import Reading

AREAS = tuple(f"{column}{row}" for column in "abcde" for row in range(1, 5))


def troops(*chances: float, faction: str = "black", first: int = 3) -> CountBelief:
    """`first` troops with the first probability, one more with the next, and so on; the likeliest first."""
    options = [(((faction, "troop", first + i),), chance) for i, chance in enumerate(chances)]
    return CountBelief(tuple(sorted(options, key=lambda option: -option[1])))


def reading(counts: dict[str, CountBelief], hidden: tuple[str, ...] = ()) -> Reading:
    sure = {area: 0.0 if area in hidden else belief.confidence for area, belief in counts.items()}
    return Reading({}, {}, sure, hidden, 1.0, counts=counts)


def standing(n: int, areas: tuple[str, ...] = AREAS, faction: str = "black") -> Units:
    return {area: {faction: {"troop": n}} for area in areas}


def taught(known: Experience, belief: CountBelief, n: int, turns: int) -> Experience:
    """So many confirmed turns in which every area was read like this and held n troops, all of them just put there."""
    for _ in range(turns):
        known = known.learned(reading(dict.fromkeys(AREAS, belief)), standing(n))
        known = Experience(known.keys, known.mean, known.precision, known.turns, {})
    return known


SHORT = troops(0.6, 0.4)


def test_without_lessons_nothing_changes() -> None:
    counts = {"a1": SHORT, "b2": troops(0.97, 0.03)}
    seen = reading(counts)
    assert Experience().apply_to(counts) == counts
    assert Experience().refined(seen).confidence == seen.confidence


def test_a_table_that_is_always_counted_one_short_is_put_right() -> None:
    known = taught(Experience(), SHORT, 4, turns=2)
    assert known.apply_to({"a1": SHORT})["a1"].best == (("black", "troop", 4),)
    red = troops(0.6, 0.4, faction="red")
    assert known.apply_to({"a1": red})["a1"].best == (("red", "troop", 3),), "what was never met keeps its count"
    assert known.refined(reading({"a1": SHORT})).units == {"a1": {"black": {"troop": 4}}}


def test_an_eye_that_is_surer_than_it_may_be_is_damped() -> None:
    known = Experience()
    for _ in range(6):
        counts = {area: troops(0.04, 0.92, 0.04) for area in AREAS}
        truth = {**standing(4), **standing(3, AREAS[:1]), **standing(5, AREAS[1:3])}
        known = known.learned(reading(counts), truth)
        known = Experience(known.keys, known.mean, known.precision, known.turns, {})
    assert known.mean[0] < 1
    assert known.apply_to({"a1": troops(0.04, 0.92, 0.04)})["a1"].confidence < 0.9


def test_an_eye_that_is_too_modest_may_trust_itself_more_but_never_becomes_sure_by_it() -> None:
    modest = troops(0.1, 0.8, 0.1)
    known = taught(Experience(), modest, 4, turns=10)
    refined = known.apply_to({"a1": modest})["a1"]
    assert refined.best == modest.best
    assert modest.confidence < refined.confidence < SURE


@settings(max_examples=40)
@given(
    chances=st.lists(st.floats(0.001, 1), min_size=2, max_size=6),
    mean=st.tuples(st.floats(0.5, 1.7), st.floats(-1, 1)),
)
def test_what_is_sure_afterwards_was_sure_before(chances: list[float], mean: tuple[float, float]) -> None:
    belief = troops(*(chance / sum(chances) for chance in chances))
    known = Experience((("black", "troop"),), mean, ((1.0, 0.0), (0.0, 1.0)), turns=1)
    refined = known.apply_to({"a1": belief})["a1"]
    assert sum(chance for _, chance in refined.options) == pytest.approx(1)
    if refined.confidence >= SURE:
        assert belief.best == refined.best
        assert belief.confidence >= refined.confidence or belief.confidence >= SURE


def test_a_few_mistaken_confirmations_spoil_nothing() -> None:
    clear = troops(0.02, 0.96, 0.02)
    known = taught(Experience(), clear, 4, turns=5)
    wrong = {**standing(4), **standing(3, AREAS[:3])}
    after = known.learned(reading(dict.fromkeys(AREAS, clear)), wrong)
    refined = after.apply_to({"a1": clear})["a1"]
    assert refined.best == clear.best
    assert refined.confidence > 0.9


def test_what_is_covered_unthought_of_or_contradicts_a_sure_eye_everywhere_is_no_lesson() -> None:
    covered = reading({"a1": SHORT}, hidden=("a1",))
    assert Experience().learned(covered, standing(4, ("a1",))) == Experience()
    refined = taught(Experience(), SHORT, 4, turns=2).refined(covered)
    assert (refined.units, refined.confidence, refined.unreadable) == ({}, {"a1": 0.0}, ("a1",))
    unthought = Experience().learned(reading({"a1": SHORT}), standing(1, ("a1",)))
    assert unthought.mean == pytest.approx((1.0, 0.0))
    known = taught(Experience(), SHORT, 4, turns=1)
    assert known.learned(reading(dict.fromkeys(AREAS, troops(0.98, 0.02))), standing(4)) is known


def test_pieces_that_nobody_moved_are_hardly_new_evidence() -> None:
    seen, truth = reading({"a1": SHORT}), standing(4, ("a1",))
    once = Experience().learned(seen, truth)
    still = once.learned(seen, truth)
    fresh = Experience(once.keys, once.mean, once.precision, once.turns, standing(3, ("a1",))).learned(seen, truth)
    gained = [known.mean[1] - once.mean[1] for known in (still, fresh)]
    assert gained[1] > 0.03
    assert gained[0] < 0.2 * gained[1]


def test_what_was_learned_fades_when_nothing_confirms_it() -> None:
    known = taught(Experience(), SHORT, 4, turns=3)
    nothing_to_tell = dict.fromkeys(AREAS, CountBelief((((("black", "troop", 3),), 1.0),)))
    later = known
    for _ in range(60):
        later = later.learned(reading(nothing_to_tell), standing(3))
    assert 0 < later.mean[1] < 0.8 * known.mean[1]
    bounded = taught(Experience(), troops(0.88, 0.12), 4, turns=40)
    assert -1 <= bounded.mean[1] <= 1
    assert 0.5 <= bounded.mean[0] <= 1.7


def test_lessons_of_a_session_make_the_eye_right_more_often() -> None:
    """A table whose second discs are seen too weakly: 10 turns are confirmed, then as many are read."""
    rng = np.random.default_rng(4)

    def turn() -> tuple[dict[str, CountBelief], Units]:
        counts, truth = {}, {}
        for area in AREAS:
            stacked = rng.random() < 0.3
            seen = float(np.clip(rng.beta(3, 5) if stacked else rng.beta(1, 12), 0.01, 0.99))
            counts[area] = troops(1 - seen, seen)
            truth[area] = {"black": {"troop": 4 if stacked else 3}}
        return counts, truth

    known = Experience()
    for _ in range(10):
        counts, truth = turn()
        known = known.learned(reading(counts), truth)
    right, silent = [0, 0], [0, 0]
    for _ in range(10):
        counts, truth = turn()
        for which, beliefs in enumerate((counts, known.apply_to(counts))):
            for area, belief in beliefs.items():
                same = belief.best == (("black", "troop", truth[area]["black"]["troop"]),)
                right[which] += same
                silent[which] += not same and belief.confidence >= SURE
    assert right[1] > right[0] + 10
    assert silent[1] <= silent[0]


# ---- as text ------------------------------------------------------------------------------------


def test_it_is_written_and_read_back() -> None:
    known = taught(Experience(), SHORT, 4, turns=2).learned(reading({"a1": SHORT}), standing(4, ("a1",)))
    assert experience_of(experience_text(known)) == known
    assert experience_of(experience_text(Experience())) == Experience()


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"kind": "gunbai-table"},
        {"mean": [1.0]},
        {"mean": [9.0, 0.0]},
        {"mean": [float("nan"), 0.0]},
        {"precision": [[1.0, 0.0], [0.0, -1.0]]},
        {"precision": "x"},
        {"precision": [[1e308, 0.0], [0.0, 1e308]]},
        {"keys": [["black"]]},
        {"keys": 3},
        {"last": [1]},
        {"turns": "many"},
        {"turns": 1e20},
        {"last": {"a1": {"red": {"troop": 1e20}}}},
    ],
)
def test_what_is_broken_is_refused(change: dict[str, object]) -> None:
    known = taught(Experience(), SHORT, 4, turns=1)
    whole = {"kind": KIND, "version": 1, **asdict(known)}
    assert experience_of(json.dumps(whole)) == known
    for text in (json.dumps({**whole, **change}), "", "[]", "{", "[" * 5000, json.dumps({"kind": KIND, "version": 1})):
        with pytest.raises(TableError, match="experience"):
            experience_of(text)


TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)


def two_or_three(two: float) -> CountBelief:
    options = sorted([(TWO, two), (THREE, 1 - two)], key=lambda option: -option[1])
    return CountBelief(tuple(options))


@pytest.mark.parametrize(
    ("two", "expected", "best"), [(0.4, TWO, TWO), (0.2, TWO, TWO), (0.01, TWO, THREE), (0.99, (), TWO)]
)
def test_doubt_gives_way_to_what_is_expected_and_clear_sight_does_not(two: float, expected: Combo, best: Combo) -> None:
    told = posterior(two_or_three(two), expected)
    assert told.best == best
    assert sum(chance for _, chance in told.options) == pytest.approx(1.0)
    assert posterior(two_or_three(0.9), TWO).confidence > 0.98
    assert posterior(two_or_three(0.01), TWO).confidence < 0.99
    nought = {"red": {"troop": 0, "ship": 1}, "black": {"troop": 2}}
    assert combo_of(nought) == (("black", "troop", 2), ("red", "ship", 1))


def test_the_game_alone_never_makes_an_area_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experience, "TRUST", 0.999)
    told = posterior(two_or_three(0.45), TWO)
    assert told.best == TWO
    assert told.confidence < 0.9
    assert sum(chance for _, chance in told.options) == pytest.approx(1.0)


def test_a_whole_reading_is_weighed_but_for_what_cannot_be_seen() -> None:
    counts = {"a1": two_or_three(0.4), "b1": two_or_three(0.4), "c1": CountBelief((((), 1.0),))}
    plain = Reading({}, {}, {"a1": 0.6, "b1": 0.0, "c1": 1.0}, ("b1",), 1.0, counts)
    told = with_expectation(plain, {"a1": {"red": {"troop": 2}}, "b1": {"red": {"troop": 2}}})
    assert told.units == {"a1": {"red": {"troop": 2}}}
    assert told.confidence["a1"] == pytest.approx(0.857, abs=0.01)
    assert told.confidence["b1"] == 0.0
    assert told.unreadable == ("b1",)
    assert plain.confidence["a1"] == 0.6
