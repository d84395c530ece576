"""World War II, Air Conflicts: as on land, with aircraft, and always one die. Island only."""

from __future__ import annotations

import pytest

from engine.orders.odds import pool
from engine.orders.position import Position
from tests.tables import after, atoll, deploy, due_in, refused, rolled, units


def attack(attackers: int = 3, defenders: int = 2, more: str = "") -> Position:
    """Blue flies from zone-red into zone-white."""
    start = atoll(f"a1:3 zone-red:{attackers + 1}", f"d2:4 zone-white:{defenders} {more}")
    return after(start, deploy("fly:zone-white", f"zone-red:{attackers}"))


def test_the_defender_rolls_one_die() -> None:
    due = due_in(attack())
    assert (due.by, due.dice, due.area) == ("yellow", 1, "zone-white")
    refused(attack(), rolled("blue", 1), "roll.by", "this is Yellow's roll")


def test_one_die_also_where_the_defender_supplies_the_zone() -> None:
    position = attack(more="zone-green:2")
    assert due_in(position).dice == 1
    assert [part.reason for part in pool(position)] == ["defence"]


def test_town_centre_defends_no_zone() -> None:
    start = atoll("a1:3 zone-red:4", "d2:4 c2:1 b2:1 zone-green:2 zone-white:2")
    position = after(start, deploy("fly:zone-white", "zone-red:3"))
    assert due_in(position).dice == 1


@pytest.mark.parametrize(("pips", "left"), [(0, "blue 1 aircraft"), (1, ""), (2, "yellow 1 aircraft")])
def test_as_many_attackers_go_as_there_are_pips_and_then_one_each(pips: int, left: str) -> None:
    assert units(after(attack(), rolled("yellow", pips)), "zone-white") == left


def test_no_more_than_five_attackers_stay() -> None:
    start = atoll("a1:3 zone-red:5 zone-green:5", "d2:4 zone-white:1")
    assert units(after(start, deploy("fly:zone-white", "zone-red:4"), rolled("yellow", 0)), "zone-white") == (
        "blue 3 aircraft"
    )


def test_troops_beneath_take_no_part() -> None:
    start = atoll("a1:3 zone-red:4", "d2:4 c2:3 zone-white:2")
    position = after(start, deploy("fly:zone-white", "zone-red:3"), rolled("yellow", 2))
    assert (units(position, "c2"), units(position, "zone-white")) == ("yellow 3 troop", "yellow 1 aircraft")
