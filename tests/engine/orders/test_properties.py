"""Random legal games with cards, rolls and rerolls, on Rivers and on two made-up boards: what always holds."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders.cards import deck_size, hand_size
from engine.orders.draft import Event
from engine.orders.game import apply, examine, fold, legal, owed, play, replay
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Deploy, Roll, Step
from engine.orders.wire import check_position, position_from_json, position_to_json, step_from_json, step_to_json
from tests.play import ANY_BOARD, SEEDS, game, turn_starts

pytestmark = pytest.mark.chance

# --- what is conserved ------------------------------------------------------------------

INTO_PLAY = {"placed": 1, "joined": 1, "bonus": 1, "lost": -1, "surplus": -1, "recalled": -1, "spent": -1}


def on_board(position: Position, faction: int, kind: int) -> int:
    return sum(position.units[faction][kind])


def told_change(events: tuple[Event, ...]) -> Counter[tuple[int, int]]:
    change = Counter[tuple[int, int]]()
    for event in events:
        change[event.faction, event.unit] += INTO_PLAY.get(event.kind, 0) * event.units
    return change


@given(ANY_BOARD, SEEDS)
@settings(max_examples=45)
def test_units_go_between_board_and_reserve_only_as_it_is_told(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        then, events = play(position, step)
        change = told_change(events)
        for faction in (0, 1):
            for kind in position.board.mode.units:
                moved = on_board(then, faction, kind.index) - on_board(position, faction, kind.index)
                assert moved == change[faction, kind.index]
                assert then.reserve(faction, kind.index) + on_board(then, faction, kind.index) == kind.reserve
                assert then.reserve(faction, kind.index) >= 0


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_what_the_box_holds_is_never_exceeded(board: str, seed: int) -> None:
    played = game(board, seed)
    for position in [*(position for position, _ in played), apply(*played[-1])]:
        mode = position.board.mode
        assert check_position(position) is position
        assert deck_size(position) + sum(map(hand_size, position.hands)) + len(position.discard) == sum(
            mode.deck.values()
        )
        for faction in (0, 1):
            used = position.commanders[faction].bit_count() + position.standby[faction]
            assert used + position.commanders_left[faction] == mode.commanders


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_limits_hold_at_the_end_of_every_turn(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed)):
        mode = position.board.mode
        for area in position.board.areas:
            for units in position.units_in(area.name).values():
                assert sum(units.values()) <= mode.caps[area.kind]


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_between_turns_an_area_is_one_sides_and_headquarters_are_held(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed)):
        first, second = position.survey.control
        assert first & second == 0
        assert first >> position.board.hq[0] & 1
        assert second >> position.board.hq[1] & 1


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_no_area_counts_for_both_sides(board: str, seed: int) -> None:
    for position, _step in game(board, seed):
        first, second = (score(position).areas[faction] for faction in position.board.factions)
        assert not {*first} & {*second}


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_a_game_ends_with_a_reason(board: str, seed: int) -> None:
    last = apply(*game(board, seed)[-1])
    assert last.winner_name in last.board.factions
    if last.reason == "hq_lost":
        loser = 1 - last.board.factions.index(last.winner_name or "")
        assert last.survey.control[loser] >> last.board.hq[loser] & 1 == 0
    else:
        assert (last.reason, last.round) == ("victory_points", last.board.mode.rounds)
        assert all(passed or not left for passed, left in zip(last.passed, last.commanders_left, strict=True))


# --- judging, applying, replaying -------------------------------------------------------


@given(ANY_BOARD, SEEDS)
@settings(max_examples=25)
def test_a_replay_through_json_is_the_game(board: str, seed: int) -> None:
    played = game(board, seed)
    start, last = played[0][0], apply(*played[-1])
    lines = [json.dumps(step_to_json(step)) for _, step in played]
    steps = [step_from_json(json.loads(line)) for line in lines]
    assert steps == [step for _, step in played]
    assert fold(start, steps) == last
    done = replay(start, steps)
    assert (done.position, done.done, done.failed) == (last, len(steps), None)


@given(ANY_BOARD, SEEDS, st.data())
@settings(max_examples=25)
def test_a_replay_ends_before_the_first_step_that_is_refused(board: str, seed: int, data: st.DataObject) -> None:
    played = game(board, seed)
    at = data.draw(st.integers(0, len(played) - 1))
    steps: list[Step] = [step for _, step in played[:at]]
    done = replay(played[0][0], [*steps, Deploy("no:space"), *steps])
    assert (done.position, done.done) == (played[at][0], at)
    assert done.failed is not None
    assert not done.failed.legal


@given(SEEDS)
@settings(max_examples=20)
def test_a_position_goes_through_json_at_every_step(seed: int) -> None:
    for position, _ in game("rivers", seed):
        again = position_from_json(json.loads(json.dumps(position_to_json(position))))
        assert again == position
        assert hash(again) == hash(position)


@given(ANY_BOARD, SEEDS)
@settings(max_examples=15)
def test_a_legal_step_holds_on_every_criterion_looked_at(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        ruling = examine(position, step)
        assert ruling.legal
        assert ruling.findings
        assert all(finding.message and str(finding.citation) for finding in ruling.findings)


@given(ANY_BOARD, SEEDS)
@settings(max_examples=20)
def test_what_is_owed_is_what_the_next_step_gives(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        due = owed(position)
        if position.turn is None:
            assert due is None
        else:
            assert due is not None
            assert due.text
            assert legal(position).may_pass == (due.wants == "accept" and position_after_accepts(position))
        if isinstance(step, Roll):
            assert due is not None
            assert (due.wants, due.by) == ("roll", step.by)
            assert due.loose or due.dice == len(step.dice)


def position_after_accepts(position: Position) -> bool:
    """Whether passing by every window ends the turn with a commander left to the next player."""
    due = owed(position)
    while due is not None and due.wants == "accept":
        position = apply(position, Accept())
        due = owed(position)
    return due is None and position.winner is None
