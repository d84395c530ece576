"""World War II, Advance: troops move into a land area from the areas next to it."""

from __future__ import annotations

from engine.orders.game import legal
from engine.orders.position import Position
from engine.rulebook import load_book
from tests.tables import after, deploy, refused, units, valley


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


# --- deployment criteria ----------------------------------------------------------------


def test_a_neighbour_in_supply_with_two_troops_is_needed() -> None:
    assert "advance:b2" in legal(valley("a1:2 a2:2")).spaces
    assert "advance:b2" not in legal(valley("a1:2 a2:1")).spaces
    assert "advance:b2" not in legal(valley("a1:2 b1:1 c1:2")).spaces


# --- move in ----------------------------------------------------------------------------


def test_from_every_area_next_to_it_that_one_supplies() -> None:
    assert sources(valley("a1:3 a2:3 b1:2"), "advance:b2") == {"a2": {"troop": 2}, "b1": {"troop": 1}}
    position = after(valley("a1:3 a2:3 b1:2"), deploy("advance:b2", "a2:2 b1:1"))
    assert [units(position, area) for area in ("b2", "a2", "b1")] == ["blue 3 troop", "blue 1 troop", "blue 1 troop"]


def test_supply_over_another_area_brings_nothing_across() -> None:
    position = valley("a1:3 b1:2 c1:1")
    assert "advance:c2" not in legal(position).spaces
    refused(position, deploy("advance:c2", "b1:1"), "advance.reach", "b1 is not next to c2")


def test_not_from_an_area_that_is_cut_off() -> None:
    step = deploy("advance:c2", "c1:1")
    refused(valley("a1:3 c1:3"), step, "advance.source-supply", "Blue controls c1, but its supply line")
    assert "as the action starts" in load_book("wwii")["advance"].differs


# --- resolve the conflict ---------------------------------------------------------------
