"""A reading weighed with what the game expects: doubt gives way to it, clear sight does not."""

from __future__ import annotations

import pytest

from vision.reading import prior
from vision.reading.count import Combo, CountBelief
from vision.reading.prior import combo_of, posterior, with_expectation
from vision.reading.read import Reading

TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)


def belief(two: float) -> CountBelief:
    options = sorted([(TWO, two), (THREE, 1 - two)], key=lambda option: -option[1])
    return CountBelief(tuple(options))


@pytest.mark.parametrize(
    ("two", "expected", "best"), [(0.4, TWO, TWO), (0.2, TWO, TWO), (0.01, TWO, THREE), (0.99, (), TWO)]
)
def test_doubt_gives_way_to_what_is_expected_and_clear_sight_does_not(two: float, expected: Combo, best: Combo) -> None:
    told = posterior(belief(two), expected)
    assert told.best == best
    assert sum(chance for _, chance in told.options) == pytest.approx(1.0)


def test_what_agrees_is_surer_and_what_differs_less_sure() -> None:
    assert posterior(belief(0.9), TWO).confidence > 0.98
    assert posterior(belief(0.01), TWO).confidence < 0.99


def test_the_game_alone_never_makes_an_area_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prior, "TRUST", 0.999)
    told = posterior(belief(0.45), TWO)
    assert told.best == TWO
    assert told.confidence < 0.9
    assert sum(chance for _, chance in told.options) == pytest.approx(1.0)


def test_a_whole_reading_is_weighed_but_for_what_cannot_be_seen() -> None:
    counts = {"a1": belief(0.4), "b1": belief(0.4), "c1": CountBelief((((), 1.0),))}
    plain = Reading({}, {}, {"a1": 0.6, "b1": 0.0, "c1": 1.0}, ("b1",), 1.0, counts)
    told = with_expectation(plain, {"a1": {"red": {"troop": 2}}, "b1": {"red": {"troop": 2}}})
    assert told.units == {"a1": {"red": {"troop": 2}}}
    assert told.confidence["a1"] == pytest.approx(0.857, abs=0.01)
    assert told.confidence["b1"] == 0.0
    assert told.unreadable == ("b1",)
    assert plain.confidence["a1"] == 0.6


def test_the_combo_of_units_is_sorted_and_has_no_nought() -> None:
    assert combo_of({"red": {"troop": 0, "ship": 1}, "black": {"troop": 2}}) == (
        ("black", "troop", 2),
        ("red", "ship", 1),
    )
