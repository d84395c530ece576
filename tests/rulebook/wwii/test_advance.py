"""World War II, Advance: troops move into a land area from the areas next to it."""

from __future__ import annotations

from engine.orders.game import legal, owed, play
from engine.orders.position import Position
from engine.rulebook import load_book
from tests.tables import after, allowed, atoll, deploy, due_in, refused, units, valley


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


# --- deployment criteria ----------------------------------------------------------------


def test_not_into_an_area_that_one_controls() -> None:
    refused(valley(), deploy("advance:a2", "a1:1"), "advance.not-controlled", "you already control a2")
    assert "advance:a2" not in legal(valley()).spaces


def test_a_neighbour_in_supply_with_two_troops_is_needed() -> None:
    assert "advance:b2" in legal(valley("a1:2 a2:2")).spaces
    assert "advance:b2" not in legal(valley("a1:2 a2:1")).spaces
    assert "advance:b2" not in legal(valley("a1:2 b1:1 c1:2")).spaces


def test_at_least_one_troop_moves_in() -> None:
    refused(valley(), deploy("advance:b2"), "advance.units", "no units move into b2")


# --- move in ----------------------------------------------------------------------------


def test_from_every_area_next_to_it_that_one_supplies() -> None:
    assert sources(valley("a1:3 a2:3 b1:2"), "advance:b2") == {"a2": {"troop": 2}, "b1": {"troop": 1}}
    position = after(valley("a1:3 a2:3 b1:2"), deploy("advance:b2", "a2:2 b1:1"))
    assert [units(position, area) for area in ("b2", "a2", "b1")] == ["blue 3 troop", "blue 1 troop", "blue 1 troop"]


def test_not_from_an_area_that_is_not_next_to_it() -> None:
    refused(valley(), deploy("advance:b2", "a1:1"), "advance.reach", "a1 is not next to b2")


def test_supply_over_another_area_brings_nothing_across() -> None:
    position = valley("a1:3 b1:2 c1:1")
    assert "advance:c2" not in legal(position).spaces
    refused(position, deploy("advance:c2", "b1:1"), "advance.reach", "b1 is not next to c2")


def test_not_from_an_area_that_is_cut_off() -> None:
    step = deploy("advance:c2", "c1:1")
    refused(valley("a1:3 c1:3"), step, "advance.source-supply", "Blue controls c1, but its supply line")
    assert "as the action starts" in load_book("wwii")["advance"].differs


def test_not_from_areas_of_the_opponent_or_of_nobody() -> None:
    refused(valley(), deploy("advance:b2", "c2:1"), "advance.source-supply", "Yellow controls")
    refused(valley("a1:3"), deploy("advance:b2", "a2:1"), "advance.source-supply", "is empty")


def test_the_last_troop_of_an_area_stays() -> None:
    refused(valley(), deploy("advance:b2", "a2:2"), "advance.last-unit", "a2 has only 2 units, and one must stay")


def test_no_more_troops_leave_than_are_there() -> None:
    refused(valley(), deploy("advance:b2", "a2:3"), "advance.enough advance.last-unit", "a2 has only 2 troops")


def test_aircraft_do_not_come_along() -> None:
    step = deploy("advance:b2", "zone-red:1aircraft a2:1")
    refused(atoll(), step, "advance.kind", "1 aircraft can't be on land")


# --- resolve the conflict ---------------------------------------------------------------


def test_an_area_of_the_opponent_is_fought_for() -> None:
    position, events = play(valley("a1:3 a2:3 b2:3"), deploy("advance:c2", "b2:2"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "yellow", "c2", 1)
    assert "conflict" in [event.kind for event in events]


def test_an_empty_area_is_taken_without_a_roll() -> None:
    position = after(valley(), deploy("advance:b2", "a2:1"))
    assert owed(position) is None
    assert position.controller("b2") == "blue"


def test_the_opponents_headquarters_may_be_advanced_into() -> None:
    allowed(valley("a1:3 a2:1 b2:1 b3:3", "c3:2"), deploy("advance:c3", "b3:2"), "advance.reach", "b3 is next to c3")
