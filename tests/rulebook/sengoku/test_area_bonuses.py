"""Area Bonuses: each at its moment, for whoever supplies its land area."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.position import Position
from tests.boards.practice import castle
from tests.tables import after, deploy, due_in, refused, reserve, rivers, rolled, stand, units


def sun(bonus: str, red: str = "e3:3 e1:1 d1:1", black: str = "a3:3", **more: Any) -> Position:
    """Return a position with this token at d1."""
    return rivers(red, black, bonuses={"sun": bonus}, **more)


@pytest.mark.parametrize(("slot", "area"), [("sun", "d1"), ("moon", "b1"), ("star", "c5")])
def test_a_token_belongs_to_the_land_area_with_its_symbol(slot: str, area: str) -> None:
    board = rivers("e3:1").board
    assert [place.name for place in board.areas if place.slot == slot] == [area]


@pytest.mark.parametrize("red", ["e3:3", "e3:3 d1:1", "e3:3 e1:1"])
def test_without_supply_of_the_area_there_is_no_bonus(red: str) -> None:
    assert legal(sun("barracks", red)).spaces["reinforce:1"].amount == 6


def test_the_opponent_gets_nothing_from_it() -> None:
    assert legal(sun("barracks", to_move="black")).spaces["reinforce:1"].amount == 6


# --- Barracks ---------------------------------------------------------------------------


def test_barracks_adds_two_troops_to_reinforce() -> None:
    spaces = legal(sun("barracks")).spaces
    assert (spaces["reinforce:1"].amount, spaces["reinforce:2"].amount) == (8, 7)
    assert units(after(sun("barracks"), deploy("reinforce:1", "e1:4 d1:4")), "d1") == "red 5 troop"
    refused(sun("barracks"), deploy("reinforce:1", "e1:4 d1:4 e3:1"), "reinforce.amount", "at most 8")


def test_barracks_does_not_add_to_embark() -> None:
    assert legal(sun("barracks")).spaces["embark:1"].amount == 3


def test_barracks_adds_troops_and_no_siege_weapons() -> None:
    position = stand(castle(), "a1:1 a2:1", "c1:3", bonuses={"sun": "barracks"})
    assert legal(position).spaces["reinforce:1"].amount == 8
    refused(
        position,
        deploy("reinforce:1", "a1:3+3 a2:2"),
        "reinforce.siege",
        "at most 2 siege weapons can be placed, not 3",
    )
    assert units(after(position, deploy("reinforce:1", "a1:2+2 a2:4")), "a2") == "red 5 troop"


# --- War Room ---------------------------------------------------------------------------


def test_war_room_adds_a_card_to_plan() -> None:
    spaces = legal(sun("war_room")).spaces
    assert (spaces["plan:1"].draw, spaces["plan:2"].draw) == (2, 3)
    refused(sun("war_room"), deploy("plan:1", 1), "plan.amount", "draw 2 cards, not 1")
    assert after(sun("war_room"), deploy("plan:2", 3)).hand("red") == 3


# --- Pirate Haven -----------------------------------------------------------------------


def test_pirate_haven_adds_a_die_to_bombard() -> None:
    position = sun("pirate_haven", "e3:3 e1:1 d1:1 c1:2", "a3:3 b2:4")
    assert legal(position).spaces["bombard:c1"].dice == 3
    position = after(position, deploy("bombard:c1", "b2"))
    refused(position, rolled("red", 1, 1), "roll.dice", "roll 3 dice, not 2")
    assert units(after(position, rolled("red", 1, 1, 1)), "b2") == "black 1 troop"


def test_pirate_haven_does_not_add_to_shell() -> None:
    position = sun("pirate_haven", "e3:3 e1:1 d1:1 d3:2", "a3:3 c3:3")
    assert due_in(after(position, deploy("shell:d3", "c3"))).dice == 2


# --- Shipyard and Hidden Base ------------------------------------------------------------


JOINING = {
    "shipyard": ("e3:3 e1:1 d1:1 c1:2", deploy("sail:c2", "c1:1"), "c2", "ship"),
    "hidden_base": ("e3:3 e1:2 d1:1", deploy("advance:d2", "e1:1"), "d2", "troop"),
}
"""Where red stands, a move that the bonus adds to, where it goes, and the unit."""


@pytest.mark.parametrize("bonus", JOINING)
def test_a_unit_comes_from_the_reserve_after_the_move_in(bonus: str) -> None:
    red, move, area, unit = JOINING[bonus]
    start = sun(bonus, red)
    position, events = play(start, move)
    assert units(position, area) == f"red 2 {unit}"
    assert reserve(position, "red", unit) == reserve(start, "red", unit) - 1
    assert [(event.kind, event.units) for event in events] == [("moved", 1), ("bonus", 1)]


@pytest.mark.parametrize("bonus", JOINING)
def test_the_unit_is_there_before_the_conflict(bonus: str) -> None:
    red, move, area, unit = JOINING[bonus]
    position = after(sun(bonus, red, f"a3:3 {area}:1"), move)
    assert units(position, area) == f"red 2 {unit}, black 1 {unit}"
    assert units(after(position, rolled("black", 0)), area) == f"red 1 {unit}"


@pytest.mark.parametrize(
    ("bonus", "red"),
    [("shipyard", "e3:3 e1:1 d1:1 c1:3 e4:3 d4:3 c3:1"), ("hidden_base", "e3:5 e1:5 d1:5 d3:5 d5:5")],
)
def test_nothing_comes_from_an_empty_reserve(bonus: str, red: str) -> None:
    _, move, area, unit = JOINING[bonus]
    assert units(after(sun(bonus, red), move), area) == f"red 1 {unit}"


@pytest.mark.parametrize(("bonus", "other"), [("shipyard", "hidden_base"), ("hidden_base", "shipyard")])
def test_nothing_comes_to_a_move_of_other_units(bonus: str, other: str) -> None:
    red, move, area, unit = JOINING[other]
    assert units(after(sun(bonus, red), move), area) == f"red 1 {unit}"


def test_hidden_base_does_nothing_in_the_advance_that_wins_its_token() -> None:
    position = after(sun("hidden_base", "e3:3 e1:3"), deploy("advance:d1", "e1:1"))
    assert units(position, "d1") == "red 1 troop"
    position = after(sun("hidden_base", "e3:3 e1:3", "a3:3 d1:1"), deploy("advance:d1", "e1:2"), rolled("black", 0))
    assert units(position, "d1") == "red 1 troop"


# --- Armoury (not on Rivers) ------------------------------------------------------------


def test_armoury_adds_a_die_to_siege() -> None:
    position = stand(castle(), "a1:3 a2:1+2", "c1:3 b2:5", bonuses={"sun": "armoury"})
    position = after(position, deploy("siege:a2", "b2"))
    assert due_in(position).dice == 3
    assert units(after(position, rolled("red", 1, 1, 1)), "b2") == "black 2 troop"


def test_armoury_needs_supply_of_its_area() -> None:
    position = stand(castle(), "a1:3 a2:1+2", "c1:3 b2:5", bonuses={"moon": "armoury"})
    assert due_in(after(position, deploy("siege:a2", "b2"))).dice == 2
