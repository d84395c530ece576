"""Insufficient Units: recalling units of the kind that is short, from areas under control."""

from __future__ import annotations

from typing import Any

from engine.orders.game import legal, play
from engine.orders.position import Position
from engine.orders.steps import Play
from engine.orders.wire import position_from_json, position_to_json
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, loads, refused, reserve, rivers, stand, units


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
