"""Sets of areas as bitmasks: members, neighbours, flood, against plain sets on a graph library's answers."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.areas import MOST_AREAS, Adjacency, mask_of, members

Sets = list[set[int]]


def adjacency(near: Sets) -> Adjacency:
    return Adjacency([mask_of(others) for others in near])


@st.composite
def graphs(draw: st.DrawFn) -> Sets:
    size = draw(st.integers(1, 20))
    pairs = draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=40))
    near: Sets = [set() for _ in range(size)]
    for node, other in pairs:
        if node != other:
            near[node].add(other)
            near[other].add(node)
    return near


@given(st.sets(st.integers(0, MOST_AREAS - 1)))
def test_a_set_of_areas_gives_its_members_back_lowest_first(areas: set[int]) -> None:
    assert list(members(mask_of(areas))) == sorted(areas)


def test_the_empty_set_has_no_members() -> None:
    assert list(members(0)) == []
    assert mask_of([]) == 0


@given(graphs(), st.data())
def test_around_is_the_union_of_all_neighbours(near: Sets, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(near) - 1)))
    expected = set().union(*(near[area] for area in chosen))
    assert set(members(adjacency(near).around(mask_of(chosen)))) == expected


@given(graphs(), st.data())
def test_flood_is_the_connected_part_within_a_set(near: Sets, data: st.DataObject) -> None:
    within = data.draw(st.sets(st.integers(0, len(near) - 1)))
    start = data.draw(st.integers(0, len(near) - 1))
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(within)
    graph.add_edges_from((node, other) for node in within for other in near[node] & within)
    expected = nx.node_connected_component(graph, start) if start in within else set()
    assert set(members(adjacency(near).flood(1 << start, mask_of(within)))) == expected


def test_flood_from_several_starts_joins_their_parts() -> None:
    line = adjacency([{1}, {0, 2}, {1}, {4}, {3}])
    assert line.flood(0b10001, 0b11111) == 0b11111
    assert line.flood(0b00001, 0b11101) == 0b00001


def test_a_board_may_have_so_many_areas_and_no_more() -> None:
    with pytest.raises(ValueError, match="37 areas are more than 36"):
        Adjacency([0] * (MOST_AREAS + 1))
