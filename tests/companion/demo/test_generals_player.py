"""The demo's player of the card game: whole games, its own cards in step with the position's numbers, fair decks."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from benchmarks import decks as bench
from benchmarks import fairness
from companion.demo.generals_player import LOST, PRACTICE, GeneralsPlayer, ShuffledDecks, rate_position, set_up, threat
from engine.generals.cards import load_deck
from engine.generals.game import apply, new_game
from engine.generals.position import SIDES, Position
from engine.generals.steps import Deploy, End, Step, Use
from engine.generals.wire import new_from_json
from tests.engine.generals.case import at, position, side

pytestmark = pytest.mark.long


def played(seed: int) -> tuple[list[Step], list[Position]]:
    player, steps = GeneralsPlayer(seed), list[Step]()
    positions = [new_from_json(set_up(seed))]
    while (step := player.step(positions[-1])) is not None:
        steps.append(step)
        positions.append(apply(positions[-1], step))
    return steps, positions


@pytest.fixture(scope="module", params=range(4))
def whole(request: pytest.FixtureRequest) -> tuple[list[Step], list[Position]]:
    return played(request.param)


def test_it_plays_to_the_end_and_nothing_more(whole: tuple[list[Step], list[Position]]) -> None:
    steps, positions = whole
    assert positions[-1].winner is not None
    assert 2 <= positions[-1].turn <= 60
    assert any(isinstance(step, Deploy) for step in steps)


def test_the_same_seed_is_the_same_game() -> None:
    assert played(3)[0] == played(3)[0]
    assert played(3)[0] != played(4)[0]
    assert {str(set_up(seed)) for seed in range(20)} == {str(set_up(seed)) for seed in range(40)}


def test_what_is_held_lies_nowhere_else_wherever_the_game_goes(whole: tuple[list[Step], list[Position]]) -> None:
    hands = ShuffledDecks(random.Random(1))
    for where in whole[1]:
        for held, player in zip(hands.follow(where), where.sides, strict=True):
            assert len(held) == player.hand
            there = Counter(held) + player.known()
            assert all(n <= player.deck.cards[name].copies for name, n in there.items())
    for where in random.Random(2).sample(whole[1], len(whole[1])):  # steps taken back, games that others played
        assert [len(held) for held in hands.follow(where)] == [player.hand for player in where.sides]


def test_a_general_sent_back_is_in_the_hand_again() -> None:
    start = position(side(), side(at("fox")))
    hands = ShuffledDecks(random.Random(5))
    before = hands.follow(start)[1]
    after = hands.follow(apply(start, Use("recall", "red", target="fox")))[1]
    assert Counter(after) - Counter(before) == Counter(["fox"])


def test_only_cards_that_are_held_are_played() -> None:
    for seed in range(2):
        player, where = GeneralsPlayer(seed), new_from_json(set_up(seed))
        while (step := player.step(where)) is not None:
            if isinstance(step, Deploy):
                assert step.card in player.hand(where, where.to_move)
            where = apply(where, step)


def test_a_won_game_is_worth_most() -> None:
    where = position(side())
    assert rate_position(replace(where, winner=0), 0) == LOST == -rate_position(replace(where, winner=0), 1)
    assert rate_position(where, 0) == -rate_position(where, 1)
    assert rate_position(position(side(at("horse", "siege"))), 0) > rate_position(where, 0)


def test_nothing_is_done_with_an_empty_hand_and_no_general() -> None:
    assert GeneralsPlayer(1).step(position(side(hand=0))) == End()


def test_the_practice_decks_are_a_fair_match() -> None:
    """24 games say little of some per cent, and enough of a deck that cannot win; benchmarks/README.md has more."""
    decks = (load_deck(PRACTICE[0]), load_deck(PRACTICE[1]))
    games = [bench.play_game(decks, seed) for seed in range(24)]
    assert 0.25 <= fairness.count_wins(games, PRACTICE[0]) / 24 <= 0.75
    assert 0.25 <= fairness.count_starter_wins(games) / 24 <= 0.75
    assert all(game.winner and game.turns < 60 for game in games)
    told = bench.report(decks, games)
    assert "practice-cranes wins" in told
    assert "never did" in told
    assert {game.reason for game in games} <= {"card", "damage", "draw", "upkeep"}
    assert {game.starter for game in games[:8]} == set(PRACTICE), "a seed tells which side begins"
    assert new_game(dict(zip(SIDES, decks, strict=True)), "red").to_move == 0


def met(**this_turn: Any) -> Position:
    """Return a horse before the foxes of the other side, one of which is on guard, and one beside it."""
    return position(side(at("horse", "siege", **this_turn)), side(at("fox-1", "outside", **this_turn), at("fox-2")))


def test_generals_threaten_with_the_points_that_they_keep() -> None:
    plain = met()
    assert threat(plain, 0) > threat(plain, 1) > 0
    for more in ({"military": 4}, {"intelligence": 4}, {"military": -1}):
        assert [threat(met(**more), side_at) for side_at in (0, 1)] == [threat(plain, side_at) for side_at in (0, 1)]
        assert rate_position(met(**more), 0) == pytest.approx(rate_position(plain, 0))
    armed = position(side(at("horse", "siege", item="sword")), plain.sides[1])
    assert threat(armed, 0) > threat(plain, 0)
