"""The tree: what turns and ends are worth, compared fairly where the search knows more of one than of another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.player.choice import never_stop
from engine.orders.player.evaluation import winning_chance
from engine.orders.player.prospects import prospects
from engine.orders.player.search import FIRST_SIGHT, Edge, Node, edge_of, root_of, search
from engine.orders.player.unfolding import endings
from engine.orders.steps import Pass
from tests.engine.orders.player.positions import last_turns

START = last_turns("sengoku-rivers", ({"e3": 3, "d4": 2}, {"a3": 3, "b4": 2}), (2, 2))
THEIRS = replace(START, to_move=1)
OVER = replace(START, winner=0)


def rooted() -> Node:
    found = [edge_of(turn, 0, endings(START, turn)) for turn in prospects(START, wide=True)]
    return root_of(START, found)


def test_a_turn_is_worth_the_mean_of_its_ends() -> None:
    edge = Edge(Pass(), 0, [(0.25, Node(START, 0.8)), (0.5, Node(THEIRS, 0.4)), (0.25, Node(OVER, 1.0))])
    assert edge.first == edge.value == pytest.approx(0.25 * 0.8 + 0.5 * 0.6 + 0.25)
    assert edge.sure == 0.25


def test_what_is_not_known_yet_loses_what_others_lost() -> None:
    """Two turns look alike; one has been looked into and lost a fifth: so would the other, if half of it is open."""
    seen, unseen, ended = Node(THEIRS, 0.4), Node(THEIRS, 0.4), Node(OVER, 1.0)
    known, open_, sure = (
        Edge(Pass(), 0, [(1.0, seen)]),
        Edge(Pass(), 0, [(0.5, unseen), (0.5, ended)]),
        Edge(Pass(), 0, [(1.0, ended)]),
    )
    root = root_of(START, [known, open_, sure])
    seen.visits, seen.value = 1, 0.6
    known.renew()
    root.settle()
    assert root.drift == pytest.approx(-0.2)
    assert known.worth(root.drift) == pytest.approx(0.4)
    assert open_.worth(root.drift) == pytest.approx(0.8 - 0.1)
    assert sure.worth(root.drift) == 1.0


def test_a_small_chance_is_better_than_surely_none() -> None:
    hardly = Edge(Pass(), 0, [(1.0, Node(THEIRS, 0.998))])
    lost = Edge(Pass(), 0, [(1.0, Node(replace(START, winner=1), 0.0))])
    assert lost.exact
    assert hardly.score(0.0) > lost.score(0.0)


def test_each_iteration_looks_into_one_more_position() -> None:
    root = rooted()
    assert search(root, 25, never_stop) == 25
    assert sum(edge.visits for edge in root.edges) == root.visits == 25
    assert root.edges[-1].visits < root.edges[0].visits < 25


def test_where_every_turn_ends_the_game_nothing_is_looked_into() -> None:
    last = last_turns("sengoku-rivers", ({"e3": 3, "d4": 2}, {"a3": 3, "b4": 2}), (1, 0))
    root = root_of(last, [edge_of(turn, 0, endings(last, turn)) for turn in prospects(last)])
    assert search(root, 25, never_stop) == 0


def test_what_looks_best_and_is_known_best_counts_most() -> None:
    """A position is worth its turns, at first by how good they look, later by how often they were looked into."""
    one, other = Node(START, 0.6), Node(START, 0.5)
    good, worse = Edge(Pass(), 0, [(1.0, one)]), Edge(Pass(), 0, [(1.0, other)])
    root = root_of(START, [worse, good])
    assert good.prior > 0.9
    assert root.value == pytest.approx(0.6 * good.prior + 0.5 * worse.prior)
    good.visits, worse.visits = 10, 90
    root.settle()
    share = (FIRST_SIGHT * good.prior + 10) / (FIRST_SIGHT + 100)
    assert root.value == pytest.approx(0.5 + 0.1 * share)


def test_a_turn_that_is_known_well_or_wins_at_once_is_preferred() -> None:
    known, unknown = (Edge(Pass(), 0, [(1.0, Node(START, 0.6))]) for _ in range(2))
    known.visits = 8
    assert known.score(0.0) > unknown.score(0.0)
    wins = Edge(Pass(), 0, [(0.6, Node(OVER, 1.0)), (0.4, Node(THEIRS, 1.0))])
    assert wins.first == pytest.approx(unknown.first)
    assert wins.score(0.0) > unknown.score(0.0)


def test_what_is_sure_is_worth_its_best_turn_and_no_less() -> None:
    """Not a mean of guesses: a turn that ends the game needs no second look."""
    won, lost = Edge(Pass(), 0, [(1.0, Node(OVER, 1.0))]), Edge(Pass(), 0, [(1.0, Node(replace(OVER, winner=1), 0.0))])
    root = root_of(START, [lost, won])
    assert root.exact
    assert root.value == 1.0
    half = Edge(Pass(), 0, [(0.5, Node(OVER, 1.0)), (0.5, Node(THEIRS, 0.9))])
    poor = [Edge(Pass(), 0, [(1.0, Node(THEIRS, 0.9))]) for _ in range(9)]
    root = root_of(START, [half, *poor])
    assert not root.exact
    assert root.value >= half.least == 0.5


def test_the_end_of_a_game_is_looked_into_until_it_is_sure() -> None:
    """Two turns left: the second is the best reply, by the rules alone."""
    last = last_turns("sengoku-rivers", ({"e3": 3, "d4": 2}, {"a3": 3, "b4": 2}), (1, 1))
    root = root_of(last, [edge_of(turn, 0, endings(last, turn)) for turn in prospects(last)][:2])
    done = search(root, 1000, never_stop)
    assert done < 1000
    assert root.exact
    assert root.value == max(edge.value for edge in root.edges)
    for _, node in root.edges[0].ends:
        assert node.value == max(
            sum(end.chance * winning_chance(end.position, node.mover) for end in endings(node.position, turn))
            for turn in prospects(node.position)
        )


def test_a_reply_is_good_for_who_takes_it() -> None:
    """Its turns are those that look best to who is to move there."""
    root = rooted()
    search(root, 40, never_stop)
    looked = [node for edge in root.edges for _, node in edge.ends if node.edges]
    assert looked
    for node in looked:
        best = max(
            sum(end.chance * winning_chance(end.position, node.mover) for end in endings(node.position, turn))
            for turn in prospects(node.position)
        )
        assert max(edge.first for edge in node.edges) == pytest.approx(best)
        worths = [edge.worth(node.drift) for edge in node.edges]
        assert min(worths) <= node.value <= max(worths)
