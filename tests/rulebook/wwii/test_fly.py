"""World War II, Fly: aircraft move into an air zone from the zones next to it. Island only."""

from __future__ import annotations

from engine.orders.game import legal, owed
from engine.ruling import cited_from
from tests.tables import after, atoll, deploy, refused, units


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
    with cited_from("pt"):
        assert str(finding.citation) == "Voar"
