"""Which areas are too much covered to be read."""

from __future__ import annotations

from vision.reading.count import CountBelief
from vision.reading.hidden import MOST_SHARE, SOME_SHARE, hidden_areas

TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)
SURE, UNSURE = CountBelief(((TWO, 0.99), (THREE, 0.01))), CountBelief(((TWO, 0.7), (THREE, 0.3)))


def test_an_area_in_clear_sight_is_read_however_unsure() -> None:
    assert hidden_areas({"a1": 0.0, "b1": SOME_SHARE}, {"a1": UNSURE, "b1": UNSURE}) == ()


def test_an_area_that_is_covered_a_little_is_read_only_where_the_rest_leaves_no_doubt() -> None:
    between = (SOME_SHARE + MOST_SHARE) / 2
    assert hidden_areas({"b1": between, "a1": between}, {"a1": SURE, "b1": UNSURE}) == ("b1",)


def test_an_area_that_is_covered_much_is_not_read() -> None:
    much = MOST_SHARE + 0.01
    assert hidden_areas({"b1": much, "a1": much}, {"a1": SURE, "b1": UNSURE}) == ("a1", "b1")
