"""Advance, fortifications and Unit Restrictions: land units on their way, and who may stand where."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import examine, legal, owed, play
from engine.orders.position import Position
from engine.orders.steps import Deploy, Play, Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, loads, refused, reserve, rivers, rolled, stand, units


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


# ==== Fortifications ===========================================================================


def test_a_defender_of_a_fortified_area_rolls_two_dice() -> None:
    position = after(stand(castle(), "a1:3 a2:5", "c1:3 b2:2"), deploy("advance:b2", "a2:4"))
    due = due_in(position)
    assert (due.by, due.area, due.dice) == ("black", "b2", 2)
    refused(position, rolled("black", 1), "roll.dice", "roll 2 dice, not 1")
    assert units(after(position, rolled("black", 1, 0)), "b2") == "red 1 troop"


def test_elsewhere_it_is_one_die() -> None:
    position = after(stand(castle(), "a1:3 a2:1 b2:5", "c1:3 c2:2"), deploy("advance:c2", "b2:4"))
    due = due_in(position)
    assert (due.area, due.dice) == ("c2", 1)


@pytest.mark.parametrize("red", ["e3:3 d3:4"])
def test_rivers_has_no_fortifications(red: str) -> None:
    due = due_in(after(rivers(red, "a3:3 d2:1"), deploy("advance:d2", "d3:2")))
    assert due.dice == 1


def test_a_fortified_area_is_no_target_for_bombard_but_is_one_for_siege() -> None:
    spaces = legal(stand(castle(), "a1:3 a2:1+1 b1:1", "c1:3 b2:2")).spaces
    assert spaces["bombard:b1"].targets == ("a1", "a2", "c1", "c2")
    assert "b2" in spaces["siege:a2"].targets


def test_an_empty_fortified_area_is_taken_without_a_roll() -> None:
    position = after(stand(castle(), "a1:3 a2:3", "c1:3"), deploy("advance:b2", "a2:1"))
    assert owed(position) is None
    assert position.controller("b2") == "red"


# ==== Unit Restrictions: who may stand where, and how many, at the end of an action ============


def test_an_unknown_kind_of_unit_goes_nowhere() -> None:
    refused(rivers("e3:3"), deploy("advance:d3", "e3:1elephant"), "advance.kind", "elephant")
    refused(rivers("e3:3"), deploy("reinforce:1", "e3:1elephant"), "reinforce.kind", "elephant")


def test_siege_weapons_stand_on_land_and_not_on_water() -> None:
    position = stand(castle(), "a1:3+1 b1:2", "c1:3")
    assert units(after(position, deploy("advance:a2", "a1:0+1")), "a2") == "red 1 siege"
    refused(position, deploy("sail:b3", "a1:0+1"), "sail.kind", "siege", "1 siege weapon can't be on water")


def test_a_land_area_is_reduced_to_five_units_at_the_end_of_the_action() -> None:
    start = rivers("e3:4 e1:5 d1:1 d3:4")
    position = after(start, deploy("advance:d2", "e1:4 d3:3"))
    assert units(position, "d2") == "red 5 troop"
    assert reserve(position, "red", "troop") == reserve(start, "red", "troop") + 2


def test_a_water_area_is_reduced_to_three_ships_at_the_end_of_the_action() -> None:
    start = rivers("e3:1 e4:3 d4:3")
    position = after(start, deploy("sail:c3", "e4:2 d4:2"))
    assert units(position, "c3") == "red 3 ship"
    assert reserve(position, "red", "ship") == 10 - 5


def test_the_surplus_is_told() -> None:
    _, events = play(rivers("e3:1 e4:3 d4:3"), deploy("sail:c3", "e4:2 d4:2"))
    assert [(event.kind, event.units) for event in events if event.kind == "surplus"] == [("surplus", 1)]


def test_limits_bind_after_the_conflict_not_before() -> None:
    position = rivers("e3:3 d3:5 d5:5 c5:5 d4:1 c3:1", "a3:3 c4:1")
    position = after(position, deploy("advance:c4", "d3:4 d5:4"))
    assert units(position, "c4") == "red 8 troop, black 1 troop"
    assert units(after(position, rolled("black", 0)), "c4") == "red 5 troop"


def test_every_area_of_a_side_is_reduced_where_several_are_over_their_limit() -> None:
    position = after(rivers("e3:4 e1:4 d3:1"), deploy("reinforce:1", "e3:3 e1:3"))
    assert (units(position, "e3"), units(position, "e1")) == ("red 5 troop", "red 5 troop")


def test_the_owner_chooses_which_units_of_a_mixed_surplus_go_home() -> None:
    position = after(stand(castle(), "a1:4+1", "c1:3"), deploy("reinforce:1", "a1:1+1"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.units) == ("remove", "red", "a1", 2)
    position = after(position, Remove((("troop", 1), ("siege", 1)), "red"))
    assert units(position, "a1") == "red 4 troop, red 1 siege"
    assert position.to_move_name == "black"


def test_a_chosen_surplus_is_told_as_surplus() -> None:
    position = after(stand(castle(), "a1:4+1", "c1:3"), deploy("reinforce:1", "a1:1+1"))
    _, events = play(position, Remove((("troop", 2),), "red"))
    assert [event.kind for event in events] == ["surplus"]


@pytest.mark.parametrize("area", ["a1", "a2"])
def test_with_surplus_in_two_areas_each_is_chosen_for(area: str) -> None:
    position = after(stand(castle(), "a1:4+1 a2:4+1", "c1:3"), deploy("reinforce:1", "a1:2 a2:1"))
    position = after(position, Remove((("troop", {"a1": 2, "a2": 1}[area]),), "red", area))
    left = due_in(position)
    assert left.area == ({"a1", "a2"} - {area}).pop()
    position = after(position, Remove((("siege", 1), ("troop", left.units - 1)), "red"))
    assert owed(position) is None
    assert sum(position.units_in("a1")["red"].values()) == 5
    assert sum(position.units_in("a2")["red"].values()) == 5


def test_an_area_just_at_its_limit_gives_nothing_back() -> None:
    position = after(stand(castle(), "a1:5 a2:4+1", "c1:3"), deploy("reinforce:1", "a1:1"))
    assert owed(position) is None
    assert units(position, "a2") == "red 4 troop, red 1 siege"
    assert position.to_move_name == "black"


@pytest.mark.parametrize(
    ("start", "step", "words"),
    [
        ("e3:3 d3:3", deploy("reinforce:1", "e3:6"), "4 troops over the limit of 5 in e3 go back to the reserve"),
        ("e3:3 d4:2", deploy("embark:2", "d4:2"), "1 ship over the limit of 3 in d4 goes back to the reserve"),
        ("e3:3 d3:5 e1:4", deploy("advance:d2", "d3:4 e1:2"), "1 troop over the limit of 5 in d2 goes back"),
    ],
)
def test_units_over_the_limit_go_home_and_the_ruling_says_how_many(start: str, step: Deploy, words: str) -> None:
    finding = allowed(rivers(start, "a3:3"), step, "limit.end", words)
    assert str(finding.citation) == "Unit Restrictions, p. 7"
    position = after(rivers(start, "a3:3"), step)
    assert max(sum(row) for row in zip(*position.units[0], strict=True)) <= 5


def test_a_card_that_brings_too_many_says_so_too() -> None:
    start = rivers("e3:4 d3:4", "a3:3", hands={"red": "mobilise ground_assault"})
    reinforced = after(start, deploy("reinforce:2", "d3:1"))
    allowed(
        reinforced, Play("mobilise", "red", place=loads("e3:2", "troop")), "limit.end", "1 troop over the limit of 5"
    )
    full = after(rivers("e3:3 d3:5 e1:5", "a3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:4"))
    allowed(full, Play("ground_assault", "red"), "limit.end", "1 troop over the limit of 5 in d2")


def test_what_a_conflict_leaves_is_not_told_before_it() -> None:
    ruling = examine(rivers("e3:3 d3:5 d4:1 d5:5", "a3:3 c4:2"), deploy("advance:c4", "d3:4 d5:4"))
    assert "limit.end" not in {finding.rule for finding in ruling.findings}
