"""Siege: a die for each siege weapon at a land area next to the linked one. Rivers has none; a made-up board does."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal
from engine.orders.position import Position
from engine.orders.steps import Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, refused, reserve, rolled, stand, units


def example(red: str = "a1:3 a2:1+3", black: str = "c1:3 b2:3+2", **more: Any) -> Position:
    return stand(castle(), red, black, **more)


def test_the_linked_land_must_be_supplied() -> None:
    position = example("a1:3 c2:1+1")
    refused(position, deploy("siege:c2", "b2"), "siege.supply", "Red controls c2, but its supply line")
    assert "siege:c2" not in legal(position).spaces


def test_the_linked_land_must_hold_a_siege_weapon() -> None:
    position = example("a1:3 a2:4")
    refused(position, deploy("siege:a2", "b2"), "siege.armed", "a2 has no siege weapons")
    assert "siege:a2" not in legal(position).spaces
    allowed(example(), deploy("siege:a2", "b2"), "siege.armed", "a2 has a siege weapon")


def test_the_target_is_a_land_area_next_to_the_linked_one() -> None:
    assert legal(example()).spaces["siege:a2"].targets == ("a1", "b2")
    refused(example(), deploy("siege:a2", "c2"), "siege.adjacent", "c2 is not next to a2")
    refused(example(), deploy("siege:a2", "b1"), "siege.target-kind", "b1 is water, not land")
    refused(example(), deploy("siege:a2"), "siege.target", "a2")


def test_a_fortified_area_may_be_besieged() -> None:
    assert castle().area("b2").fort
    assert after(example(), deploy("siege:a2", "b2")).turn is not None


@pytest.mark.parametrize("weapons", [1, 2, 3])
def test_one_die_is_rolled_for_each_siege_weapon(weapons: int) -> None:
    due = due_in(after(example(f"a1:3 a2:2+{weapons}"), deploy("siege:a2", "b2")))
    assert (due.by, due.dice) == ("red", weapons)


def test_the_opponent_chooses_which_land_units_go() -> None:
    start = example()
    position = after(start, deploy("siege:a2", "b2"), rolled("red", 1, 1, 1))
    due = due_in(position)
    assert (due.wants, due.by, due.units) == ("remove", "black", 3)
    position = after(position, Remove((("troop", 2), ("siege", 1)), "black"))
    assert units(position, "b2") == "black 1 troop, black 1 siege"
    assert reserve(position, "black", "siege") == reserve(start, "black", "siege") + 1
    assert position.to_move_name == "black"


def test_a_roll_of_no_pips_removes_nothing() -> None:
    position = after(example(), deploy("siege:a2", "b2"), rolled("red", 0, 0, 0))
    assert position.units == example().units


def test_units_of_one_kind_go_by_themselves() -> None:
    position = after(example(black="c1:3 b2:0+4"), deploy("siege:a2", "b2"), rolled("red", 1, 1, 0))
    assert units(position, "b2") == "black 2 siege"


def test_too_few_units_are_all_removed() -> None:
    position = after(example(black="c1:3 b2:1+1"), deploy("siege:a2", "b2"), rolled("red", 1, 1, 1))
    assert units(position, "b2") == ""
