"""Bombard: a die for each ship at a land area next to the linked water."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, owed
from engine.orders.position import Position
from engine.orders.steps import Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, refused, reserve, rivers, rolled, stand, units


def example(**more: Any) -> Position:
    """Two ships in d4; c4 and d5 are next to it, b5 and b3 are not."""
    return rivers("e3:3 d4:2", "a3:3 c4:2 d5:1 b5:1 b3:2", **more)


def test_the_linked_water_must_be_supplied() -> None:
    position = rivers("e3:3 c1:2", "a3:3 b1:2")
    refused(position, deploy("bombard:c1", "b1"), "bombard.supply", "Red controls c1, but its supply line")
    assert "bombard:c1" not in legal(position).spaces
    step = deploy("bombard:c1", "b1")
    refused(rivers("e3:3", "a3:3 b1:2"), step, "bombard.supply bombard.armed", "c1 is empty")


def test_the_target_is_a_land_area_next_to_the_linked_water() -> None:
    assert set(legal(example()).spaces["bombard:d4"].targets) == {"c4", "d3", "d5", "e3"}
    allowed(example(), deploy("bombard:d4", "c4"), "bombard.adjacent", "c4 is next to d4")


def test_a_fortified_area_is_no_target() -> None:
    position = stand(castle(), "a1:3 b1:2", "c1:3 b2:2")
    assert "b2" not in legal(position).spaces["bombard:b1"].targets
    refused(position, deploy("bombard:b1", "b2"), "bombard.fort", "b2 is fortified, so Bombard can't target it")
    allowed(position, deploy("bombard:b1", "c1"), "bombard.fort", "c1 is not fortified")


@pytest.mark.parametrize("ships", [1, 2, 3])
def test_one_die_is_rolled_for_each_ship(ships: int) -> None:
    position = rivers(f"e3:3 d4:{ships}", "a3:3 c4:5")
    due = due_in(after(position, deploy("bombard:d4", "c4")))
    assert (due.wants, due.by, due.dice) == ("roll", "red", ships)
    assert legal(position).spaces["bombard:d4"].dice == ships


def test_the_opponent_removes_as_many_units_as_there_are_pips() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5")
    position = after(start, deploy("bombard:d4", "c4"), rolled("red", 2, 1))
    assert units(position, "c4") == "black 2 troop"
    assert reserve(position, "black", "troop") == reserve(start, "black", "troop") + 3
    assert position.to_move_name == "black"


def test_too_few_units_are_all_removed_and_nobody_controls_the_area() -> None:
    position = after(example(), deploy("bombard:d4", "c4"), rolled("red", 2, 1))
    assert units(position, "c4") == ""
    assert position.controller("c4") is None


def test_the_opponent_chooses_which_units_go() -> None:
    position = after(stand(castle(), "a1:3 b1:3", "c1:3 c2:3+2"), deploy("bombard:b1", "c2"), rolled("red", 1, 1, 0))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.units) == ("remove", "black", "c2", 2)
    assert units(after(position, Remove((("siege", 2),), "black")), "c2") == "black 3 troop"
    assert units(after(position, Remove((("troop", 1), ("siege", 1)), "black")), "c2") == "black 2 troop, black 1 siege"


def test_where_all_units_go_there_is_nothing_to_choose() -> None:
    position = after(stand(castle(), "a1:3 b1:3", "c1:3 c2:1+1"), deploy("bombard:b1", "c2"), rolled("red", 1, 1, 0))
    assert owed(position) is None
    assert units(position, "c2") == ""


def test_an_area_without_enemies_may_be_a_target_and_nothing_happens() -> None:
    position = after(example(), deploy("bombard:d4", "d3"), rolled("red", 1, 1))
    assert position.units == example().units
    assert position.commanders_on("bombard:d4") == ("red",)


def test_own_units_are_never_hit() -> None:
    position = after(example(), deploy("bombard:d4", "e3"), rolled("red", 2, 2))
    assert units(position, "e3") == "red 3 troop"
    assert position.winner is None


def test_the_ships_stay_where_they_are() -> None:
    assert units(after(example(), deploy("bombard:d4", "c4"), rolled("red", 0, 0)), "d4") == "red 2 ship"
