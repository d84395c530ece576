"""Fortifications: two defence dice, no target for Bombard. Rivers has none; a made-up board does."""

from __future__ import annotations

import pytest

from engine.orders.game import legal, owed
from tests.boards.practice import castle
from tests.tables import after, deploy, due_in, refused, rivers, rolled, stand, units


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
