"""Reinforce: land units from the reserve into land that one supplies; siege weapons on a made-up Fortress board."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal
from engine.orders.position import Position
from engine.orders.steps import Play, Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, loads, refused, reserve, rivers, stand, units


def test_six_troops_at_the_first_space_and_five_at_the_second() -> None:
    spaces = legal(rivers("e3:1 e1:1 d3:1")).spaces
    assert (spaces["reinforce:1"].amount, spaces["reinforce:2"].amount) == (6, 5)
    assert spaces["reinforce:1"].areas == ("d3", "e1", "e3")


def test_troops_go_from_the_reserve_into_areas_in_supply() -> None:
    start = rivers("e3:3 d3:2 e1:2")
    position = after(start, deploy("reinforce:1", "e3:2 d3:3 e1:1"))
    assert [units(position, area) for area in ("e3", "d3", "e1")] == ["red 5 troop", "red 5 troop", "red 3 troop"]
    assert reserve(position, "red", "troop") == reserve(start, "red", "troop") - 6
    assert position.to_move_name == "black"


@pytest.mark.parametrize(("space", "most"), [("reinforce:1", 6), ("reinforce:2", 5)])
def test_no_more_than_the_space_says(space: str, most: int) -> None:
    position = rivers("e3:1 e1:1")
    allowed(position, deploy(space, f"e3:{most - 4} e1:4"), f"{'reinforce'}.amount", f"{most} of up to {most}")
    finding = refused(position, deploy(space, f"e3:{most - 3} e1:4"), "reinforce.amount", f"at most {most} units")
    assert f", not {most + 1}" in finding.message


@pytest.mark.parametrize(
    ("area", "words"),
    [
        ("e1", "e1 is empty"),
        ("a3", "Black controls a3"),
        ("b2", "Red controls b2, but its supply line"),
    ],
)
def test_only_into_land_that_one_supplies(area: str, words: str) -> None:
    step = deploy("reinforce:1", f"e3:2 {area}:1")
    refused(rivers("e3:1 b2:1"), step, "reinforce.area", words, "only places in land areas you supply")


def test_not_onto_water() -> None:
    step = deploy("reinforce:1", "e4:1")
    refused(
        rivers("e3:1 e4:1"),
        step,
        "reinforce.area",
        "Reinforce only places in land areas you supply: e4 is water",
    )


def test_one_reinforce_space_a_player_and_round() -> None:
    position = rivers("e3:3", commanders={"reinforce:1": "red"})
    refused(
        position,
        deploy("reinforce:2", "e3:1"),
        "reinforce.one-per-round",
        "only one per round: Red already has a commander on reinforce:1",
    )
    assert "reinforce:2" not in legal(position).spaces


def test_the_opponent_may_take_the_other_space() -> None:
    position = rivers("e3:3", commanders={"reinforce:1": "black"})
    allowed(position, deploy("reinforce:2", "e3:1"), "reinforce.one-per-round", "Red hasn't used Reinforce this round")
    assert "reinforce:2" in legal(position).spaces
    assert "reinforce:1" not in legal(position).spaces


def test_in_the_next_round_it_is_free_again() -> None:
    last: dict[str, Any] = {"left": {"red": 1, "black": 0}, "standby": {"red": 3, "black": 5}}
    position = after(rivers("e3:2", commanders={"plan:1": "red"}, **last), deploy("reinforce:1", "e3:1"))
    assert (position.round, position.to_move_name) == (3, "red")
    assert after(position, deploy("reinforce:2", "e3:1")).to_move_name == "black"


# --- siege weapons ----------------------------------------------------------------------


def castled(red: str = "a1:1 a2:1") -> Position:
    return stand(castle(), red, "c1:3")


@pytest.mark.parametrize(("space", "most"), [("reinforce:1", 2), ("reinforce:2", 1)])
def test_the_space_says_how_many_may_be_siege_weapons(space: str, most: int) -> None:
    position = castled()
    assert units(after(position, deploy(space, f"a1:1+{most} a2:2")), "a1") == f"red 2 troop, red {most} siege"
    finding = refused(position, deploy(space, f"a1:1+{most + 1}"), "reinforce.siege", f"at most {most} siege")
    assert f", not {most + 1}" in finding.message


def test_siege_weapons_in_several_areas_count_together() -> None:
    refused(
        castled(),
        deploy("reinforce:2", "a1:0+1 a2:0+1"),
        "reinforce.siege",
        "at most 1 siege weapon can be placed, not 2",
    )


def test_mobilise_adds_troops_and_no_siege_weapons() -> None:
    position = stand(castle(), "a1:1 a2:1", "c1:3", hands={"red": "mobilise"})
    step = deploy("reinforce:2", "a1:3+2 a2:2", cards="mobilise")
    refused(position, step, "reinforce.siege", "at most 1 siege weapon can be placed, not 2")
    placed = after(position, deploy("reinforce:2", "a1:3"))
    refused(placed, Play("mobilise", "red", place=loads("a1:0+1", "troop")), "card.unit", "Mobilise only adds 2 troops")


def test_a_ship_is_no_land_unit_where_siege_weapons_are() -> None:
    refused(castled(), deploy("reinforce:1", "a1:1ship"), "reinforce.kind", "Reinforce can't place 1 ship")


def test_siege_weapons_may_be_all_that_is_placed() -> None:
    assert units(after(castled(), deploy("reinforce:1", "a2:0+2")), "a2") == "red 1 troop, red 2 siege"


def test_troops_and_siege_weapons_share_the_limit_of_five() -> None:
    position = after(castled("a1:3 a2:1+1"), deploy("reinforce:1", "a2:4+2"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.units) == ("remove", "red", "a2", 3)
    position = after(position, Remove((("troop", 1), ("siege", 2)), "red"))
    assert units(position, "a2") == "red 4 troop, red 1 siege"
