"""Bombard, Shell and Siege: dice at an area next to the linked one."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, owed
from engine.orders.position import Position
from engine.orders.steps import Remove
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, due_in, refused, reserve, rivers, rolled, stand, units


def bombarding(**more: Any) -> Position:
    """Two ships in d4; c4 and d5 are next to it, b5 and b3 are not."""
    return rivers("e3:3 d4:2", "a3:3 c4:2 d5:1 b5:1 b3:2", **more)


def test_the_linked_water_must_be_supplied() -> None:
    position = rivers("e3:3 c1:2", "a3:3 b1:2")
    refused(position, deploy("bombard:c1", "b1"), "bombard.supply", "Red controls c1, but its supply line")
    assert "bombard:c1" not in legal(position).spaces
    step = deploy("bombard:c1", "b1")
    refused(rivers("e3:3", "a3:3 b1:2"), step, "bombard.supply bombard.armed", "c1 is empty")


def test_the_target_is_a_land_area_next_to_the_linked_water() -> None:
    assert set(legal(bombarding()).spaces["bombard:d4"].targets) == {"c4", "d3", "d5", "e3"}
    allowed(bombarding(), deploy("bombard:d4", "c4"), "bombard.adjacent", "c4 is next to d4")


def test_an_area_that_is_none_is_no_target() -> None:
    refused(bombarding(), deploy("bombard:d4", "z9"), "area.known", "there is no area z9 on this board")


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
    position = after(bombarding(), deploy("bombard:d4", "c4"), rolled("red", 2, 1))
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
    position = after(bombarding(), deploy("bombard:d4", "d3"), rolled("red", 1, 1))
    assert position.units == bombarding().units
    assert position.commanders_on("bombard:d4") == ("red",)


def test_own_units_are_never_hit() -> None:
    position = after(bombarding(), deploy("bombard:d4", "e3"), rolled("red", 2, 2))
    assert units(position, "e3") == "red 3 troop"
    assert position.winner is None


def test_the_ships_stay_where_they_are() -> None:
    assert units(after(bombarding(), deploy("bombard:d4", "c4"), rolled("red", 0, 0)), "d4") == "red 2 ship"


# ==== Shell: two dice at a water next to the linked land =======================================


def shelling(ships: int = 2) -> Position:
    return rivers(f"e3:3 d4:1 c3:{ships}", "a3:3 b3:2", to_move="black")


def test_the_linked_land_must_be_supplied() -> None:
    position = rivers("e3:3 b3:2", "a3:3 c3:2")
    refused(position, deploy("shell:b3", "c3"), "shell.supply", "Red controls b3, but its supply line")
    assert "shell:b3" not in legal(position).spaces


def test_the_target_is_a_water_next_to_the_linked_land() -> None:
    assert legal(shelling()).spaces["shell:b3"].targets == ("b4", "c2", "c3")
    refused(shelling(), deploy("shell:b3", "d4"), "shell.adjacent", "d4 is not next to b3")
    refused(shelling(), deploy("shell:b3", "b2"), "shell.target-kind", "b2 is land, not water")
    refused(shelling(), deploy("shell:b3"), "shell.target", "shot from b3")


@pytest.mark.parametrize("troops", [1, 3, 5])
def test_two_dice_are_rolled_however_many_units_shoot(troops: int) -> None:
    position = rivers("e3:3 c3:3 d4:1", f"a3:3 b3:{troops}", to_move="black")
    position = after(position, deploy("shell:b3", "c3"))
    due = due_in(position)
    assert (due.by, due.dice) == ("black", 2)
    refused(position, rolled("black", 1), "roll.dice", "roll 2 dice, not 1")
    refused(position, rolled("black", 1, 1, 1), "roll.dice")


def test_the_opponent_removes_as_many_ships_as_there_are_pips() -> None:
    position = after(shelling(), deploy("shell:b3", "c3"), rolled("black", 1, 0))
    assert units(position, "c3") == "red 1 ship"


def test_too_few_ships_are_all_removed() -> None:
    position = after(shelling(1), deploy("shell:b3", "c3"), rolled("black", 2, 2))
    assert units(position, "c3") == ""


def test_a_water_without_enemies_may_be_a_target() -> None:
    position = after(shelling(), deploy("shell:b3", "c2"), rolled("black", 1, 1))
    assert position.units == shelling().units


# ==== Siege: a die for each siege weapon at a land area next to the linked one =================


def besieging(red: str = "a1:3 a2:1+3", black: str = "c1:3 b2:3+2", **more: Any) -> Position:
    return stand(castle(), red, black, **more)


def test_the_linked_land_of_a_siege_must_be_supplied() -> None:
    position = besieging("a1:3 c2:1+1")
    refused(position, deploy("siege:c2", "b2"), "siege.supply", "Red controls c2, but its supply line")
    assert "siege:c2" not in legal(position).spaces


def test_the_linked_land_must_hold_a_siege_weapon() -> None:
    position = besieging("a1:3 a2:4")
    refused(position, deploy("siege:a2", "b2"), "siege.armed", "a2 has no siege weapons")
    assert "siege:a2" not in legal(position).spaces
    allowed(besieging(), deploy("siege:a2", "b2"), "siege.armed", "a2 has a siege weapon")


def test_the_target_is_a_land_area_next_to_the_linked_one() -> None:
    assert legal(besieging()).spaces["siege:a2"].targets == ("a1", "b2")
    refused(besieging(), deploy("siege:a2", "c2"), "siege.adjacent", "c2 is not next to a2")
    refused(besieging(), deploy("siege:a2", "b1"), "siege.target-kind", "b1 is water, not land")
    refused(besieging(), deploy("siege:a2"), "siege.target", "a2")


def test_a_fortified_area_may_be_besieged() -> None:
    assert castle().area("b2").fort
    assert after(besieging(), deploy("siege:a2", "b2")).turn is not None


@pytest.mark.parametrize("weapons", [1, 2, 3])
def test_one_die_is_rolled_for_each_siege_weapon(weapons: int) -> None:
    due = due_in(after(besieging(f"a1:3 a2:2+{weapons}"), deploy("siege:a2", "b2")))
    assert (due.by, due.dice) == ("red", weapons)


def test_the_opponent_chooses_which_land_units_go() -> None:
    start = besieging()
    position = after(start, deploy("siege:a2", "b2"), rolled("red", 1, 1, 1))
    due = due_in(position)
    assert (due.wants, due.by, due.units) == ("remove", "black", 3)
    position = after(position, Remove((("troop", 2), ("siege", 1)), "black"))
    assert units(position, "b2") == "black 1 troop, black 1 siege"
    assert reserve(position, "black", "siege") == reserve(start, "black", "siege") + 1
    assert position.to_move_name == "black"


def test_a_roll_of_no_pips_removes_nothing() -> None:
    position = after(besieging(), deploy("siege:a2", "b2"), rolled("red", 0, 0, 0))
    assert position.units == besieging().units


def test_units_of_one_kind_go_by_themselves() -> None:
    position = after(besieging(black="c1:3 b2:0+4"), deploy("siege:a2", "b2"), rolled("red", 1, 1, 0))
    assert units(position, "b2") == "black 2 siege"


def test_too_few_units_are_all_removed() -> None:
    position = after(besieging(black="c1:3 b2:1+1"), deploy("siege:a2", "b2"), rolled("red", 1, 1, 1))
    assert units(position, "b2") == ""
