"""Looking back on a game: choice told apart from luck, each choice judged by what its seat knew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings

from engine.orders.board import load_board
from engine.orders.game import apply, owed
from engine.orders.player import Level, chance_to_win, choose
from engine.orders.player.choice import compare
from engine.orders.player.review import (
    AS_GOOD,
    LUCK,
    TURNING,
    Kind,
    ReviewedTurn,
    Swing,
    account,
    card_luck,
    chances,
    review,
    turn_count,
    turning_points,
)
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Reroll, Roll, Step
from tests import play
from tests.engine.orders.player.positions import last_turns
from tests.engine.orders.player.test_choice import CountingClock, other_hand, some_turns

GLANCE = Level("glance", 0)
LAST_CHANCE = replace(
    last_turns(
        "sengoku-rivers",
        ({"e3": 3, "d4": 1, "c3": 3}, {"a3": 3, "b4": 1, "b5": 1, "c4": 2, "c5": 2}),
        (1, 0),
    ),
    initiative=1,
)
"""The first faction wins with its last turn, if it cuts the other's chain."""
WINS_NOW = last_turns("sengoku-rivers", ({"e3": 3, "d4": 1, "c3": 1, "b3": 5}, {"a3": 1}), (2, 2))


def course(board: str, seed: int, most: int = 40) -> tuple[list[Position], list[Step]]:
    """Play a random game, or its beginning, and return the positions and the steps between them."""
    played = play.game(board, seed)[:most]
    steps = [step for _, step in played]
    return [*(position for position, _ in played), apply(*played[-1])], steps


def lengthened(start: Position, steps: Sequence[Step]) -> tuple[list[Position], Sequence[Step]]:
    positions = [start]
    for step in steps:
        positions.append(apply(positions[-1], step))
    return positions, steps


@settings(max_examples=4)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_choice_and_luck_account_for_every_turn(board: str, seed: int) -> None:
    """What a turn ends with is what was expected of it, with the luck in it and the answers given."""
    positions, steps = course(board, seed, 16)
    reviewed = list(review(positions, steps, GLANCE))
    assert len(reviewed) == turn_count(steps)
    for turn in reviewed:
        assert turn.after == pytest.approx(turn.expected + turn.swung)
        assert turn.before == chance_to_win(positions[turn.first], turn.side)
        assert turn.after == chance_to_win(positions[turn.end], turn.side)
        assert all(swing.change <= 0 for swing in turn.swings if swing.kind == "choice")
        assert 0 <= turn.taken_chance <= turn.best_chance <= 1
        assert turn.choice == turn.taken_chance - turn.best_chance
        assert turn.reasons


@pytest.mark.long
@pytest.mark.parametrize("board", ["rivers", "fortress", "alpine", "island"])
def test_a_whole_game_adds_up(board: str) -> None:
    positions, steps = course(board, 11, 1000)
    reviewed = list(review(positions, steps, GLANCE))
    assert_adds_up(reviewed)
    assert chances(reviewed, positions[0].board.factions[0])[-1] in (0.0, 1.0)


def assert_adds_up(reviewed: Sequence[ReviewedTurn]) -> None:
    """Hold the parts of both sides, each added up from the swings alone, against the curve."""
    swings = [swing for turn in reviewed for swing in turn.swings]
    sides = ("red", "black") if reviewed[0].side in ("red", "black") else ("blue", "yellow")
    for side, other in (sides, sides[::-1]):
        mine, theirs = account(reviewed, side), account(reviewed, other)
        for kind in get_args(Kind):
            for summary, whose in ((mine, side), (theirs, other)):
                told = sum(swing.change for swing in swings if (swing.by, swing.kind) == (whose, kind))
                assert getattr(summary, kind) == pytest.approx(told)
        curve = chances(reviewed, side)
        parts = sum(getattr(mine, name) - getattr(theirs, name) for name in (*get_args(Kind), "later"))
        assert parts == pytest.approx(mine.whole - theirs.whole) == pytest.approx(curve[-1] - curve[0])


def test_what_is_seen_later_is_left_by_the_turn_after_which_it_is_seen() -> None:
    (turn,) = review(*lengthened(WINS_NOW, [Pass()]), GLANCE)
    quiet = replace(turn, taken_chance=0.5, best_chance=0.5, after=0.8, swings=(Swing(0, "choice", "red", 0.0),))
    found = account([quiet], "red")
    assert found.later == pytest.approx(0.3) == found.whole
    assert account([quiet], "black").whole == 0.0


@pytest.fixture(scope="module")
def games() -> list[tuple[list[Position], list[Step], list[ReviewedTurn]]]:
    """Games in which every kind of swing was played, with their reviews."""
    found = [course(board, seed) for board, seed in (("rivers", 1), ("fortress", 87))]
    assert {type(step) for _, steps in found for step in steps} >= {Deploy, Pass, Play, Roll, Reroll, Remove}
    return [(positions, steps, list(review(positions, steps, GLANCE))) for positions, steps in found]


def test_each_step_swings_the_chance_of_its_own_side(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    for positions, steps, reviewed in games:
        swings = [swing for turn in reviewed for swing in turn.swings if swing.kind != "choice"]
        rolls = [number for number, step in enumerate(steps) if isinstance(step, Roll)]
        assert [swing.step for swing in swings if swing.kind == "dice"] == rolls
        for swing in swings:
            step = steps[swing.step]
            assert isinstance(step, Roll | Play | Reroll)
            assert isinstance(step, Reroll) <= (swing.kind == "played")
            assert isinstance(step, Roll) == (swing.kind == "dice")
            assert step.by == swing.by
        for swing in (swing for swing in swings if swing.kind == "dice"):
            was, now = (chance_to_win(positions[at], swing.by) for at in (swing.step, swing.step + 1))
            assert swing.change == pytest.approx(now - was)


def test_a_side_accounts_for_its_own_choices_dice_and_cards(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    _, _, reviewed = games[0]
    swings = [swing for turn in reviewed for swing in turn.swings]
    for side in {turn.side for turn in reviewed}:
        made = account(reviewed, side)
        own = [turn for turn in reviewed if turn.side == side]
        assert made.turns == len(own)
        assert made.good == sum(turn.choice >= -AS_GOOD for turn in own) < made.turns
        assert made.luck == pytest.approx(
            sum(swing.change for swing in swings if swing.by == side and swing.kind in LUCK)
        )
        assert made.decisions == pytest.approx(made.choice + made.played)


def test_the_largest_turns_turn_a_game_in_its_own_order(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    _, _, reviewed = games[0]
    points = turning_points(reviewed)
    assert len(points) == 3
    assert [point.turn.first for point in points] == sorted({point.turn.first for point in points})
    least = min(abs(point.change) for point in points)
    others = [turn for turn in reviewed if turn not in [point.turn for point in points]]
    assert all(max(abs(turn.choice), abs(turn.luck), abs(turn.played)) <= least for turn in others)
    for point in points:
        parts = {"choice": point.turn.choice, "card": point.turn.played, "luck": point.turn.luck}
        assert point.change == parts[point.by]
        assert abs(point.change) == max(map(abs, parts.values()))


def test_the_curve_lies_between_what_both_sides_saw(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    _, _, reviewed = games[0]
    red, black = (chances(reviewed, side) for side in ("red", "black"))
    assert len(red) == len(reviewed) + 1
    assert [chance + other for chance, other in zip(red, black, strict=True)] == pytest.approx([1.0] * len(red))
    assert chances([], "red") == ()

    one, two = (replace(turn, best_chance=0.8, taken_chance=0.6, swings=turn.swings[:1]) for turn in reviewed[:2])
    assert chances([replace(one, side="red"), replace(two, side="black", after=1.0)], "red") == pytest.approx(
        (0.8, (0.6 + 0.2) / 2, 0.0)
    )


def test_what_changes_little_turns_no_game() -> None:
    (quiet,) = review(*lengthened(WINS_NOW, [Pass()]), GLANCE)
    small = replace(quiet, swings=(Swing(0, "choice", "red", -TURNING / 2),))
    assert turning_points([small]) == ()


def test_a_win_that_was_passed_by_is_a_choice() -> None:
    (turn,) = review(*lengthened(LAST_CHANCE, [Pass()]))
    assert isinstance(turn.best, Deploy)
    assert turn.best.space == "sail:b4"
    assert "cuts" in [reason.code for reason in turn.reasons]
    assert turn.choice < -0.3
    assert turn.luck == 0
    (point,) = turning_points([turn])
    assert (point.by, point.change) == ("choice", turn.choice)
    assert chances([turn], "red") == (turn.best_chance, 0.0)


def test_the_best_turn_costs_nothing_however_it_is_written() -> None:
    best = choose(WINS_NOW, "red", GLANCE, Random(1)).turn
    assert isinstance(best, Deploy)
    area, unit, number = best.moves[0]
    assert number > 1
    apart = replace(best, moves=((area, unit, 1), (area, unit, number - 1), *best.moves[1:]))
    for turn in (best, apart):
        found = compare(WINS_NOW, turn, Level("short", 12))
        assert found.taken == found.best


def test_cards_that_are_drawn_are_not_known_when_they_are_chosen() -> None:
    position = next(position for position in some_turns("rivers", 5, 30) if _plan(position) is not None)
    plan = _plan(position)
    assert plan is not None
    named = replace(plan, draw=play.drawing(Random(3), position, plan.draw if isinstance(plan.draw, int) else 0))
    assert compare(position, named, GLANCE) == compare(position, plan, GLANCE)
    (turn,) = review(*lengthened(position, [named]), GLANCE)
    assert (turn.turn, turn.luck) == (named, 0)


def _plan(position: Position) -> Deploy | None:
    """Return a turn that draws cards, or None if the player considers none."""
    turns = (candidate.turn for candidate in choose(position, position.to_move_name, GLANCE, Random(1)).candidates)
    return next((turn for turn in turns if isinstance(turn, Deploy) and turn.draw), None)


def test_a_choice_is_judged_by_what_its_seat_knew() -> None:
    for board in ("alpine", "fortress"):
        for position in some_turns(board, 9, 1):
            turn = choose(position, position.to_move_name, Level("child", 0), Random(1)).candidates[-1].turn
            worlds = [position, other_hand(position, position.to_move, Random(2))]
            one, other = (compare(world, turn, GLANCE) for world in worlds)
            assert one == other


def test_of_an_unknown_hand_no_card_is_a_mistake(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    """Where the game knows only the number of cards, nobody can say what else the side could have played."""
    unknown = [
        (positions[swing.step], swing)
        for positions, steps, reviewed in games
        for turn in reviewed
        for swing in turn.swings[1:]
        if swing.kind == "choice" and isinstance(steps[swing.step], Play | Reroll)
    ]
    for position, swing in unknown:
        if isinstance(position.hand(swing.by), int):
            assert swing.change == 0
    assert {isinstance(position.hand(swing.by), int) for position, swing in unknown} == {True, False}


def test_what_is_agreed_is_neither_choice_nor_luck() -> None:
    given_up = Agreed(other=OtherCorrections(winner="black"))
    (turn,) = review(*lengthened(WINS_NOW, [Pass(), given_up]), GLANCE)
    choice, agreed = turn.swings
    assert (choice.kind, agreed.kind, agreed.step) == ("choice", "agreed", 1)
    assert agreed.change == pytest.approx(turn.after - turn.expected)
    assert account([turn], "red").agreed == agreed.change
    assert (turn.after, turn.luck, turn.played, turn.end) == (0.0, 0.0, 0.0, 2)


def test_a_card_that_was_played_is_a_choice_and_to_hold_this_one_was_luck(
    games: list[tuple[list[Position], list[Step], list[ReviewedTurn]]],
) -> None:
    positions, steps, reviewed = games[0]
    plays = [number for number, step in enumerate(steps) if isinstance(step, Play)]
    assert plays
    for number in plays:
        step = steps[number]
        assert isinstance(step, Play)
        parts = {swing.kind: swing.change for turn in reviewed for swing in turn.swings if swing.step == number}
        was, now = (chance_to_win(positions[at], step.by) for at in (number, number + 1))
        assert parts["drawn"] == card_luck(positions[0].board, step.card)
        assert sum(parts.values()) == pytest.approx(now - was)


def test_a_card_is_luckier_the_more_its_kind_brings() -> None:
    board = load_board("sengoku-rivers")
    lucks = [card_luck(board, card) for card in board.mode.cards]
    assert min(lucks) < 0 < max(lucks)
    assert card_luck(board, "no_such_card") == 0
    assert card_luck(replace(board, mode=replace(board.mode, name="home-made")), "ambush") == 0


def test_a_turn_in_progress_is_looked_back_on_as_far_as_it_goes() -> None:
    positions, steps = next(
        (positions[: at + 2], steps[: at + 1])
        for positions, steps in [course("rivers", 2)]
        for at, step in enumerate(steps)
        if isinstance(step, Deploy) and (due := owed(positions[at + 1])) is not None and due.wants == "roll"
    )
    turn = list(review(positions, steps, GLANCE))[-1]
    assert turn.after == pytest.approx(turn.expected)


def test_the_same_game_makes_the_same_review() -> None:
    positions, steps = course("rivers", 4, 3)
    short = Level("short", 8)
    assert list(review(positions, steps, short)) == list(review(positions, steps, short))


def test_it_stops_when_told_to() -> None:
    positions, steps = course("rivers", 4, 8)
    assert list(review(positions, steps, GLANCE, CountingClock(0))) == []
    assert len(list(review(positions, steps, GLANCE, CountingClock(2)))) in (1, 2)
