"""World War II, Control, Supply and Reinforce: two networks, and troops from the reserve into what they reach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.board import board_from
from engine.orders.game import legal
from engine.orders.mode import Support, load_mode
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.supply import cut_off_areas, supply
from tests.boards.practice import board_data
from tests.tables import after, atoll, deploy, refused, reserve, stand, units, valley


def in_supply(position: Position, faction: str = "blue") -> list[str]:
    return sorted(supply(position)[faction])


# --- control ----------------------------------------------------------------------------


def test_troops_control_land_and_aircraft_control_zones() -> None:
    position = atoll("a1:4 b1:1 zone-white:2", "d2:4 c2:1")
    assert (position.controller("b1"), position.controller("zone-white")) == ("blue", "blue")
    assert position.controller("zone-green") is None


def test_aircraft_do_not_control_the_land_beneath_nor_troops_the_zone_above() -> None:
    position = atoll("a1:4 b1:1 b2:1 c1:1 c2:1", "d2:4 zone-white:2")
    assert position.controller("zone-white") == "yellow"
    assert position.controller("b1") == "blue"
    assert position.controller("zone-red") is None


# --- supply on land ---------------------------------------------------------------------


def test_land_is_supplied_by_a_chain_of_land_to_the_headquarters() -> None:
    assert in_supply(valley("a1:3 a2:1 b2:1 c1:1")) == ["a1", "a2", "b2"]
    assert list(cut_off_areas(valley("a1:3 a2:1 b2:1 c1:1"))["blue"]) == ["c1"]


def test_the_air_joins_no_land() -> None:
    position = atoll("a1:3 c1:2 zone-red:2 zone-white:2", "d2:4")
    assert in_supply(position) == ["a1", "zone-red", "zone-white"]
    assert list(cut_off_areas(position)["blue"]) == ["c1"]


# --- supply in the air ------------------------------------------------------------------


def test_a_zone_is_supplied_by_a_chain_of_zones_to_that_of_the_headquarters() -> None:
    position = atoll("a1:3 zone-red:1 zone-white:1 zone-green:1", "d2:4")
    assert in_supply(position) == ["a1", "zone-green", "zone-red", "zone-white"]


def test_a_broken_chain_of_zones_cuts_what_lies_beyond() -> None:
    position = atoll("a1:3 zone-red:1 zone-green:2", "d2:4 zone-white:1")
    assert in_supply(position) == ["a1", "zone-red"]
    assert list(cut_off_areas(position)["blue"]) == ["zone-green"]


def test_land_joins_no_zones() -> None:
    position = atoll("a1:3 b1:1 c1:1 d1:1 zone-red:1 zone-green:2", "d2:4")
    assert list(cut_off_areas(position)["blue"]) == ["zone-green"]


def test_the_chains_of_both_factions_begin_at_their_own_headquarters() -> None:
    position = atoll("a1:3 zone-red:1", "d2:3 d1:1 zone-green:2 zone-white:1")
    assert in_supply(position, "yellow") == ["d1", "d2", "zone-green", "zone-white"]


# --- points -----------------------------------------------------------------------------


@pytest.mark.parametrize(("blue", "points"), [("a1:3 a2:1 b2:1", 3), ("a1:3 b2:1", 0)])
def test_points_count_on_land_that_is_controlled_and_supplied(blue: str, points: int) -> None:
    assert score(atoll(blue, "d2:4")).vp["blue"] == points


# ==== Reinforce and Not Enough Troops?: troops from the reserve into land that one supplies ====

SHORT = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:1", "c3:4")


def amount(space: str) -> int:
    return load_mode("wwii-alpine").support[space].amount


# --- placing ----------------------------------------------------------------------------


def test_as_many_as_the_space_says_and_no_more() -> None:
    for space in ("reinforce:1", "reinforce:2"):
        most = amount(space)
        assert legal(valley()).spaces[space].amount == most
        assert reserve(after(valley(), deploy(space, f"a2:3 b1:{most - 3}")), "blue", "troop") == 17 - most
        step = deploy(space, f"a1:1 a2:3 b1:{most - 3}")
        refused(valley(), step, "reinforce.amount", f"at most {most} units")


@pytest.mark.parametrize(
    ("area", "words"),
    [("b2", "is empty"), ("c3", "Yellow controls"), ("c1", "Blue controls c1, but its supply line")],
)
def test_only_into_land_that_one_controls_and_supplies(area: str, words: str) -> None:
    position = valley("a1:4 a2:2 c1:1")
    assert set(legal(position).spaces["reinforce:1"].areas) == {"a1", "a2"}
    refused(position, deploy("reinforce:1", f"a1:1 {area}:1"), "reinforce.area", words)


def test_no_more_than_five_troops_are_placed_into_an_area() -> None:
    start = valley("a1:4 a2:1")
    finding = refused(start, deploy("reinforce:1", "a2:5"), "reinforce.limit", "a2 would have 6 troops; the limit is 5")
    assert (finding.citation.section, finding.reading) == ("Reinforce", None)
    assert units(after(start, deploy("reinforce:1", "a1:1 a2:4")), "a2") == "blue 5 troop"
    refused(start, deploy("reinforce:1", "a1:1 a1:1"), "reinforce.limit", "a1 would have 6 troops; the limit is 5")


def test_only_areas_with_room_are_offered_and_only_what_they_take() -> None:
    offer = legal(valley("a1:5 a2:4 b1:3")).spaces["reinforce:1"]
    assert (offer.areas, offer.amount) == (("a2", "b1"), 3)
    full = legal(valley("a1:5 a2:5")).spaces["reinforce:1"]
    assert (full.areas, full.amount) == ((), 0)
    assert units(after(valley("a1:5 a2:5"), deploy("reinforce:1")), "a2") == "blue 5 troop"


def test_the_number_may_differ_between_the_factions() -> None:
    mode = load_mode("wwii-alpine")
    support = {**mode.support, "reinforce:1": Support(6, amounts={"yellow": 4})}
    board = board_from(board_data("valley"), replace(mode, support=support))
    for faction, most in (("blue", 6), ("yellow", 4)):
        position = stand(board, "a1:1 a2:1", "c3:1 c2:1", to_move=faction)
        areas = "a1:4 a2" if faction == "blue" else "c3:4 c2"
        assert legal(position).spaces["reinforce:1"].amount == most
        refused(position, deploy("reinforce:1", f"{areas}:{most - 3}"), "reinforce.amount", f"at most {most} units")


# --- not enough troops ------------------------------------------------------------------


def test_where_the_reserve_is_short_troops_are_taken_back_first() -> None:
    assert reserve(SHORT, "blue", "troop") == 1
    refused(SHORT, deploy("reinforce:1", "a1:0 a3:2"), "reserve.short", "only 1 in the reserve")
    position = after(SHORT, deploy("reinforce:1", "a3:2", recall="b2:1"))
    assert (units(position, "a3"), units(position, "b2")) == ("blue 5 troop", "blue 4 troop")


def test_from_areas_one_controls_supplied_or_not() -> None:
    cut = valley("a1:5 a2:5 b1:5 c2:5 c1:1 a3:3", "c3:4 b2:1")
    assert reserve(cut, "blue", "troop") == 1
    assert units(after(cut, deploy("reinforce:1", "a3:2", recall="c2:1")), "c2") == "blue 4 troop"
    refused(cut, deploy("reinforce:1", "a3:2", recall="c3:1"), "recall.control reserve.short", "you don't control c3")


def test_with_an_empty_reserve_troops_are_not_moved_about_to_no_end() -> None:
    full = valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4")
    refused(
        full, deploy("reinforce:1", "b2:2", recall="a1:2"), "reinforce.limit", "b2 would have 7 troops; the limit is 5"
    )
    refused(
        full,
        deploy("reinforce:1", recall="a1:2"),
        "recall.short",
        "nothing here needs troops from your reserve, so you can't recall any",
    )
    room = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:2", "c3:4")
    assert units(after(room, deploy("reinforce:1", "a3:2", recall="c1:1 a1:1")), "a3") == "blue 5 troop"
