"""The packaged puzzles: positions the box can hold, one legal turn each that is far better than every other idea."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.orders.board import board_names, load_board
from engine.orders.game import judge
from engine.orders.player import LEVELS, choose
from engine.orders.player.puzzles import THEMES, Puzzle, opening, puzzles
from engine.orders.steps import Deploy

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
