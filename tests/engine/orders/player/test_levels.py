"""Temperaments and head starts: what a commander likes, what is given to the weaker side."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine.errors import BadTable
from engine.orders.board import board_names, load_board
from engine.orders.game import apply, judge, new_game
from engine.orders.player import LEVELS, Choice, choose
from engine.orders.player.choice import NEARLY
from engine.orders.player.levels import (
    HEAD_STARTS,
    TROOPS,
    Temperament,
    extra_troops_step,
    head_start_results,
    read_temperaments,
    temperaments,
)
from engine.orders.position import Position
from tests import play

ERAS = sorted({load_board(name).mode.rulebook for name in board_names()})
POSITIONS = [position for position in play.turn_starts(play.game("rivers", 5)) if position.winner is None][3:9:2]
LAND = Temperament("miser", (("land", 20.0), ("water and air", 20.0)))


def chosen(position: Position, temperament: Temperament | None, level: str = "even") -> Choice:
    """Return what somebody of that temperament does who overlooks nothing and has no whims."""
    sober = replace(LEVELS[level], overlooks=0.0, freedom=0.0, temperament=temperament)
    return choose(position, position.to_move_name, sober, Random(1))


@pytest.mark.parametrize("era", ERAS)
def test_an_era_has_three_commanders_who_like_different_things(era: str) -> None:
    found = temperaments(era)
    assert len(found) == len({temperament.likes for temperament in found.values()}) == 3
    assert all(name == temperament.name for name, temperament in found.items())


def test_an_era_of_ones_own_has_none() -> None:
    assert temperaments("moon") == {}


def test_what_no_position_has_cannot_be_liked() -> None:
    with pytest.raises(BadTable, match=r"temperaments/moon\.toml: owl: no position has cheese, move"):
        read_temperaments("moon", '[owl]\n"land" = 0.1\n"cheese" = 1.0\n"move" = 1.0\n')


def test_both_sides_like_a_position_for_what_they_have_whoever_is_to_move() -> None:
    balanced = Temperament("miser", (("land", 1.0), ("garrison", 0.5)))
    theirs = Temperament("guard", (("their headquarters falls", 1.0),))
    ours = Temperament("raider", (("our headquarters falls", 1.0),))
    for position in POSITIONS:
        assert balanced.liking(position, 0) == -balanced.liking(position, 1)
        assert theirs.liking(position, 0) == ours.liking(position, 1)
        assert theirs.liking(position, 1) == ours.liking(position, 0)


def test_what_is_overlooked_is_not_disliked() -> None:
    afraid = Temperament("guard", (("their best capture", -1.0),))
    assert any(afraid.liking(position, position.to_move) for position in POSITIONS)
    assert not any(afraid.liking(position, position.to_move, 1 - position.to_move) for position in POSITIONS)


def test_a_temperament_takes_what_it_likes_of_what_is_nearly_as_good() -> None:
    pairs = [(chosen(position, None), chosen(position, LAND)) for position in POSITIONS]
    assert any(plain.turn != liked.turn for plain, liked in pairs)
    for plain, liked in pairs:
        taken = next(candidate for candidate in liked.candidates if candidate.turn == liked.turn)
        assert taken.chance >= plain.candidates[0].chance - NEARLY - 0.05  # what is unsure counts for less


def test_who_likes_nothing_plays_as_its_level() -> None:
    for position in POSITIONS:
        assert chosen(position, Temperament("plain", ())) == chosen(position, None)


def test_who_misses_threats_does_not_fear_them_either() -> None:
    coward = Temperament("coward", (("their headquarters falls", -50.0), ("their all captures", -50.0)))
    for position in POSITIONS:
        assert chosen(position, coward, "child").turn == chosen(position, None, "child").turn


# ==== A head start =============================================================================

STARTS = [
    (new_game(name, load_board(name).factions[0], {}), faction)
    for name in board_names()
    for faction in load_board(name).factions
]


@pytest.mark.parametrize(("opening", "faction"), STARTS)
def test_two_troops_are_within_all_limits(opening: Position, faction: str) -> None:
    step, me = extra_troops_step(opening, faction), opening.board.mode.faction_index[faction]
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
    [(area, units)] = extra_troops_step(replace(opening, board=board), faction).areas
    assert (area, units) == ("e3", (("red", "troop", 5),))


def test_each_count_is_of_two_levels_that_follow_each_other() -> None:
    counted = {pair: head_start_results(*pair) for pair in pairwise(LEVELS)}
    assert all(worth.wins <= worth.games for found in counted.values() for worth in found.values())
    assert counted["child", "even"].keys() == set(HEAD_STARTS)
    assert head_start_results("even", "child") == {}
