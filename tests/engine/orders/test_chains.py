"""The chain from an area to its headquarters: a shortest one, whole or up to where it breaks (Supply)."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
from hypothesis import given, settings

from engine.areas import Adjacency, members
from engine.orders.position import Position
from engine.orders.supply import chains, cut_off_areas, supply
from tests.play import ANY_BOARD, SEEDS, game
from tests.tables import atoll, rivers, stand


def test_a_supplied_area_has_a_chain_to_its_headquarters() -> None:
    found = chains(rivers("e3:3 e4:1 c6:2 d3:1"))
    assert found["red"] == {
        "e3": ("e3",),
        "e4": ("e4", "e3"),
        "c6": ("c6", "e4", "e3"),
        "d3": ("d3", "e3"),
    }


def test_a_cut_area_has_a_chain_to_where_it_breaks() -> None:
    found = chains(rivers("e3:3 d5:1 c5:1 b5:1", "a3:3 e4:1"))
    assert found["red"]["d5"][-1] in {"d4", "e4"}
    assert found["red"]["b5"][:3] == ("b5", "c5", "d5")
    assert found["black"]["e4"][0] == "e4"


def test_without_a_headquarters_every_chain_breaks_there_at_the_latest() -> None:
    assert chains(rivers("e4:1 c6:1", "a3:3"))["red"] == {"e4": ("e4", "e3"), "c6": ("c6", "e4", "e3")}


@given(ANY_BOARD, SEEDS)
@settings(max_examples=15)
def test_chains_are_shortest_ways_and_break_only_where_supply_does(board: str, seed: int) -> None:
    for position, _step in game(board, seed)[::5]:
        for faction in position.board.factions:
            hold(position, faction)


def hold(position: Position, faction: str) -> None:
    board, ways = position.board, chains(position)[faction]
    names = [area.name for area in board.areas]
    graph = nx.Graph((names[i], names[j]) for i in range(len(names)) for j in members(board.adjacency.of[i]))
    homes = [names[home] for home in members(board.homes[board.factions.index(faction)])]
    linked = supply(position)[faction]
    assert set(ways) == {*linked, *cut_off_areas(position)[faction]}
    for area, way in ways.items():
        assert way[0] == area
        assert len(way) == 1 or nx.is_path(graph, way)
        if area in linked:
            (home,) = (home for home in homes if board.area(home).kind == board.area(area).kind or board.water)
            assert way[-1] == home
            assert len(way) - 1 == nx.shortest_path_length(graph.subgraph(ways), area, home)
        else:
            assert way[-1] not in ways
            assert set(way[:-1]) <= set(ways)


def test_zones_have_chains_of_their_own() -> None:
    found = chains(atoll("a1:4 a2:2 zone-red:1 zone-white:1", "d2:4 zone-green:2"))["blue"]
    assert found["zone-white"] == ("zone-white", "zone-red")
    assert found["a2"] == ("a2", "a1")
    broken = chains(atoll("a1:4 zone-green:1", "d2:4 zone-red:2"))["blue"]
    assert broken["zone-green"] == ("zone-green", "zone-white")


def test_where_no_way_leads_to_the_headquarters_the_chain_breaks_there() -> None:
    board = atoll().board
    alone = Adjacency([mask & ~(1 << 0) if index else 0 for index, mask in enumerate(board.adjacency.of)])
    cut_off = replace(board)
    object.__setattr__(cut_off, "adjacency", alone)
    position = stand(cut_off, "a1:4 b1:2", "d2:4")
    assert chains(position)["blue"]["b1"] == ("b1", "a1")


def test_by_the_other_reading_a_chain_of_zones_may_end_beside_a_zone_that_is_lost() -> None:
    lost = atoll("a1:4 zone-white:2", "d2:4 zone-red:2", readings="hq-zone-lost")
    assert chains(lost)["blue"]["zone-white"] == ("zone-white", "zone-red")
    assert supply(lost)["blue"] == ("a1", "zone-white")
    assert cut_off_areas(atoll("a1:4 zone-white:2", "d2:4 zone-red:2"))["blue"] == ("zone-white",)
