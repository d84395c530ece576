"""Shell: two dice at a water next to the linked land."""

from __future__ import annotations

import pytest

from engine.orders.game import legal
from engine.orders.position import Position
from tests.tables import after, deploy, due_in, refused, rivers, rolled, units


def example(ships: int = 2) -> Position:
    return rivers(f"e3:3 d4:1 c3:{ships}", "a3:3 b3:2", to_move="black")


def test_the_linked_land_must_be_supplied() -> None:
    position = rivers("e3:3 b3:2", "a3:3 c3:2")
    refused(position, deploy("shell:b3", "c3"), "shell.supply", "Red controls b3, but its supply line")
    assert "shell:b3" not in legal(position).spaces


def test_the_target_is_a_water_next_to_the_linked_land() -> None:
    assert legal(example()).spaces["shell:b3"].targets == ("b4", "c2", "c3")
    refused(example(), deploy("shell:b3", "d4"), "shell.adjacent", "d4 is not next to b3")
    refused(example(), deploy("shell:b3", "b2"), "shell.target-kind", "b2 is land, not water")
    refused(example(), deploy("shell:b3"), "shell.target", "shot from b3")


@pytest.mark.parametrize("troops", [1, 3, 5])
def test_two_dice_are_rolled_however_many_units_shoot(troops: int) -> None:
    position = rivers("e3:3 c3:3 d4:1", f"a3:3 b3:{troops}", to_move="black")
    position = after(position, deploy("shell:b3", "c3"))
    due = due_in(position)
    assert (due.by, due.dice) == ("black", 2)
    refused(position, rolled("black", 1), "roll.dice", "roll 2 dice, not 1")
    refused(position, rolled("black", 1, 1, 1), "roll.dice")


def test_the_opponent_removes_as_many_ships_as_there_are_pips() -> None:
    position = after(example(), deploy("shell:b3", "c3"), rolled("black", 1, 0))
    assert units(position, "c3") == "red 1 ship"


def test_too_few_ships_are_all_removed() -> None:
    position = after(example(1), deploy("shell:b3", "c3"), rolled("black", 2, 2))
    assert units(position, "c3") == ""


def test_a_water_without_enemies_may_be_a_target() -> None:
    position = after(example(), deploy("shell:b3", "c2"), rolled("black", 1, 1))
    assert position.units == example().units
