"""The chance to win: for both sides together 1, known weights for every mode, and sane where the answer is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine.orders.board import board_names, load_board
from engine.orders.player import chance_after, chance_to_win
from engine.orders.player.evaluation import (
    ANY,
    KNOTS,
    NAMES,
    chance_by_points,
    knot_share,
    load_weights,
    measure,
    table_for,
    turns_left,
    winning_chance,
)
from engine.orders.steps import Deploy, Pass
from engine.tables import table_names
from tests import play
from tests.boards.practice import BOARDS
from tests.engine.orders.player.positions import last_turns

RIVERS = "sengoku-rivers"


def test_each_mode_has_its_weights_and_others_share_some() -> None:
    assert set(table_names("player")) == {ANY, *(load_board(name).mode.name for name in board_names())}
    for name in table_names("player"):
        weights = load_weights(name)
        assert len(weights) == len(KNOTS)
        assert all(len(row) == len(NAMES) for row in weights)
        assert any(weights[0])
    assert table_for(BOARDS["castle"]()) == load_weights(ANY) != table_for(load_board(RIVERS))


@settings(max_examples=60)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_the_chances_of_both_are_one(board: str, seed: int) -> None:
    for position, _ in play.game(board, seed):
        first, second = (chance_to_win(position, faction) for faction in position.board.factions)
        assert first + second == pytest.approx(1)
        assert 0 <= first <= 1
        if position.turn is None:
            assert len(measure(position)) == len(NAMES)
            assert winning_chance(position, 0) == first


def test_a_game_that_is_over_has_no_chances() -> None:
    won = replace(last_turns(RIVERS, ({"e3": 3}, {"a3": 3}), (1, 1)), winner=1)
    assert (chance_to_win(won, "red"), chance_to_win(won, "black")) == (0.0, 1.0)


def test_points_are_good_and_more_so_at_the_end() -> None:
    """Two supplied waters more, with few and with many turns left."""
    less = last_turns(RIVERS, ({"e3": 3, "d4": 1}, {"a3": 3, "b4": 1}), (1, 1))
    more = last_turns(RIVERS, ({"e3": 3, "d4": 1, "c3": 1, "c2": 1}, {"a3": 3, "b4": 1}), (1, 1))
    late = chance_to_win(more, "red") - chance_to_win(less, "red")
    early = [chance_to_win(replace(position, round=1, commanders_left=(5, 5)), "red") for position in (less, more)]
    assert late > 0
    assert early[1] > early[0]


def test_who_counts_points_sees_nothing_else() -> None:
    """The other side may take the headquarters at once: that is no matter to a beginner."""
    position = last_turns(RIVERS, ({"e3": 1, "d4": 1}, {"a3": 3, "d3": 5}), (2, 2))
    assert chance_by_points(position, 0) + chance_by_points(position, 1) == pytest.approx(1)
    assert chance_by_points(position, 0) == chance_by_points(replace(position, to_move=1), 0)
    assert chance_by_points(replace(position, winner=1), 1) == 1.0


def test_the_last_turn_is_known_exactly() -> None:
    """With no turn to come the winner is that of the rules, so a step's chance is that of its dice."""
    position = replace(last_turns(RIVERS, ({"e3": 3, "d4": 1, "c3": 3}, {"a3": 3, "b4": 1}), (1, 0)), initiative=1)
    assert chance_after(position, Pass(), "red") == 1.0
    behind = replace(last_turns(RIVERS, ({"e3": 3, "d4": 3}, {"a3": 3, "b4": 1, "c3": 1}), (1, 0)), initiative=1)
    assert chance_after(behind, Pass(), "red") == 0.0
    # one die against two ships: one is left to meet one, or two after a 0; either way black's last point but one goes
    attack = Deploy("sail:c3", moves=(("d4", "ship", 2),))
    assert chance_after(behind, attack, "red") == pytest.approx(1 / 6)


def test_turns_left_count_all_rounds() -> None:
    start = last_turns(RIVERS, ({"e3": 3}, {"a3": 3}), (2, 1))
    assert turns_left(start) == 3
    assert turns_left(replace(start, round=1)) == 3 + 3 * 10
    passed = last_turns("wwii-alpine", ({"c1": 3}, {"c5": 3}), (2, 2))
    assert turns_left(replace(passed, passed=(True, False))) == 2


@pytest.mark.parametrize(("turns", "at"), [(0, 1.0), (1, 1.0), (4, 4.0), (5, 5.0), (40, 40.0), (55, 40.0)])
def test_weights_are_mixed_between_knots(turns: int, at: float) -> None:
    knot, share = knot_share(turns)
    assert KNOTS[knot] * (1 - share) + KNOTS[knot + 1] * share == pytest.approx(at)
