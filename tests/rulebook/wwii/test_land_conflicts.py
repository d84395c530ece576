"""World War II, Land Conflicts: the defence roll, attrition, five at most."""

from __future__ import annotations

import pytest

from engine.orders.odds import pool
from engine.orders.position import Position
from tests.tables import after, atoll, deploy, due_in, reserve, rolled, stand, units, valley


def attack(attackers: int = 4, defenders: int = 2) -> Position:
    """Blue has moved from b1 and a2 into c1's neighbour b2's side of the valley: c2 is yellow's."""
    start = valley(f"a1:3 a2:1 b2:{attackers + 1}", f"c3:4 c2:{defenders}")
    return after(start, deploy("advance:c2", f"b2:{attackers}"))


# --- defence ----------------------------------------------------------------------------


@pytest.mark.parametrize(("pips", "left"), [(0, "blue 2 troop"), (1, "blue 1 troop"), (2, "")])
def test_as_many_attackers_go_as_there_are_pips_and_then_one_each(pips: int, left: str) -> None:
    assert units(after(attack(), rolled("yellow", pips)), "c2") == left


# --- the air zone above -----------------------------------------------------------------


def over(zones: str, yellow: str = "d2:4 c2:2", target: str = "c2") -> Position:
    """Blue attacks c2, which lies under zone-white."""
    start = atoll("a1:3 a2:1 b2:4 zone-red:1", f"{yellow} {zones}")
    return after(start, deploy(f"advance:{target}", "b2:3"))


def test_two_dice_beneath_a_zone_that_the_defender_controls_and_supplies() -> None:
    position = over("zone-green:1 zone-white:1")
    assert due_in(position).dice == 2
    assert [(part.reason, part.dice) for part in pool(position)] == [("defence", 1), ("zone", 1)]


def test_one_die_where_the_defender_does_not_supply_the_zone() -> None:
    assert due_in(over("zone-white:1")).dice == 1


def test_one_die_beneath_a_zone_that_nobody_or_the_attacker_holds() -> None:
    assert due_in(over("zone-green:1")).dice == 1
    start = atoll("a1:3 a2:1 b2:4 zone-red:1 zone-white:1", "d2:4 c2:2 zone-green:1")
    assert due_in(after(start, deploy("advance:c2", "b2:3"))).dice == 1


def test_another_zone_does_not_count() -> None:
    start = atoll("a1:3 b1:2 c1:4 zone-red:1", "d2:4 d1:2 zone-white:2")
    position = after(start, deploy("advance:d1", "c1:3"))
    assert due_in(position).dice == 1


def test_the_attackers_supply_of_the_zone_gives_the_defender_nothing() -> None:
    start = atoll("a1:3 a2:1 b2:4 zone-red:1 zone-white:2", "d2:4 c2:2 zone-green:2")
    assert [part.reason for part in pool(after(start, deploy("advance:c2", "b2:3")))] == ["defence"]


# --- attrition --------------------------------------------------------------------------


def test_no_more_than_five_attackers_stay() -> None:
    start = stand(valley().board, "a1:3 b1:1 b2:5 c1:5", "c3:4 c2:1")
    start = after(start, deploy("advance:c2", "b2:4 c1:4"))
    position = after(start, rolled("yellow", 0))
    assert units(position, "c2") == "blue 5 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") + 3


def test_five_in_an_area_taken_without_a_fight() -> None:
    position = after(valley("a1:3 a2:5 b1:5"), deploy("advance:b2", "a2:4 b1:4"))
    assert units(position, "b2") == "blue 5 troop"
