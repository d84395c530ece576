"""World War II, Fly: aircraft move into an air zone from the zones next to it. Island only."""

from __future__ import annotations

from engine.orders.game import legal, owed
from engine.ruling import cited_from
from tests.tables import after, atoll, deploy, due_in, refused, units, valley


def test_alpine_has_no_fly() -> None:
    refused(valley(), deploy("fly:zone-red", "zone-white:1"), "space.known", "fly:zone-red")


def test_not_into_a_zone_that_one_controls() -> None:
    position = atoll("a1:3 zone-red:3 zone-white:2")
    refused(
        position, deploy("fly:zone-white", "zone-red:1"), "fly.not-controlled", "you already control the white zone"
    )
    assert "fly:zone-white" not in legal(position).spaces


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


def test_at_least_one_aircraft_moves_in() -> None:
    refused(atoll(), deploy("fly:zone-white"), "fly.units", "no aircraft move into the white zone")


def test_not_from_a_zone_that_is_not_next_to_it() -> None:
    refused(
        atoll("a1:3 zone-red:3"),
        deploy("fly:zone-green", "zone-red:1"),
        "fly.reach",
        "the red zone is not next to the green zone",
    )


def test_not_through_another_zone_of_ones_own() -> None:
    position = atoll("a1:3 zone-red:3 zone-white:1", "d2:3")
    assert "fly:zone-green" not in legal(position).spaces
    refused(position, deploy("fly:zone-green", "zone-red:1"), "fly.reach", "the red zone is not next to the green zone")


def test_not_from_a_zone_that_is_cut_off() -> None:
    position = atoll("a1:3 zone-green:3", "d2:3")
    refused(
        position, deploy("fly:zone-white", "zone-green:1"), "fly.source-supply", "Blue controls the green zone, but"
    )
    assert "fly:zone-white" not in legal(position).spaces


def test_no_more_aircraft_leave_than_are_there() -> None:
    step = deploy("fly:zone-white", "zone-red:4")
    refused(atoll(), step, "fly.enough fly.last-unit", "the red zone has only 3 aircraft, not 4")


def test_aircraft_fly_and_troops_do_not_whatever_one_edition_writes() -> None:
    finding = refused(
        atoll(), deploy("fly:zone-white", "zone-red:1 a1:1troop"), "fly.kind", "1 troop can't be in an air zone"
    )
    assert "we follow the English one" in finding.differs
    with cited_from("pt"):
        assert str(finding.citation) == "Voar"


def test_a_zone_of_the_opponent_is_fought_for() -> None:
    position = after(atoll("a1:3 zone-red:4", "d2:3 zone-white:2"), deploy("fly:zone-white", "zone-red:3"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "yellow", "zone-white", 1)
