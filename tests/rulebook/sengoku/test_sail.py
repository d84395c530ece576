"""Sail: ships move through chains of supplied waters into water that one does not control."""

from __future__ import annotations

import pytest

from engine.orders.game import legal
from engine.orders.position import Position
from tests.tables import after, allowed, deploy, due_in, refused, rivers, rolled, units


def example() -> Position:
    """Return a position with supplied waters e4, d4, c3, c2 in a chain up to c1."""
    return rivers("e3:3 e4:3 d4:2 c3:2 c2:1")


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


def test_through_any_chain_of_supplied_waters() -> None:
    assert sources(example(), "sail:c1") == {"e4": {"ship": 2}, "d4": {"ship": 1}, "c3": {"ship": 1}}
    allowed(example(), deploy("sail:c1", "e4:2 c3:1"), "sail.reach", "e4", "supplied waters link e4 to c1")


def test_a_ship_stays_in_every_water() -> None:
    position = after(example(), deploy("sail:c1", "e4:2 c3:1"))
    assert [units(position, area) for area in ("e4", "d4", "c3", "c2", "c1")] == [
        *("red 1 ship", "red 2 ship", "red 1 ship", "red 1 ship", "red 3 ship"),
    ]
    refused(example(), deploy("sail:c1", "e4:3"), "sail.last-unit", "e4 has only 3 units, and one must stay")


def test_round_the_top_of_the_map() -> None:
    assert sources(rivers("e3:1 e4:3 c6:1"), "sail:a4") == {"e4": {"ship": 2}}


@pytest.mark.parametrize("gap", ["", " d4:1"])
def test_a_water_of_the_opponent_or_of_nobody_breaks_the_chain(gap: str) -> None:
    position = rivers("e3:3 e4:3 d3:1 c3:1", f"a3:3{gap}")
    assert "sail:b4" not in legal(position).spaces
    refused(position, deploy("sail:b4", "e4:1"), "sail.reach", "no unbroken chain of supplied waters links e4 to b4")


def test_land_is_no_link_of_the_chain() -> None:
    position = rivers("e3:3 e4:3 d5:1 c4:1")
    refused(position, deploy("sail:b4", "e4:1"), "sail.reach", "b4")


def test_a_water_of_the_opponent_is_fought_for_with_one_die() -> None:
    position = after(rivers("e3:3 e4:3", "a3:3 d4:1"), deploy("sail:d4", "e4:2"))
    due = due_in(position)
    assert (due.wants, due.by, due.dice) == ("roll", "black", 1)
    assert units(after(position, rolled("black", 0)), "d4") == "red 1 ship"


def test_an_empty_water_is_taken_without_a_roll() -> None:
    assert after(example(), deploy("sail:c1", "c3:1")).controller("c1") == "red"
