"""Movement: ahead, back, turning; ground, roads, what is in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sonae.field import Place, gap, overlaps, way
from engine.sonae.game import apply
from engine.sonae.steps import Advance, Done, FallBack, Wheel
from tests.engine.sonae.case import at, battle, messages, objections, roll, wants


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


def test_a_mounted_general_goes_further_and_an_encamped_one_nowhere() -> None:
    assert objections(battle(), Advance("ito-general", 5, 8)) == ["move.encamped"]
    assert not objections(battle(modes=("mobile", "encamped")), Advance("ito-general", 5, 9))


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


def test_a_failed_test_after_falling_back_is_a_status_worse() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 9, 9, 180))
    assert roll(apply(start, FallBack("ito-a", 9, 7)), 0).here("ito-a").status == "wavering"


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
