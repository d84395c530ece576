"""Embark: ships from the reserve into supplied water, or free water at a supplied port."""

from __future__ import annotations

from typing import Any

from engine.orders.game import legal
from engine.orders.position import Position
from tests.tables import after, allowed, deploy, refused, reserve, rivers, units


def example(**more: Any) -> Position:
    """Black supplies the ports a3 and b2 and the water c3; c1 is under red, c6 is apart."""
    return rivers("e3:3 d3:1 d2:1 c1:1", "a3:3 a1:2 b3:2 b2:1 c3:1", to_move="black", **more)


def test_three_ships_at_the_first_space_and_two_at_the_second() -> None:
    spaces = legal(rivers("e3:1")).spaces
    assert (spaces["embark:1"].amount, spaces["embark:2"].amount) == (3, 2)


def test_into_supplied_water_and_free_water_at_supplied_ports() -> None:
    assert legal(example()).spaces["embark:1"].areas == ("a4", "b4", "c2", "c3")
    position = after(example(), deploy("embark:1", "a4:1 c2:1 c3:1"))
    assert [units(position, area) for area in ("a4", "c2", "c3")] == ["black 1 ship", "black 1 ship", "black 2 ship"]
    assert reserve(position, "black", "ship") == 6


def test_not_into_water_that_is_neither_supplied_nor_at_a_port() -> None:
    refused(example(), deploy("embark:1", "c6:1"), "embark.area", "c6 is empty", "supplied ports")


def test_not_into_a_ports_water_that_holds_enemy_ships() -> None:
    refused(example(), deploy("embark:1", "c1:1"), "embark.area", "Red controls c1")


def test_not_into_water_that_is_controlled_but_cut_off() -> None:
    step = deploy("embark:1", "c2:1")
    refused(rivers("e3:3 c2:1"), step, "embark.area", "Red controls c2, but its supply line")


def test_not_onto_land_though_it_is_supplied() -> None:
    refused(example(), deploy("embark:1", "b3:1"), "embark.area", "b3 is land")


def test_own_ships_at_a_supplied_port_are_no_hindrance() -> None:
    allowed(rivers("e3:3 e4:1"), deploy("embark:1", "e4:2"), "embark.area", "e4 is in supply for Red")


def test_a_ship_placed_opens_no_further_water() -> None:
    step = deploy("embark:1", "d4:2 c3:1")
    finding = refused(rivers("e3:3"), step, "embark.chain", "c3 is empty", "embark-chain")
    assert finding.reading == "embark-chain"


def test_one_embark_space_a_player_and_round() -> None:
    position = rivers("e3:3", commanders={"embark:2": "red"})
    refused(position, deploy("embark:1", "e4:1"), "embark.one-per-round", "embark:2")
    assert "embark:1" not in legal(position).spaces
    other = rivers("e3:3", commanders={"embark:2": "black"})
    allowed(other, deploy("embark:1", "e4:1"), "embark.one-per-round", "Red hasn't used Embark this round")


def test_a_water_over_its_limit_gives_the_surplus_back() -> None:
    position = after(rivers("e3:1 e4:2"), deploy("embark:1", "e4:3"))
    assert units(position, "e4") == "red 3 ship"
    assert reserve(position, "red", "ship") == 7


def test_without_ports_and_ships_nothing_can_be_placed_but_the_space_is_open() -> None:
    position = rivers("e3:3", "a3:3 d4:1 e4:1")
    assert legal(position).spaces["embark:1"].areas == ()
    assert after(position, deploy("embark:1")).commanders_on("embark:1") == ("red",)
    refused(position, deploy("embark:1", "d4:1"), "embark.area", "Black controls d4")
