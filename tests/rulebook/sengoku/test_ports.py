"""Ports: the waters that a land area opens to Embark."""

from __future__ import annotations

import pytest

from engine.orders.board import load_board
from engine.orders.game import legal
from tests.tables import rivers

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
