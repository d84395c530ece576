"""The tree and the ends of a turn with their chances: exact, fair, and with cards that may be held."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders.game import judge
from engine.orders.odds import ConflictOdds, step_odds
from engine.orders.player.choice import never_stop
from engine.orders.player.evaluation import winning_chance
from engine.orders.player.prospects import prospects, refine_turn
from engine.orders.player.search import FIRST_SIGHT, Edge, Node, edge_of, root_of, search
from engine.orders.player.unfolding import endings, endings_of, holding_chance, view_of
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests import play
from tests.engine.orders.player.positions import last_turns

RIVERS = "sengoku-rivers"


@settings(max_examples=40)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_the_chances_of_all_ends_are_one(board: str, seed: int) -> None:
    for position, step in play.game(board, seed):
        for ends in (endings(position, step), endings_of(position), endings_of(position, wary=True)):
            assert sum(end.chance for end in ends) == pytest.approx(1)
            assert all(end.position.turn is None for end in ends)


@settings(max_examples=40)
@given(board=play.ANY_BOARD, seed=st.integers(0, 2**32))
def test_prospects_are_legal_and_odds_are_exact(board: str, seed: int) -> None:
    starts = play.turn_starts(play.game(board, seed))
    position = Random(seed).choice(starts)
    for turn in prospects(position, wide=seed % 2 == 0):
        ruling = judge(position, turn)
        assert ruling.legal, (turn, ruling)
        if isinstance(turn, Deploy) and not turn.place:
            _compare(position, turn)


def test_no_unit_is_taken_back_for_a_bonus_where_a_short_reserve_forbids_it() -> None:
    """A drop of two troops with a bonus of one more, in a game with the reading `short-reserve`."""
    position = Random(5).choice(play.turn_starts(play.game("valley", 5)))
    turns = [turn for wide in (True, False) for turn in prospects(position, wide=wide)]
    assert any(isinstance(turn, Deploy) and turn.recall for turn in turns)
    assert all(judge(position, turn).legal for turn in turns)


def _compare(position: Position, turn: Deploy) -> None:
    """Compare the chance that the area changes hands by the endings with the chance by the odds."""
    board, me = position.board, position.to_move
    for odds in step_odds(position, turn):
        bit = 1 << board.area_index[odds.area]
        ends = endings(position, turn)
        if isinstance(odds.odds, ConflictOdds):
            won = sum(end.chance for end in ends if end.position.survey.control[me] & bit)
            assert won == pytest.approx(float(odds.odds.attacker_holds))
        elif odds.odds.targets:
            kept = sum(end.chance for end in ends if end.position.survey.control[1 - me] & bit)
            assert kept == pytest.approx(float(1 - odds.odds.empties))


def test_a_card_that_may_be_held_is_feared() -> None:
    """Ambush adds two dice; three of the deck's 24 cards are Ambush."""
    held = {"e3": 3, "d4": 1, "c3": 1, "b3": 4}
    position = replace(last_turns(RIVERS, (held, {"a3": 1}), (2, 2)), hands=((), 4))
    attack = Deploy("advance:a3", moves=(("b3", "troop", 3),))

    def wins(hand: tuple[str, ...] | int, wary: bool = True) -> float:
        ends = endings(replace(position, hands=((), hand)), attack, wary)
        return sum(end.chance for end in ends if end.position.winner == 0)

    assert wins(("ship_strike",)) == wins(4, wary=False) == pytest.approx(1)
    assert wins(("ambush",)) < 0.8
    share = 1 - comb(21, 4) / comb(24, 4)
    assert holding_chance(position, 1, "ambush") == pytest.approx(share)
    assert wins(4) == pytest.approx(share * wins(("ambush",)) + (1 - share))


def test_a_hand_of_nearly_all_cards_holds_each() -> None:
    """Of 24 cards three are Ambush, so that 22 can't be without."""
    position = last_turns(RIVERS, ({"e3": 3}, {"a3": 1}), (2, 2))
    chances = [holding_chance(replace(position, hands=((), n)), 1, "ambush") for n in (0, 21, 22)]
    assert chances == [0, pytest.approx(1 - 1 / comb(24, 21)), 1]


def test_who_has_no_commander_left_may_not_pass() -> None:
    position = last_turns(RIVERS, ({"e3": 3}, {"a3": 1}), (1, 1))
    assert Pass() in prospects(position)
    assert Pass() not in prospects(replace(position, commanders_left=(0, 1)))


def test_a_view_hides_the_other_hand_alone() -> None:
    position = replace(last_turns(RIVERS, ({"e3": 3}, {"a3": 3}), (1, 1)), hands=(("ambush",), ("mobilise", "ambush")))
    assert view_of(position, 0).hands == (("ambush",), 2)
    assert view_of(position, 1).hands == (1, ("mobilise", "ambush"))
    assert replace(view_of(position, 0), hands=position.hands) == position


def test_refining_never_makes_a_turn_worse() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d3": 2, "e1": 3}, {"a3": 3}), (1, 1))
    turn = Deploy("reinforce:1", place=(("e3", "troop", 2), ("e1", "troop", 2), ("d3", "troop", 2)))

    def in_d3(turn: Deploy | Pass) -> float:
        return sum(n for area, _, n in turn.place if area == "d3") if isinstance(turn, Deploy) else 0

    better = refine_turn(position, turn, in_d3)
    assert judge(position, better).legal
    assert in_d3(better) == 6
    assert refine_turn(position, Pass(), in_d3) == Pass()
    rising = count()
    assert judge(position, refine_turn(position, turn, lambda _turn: next(rising))).legal, (
        "it ends where all seem better"
    )


def test_units_come_back_from_behind_where_the_reserve_is_short() -> None:
    """Of 25 troops 22 are out: three come back, not from the headquarters, the front, or as the last of an area."""
    held = {"e3": 5, "e1": 5, "d1": 2, "d3": 5, "c4": 5}
    front = {"c4"}
    position = last_turns(RIVERS, (held, {"a3": 3, "b3": 2}), (1, 1))
    recalls = [turn for turn in prospects(position, wide=True) if isinstance(turn, Deploy) and turn.recall]
    assert {turn.space for turn in recalls} == {"reinforce:1", "reinforce:2"}
    for turn in recalls:
        assert judge(position, turn).legal
        assert {area for area, _, _ in turn.recall} <= held.keys() - front - {"e3"}
        assert sum(n for _, _, n in turn.place) == sum(n for _, _, n in turn.recall) + 3
    assert not any(isinstance(turn, Deploy) and turn.recall for turn in prospects(position))


# ==== The tree =================================================================================

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
