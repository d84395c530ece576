"""World War II, Fly, Take-off and Air Conflicts: aircraft on their way, new ones, and what meets in a zone."""

from __future__ import annotations

import pytest

from engine.orders.game import legal, owed
from engine.orders.mode import load_mode
from engine.orders.odds import roll_parts
from engine.orders.position import Position
from engine.ruling import citing
from tests.tables import after, allowed, atoll, deploy, due_in, refused, reserve, rolled, units


def test_from_zones_next_to_it_that_one_supplies() -> None:
    position = atoll("a1:3 zone-red:3")
    assert legal(position).spaces["fly:zone-white"].sources == {"zone-red": {"aircraft": 2}}
    position = after(position, deploy("fly:zone-white", "zone-red:2"))
    assert (units(position, "zone-white"), units(position, "zone-red")) == ("blue 2 aircraft", "blue 1 aircraft")
    assert owed(position) is None


def test_a_zone_with_one_aircraft_sends_none() -> None:
    assert "fly:zone-white" not in legal(atoll("a1:3 zone-red:1")).spaces
    step = deploy("fly:zone-white", "zone-red:1")
    refused(atoll("a1:3 zone-red:1"), step, "fly.last-unit", "the red zone has only 1 unit, and one must stay")


def test_not_through_another_zone_of_ones_own() -> None:
    position = atoll("a1:3 zone-red:3 zone-white:1", "d2:3")
    assert "fly:zone-green" not in legal(position).spaces
    refused(position, deploy("fly:zone-green", "zone-red:1"), "fly.reach", "the red zone is not next to the green zone")


def test_aircraft_fly_and_troops_do_not_whatever_one_edition_writes() -> None:
    finding = refused(
        atoll(), deploy("fly:zone-white", "zone-red:1 a1:1troop"), "fly.kind", "1 troop can't be in an air zone"
    )
    assert "we follow the English one" in finding.differs
    with citing("pt"):
        assert str(finding.citation) == "Voar"


# ==== Take-off and Not Enough Aircraft?: aircraft from the reserve into zones. Island only =====

LOST = atoll("a1:3 zone-white:2", "d2:3 zone-green:2 zone-red:2")
SHORT = atoll("a1:3 zone-red:3 zone-white:5 zone-green:1", "d2:3")


def amount(space: str) -> int:
    return load_mode("wwii-island").support[space].amount


@pytest.mark.parametrize("space", ["take_off:1", "take_off:2"])
def test_as_many_as_the_space_says_and_no_more(space: str) -> None:
    most = amount(space)
    start = atoll("a1:3 zone-red:1 zone-white:1")
    assert legal(start).spaces[space].amount == most
    assert units(after(start, deploy(space, f"zone-red:{most}")), "zone-red") == f"blue {most + 1} aircraft"
    step = deploy(space, f"zone-red:{most} zone-white:1")
    refused(start, step, "take_off.amount", f"at most {most} units")


def test_into_zones_that_one_controls_and_supplies() -> None:
    position = atoll("a1:3 zone-red:1 zone-white:1", "d2:3 zone-green:2")
    assert set(legal(position).spaces["take_off:1"].areas) == {"zone-red", "zone-white"}
    refused(position, deploy("take_off:1", "zone-green:1"), "take_off.area", "Yellow controls the green zone")
    empty = atoll("a1:3 zone-red:1", "d2:3")
    refused(empty, deploy("take_off:1", "zone-white:1"), "take_off.area", "the white zone is empty")


def test_not_into_a_zone_that_is_cut_off() -> None:
    position = atoll("a1:3 zone-red:1 zone-green:1", "d2:3")
    refused(position, deploy("take_off:1", "zone-green:1"), "take_off.area", "Blue controls the green zone, but")


def test_no_more_than_five_aircraft_are_placed_into_a_zone() -> None:
    start = atoll("a1:3 zone-red:4 zone-white:1")
    finding = refused(
        start,
        deploy("take_off:1", "zone-red:2"),
        "take_off.limit",
        "the red zone would have 6 aircraft; the limit is 5",
    )
    assert finding.citation.section == "Take-off"
    assert units(after(start, deploy("take_off:1", "zone-red:1 zone-white:2")), "zone-red") == "blue 5 aircraft"
    full = legal(atoll("a1:3 zone-red:5 zone-white:3")).spaces["take_off:1"]
    assert (full.areas, full.amount) == (("zone-white",), 2)


# --- the zone of the headquarters -------------------------------------------------------


def test_the_zone_of_ones_headquarters_is_open_when_nobody_holds_it() -> None:
    position = after(atoll("a1:3"), deploy("take_off:1", "zone-red:2"))
    assert units(position, "zone-red") == "blue 2 aircraft"


def test_and_when_the_opponent_holds_it_there_is_an_air_conflict() -> None:
    finding = allowed(LOST, deploy("take_off:1", "zone-red:3"), "take_off.home", "Yellow controls the red zone")
    assert finding.reading == "hq-zone-lost"
    position = after(LOST, deploy("take_off:1", "zone-red:3"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "yellow", "zone-red", 1)
    assert units(after(position, rolled("yellow", 0)), "zone-red") == "blue 1 aircraft"


def test_the_zone_of_the_enemy_headquarters_is_not_open() -> None:
    refused(atoll(), deploy("take_off:1", "zone-green:1"), "take_off.area", "Yellow controls the green zone")


# --- not enough aircraft ----------------------------------------------------------------


def test_where_the_reserve_is_short_aircraft_are_taken_back_first() -> None:
    assert reserve(SHORT, "blue", "aircraft") == 1
    position = after(SHORT, deploy("take_off:2", "zone-red:2", recall="zone-white:1"))
    assert [units(position, zone) for zone in ("zone-red", "zone-white", "zone-green")] == [
        *("blue 5 aircraft", "blue 4 aircraft", "blue 1 aircraft"),
    ]
    refused(SHORT, deploy("take_off:2", "zone-red:2"), "reserve.short", "only 1 in the reserve")


def test_the_last_aircraft_of_a_zone_is_not_taken_back() -> None:
    step = deploy("take_off:2", "zone-red:2", recall="zone-green:1")
    finding = refused(
        SHORT,
        step,
        "recall.last-unit reserve.short",
        "1 aircraft can't be recalled from the green zone, which has 1: one unit must stay",
    )
    assert finding.citation.section in ("Not Enough Troops?", "Not Enough Aircraft?")


# ==== Air Conflicts: as on land, with aircraft, and always one die. Island only ================


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
    assert [part.reason for part in roll_parts(position)] == ["defence"]


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
