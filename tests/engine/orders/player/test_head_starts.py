"""A head start: legal on every board, within the limits of areas, and told with the games it was counted on."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.orders.board import board_names, load_board
from engine.orders.game import apply, judge, new_game
from engine.orders.player import LEVELS
from engine.orders.player.levels import HEAD_STARTS, TROOPS, measured, with_troops
from engine.orders.position import Position

STARTS = [
    (new_game(name, load_board(name).factions[0], {}), faction)
    for name in board_names()
    for faction in load_board(name).factions
]


@pytest.mark.parametrize(("opening", "faction"), STARTS)
def test_two_troops_are_within_all_limits(opening: Position, faction: str) -> None:
    step, me = with_troops(opening, faction), opening.board.mode.faction_index[faction]
    assert judge(opening, step).legal
    after = apply(opening, step)
    troop = opening.board.mode.unit_index["troop"]
    assert sum(after.units[me][troop]) == sum(opening.units[me][troop]) + TROOPS
    assert after.units[1 - me] == opening.units[1 - me]
    full = [sum(row[area] for row in after.units[me]) for area in range(len(opening.board.areas))]
    assert max(full) <= opening.board.mode.caps["land"]
    assert (after.to_move, after.initiative) == (opening.to_move, opening.initiative)


def test_where_nothing_has_room_they_go_to_headquarters_all_the_same() -> None:
    opening, faction = STARTS[0]
    caps = {**opening.board.mode.caps, "land": 1}
    board = replace(opening.board, mode=replace(opening.board.mode, caps=caps))
    [(area, units)] = with_troops(replace(opening, board=board), faction).areas
    assert (area, units) == ("e3", (("red", "troop", 5),))


def test_each_count_is_of_two_levels_that_follow_each_other() -> None:
    counted = {pair: measured(*pair) for pair in pairwise(LEVELS)}
    assert all(worth.wins <= worth.games for found in counted.values() for worth in found.values())
    assert counted["child", "even"].keys() == set(HEAD_STARTS)
    assert measured("even", "child") == {}
