"""The chance to win, what a position comes to in numbers, and the reasons that are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
from engine.orders.player.reasons import Reason, reasons_of
from engine.orders.player.unfolding import endings
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from engine.tables import table_names
from tests import play
from tests.boards.practice import BOARDS
from tests.engine.orders.player.positions import last_turns
from tests.tables import rivers

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


# ==== What a position comes to in numbers ======================================================


def more(name: str, **told: Any) -> float:
    """Return how much more of this red has, who is to move, than Black."""
    return measure(rivers("e3:3 d3:4", "a3:3 b3:2", **told))[NAMES.index(name)]


@pytest.mark.parametrize(
    ("commanders", "draws"),
    [
        ({}, 0),
        ({"plan:1": "red"}, -1),
        ({"plan:2": "red"}, -1),
        ({"plan:1": "black"}, 1),
        ({"plan:1": "black", "plan:2": "black"}, 0),
        ({"plan:1": "black", "plan:2": "red"}, 0),
    ],
)
def test_cards_can_be_drawn_where_a_space_is_free_and_one_s_own_twin_of_it_too(
    commanders: dict[str, str], draws: int
) -> None:
    assert more("cards to draw", commanders=commanders) == draws


@pytest.mark.parametrize(
    ("commanders", "units"),
    [
        ({}, 0),
        ({"reinforce:1": "red"}, -5),
        ({"reinforce:1": "black"}, 5),
        ({"reinforce:1": "black", "reinforce:2": "black"}, 0),
        ({"reinforce:2": "red", "reinforce:1": "black"}, 0),
    ],
)
def test_units_can_be_brought_where_a_space_is_free(commanders: dict[str, str], units: int) -> None:
    assert more("reinforcements", commanders=commanders) == units


def test_who_has_no_commander_left_or_has_passed_brings_nothing() -> None:
    for told in ({"passed": "red"}, {"left": {"red": 0}, "standby": {"red": 5}}):
        assert more("cards to draw", **told) == -1
        assert (more("reinforcements", **told), more("other reinforcements", **told)) == (-6, -3)


# ==== Reasons as data ==========================================================================


def told(position: Position, turn: Deploy | Pass) -> dict[str, Reason]:
    return {reason.code: reason for reason in reasons_of(position, turn, endings(position, turn))}


def test_an_empty_area_is_taken() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d4": 1}, {"a3": 3}), (2, 2))
    reasons = told(position, Deploy("advance:c4", moves=(("e3", "troop", 2),)))
    assert reasons["takes"] == Reason("takes", ("c4",), 2, 1.0)


def test_own_areas_are_linked_again() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "e1": 2, "d1": 1, "c1": 1}, {"a3": 3}), (2, 2))
    apart = last_turns(RIVERS, ({"e3": 3, "d1": 2, "c1": 1}, {"a3": 3}), (2, 2))
    assert "links" not in told(position, Deploy("advance:d3", moves=(("e3", "troop", 1),)))
    assert told(apart, Deploy("advance:e1", moves=(("e3", "troop", 1),)))["links"] == Reason("links", ("c1", "d1"), 2)


def test_a_headquarters_is_threatened() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d4": 1, "c3": 1, "d3": 5}, {"a3": 1}), (2, 2))
    reason = told(position, Deploy("advance:b3", moves=(("d3", "troop", 4),)))["threatens"]
    assert reason.areas == ("a3",)
    assert reason.chance > 0.9


def test_means_are_told() -> None:
    position = replace(last_turns(RIVERS, ({"e3": 3}, {"a3": 3}), (2, 2)), initiative=1)
    reasons = told(position, Deploy("plan:1", draw=1))
    assert reasons["draws"] == Reason("draws", amount=1)
    assert "initiative" in reasons
    placed = told(position, Deploy("reinforce:1", place=(("e3", "troop", 2),)))
    assert placed["strengthens"] == Reason("strengthens", ("e3",), 2)
    assert reasons_of(position, Pass(), endings(position, Pass())) == (Reason("waits"),)
