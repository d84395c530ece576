"""World War II, Control and Supply: two networks, one over land and one through the air."""

from __future__ import annotations

import pytest

from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.supply import cut_off_areas, supply
from tests.tables import atoll, valley


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
