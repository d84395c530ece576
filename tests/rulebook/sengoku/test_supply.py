"""Areas & Adjacency, Control and Supply."""

from __future__ import annotations

import pytest

from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.supply import cut_off_areas, standing_words, supply
from tests.tables import rivers


def words(position: Position, faction: str, area: str) -> str:
    board = position.board
    return standing_words(position, board.factions.index(faction), board.area_index[area])


def test_several_hexes_without_borders_are_one_area() -> None:
    board = load_board("sengoku-rivers")
    assert set(board.area("c6").adjacent) == {"a4", "b5", "c5", "d5", "e4"}


@pytest.mark.parametrize("faction", ["red", "black"])
def test_control_is_having_a_unit_there(faction: str) -> None:
    position = rivers("e3:3 c4:1", "a3:3 b4:1")
    held = {"red": "c4", "black": "b4"}[faction]
    assert position.controller(held) == faction
    assert position.controller("c5") is None


def test_nobody_controls_a_contested_area() -> None:
    assert rivers("e3:3 c4:1", "a3:3 c4:2").controller("c4") is None


def test_supply_is_an_unbroken_line_of_controlled_areas_to_the_headquarters() -> None:
    position = rivers("e3:3 d3:2 d2:1", "a3:3 b3:2 c3:1 c1:2 b1:1")
    assert supply(position) == {"red": ("d2", "d3", "e3"), "black": ("a3", "b3", "c3")}
    assert cut_off_areas(position) == {"red": (), "black": ("b1", "c1")}


def test_the_line_may_run_over_land_and_water() -> None:
    assert supply(rivers("e3:1 d4:1 c4:1 c3:1 b3:1"))["red"] == ("b3", "c3", "c4", "d4", "e3")


def test_an_empty_area_breaks_the_line() -> None:
    position = rivers("e3:1 d5:1")
    assert cut_off_areas(position)["red"] == ("d5",)


def test_an_enemy_area_breaks_the_line() -> None:
    position = rivers("e3:3 e1:1 d1:2 c2:2 b2:1", "a3:3 d2:1 d3:2")
    assert supply(position)["red"] == ("d1", "e1", "e3")
    assert cut_off_areas(position)["red"] == ("b2", "c2")


def test_control_is_not_supply_and_the_words_say_which() -> None:
    position = rivers("e3:3 d3:1 c2:1 b2:1", "a3:3 c3:1")
    assert words(position, "red", "d3") == "d3 is in supply for Red"
    assert words(position, "red", "c3") == "Black controls c3"
    assert words(position, "red", "c5") == "c5 is empty"


def test_the_words_name_the_area_where_the_chain_breaks() -> None:
    position = rivers("e3:3 d3:1 b2:1", "a3:3 c2:1")
    assert words(position, "red", "b2") == "Red controls b2, but its supply line breaks at c2"


def test_the_break_named_is_the_one_on_the_shortest_way_home() -> None:
    position = rivers("e3:1 e1:1 d1:1 b1:1 b2:1")
    assert words(position, "red", "b2").endswith("breaks at c1")


def test_the_first_of_several_breaks_is_named() -> None:
    assert words(rivers("e3:1 a4:1"), "red", "a4").endswith("breaks at c6")


def test_without_a_unit_in_the_headquarters_nothing_is_supplied() -> None:
    position = rivers("d3:3 e1:2")
    assert supply(position)["red"] == ()
    assert cut_off_areas(position)["red"] == ("d3", "e1")
    assert words(position, "red", "d3").endswith("breaks at e3")


def test_a_contested_area_carries_supply_for_both_while_the_action_lasts() -> None:
    position = rivers("e3:3 d3:1 c3:1", "a3:3 b3:1 c3:1")
    assert "c3" in supply(position)["red"]
    assert "c3" in supply(position)["black"]
