"""World War II, Paradrop: two troops from the reserve into nearly any land area. Alpine only."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.game import legal, owed
from engine.ruling import cited_from
from tests.boards import practice
from tests.tables import after, allowed, deploy, due_in, refused, reserve, rolled, stand, units, valley

# --- deployment criteria ----------------------------------------------------------------


def test_the_space_is_of_ones_own_colour_whatever_one_edition_leaves_out() -> None:
    position = valley("a1:3 a2:1 b2:1 b3:2", "c3:3")
    finding = refused(
        position, deploy("paradrop:b3", "a3"), "paradrop.faction", "paradrop:b3 belongs to Yellow, not Blue"
    )
    assert "we follow the English one" in finding.message
    with cited_from("pt"):
        assert str(finding.citation) == "Descer de Paraquedas"
    assert "paradrop:b3" not in legal(position).spaces


def test_the_linked_area_must_be_supplied() -> None:
    position = valley("a1:3 a2:2", "c3:3 b1:2")
    refused(position, deploy("paradrop:b1", "c1"), "paradrop.supply", "Yellow controls b1")
    refused(valley("a1:3"), deploy("paradrop:b1", "c1"), "paradrop.supply", "b1 is empty")
    assert "paradrop:b1" not in legal(position).spaces


# --- the target -------------------------------------------------------------------------


def test_any_land_but_the_enemy_headquarters_and_areas_with_the_symbol() -> None:
    offer = legal(valley()).spaces["paradrop:b1"]
    assert set(offer.targets) == {"a1", "a3", "b1", "b2", "b3", "c1"}
    refused(
        valley(),
        deploy("paradrop:b1", "c3"),
        "paradrop.headquarters",
        "c3 is the enemy headquarters, where no drop is allowed",
    )
    refused(valley(), deploy("paradrop:b1", "c2"), "paradrop.no-drop", "c2 has the symbol")
    refused(valley(), deploy("paradrop:b1"), "paradrop.target", "drop from b1")
    refused(valley(), deploy("paradrop:b1", "z9"), "area.known", "z9")


def test_far_from_any_area_of_ones_own() -> None:
    position = after(valley("a1:3 b1:1", "c3:4"), deploy("paradrop:b1", "b3"))
    assert units(position, "b3") == "blue 2 troop"
    assert owed(position) is None


def test_a_commander_in_the_targets_advance_space_does_not_matter() -> None:
    for holder in ("blue", "yellow"):
        position = valley("a1:3 b1:1", commanders={"advance:c1": holder})
        allowed(position, deploy("paradrop:b1", "c1"), "paradrop.no-drop", "c1")


# --- drop troops ------------------------------------------------------------------------


def test_two_troops_come_from_the_reserve() -> None:
    start = valley()
    position = after(start, deploy("paradrop:b1", "c1"))
    assert units(position, "c1") == "blue 2 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") - 2


def test_onto_ones_own_troops_as_far_as_five() -> None:
    position = after(valley("a1:4 b1:4"), deploy("paradrop:b1", "b1"))
    assert units(position, "b1") == "blue 5 troop"


def test_where_the_reserve_is_short_troops_are_taken_back_first() -> None:
    short = valley("a1:5 a2:5 b1:5 b2:5 a3:4", "c3:4")
    assert reserve(short, "blue", "troop") == 1
    position = after(short, deploy("paradrop:b1", "c1", recall="a3:1"))
    assert (units(position, "c1"), units(position, "a3")) == ("blue 2 troop", "blue 3 troop")
    refused(
        short,
        deploy("paradrop:b1", "c1", recall="a3:2"),
        "recall.more",
        "2 troops recalled, too many: the reserve lacks only 1",
    )


# --- resolve the conflict ---------------------------------------------------------------


@pytest.mark.parametrize(("pips", "left"), [(0, ""), (1, "yellow 1 troop"), (2, "yellow 2 troop")])
def test_an_area_of_the_opponent_is_fought_for(pips: int, left: str) -> None:
    position = after(valley(), deploy("paradrop:b1", "b3"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "yellow", "b3", 1)
    assert units(after(position, rolled("yellow", pips)), "b3") == left


@pytest.mark.parametrize(
    ("blue", "there"), [("a1:4 a2:2 b1:2", "blue 4 troop"), ("a1:5 a2:5 b1:5 c1:5 b2:2", "blue 3 troop")]
)
def test_a_card_that_lets_troops_join_adds_its_own_as_the_reserve_has_them(blue: str, there: str) -> None:
    board = practice.valley()
    joins = replace(board.mode.cards["ground_assault"], name="omen", action="paradrop", amount=2)
    omens = replace(board, mode=replace(board.mode, cards={**board.mode.cards, "omen": joins}))
    position = stand(omens, blue, "c3:4", hands={"blue": "omen"})
    assert units(after(position, deploy("paradrop:b1", "b3", cards="omen")), "b3") == there
