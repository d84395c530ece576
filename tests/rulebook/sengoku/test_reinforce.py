"""Reinforce and Insufficient Units: troops from the reserve, and what happens where it is short."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.position import Position
from engine.orders.steps import Play, Remove
from engine.orders.wire import position_from_json, position_to_json
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


# ==== Insufficient Units =======================================================================


def short_of_troops(**more: Any) -> Position:
    """All 25 of red's troops but two are on the board; d2 is held, b2 held but cut off."""
    return rivers("e3:5 e1:4 d3:4 d2:5 d1:1 b2:4 d4:2", "a3:3 b3:2", **more)


def test_a_short_reserve_takes_units_back_first() -> None:
    start = short_of_troops()
    assert reserve(start, "red", "troop") == 2
    position = after(start, deploy("reinforce:2", "d1:4 d3:1", recall="d2:3"))
    assert [units(position, area) for area in ("d1", "d2", "d3")] == ["red 5 troop", "red 2 troop", "red 5 troop"]
    assert reserve(position, "red", "troop") == 0


def test_the_recall_is_told_and_cited() -> None:
    step = deploy("reinforce:2", "d1:4 d3:1", recall="d2:3")
    allowed(short_of_troops(), step, "recall.control", "d2")
    allowed(short_of_troops(), step, "recall.short", "reserve has only 2")
    assert ("recalled", 3) in [(event.kind, event.units) for event in play(short_of_troops(), step)[1]]


def test_control_is_enough_supply_is_not_needed() -> None:
    position = after(short_of_troops(), deploy("reinforce:2", "d1:4 d3:1", recall="b2:3"))
    assert units(position, "b2") == "red 1 troop"


def test_ships_are_recalled_for_embark() -> None:
    start = rivers("e3:3 e4:3 d4:3 c3:3 c2:1")
    assert reserve(start, "red", "ship") == 0
    position = after(start, deploy("embark:2", "c2:2", recall="e4:2"))
    assert (units(position, "e4"), units(position, "c2")) == ("red 1 ship", "red 3 ship")


def test_the_unit_that_stays_may_be_of_the_other_kind() -> None:
    start = stand(castle(), "a1:7 a2:7 b2:7 c2:4+1", "c1:1", left={"red": 6, "black": 0})
    position = after(start, deploy("reinforce:1", "a1:4", recall="c2:4"))
    assert units(position, "c2") == "red 1 siege"


def test_a_siege_weapon_is_short_by_itself_and_recalled_by_itself() -> None:
    start = stand(castle(), "a1:1+3 a2:1+2", "c1:3")
    refused(
        start, deploy("reinforce:1", "a2:0+1"), "reserve.short", "1 siege weapon", "needed, but none in the reserve"
    )
    refused(start, deploy("reinforce:1", "a2:0+1", recall="a1:1"), "recall.short reserve.short", "troop")


def test_without_a_recall_what_is_left_is_placed() -> None:
    position = after(short_of_troops(), deploy("reinforce:1", "d3:1 d1:1"))
    assert reserve(position, "red", "troop") == 0


def test_an_empty_reserve_leaves_the_space_open() -> None:
    position = rivers("e3:5 e1:5 d3:5 d2:5 d1:5")
    assert reserve(position, "red", "troop") == 0
    assert legal(position).spaces["reinforce:1"].amount == 6
    assert after(position, deploy("reinforce:1")).commanders_on("reinforce:1") == ("red",)
    assert units(after(position, deploy("reinforce:1", "d3:2", recall="e1:2")), "e1") == "red 3 troop"


def test_what_was_recalled_counts_with_the_reserve() -> None:
    step = deploy("reinforce:1", "d3:6", recall="d2:3")
    refused(short_of_troops(), step, "reserve.short", "6 troops needed, but only 5")


def test_what_leaves_an_area_is_looked_at_together() -> None:
    start = stand(castle(), "a1:23+4 a2:1+1", "c1:3")
    step = deploy("reinforce:1", "a1:2+1", recall="a2:1+1")
    refused(start, step, "recall.last-unit recall.last-unit reserve.short reserve.short", "one unit must stay")
    allowed(start, deploy("reinforce:1", "a1:2", recall="a2:1"), "recall.last-unit", "1 troop leaves a2, which has 1")
    twice = deploy("reinforce:2", "d1:4", recall="d2:3 d2:2")
    refused(
        short_of_troops(),
        twice,
        "recall.last-unit recall.last-unit reserve.short",
        "5 troops can't be recalled from d2, which has 5: one unit must stay",
    )


# --- control as the action starts -------------------------------------------------------


def full(foe: str = "a3:3 c4:2") -> Position:
    """All 25 of red's troops stand on the board, and the card needs two more."""
    return rivers("e3:5 e1:5 d3:5 d5:5 d1:5 d4:1", foe, hands={"red": "ground_assault commandeer"})


def test_no_unit_is_taken_back_from_an_area_that_this_action_has_entered() -> None:
    step = Play("ground_assault", "red", recall=loads("c4:2", "troop"))
    for foe in ("a3:3 c4:2", "a3:3"):
        entered = position_from_json(position_to_json(after(full(foe), deploy("advance:c4", "d3:4"))))
        finding = refused(entered, step, "recall.entered", "you didn't control c4 as the action started")
        assert str(finding.citation) == "Control"
        allowed(entered, Play("ground_assault", "red", recall=loads("e3:2", "troop")), "recall.entered", "e3")


def test_a_ship_just_placed_is_not_taken_back_for_a_card() -> None:
    start = rivers("e3:3 d3:2 e4:3 c3:3 c2:3", "a3:3", hands={"red": "commandeer"})
    position = after(start, deploy("embark:1", "d4:1"))
    step = Play("commandeer", "red", place=loads("e4:1", "ship"), recall=loads("d4:1", "ship"))
    refused(position, step, "recall.entered recall.last-unit reserve.short")
    fuller = after(rivers("e3:3 d3:2 e4:3 c3:3 c2:2", "a3:3", hands={"red": "commandeer"}), deploy("embark:1", "d4:2"))
    refused(fuller, step, "recall.entered", "you didn't control d4 as the action started")
