"""Movement: ahead, back, turning, ground and roads; and all of it measured in cells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sonae.field import COLUMN, GRIDS, NEAR, Measure, Place, cells, gap, middle, overlaps, touches, way
from engine.sonae.game import apply
from engine.sonae.position import Due
from engine.sonae.ranges import enemies_in_contact, is_in_range
from engine.sonae.scenario import read_scenario
from engine.sonae.steps import Advance, Agreed, Done, FallBack, Wheel
from tests.engine.sonae.case import (
    at,
    battle,
    gridded,
    messages,
    objections,
    roll,
    rolls,
    scenario_text,
    standing,
    told,
    wants,
)


@pytest.mark.parametrize(
    ("x", "y", "rules"),
    [
        (9, 8, []),
        (10.4, 7.4, []),
        (9, 8.2, ["move.distance"]),
        (10.9, 6.4, ["move.front"]),
        (9, 5, ["move.front"]),
    ],
)
def test_ahead_into_the_front_quarter_by_two(x: float, y: float, rules: list[str]) -> None:
    assert objections(battle(at("ito-b", 28, 12), at("ito-gun", 26, 12)), Advance("ito-a", x, y)) == rules


@pytest.mark.parametrize(
    ("x", "y", "rules"), [(9, 5, []), (8.4, 5.3, []), (9, 4.9, ["move.distance"]), (9, 7, ["move.rear"])]
)
def test_back_into_the_rear_quarter_by_one(x: float, y: float, rules: list[str]) -> None:
    assert objections(battle(), FallBack("ito-a", x, y)) == rules


def test_back_by_more_than_one_is_too_far() -> None:
    assert messages(battle(), FallBack("ito-a", 9, 4.8)) == [
        "ito-a would move 1.2 Movements; the limit is 1 (reading: measure)"
    ]


@pytest.mark.parametrize(
    ("facing", "x", "y", "rules"),
    [
        (90, 9, 6, []),
        (90, 10, 6, []),
        (180, 9, 5, []),
        (90, 10.2, 6, ["move.distance"]),
        (90, 9, 7, ["move.front"]),
        (30, 9, 6, ["move.facing"]),
        (320, 9, 6, ["move.facing"]),
    ],
)
def test_turning_to_another_quarter_and_one_on(facing: float, x: float, y: float, rules: list[str]) -> None:
    assert objections(battle(at("ito-b", 28, 12)), Wheel("ito-a", facing, x, y)) == rules


def test_a_turn_changes_the_facing() -> None:
    assert apply(battle(), Wheel("ito-a", 270, 8.9, 6)).here("ito-a").place.facing_deg == 270


def test_difficult_ground_allows_one_ahead() -> None:
    wood = battle(at("ito-a", 25, 19, 0), at("ito-lead", 24, 17))
    assert objections(wood, Advance("ito-a", 25, 20.8)) == ["move.distance"]
    assert not objections(wood, Advance("ito-a", 25, 20))


def test_roads_allow_one_more_ahead_or_back() -> None:
    road = battle(at("ito-a", 1, 3))
    assert not objections(road, Advance("ito-a", 1, 6))
    assert objections(road, Advance("ito-a", 1, 6.2)) == ["move.distance"]
    assert not objections(road, FallBack("ito-a", 1, 1))
    leaving = battle(at("ito-a", 1, 8))
    assert objections(leaving, Advance("ito-a", 1, 11)) == ["move.distance"]


def test_the_way_is_free_of_units_lakes_and_the_edge() -> None:
    friend = battle(at("ito-b", 9, 7.5))
    assert objections(friend, Advance("ito-a", 9, 8)) == ["move.way"]
    assert messages(friend, Advance("ito-a", 9, 8)) == ["ito-b is in ito-a's way (reading: through-units)"]
    lake = battle(at("ito-a", 25, 5, 180), at("ito-lead", 24, 8))
    assert objections(lake, Advance("ito-a", 25, 3.5)) == ["move.ground"]
    assert messages(lake, Advance("ito-a", 25, 3.5)) == ["impassable terrain is in ito-a's way (reading: ground-under)"]
    edge = battle(at("ito-a", 9, 1, 180))
    assert objections(edge, Advance("ito-a", 9, -0.5)) == ["move.edge"]
    assert messages(edge, Advance("ito-a", 9, -0.5)) == ["ito-a would leave the table (reading: edge)"]


def test_only_a_move_ahead_ends_in_contact() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 10.6, 8, 270), at("oda-b", 9, 6, 0))
    assert objections(start, Wheel("ito-a", 90, 9.55, 8)) == ["move.contact"]
    assert objections(start, FallBack("ito-a", 9, 7.02)) == ["move.contact"]


def test_falling_back_out_of_combat_brings_a_test() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 9, 9, 180))
    assert objections(start, Wheel("ito-a", 180, 9, 7)) == ["order.locked"]
    after = apply(start, FallBack("ito-a", 9, 7))
    assert wants(after) == [("retreat", "ito")]
    assert apply(battle(), FallBack("ito-a", 9, 5.5)).due == ()


def test_roads_help_ahead_and_back_and_not_in_turning() -> None:
    road = battle(at("ito-a", 1, 3))
    assert objections(road, Wheel("ito-a", 180, 1, 1.5)) == ["move.distance"]
    assert objections(battle(at("ito-a", 1, 3), modes=("mobile", "encamped")), Wheel("ito-a", 180, 1, 2)) == []


def test_difficult_ground_may_end_all_movement() -> None:
    wood = battle(at("ito-a", 25, 20.5, 0), at("ito-lead", 24, 18), readings=frozenset({"difficult-ends"}))
    after = apply(wood, Advance("ito-a", 25, 21.4))
    assert after.here("ito-a").mired
    assert objections(after, Advance("ito-a", 25, 22)) == ["move.mired"]
    assert not apply(after, Done()).here("ito-a").mired
    assert not apply(replace(wood, readings=frozenset()), Advance("ito-a", 25, 21.4)).here("ito-a").mired
    assert not apply(wood, Advance("ito-lead", 24, 19)).here("ito-lead").mired


# --- plain geometry -----------------------------------------------------------------------


def test_gaps_are_from_edge_to_edge() -> None:
    one = Place(0, 0, 0)
    assert gap(one, Place(0, 3, 0)) == pytest.approx(2)
    assert gap(one, Place(2, 2, 0)) == pytest.approx(2**0.5)
    assert gap(one, Place(0, 2, 45)) == pytest.approx(1.5 - 0.5 * 2**0.5)
    assert gap(one, Place(0.5, 0.5, 0)) == 0
    assert not overlaps(one, Place(1, 0, 0))
    assert overlaps(one, Place(0.9, 0, 0))


def test_a_way_is_looked_at_in_strides_to_its_end() -> None:
    places = list(way(Place(0, 0, 0), Place(0, 1, 0)))
    assert len(places) == 10
    assert places[-1] == Place(0, 1, 0)


@pytest.mark.parametrize(("depth", "point", "quarter"), [(0.5, (0.6, 0.4), "front"), (0.5, (0.8, 0.4), "right")])
def test_quarters_run_out_from_the_corners(depth: float, point: tuple[float, float], quarter: str) -> None:
    assert Place(0, 0, 0, depth).quarter(point) == quarter


# ==== Movement =================================================================================

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


# ==== Moves, ranges and contact in cells =======================================================

SQUARE, HEX = Measure("square"), Measure("hex")


# --- cells --------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_every_cell_is_found_by_its_middle_and_by_what_lies_near_it(grid: str) -> None:
    for cell in cells(grid, (6.0, 5.0)):
        x, y = middle(grid, cell)
        assert {Measure(grid).cell((x + dx, y + dy)) for dx in (-0.3, 0, 0.3) for dy in (-0.3, 0, 0.3)} == {cell}
    assert len(list(cells(grid, (6.0, 5.0)))) == {"square": 30, "hex": 32}[grid]


def test_places_snap_to_a_middle_and_a_side() -> None:
    assert SQUARE.snapped(Place(3.9, 2.1, 130)) == Place(3.5, 2.5, 90)
    assert HEX.snapped(Place(1.2, 1.1, 350)) == Place(0.5 + COLUMN, 1.0, 0)
    assert Measure().snapped(Place(3.9, 2.1, 130)) == Place(3.9, 2.1, 130)


def test_steps_between_cells() -> None:
    assert SQUARE.distance((0.5, 0.5), (3.5, 2.5)) == 3
    assert Measure("square", corners=False).distance((0.5, 0.5), (3.5, 2.5)) == 5
    around = [middle("hex", cell) for cell in ((2, 3), (2, 1), (1, 1), (3, 1), (1, 2), (3, 2))]
    assert {HEX.distance(middle("hex", (2, 2)), place) for place in around} == {1.0}
    assert HEX.distance(middle("hex", (0, 0)), middle("hex", (4, 0))) == 4
    assert HEX.distance(middle("hex", (0, 0)), middle("hex", (0, 3))) == 3


def test_scenarios_begin_in_cells() -> None:
    start = gridded("square").units["ito-a"].start
    assert (start.at, start.facing_deg) == ((9.5, 6.5), 0)


def test_two_cannot_begin_in_a_cell() -> None:
    with pytest.raises(Exception, match="ito-lead: begins on ito-general"):
        read_scenario("field", scenario_text().replace("turns = 3", 'grid = "hex"').replace("x = 7", "x = 5.2"), "f")


# --- the rules in cells -------------------------------------------------------------------


def test_moves_on_squares() -> None:
    start = standing("square")
    assert objections(start, Advance("ito-a", 9.2, 8.9)) == []
    assert apply(start, Advance("ito-a", 9.2, 8.9)).here("ito-a").place == Place(9.5, 8.5, 0)
    assert objections(start, Advance("ito-a", 10.5, 8.5)) == []
    assert objections(start, Advance("ito-a", 9.5, 9.5)) == ["move.distance"]
    assert objections(start, Advance("ito-a", 10.5, 6.5)) == ["move.front"]
    assert objections(start, FallBack("ito-a", 9.5, 5.5)) == []
    assert objections(start, FallBack("ito-a", 9.5, 4.5)) == ["move.distance"]
    assert apply(start, Wheel("ito-a", 100, 10.4, 6.5)).here("ito-a").place == Place(10.5, 6.5, 90)
    assert objections(start, Wheel("ito-a", 30, 9.5, 6.5)) == ["move.facing"]


def test_a_corner_may_count_two() -> None:
    start = standing("square", "grid-corner")
    assert objections(start, Advance("ito-a", 10.5, 8.5)) == ["move.distance"]
    assert objections(start, Advance("ito-a", 10.5, 7.5)) == []


def test_moves_on_hexes() -> None:
    start = standing("hex", ito_a=(0.5 + 10 * COLUMN, 6.5, 60))
    ahead = middle("hex", (11, 6))
    assert start.here("ito-a").place.facing_deg == 60
    assert objections(start, Advance("ito-a", *ahead)) == []
    assert apply(start, Advance("ito-a", *ahead)).here("ito-a").place.at == ahead
    assert objections(start, Advance("ito-a", *middle("hex", (10, 7)))) == ["move.front"]
    assert objections(start, FallBack("ito-a", *middle("hex", (9, 5)))) == []


def test_units_are_in_the_way_by_cells() -> None:
    assert objections(standing("square", ito_b=(9.5, 7.5, 0)), Advance("ito-a", 9.5, 8.5)) == ["move.way"]
    assert objections(standing("square", ito_b=(10.5, 7.5, 0)), Advance("ito-a", 9.5, 8.5)) == []


def test_range_counts_the_cells_between() -> None:
    near = standing("square", oda_a=(9.5, 9.5, 180))
    assert is_in_range(near, "ito-a", "oda-a")
    assert not is_in_range(standing("square", oda_a=(9.5, 10.5, 180)), "ito-a", "oda-a")
    assert told(near, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard"
    close = standing("square", oda_a=(9.5, 8.5, 180))
    assert told(close, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard, +1 close range"


def test_contact_is_by_a_side_that_one_of_them_faces() -> None:
    assert enemies_in_contact(standing("square", oda_a=(9.5, 7.5, 180)), "ito-a") == ("oda-a",)
    assert enemies_in_contact(standing("square", oda_a=(10.5, 6.5, 270)), "ito-a") == ("oda-a",)
    assert enemies_in_contact(standing("square", oda_a=(10.5, 6.5, 0)), "ito-a") == ()
    assert enemies_in_contact(standing("square", oda_a=(10.5, 7.5, 180)), "ito-a") == ()


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_a_charge_its_melee_and_falling_back(grid: str) -> None:
    x = 9.5 if grid == "square" else 0.5 + 10 * COLUMN
    start = standing(grid, ito_a=(x, 6.5, 0), oda_a=(x, 9.5, 180))
    after = apply(start, Advance("ito-a", x, 8.5))
    assert wants(after) == [("closing", "oda")]
    fought = replace(after, due=())
    assert rolls(apply(fought, Done()), 0, 0).here("ito-a").place.y == 7.5
    stopped = roll(replace(after, due=(Due("closing-morale", 0, ("ito-a",), ("oda-a",)),)), 0)
    assert stopped.here("ito-a").place.y == 7.5


def test_what_is_agreed_snaps_too() -> None:
    after = apply(standing("square"), Agreed({"ito-a": {"x": 3.1, "facing": 80}}))
    assert after.here("ito-a").place == Place(3.5, 6.5, 90)
