"""Positions with one good thing to do, on every mode: golden ones and packaged puzzles. The player does it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.orders.board import board_names, load_board
from engine.orders.game import judge
from engine.orders.player import LEVELS, Choice, choose
from engine.orders.player.puzzles import THEMES, Puzzle, opening, puzzles
from engine.orders.player.reasons import threats_by
from engine.orders.player.unfolding import endings
from engine.orders.position import Position
from engine.orders.steps import Deploy
from tests.engine.orders.player.positions import last_turns

RIVERS, FORTRESS, ALPINE, ISLAND = "sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island"

FALLS = {
    RIVERS: ({"e3": 3, "d4": 1, "c3": 1, "b3": 5}, {"a3": 1}),
    FORTRESS: ({"e3": 3, "d3": 1, "c3": 1, "b4": 5}, {"a3": 1}),
    ALPINE: ({"c1": 3, "c2": 1, "c3": 1, "c4": 5}, {"c5": 1}),
    ISLAND: ({"b1": 3, "c2": 1, "a2": 1, "b4": 1, "a3": 1, "c4": 5}, {"c5": 1}),
}
"""The second faction's headquarters can be taken by the next advance."""


def chosen(position: Position, seed: int = 1) -> Choice:
    return choose(position, position.to_move_name, LEVELS["strong"], Random(seed))


@pytest.mark.parametrize("board", FALLS)
def test_wins_now(board: str) -> None:
    position = last_turns(board, FALLS[board], (2, 2))
    choice = chosen(position)
    assert choice.candidates[0].turn == choice.turn
    assert choice.candidates[0].reasons[0].code == "wins"
    assert sum(end.chance for end in endings(position, choice.turn) if end.position.winner == 0) > 0.97


@pytest.mark.parametrize("board", FALLS)
def test_does_not_lose_the_headquarters_now(board: str) -> None:
    position = replace(last_turns(board, FALLS[board], (2, 2)), to_move=1, initiative=1)
    assert threats_by(position, 0).headquarters > 0.9
    choice = chosen(position)
    fears = [end.chance * threats_by(end.position, 0).headquarters for end in endings(position, choice.turn)]
    assert sum(fears) < 0.1
    assert "guards" in [reason.code for reason in choice.candidates[0].reasons]


CHAINS = [
    (RIVERS, {"e3": 3, "d4": 1, "c3": 3}, {"a3": 3, "b4": 1, "b5": 1, "c4": 2, "c5": 2}, "sail:b4"),
    (FORTRESS, {"e3": 3, "d3": 1, "c3": 3}, {"a3": 3, "b3": 1, "b2": 2, "c2": 2}, "sail:b3"),
    (
        ALPINE,
        {"c1": 3, "d1": 1, "e1": 1, "e3": 1, "d3": 4},
        {"c5": 3, "c4": 1, "c3": 3, "e4": 2, "d4": 2},
        "advance:c4",
    ),
    (ISLAND, {"b1": 3, "c2": 1, "c3": 1, "d4": 5}, {"c5": 3, "c4": 1, "e3": 3, "e1": 4, "a3": 2}, "advance:c4"),
]


@pytest.mark.parametrize(("board", "mine", "theirs", "space"), CHAINS)
def test_cuts_the_chain_with_the_last_turn(
    board: str, mine: dict[str, int], theirs: dict[str, int], space: str
) -> None:
    choice = chosen(replace(last_turns(board, (mine, theirs), (1, 0)), initiative=1))
    assert isinstance(choice.turn, Deploy)
    assert choice.turn.space == space
    assert "cuts" in [reason.code for reason in choice.candidates[0].reasons]


GUNS = ("barrage:a3", "barrage:b2", "barrage:c2", "barrage:e1")
ISLAND_GUNS = ("barrage:b4", "barrage:c3", "barrage:d1")
LAST_HOLDS = [
    (RIVERS, {"e3": 3, "d4": 1, "c3": 1}, {"a3": 3, "b4": 3}, ("advance:c4",), "c3"),
    (FORTRESS, {"e3": 3, "d3": 1, "c3": 1}, {"a3": 3, "b3": 3}, ("advance:b2", "advance:c2", "advance:d2"), "c3"),
    (ALPINE, {"c1": 3, "c2": 1, "b2": 1, "b3": 1, "a2": 1, "a3": 1, "d1": 1}, {"c5": 3, "c4": 1, "c3": 5}, GUNS, "c2"),
    (
        ISLAND,
        {"b1": 3, "c2": 1, "c3": 1, "a1": 1},
        {"c5": 3, "d6": 1, "e3": 1, "d4": 5},
        ("advance:e1", "advance:c4", *ISLAND_GUNS),
        "c3",
    ),
]


@pytest.mark.parametrize(("board", "mine", "theirs", "taken", "area"), LAST_HOLDS)
def test_holds_the_last_water(
    board: str, mine: dict[str, int], theirs: dict[str, int], taken: tuple[str, ...], area: str
) -> None:
    """Where there is no water, or no points on it, the last land."""
    choice = chosen(last_turns(board, (mine, theirs), (1, 1), taken))
    assert isinstance(choice.turn, Deploy)
    assert sum(n for name, _, n in choice.turn.place if name == area) >= 2
    assert choice.candidates[0].chance > 0.8


# ==== The packaged puzzles =====================================================================

ALL = [puzzle for board in board_names() for puzzle in puzzles(board)]
CHECKED = [puzzle for board in board_names() for puzzle in puzzles(board)[:5]]
"""The easiest on each board: `benchmarks.puzzles` looks into all of them, and much longer."""


def test_there_are_some_for_each_mode_and_theme() -> None:
    boards = Counter(puzzle.board for puzzle in ALL)
    assert {load_board(name).mode for name in boards} == {load_board(name).mode for name in board_names()}
    assert {puzzle.theme for puzzle in ALL} <= set(THEMES)
    assert len({puzzle.key for puzzle in ALL}) == len(ALL) >= 60
    assert puzzles("no such board") == ()


def test_each_is_told_from_the_opening_and_its_turn_is_legal() -> None:
    for puzzle in ALL:
        assert judge(opening(puzzle.board), puzzle.agreed).legal
        start = puzzle.start()
        assert start.winner is None
        assert start.turn is None
        assert judge(start, puzzle.turn).legal
        assert puzzle.chance - puzzle.other >= 0.25


@pytest.mark.parametrize("puzzle", CHECKED, ids=lambda puzzle: puzzle.key)
def test_a_short_look_finds_the_turn(puzzle: Puzzle) -> None:
    start = puzzle.start()
    level = replace(LEVELS["even"], overlooks=0.0, freedom=0.0)
    found = choose(start, start.to_move_name, level, Random(1))
    assert isinstance(found.turn, Deploy)
    assert isinstance(puzzle.turn, Deploy)
    assert found.turn.space == puzzle.turn.space
    assert found.candidates[0].chance > found.candidates[1].chance + 0.1
