"""Movement: what is measured is the same from both ends, whatever the places and the grid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sonae.field import GRIDS, NEAR, Measure, Place, touches

LENGTHS = st.integers(0, 1200).map(lambda n: n / 100)
PLACES = st.builds(Place, LENGTHS, LENGTHS, st.integers(0, 359).map(float), st.sampled_from([0.5, 1.0, 2.0]))
MEASURES = st.builds(Measure, st.sampled_from(GRIDS), st.booleans())


@settings(max_examples=200)
@given(MEASURES, PLACES, PLACES, st.sampled_from([0.0, 1.0, 2.0]))
def test_two_bases(measure: Measure, one: Place, other: Place, most: float) -> None:
    one, other = measure.snapped(one), measure.snapped(other)
    assert measure.gap(one, other) == pytest.approx(measure.gap(other, one))
    assert measure.distance(one.at, other.at) == pytest.approx(measure.distance(other.at, one.at))
    assert measure.overlaps(one, other) == measure.overlaps(other, one)
    assert measure.touches(one, other) == measure.touches(other, one)
    assert measure.is_near(one, other, most) == (measure.gap(one, other) <= most + NEAR)
    if measure.overlaps(one, other):
        assert measure.gap(one, other) == 0


@settings(max_examples=200)
@given(MEASURES, PLACES)
def test_a_place_snaps_once(measure: Measure, place: Place) -> None:
    snapped = measure.snapped(place)
    again = measure.snapped(snapped)
    assert again.at == pytest.approx(snapped.at)
    assert again.facing_deg == snapped.facing_deg
    assert measure.distance(place.at, snapped.at) == 0


@settings(max_examples=200)
@given(MEASURES, PLACES, PLACES)
def test_a_way_ends_where_it_goes_in_steps_that_hang_together(measure: Measure, start: Place, end: Place) -> None:
    start, end = measure.snapped(start), measure.snapped(end)
    way = list(measure.way(start, end))
    assert way[-1].at == pytest.approx(end.at)
    for place, two in zip([start, *way], way, strict=False):
        assert measure.distance(place.at, two.at) <= (2.0 if not measure.corners else 1.0) + 1e-6


@settings(max_examples=200)
@given(PLACES, PLACES)
def test_free_contact_is_a_gap_too_small_to_see(one: Place, other: Place) -> None:
    assert touches(one, other) == (Measure().gap(one, other) <= NEAR)
