"""Advance: land units move into land that one does not control."""

from __future__ import annotations

from typing import Any

from engine.orders.game import legal, owed, play
from engine.orders.position import Position
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, refused, rivers, stand, units


def example(**more: Any) -> Position:
    """Return a position in which A, B and C may send units to c4.

    D (b1) is cut off; the water beside E (d2) is not next to c4.
    """
    return rivers("e3:1 d4:1 d3:3 d5:3 c5:2 d2:3 c2:1 b1:2", "a3:3 c4:2", **more)


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


# --- deployment criteria ----------------------------------------------------------------


def test_not_into_an_area_that_one_controls() -> None:
    refused(rivers("e3:3 d3:2"), deploy("advance:d3", "e3:1"), "advance.not-controlled", "you already control d3")
    assert "advance:d3" not in legal(rivers("e3:3 d3:2")).spaces


def test_a_space_into_which_no_unit_can_move_is_closed() -> None:
    assert "advance:c5" not in legal(example()).spaces
    assert "advance:b5" in legal(example()).spaces
    assert "advance:d3" not in legal(rivers("e3:1")).spaces


# --- move in: where from ----------------------------------------------------------------


def test_from_supplied_land_next_to_it_or_across_one_supplied_water_that_is() -> None:
    assert sources(example(), "advance:c4") == {"c5": {"troop": 1}, "d3": {"troop": 2}, "d5": {"troop": 2}}


def test_from_land_next_to_the_target() -> None:
    allowed(example(), deploy("advance:c4", "d5:2"), "advance.reach", "d5 is next to c4")


def test_across_one_supplied_water() -> None:
    allowed(
        example(),
        deploy("advance:c4", "d3:2"),
        "advance.reach",
        "d4, a supplied water, links d3 to c4",
    )
    allowed(rivers("e3:3 d4:1"), deploy("advance:c4", "e3:2"), "advance.source-supply", "e3 is in supply for Red")


def test_not_across_a_water_that_is_not_next_to_the_target() -> None:
    refused(
        example(),
        deploy("advance:c4", "d2:1"),
        "advance.reach",
        "d2 is not next to c4, nor linked to it by a supplied water",
    )


def test_not_across_two_waters() -> None:
    position = rivers("e3:3 d4:1 c3:1 d5:2")
    assert "advance:b3" not in legal(position).spaces
    refused(
        position,
        deploy("advance:b3", "e3:2"),
        "advance.reach",
        "e3 is not next to b3, nor linked to it by a supplied water",
    )


def test_not_across_a_water_that_the_opponent_or_nobody_controls() -> None:
    for black in ("a3:3 d4:1", "a3:3"):
        step = deploy("advance:c4", "d3:2")
        refused(
            rivers("e3:1 d3:3", black),
            step,
            "advance.reach",
            "d3 is not next to c4, nor linked to it by a supplied water",
        )


def test_not_from_areas_of_the_opponent_or_of_nobody() -> None:
    refused(
        rivers("e3:3 d3:2", "a3:3 d2:3"),
        deploy("advance:d1", "d2:1"),
        "advance.source-supply",
        "units can only come from supplied areas: Black controls d2",
    )
    refused(rivers("e3:3 d3:2"), deploy("advance:d1", "d2:1"), "advance.source-supply", "is empty")


# --- move in: how many ------------------------------------------------------------------


def test_units_of_several_areas_move_in_together() -> None:
    position = after(example(), deploy("advance:c4", "d5:2 c5:1 d3:1"))
    assert units(position, "c4") == "red 4 troop, black 2 troop"
    assert [units(position, area) for area in ("d5", "c5", "d3")] == ["red 1 troop", "red 1 troop", "red 2 troop"]


def test_siege_weapons_move_with_the_troops() -> None:
    position = after(stand(castle(), "a1:2+2", "c1:3"), deploy("advance:a2", "a1:1+2"))
    assert (units(position, "a2"), units(position, "a1")) == ("red 1 troop, red 2 siege", "red 1 troop")


def test_the_last_land_unit_may_be_a_siege_weapon() -> None:
    position = stand(castle(), "a1:2+2", "c1:3")
    assert sources(position, "advance:a2") == {"a1": {"troop": 2, "siege": 2}}
    assert units(after(position, deploy("advance:a2", "a1:2+1")), "a1") == "red 1 siege"
    refused(position, deploy("advance:a2", "a1:2+2"), "advance.last-unit", "a1 has only 4 units, and one must stay")


def test_one_troop_and_one_siege_weapon_may_not_both_leave() -> None:
    position = stand(castle(), "a1:1+1", "c1:3")
    assert sources(position, "advance:a2") == {"a1": {"troop": 1, "siege": 1}}
    assert units(after(position, deploy("advance:a2", "a1:0+1")), "a2") == "red 1 siege"
    refused(position, deploy("advance:a2", "a1:1+1"), "advance.last-unit")


# --- resolve the conflict ---------------------------------------------------------------


def test_an_area_of_the_opponent_is_fought_for() -> None:
    position, events = play(example(), deploy("advance:c4", "d5:1"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "black", "c4", 1)
    assert "conflict" in [event.kind for event in events]


def test_an_empty_area_is_taken_without_a_roll() -> None:
    position = after(example(), deploy("advance:b5", "c5:1"))
    assert owed(position) is None
    assert position.controller("b5") == "red"
    assert position.to_move_name == "black"


def test_the_opponents_headquarters_may_be_advanced_into() -> None:
    position = rivers("e3:3 d4:1 c3:1 b3:3")
    assert after(position, deploy("advance:a3", "b3:2")).turn is not None


def test_units_named_twice_are_added_up() -> None:
    position = stand(castle(), "a1:3+1", "c1:3")
    refused(position, deploy("advance:a2", "a1:1siege a1:1siege"), "advance.enough", "only 1 siege weapon")
    hand = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"})
    many = deploy("advance:c4", "d3:1 reserve:2 reserve:2", cards="ground_assault")
    refused(hand, many, "card.amount", "4")
