"""Unit Restrictions: who may stand where, and how many, at the end of an action."""

from __future__ import annotations

import pytest

from engine.orders.game import examine, owed, play
from engine.orders.steps import Deploy, Play, Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, loads, refused, reserve, rivers, rolled, stand, units


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
