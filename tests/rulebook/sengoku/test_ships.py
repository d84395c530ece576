"""Sail, Embark and ports: ships on their way, and new ones from the reserve."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.board import load_board
from engine.orders.game import legal
from engine.orders.position import Position
from tests.tables import after, allowed, deploy, due_in, refused, reserve, rivers, rolled, units


def sailing() -> Position:
    """Return a position with supplied waters e4, d4, c3, c2 in a chain up to c1."""
    return rivers("e3:3 e4:3 d4:2 c3:2 c2:1")


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


def test_through_any_chain_of_supplied_waters() -> None:
    assert sources(sailing(), "sail:c1") == {"e4": {"ship": 2}, "d4": {"ship": 1}, "c3": {"ship": 1}}
    allowed(sailing(), deploy("sail:c1", "e4:2 c3:1"), "sail.reach", "e4", "supplied waters link e4 to c1")


def test_a_ship_stays_in_every_water() -> None:
    position = after(sailing(), deploy("sail:c1", "e4:2 c3:1"))
    assert [units(position, area) for area in ("e4", "d4", "c3", "c2", "c1")] == [
        *("red 1 ship", "red 2 ship", "red 1 ship", "red 1 ship", "red 3 ship"),
    ]
    refused(sailing(), deploy("sail:c1", "e4:3"), "sail.last-unit", "e4 has only 3 units, and one must stay")


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
    assert after(sailing(), deploy("sail:c1", "c3:1")).controller("c1") == "red"


# ==== Embark: ships from the reserve into supplied water, or free water at a supplied port =====


def embarking(**more: Any) -> Position:
    """Black supplies the ports a3 and b2 and the water c3; c1 is under red, c6 is apart."""
    return rivers("e3:3 d3:1 d2:1 c1:1", "a3:3 a1:2 b3:2 b2:1 c3:1", to_move="black", **more)


def test_three_ships_at_the_first_space_and_two_at_the_second() -> None:
    spaces = legal(rivers("e3:1")).spaces
    assert (spaces["embark:1"].amount, spaces["embark:2"].amount) == (3, 2)


def test_into_supplied_water_and_free_water_at_supplied_ports() -> None:
    assert legal(embarking()).spaces["embark:1"].areas == ("a4", "b4", "c2", "c3")
    position = after(embarking(), deploy("embark:1", "a4:1 c2:1 c3:1"))
    assert [units(position, area) for area in ("a4", "c2", "c3")] == ["black 1 ship", "black 1 ship", "black 2 ship"]
    assert reserve(position, "black", "ship") == 6


@pytest.mark.parametrize(
    ("position", "area", "words"),
    [
        (embarking(), "c6", "c6 is empty"),
        (embarking(), "c1", "Red controls c1"),
        (rivers("e3:3 c2:1"), "c2", "Red controls c2, but its supply line"),
        (embarking(), "b3", "b3 is land"),
    ],
    ids=["apart", "enemy ships at a port", "cut off", "land"],
)
def test_not_into_anything_else(position: Position, area: str, words: str) -> None:
    refused(position, deploy("embark:1", f"{area}:1"), "embark.area", words, "supplied ports")


def test_own_ships_at_a_supplied_port_are_no_hindrance() -> None:
    allowed(rivers("e3:3 e4:1"), deploy("embark:1", "e4:2"), "embark.area", "e4 is in supply for Red")


def test_a_ship_placed_opens_no_further_water() -> None:
    step = deploy("embark:1", "d4:2 c3:1")
    finding = refused(rivers("e3:3"), step, "embark.chain", "c3 is empty", "embark-chain")
    assert finding.reading == "embark-chain"


def test_one_embark_space_a_player_and_round() -> None:
    position = rivers("e3:3", commanders={"embark:2": "red"})
    refused(position, deploy("embark:1", "e4:1"), "embark.one-per-round", "embark:2")
    assert "embark:1" not in legal(position).spaces
    other = rivers("e3:3", commanders={"embark:2": "black"})
    allowed(other, deploy("embark:1", "e4:1"), "embark.one-per-round", "Red hasn't used Embark this round")


def test_a_water_over_its_limit_gives_the_surplus_back() -> None:
    position = after(rivers("e3:1 e4:2"), deploy("embark:1", "e4:3"))
    assert units(position, "e4") == "red 3 ship"
    assert reserve(position, "red", "ship") == 7


def test_without_ports_and_ships_nothing_can_be_placed_but_the_space_is_open() -> None:
    position = rivers("e3:3", "a3:3 d4:1 e4:1")
    assert legal(position).spaces["embark:1"].areas == ()
    assert after(position, deploy("embark:1")).commanders_on("embark:1") == ("red",)
    refused(position, deploy("embark:1", "d4:1"), "embark.area", "Black controls d4")


# ==== Ports: the waters that a land area opens to Embark =======================================

PORTS = {
    "a3": ("a4", "b4"),
    "e3": ("d4", "e4"),
    "b2": ("c1", "c2"),
    "d2": ("c1", "c2"),
    "c4": ("b4", "c3", "d4"),
}


def test_these_areas_have_ports_and_no_others() -> None:
    board = load_board("sengoku-rivers")
    assert {area.name: area.ports for area in board.areas if area.ports} == PORTS


def test_a_ports_piers_reach_every_water_next_to_it() -> None:
    board = load_board("sengoku-rivers")
    for area in board.areas:
        if area.ports:
            assert set(area.ports) == {name for name in area.adjacent if board.area(name).kind == "water"}


@pytest.mark.parametrize("port", ["d2", "c4"])
def test_a_supplied_port_opens_its_waters(port: str) -> None:
    position = rivers("e3:1 e1:1 d2:1 d4:1 c4:1")
    assert set(PORTS[port]) <= set(legal(position).spaces["embark:1"].areas)


def test_a_port_that_is_cut_off_opens_nothing() -> None:
    assert legal(rivers("e3:1 b2:1")).spaces["embark:1"].areas == ("d4", "e4")


def test_a_port_of_the_opponent_opens_nothing_to_others() -> None:
    assert "a4" not in legal(rivers("e3:1")).spaces["embark:1"].areas


def test_land_without_a_port_opens_nothing() -> None:
    assert "c5" not in PORTS
    assert "c6" not in legal(rivers("e3:1 d3:1 d4:1 d5:1 c5:1")).spaces["embark:1"].areas


def test_one_port_closed_by_enemy_ships_leaves_the_other_waters_open() -> None:
    assert legal(rivers("e3:1", "a3:3 d4:1")).spaces["embark:1"].areas == ("e4",)
