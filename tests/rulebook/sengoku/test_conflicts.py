"""Conflicts: the defence roll, attrition, and who chooses what goes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import owed, play
from engine.orders.position import Position
from engine.orders.steps import Accept, Pass, Remove, Reroll, Roll
from tests.boards.practice import castle
from tests.tables import after, deploy, due_in, refused, reserve, rivers, rolled, stand, units


def attack(attackers: int, defenders: int, **more: Any) -> Position:
    """Red has moved in from d3 and d5; black defends c4."""
    start = rivers("e3:3 d3:5 d5:5 d4:1", f"a3:3 c4:{defenders}", **more)
    from_d5 = max(0, attackers - 4)
    return after(start, deploy("advance:c4", f"d3:{attackers - from_d5} d5:{from_d5}"))


# --- defence ----------------------------------------------------------------------------


@pytest.mark.parametrize(("pips", "left"), [(0, "red 2 troop"), (1, "red 1 troop"), (2, "")])
def test_the_attacker_removes_as_many_units_as_there_are_pips(pips: int, left: str) -> None:
    assert units(after(attack(3, 1), rolled("black", pips)), "c4") == left


def test_the_defender_rolls_even_when_out_of_supply() -> None:
    position = attack(3, 1)
    assert position.survey.supply[1] >> position.board.area_index["c4"] & 1 == 0
    due = due_in(position)
    assert (due.wants, due.by) == ("roll", "black")


def test_more_pips_than_attackers_remove_all_of_them() -> None:
    position = after(attack(1, 2), rolled("black", 2))
    assert units(position, "c4") == "black 2 troop"


# --- attrition --------------------------------------------------------------------------


def test_both_remove_units_one_each_until_one_has_none() -> None:
    position = after(attack(5, 3), rolled("black", 0))
    assert units(position, "c4") == "red 2 troop"
    assert units(after(attack(3, 5), rolled("black", 0)), "c4") == "black 2 troop"


def test_equal_numbers_leave_the_area_to_nobody() -> None:
    position = after(attack(3, 2), rolled("black", 1))
    assert units(position, "c4") == ""
    assert position.controller("c4") is None


def test_there_is_no_attrition_when_the_roll_has_removed_all_attackers() -> None:
    assert units(after(attack(2, 1), rolled("black", 2)), "c4") == "black 1 troop"


def test_all_units_removed_go_to_their_owners_reserves() -> None:
    start = attack(5, 3)
    position = after(start, rolled("black", 1))
    assert reserve(position, "red", "troop") == reserve(start, "red", "troop") + 4
    assert reserve(position, "black", "troop") == reserve(start, "black", "troop") + 3


def test_what_happens_is_told_in_order() -> None:
    start = rivers("e3:3 d3:5 d4:1", "a3:3 c4:2")
    position, moved = play(start, deploy("advance:c4", "d3:4"))
    _, fought = play(position, rolled("black", 1))
    assert [event.kind for event in moved] == ["moved", "conflict"]
    assert [(event.kind, event.faction, event.units) for event in fought] == [
        *(("rolled", 1, 1), ("lost", 0, 1), ("lost", 0, 2), ("lost", 1, 2)),
    ]


def test_conflicts_happen_on_water_too() -> None:
    start = rivers("e3:3 e4:3", "a3:3 d4:1")
    position = after(start, deploy("sail:d4", "e4:2"), rolled("black", 0))
    assert units(position, "d4") == "red 1 ship"


# --- the owner's choice of units --------------------------------------------------------


def mixed(defenders: str = "2+2", attackers: str = "2+2") -> Position:
    """Red moves troops and siege weapons from a2 into the fortified b2."""
    troops, siege = map(int, attackers.split("+"))
    start = stand(castle(), f"a1:3 a2:{troops + 1}+{siege}", f"c1:3 b2:{defenders}")
    return after(start, deploy("advance:b2", f"a2:{troops}+{siege}"))


def test_the_attacker_chooses_which_units_the_defence_roll_costs() -> None:
    position = after(mixed("1+0"), rolled("black", 1, 0))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.units) == ("remove", "red", "b2", 1)
    assert "Red removes 1 from b2" in due.text
    position = after(position, Remove((("siege", 1),), "red"))
    assert position.units_in("b2")["red"] == {"troop": 2, "siege": 1}


def test_the_defender_chooses_which_units_attrition_costs() -> None:
    position = after(mixed("2+2", "3+0"), rolled("black", 1, 0))
    due = due_in(position)
    assert (due.wants, due.by, due.units) == ("remove", "black", 2)
    assert units(after(position, Remove((("troop", 2),), "black")), "b2") == "black 2 siege"
    assert units(after(position, Remove((("troop", 1), ("siege", 1)), "black")), "b2") == "black 1 troop, black 1 siege"


def test_the_attacker_chooses_in_attrition_as_well() -> None:
    position = after(mixed("2+0", "2+2"), rolled("black", 0, 0))
    due = due_in(position)
    assert (due.by, due.units) == ("red", 2)
    assert units(after(position, Remove((("siege", 1), ("troop", 1)), "red")), "b2") == "red 1 troop, red 1 siege"


def test_only_units_that_are_there_can_be_chosen() -> None:
    position = after(mixed("3+1", "3+0"), rolled("black", 1, 0))
    refused(position, Remove((("siege", 2),), "black"), "remove.units", "b2 has 1 siege", "not 2")
    refused(position, Remove((("siege", 1), ("siege", 1)), "black"), "remove.units", "b2 has 1 siege", "not 2")
    refused(position, Remove((("ship", 2),), "black"), "remove.units", "b2 has 0 ship")
    refused(position, Remove((("elephant", 2),), "black"), "remove.units", "elephant")
    refused(position, Remove((("troop", 1), ("ship", 1)), "black"), "remove.units", "b2 has 0 ship")


def test_only_the_owner_of_the_loss_chooses() -> None:
    position = after(mixed("3+1", "3+0"), rolled("black", 1, 0))
    refused(position, Remove((("troop", 2),), "green"), "faction.known remove.owed", "green")
    refused(position, Remove((("troop", 2),), "black", "a2"), "remove.owed", "Black has no losses to choose")


def test_nothing_else_happens_before_the_choice_is_made() -> None:
    position = after(mixed("2+2", "3+0"), rolled("black", 1, 0))
    refused(position, Pass(), "turn.owed", "Black chooses what to remove")
    refused(position, deploy("plan:1", 1), "turn.owed", "Black chooses what to remove")
    refused(position, rolled("black", 1), "roll.owed")
    refused(position, Reroll("ambush", "black"), "reroll.owed")
    refused(position, Accept(), "accept.window")


def test_a_loss_of_everything_is_no_choice() -> None:
    position = after(mixed("1+1", "3+0"), rolled("black", 1, 0))
    assert owed(position) is None
    assert units(position, "b2") == ""


def test_where_attrition_takes_all_of_both_there_is_nothing_to_choose() -> None:
    position = after(mixed("2+1", "2+2"), rolled("black", 1, 0), Remove((("troop", 1),), "red"))
    assert owed(position) is None
    assert units(position, "b2") == ""


def test_the_owner_with_fewer_units_has_no_choice_in_attrition() -> None:
    begun = after(mixed("3+2", "2+1"), rolled("black", 0, 0))
    due = due_in(begun)
    assert (due.by, due.units) == ("black", 3)
    position = after(begun, Remove((("troop", 3),), "black"))
    assert units(position, "b2") == "black 2 siege"


@pytest.mark.parametrize("dice", [(2, 2), (2, 1)])
def test_choices_wait_for_the_cards_that_may_roll_again(dice: tuple[int, ...]) -> None:
    start = stand(castle(), "a1:3 a2:3+3", "c1:3 b2:2", hands={"black": "mobilise"})
    position = after(start, deploy("advance:b2", "a2:2+3"), Roll(dice, "black"))
    due = due_in(position)
    assert (due.wants, due.by, due.may_reroll) == ("accept", "black", True)
    due = due_in(after(position, Accept()))
    assert (due.wants, due.by, due.units) == ("remove", "red", sum(dice))
    assert owed(after(position, Remove((("troop", 2), ("siege", sum(dice) - 2)), "red"))) is None
