"""What a player's choice may and may not depend on: always legal, no peeking, the same again, and in time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from engine.orders.cards import hand_size
from engine.orders.game import apply, judge, owed
from engine.orders.player import LEVELS, Choice, Level, answer, choose, consider, view_of
from engine.orders.player.choice import falling_chance, prefer_guard, thinkable_turns
from engine.orders.player.evaluation import winning_chance
from engine.orders.player.prospects import Turn, prospects
from engine.orders.player.reasons import threats_by
from engine.orders.player.search import Edge, Node
from engine.orders.player.unfolding import endings, quiet_answer
from engine.orders.position import Hand, Position
from engine.orders.steps import Accept, Deploy, Pass, Play, Remove, Reroll, Return, Step
from tests import play
from tests.boards.practice import BOARDS
from tests.engine.orders.player.positions import last_turns

SHORT = Level("short", 12)
EVERY_LEVEL = [LEVELS["first"], LEVELS["child"], LEVELS["even"], SHORT]


def dealt(position: Position, rng: Random) -> Position:
    """Return the same position with both hands known, each a few cards from the deck."""
    deck = sorted(name for name, n in position.board.mode.deck.items() for _ in range(n))
    rng.shuffle(deck)
    one, other = rng.randint(0, 4), rng.randint(1, 4)
    return replace(position, hands=(tuple(sorted(deck[:one])), tuple(sorted(deck[one : one + other]))))


def some_turns(board: str, seed: int, most: int = 3) -> list[Position]:
    """Return a few positions of a random game in which a turn begins."""
    rng = Random(seed)
    found = [position for position in play.turn_starts(play.game(board, seed)) if not position.discard]
    return [dealt(position, rng) for position in rng.sample(found, min(most, len(found)))]


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS)
def test_whole_games_are_legal(board: str) -> None:
    for seed, level in enumerate(EVERY_LEVEL[1:3]):
        rng = Random(seed)
        position = replace(play.opening(rng, BOARDS[board]()), hands=((), ()))
        while position.winner is None:
            step = next_step(position, level, rng)
            ruling = judge(position, step)
            assert ruling.legal, (step, ruling)
            position = apply(position, step)


def next_step(position: Position, level: Level, rng: Random) -> Step:
    """Return the player's next step, or the table's dice and cards where those are due."""
    due = owed(position)
    if due is None:
        turn = choose(position, position.to_move_name, level, rng).turn
        if isinstance(turn, Deploy) and isinstance(turn.draw, int):
            return replace(turn, draw=play.drawing(rng, position, turn.draw))
        return turn
    for faction in position.board.factions:
        step = answer(position, faction, level)
        if step is not None:
            return step
    return play.next_step(rng, position)


ANSWERED = (("fortress", 0), ("fortress", 2), ("rivers", 1), ("valley", 83), ("atoll", 2))
"""Random games in which everything is owed at some time, and every kind of card can be played."""


def test_each_answer_is_legal() -> None:
    """What is thought of inside a turn as well, and nothing is answered where nothing is owed."""
    met: set[object] = set()
    for position, _step in (moment for board, seed in ANSWERED for moment in play.game(board, seed)):
        due = owed(position)
        answers = [answer(position, faction, SHORT) for faction in position.board.factions]
        if due is not None and due.wants != "roll":
            answers.append(quiet_answer(position))
        met |= {due and due.wants, *map(type, answers)}
        met |= {position.board.mode.cards[name].verb for _who, name in due.cards} if due is not None else set()
        assert due is not None or not any(answers)
        assert all(judge(position, step).legal for step in answers if step is not None)
    assert met >= {"accept", "roll", "remove", "return", "join", "place", "dice", "again"}
    assert met >= {Accept, Play, Remove, Reroll, Return}


@pytest.mark.long
@settings(max_examples=20)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_each_candidate_is_legal(board: str, seed: int) -> None:
    for position in some_turns(board, seed):
        choice = choose(position, position.to_move_name, SHORT, Random(seed))
        assert all(judge(position, candidate.turn).legal for candidate in choice.candidates)
        assert choice.turn in [candidate.turn for candidate in choice.candidates]
        assert all(0 <= candidate.chance <= 1 and candidate.reasons for candidate in choice.candidates)


def other_hand(position: Position, seat: int, rng: Random) -> Position:
    """Return a position with the same public history but other cards in the opponent's hand and in the draw pile."""
    mine, hidden = position.hands[seat], hand_size(position.hands[1 - seat])
    known = list(mine) if isinstance(mine, tuple) else []
    deck = [name for name, n in position.board.mode.deck.items() for _ in range(n)]
    for name in [*known, *position.discard]:
        deck.remove(name)
    theirs: Hand = tuple(sorted(rng.sample(sorted(deck), hidden)))
    return replace(position, hands=(theirs, mine) if seat else (mine, theirs))


@pytest.mark.long
@settings(max_examples=16)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_no_peeking(board: str, seed: int) -> None:
    """With other cards in the other hand, or with that hand unknown, the choice is the same to the last digit."""
    for position in some_turns(board, seed, 2):
        seat, rng = position.to_move, Random(seed)
        worlds = [position, other_hand(position, seat, rng), other_hand(position, seat, rng), view_of(position, seat)]
        assert worlds[0].hands != worlds[3].hands
        choices = [choose(world, world.to_move_name, SHORT, Random(seed)) for world in worlds]
        assert choices.count(choices[0]) == len(choices)


@settings(max_examples=30)
@given(board=play.ANY_BOARD, seed=play.SEEDS)
def test_no_peeking_in_answers(board: str, seed: int) -> None:
    for position, _ in play.game(board, seed):
        due = owed(position)
        if due is None or not isinstance(position.hands[0], tuple):
            continue

        seat = position.board.mode.faction_index[due.by]
        answers = [answer(view, due.by, SHORT) for view in (position, view_of(position, seat))]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("level", EVERY_LEVEL, ids=lambda level: level.name)
def test_the_same_seed_gives_the_same_choice(level: Level) -> None:
    for position in some_turns("rivers", 5):
        choices = [choose(position, position.to_move_name, level, Random(9)) for _ in range(2)]
        assert choices[0] == choices[1]


def test_what_is_considered_on_the_way_changes_nothing_of_what_is_chosen() -> None:
    position, *_others = some_turns("rivers", 5)
    for level in EVERY_LEVEL:
        found = list(consider(position, position.to_move_name, level, Random(9)))
        assert found[-1] == choose(position, position.to_move_name, level, Random(9))
        assert [choice.iterations for choice in found] == ([0, 8, 12] if level.iterations else [0])


def test_who_is_stopped_at_a_glance_has_looked_no_further() -> None:
    position, *_others = some_turns("rivers", 5)
    found = list(consider(position, position.to_move_name, SHORT, Random(9), lambda: True))
    assert [choice.iterations for choice in found] == [0]


def test_what_is_thought_of_as_a_reply_is_thought_of_as_a_turn() -> None:
    """So that a turn is judged by the same lights as the one before, which feared it; the wide look misses a few."""
    views = [view_of(turn, turn.to_move) for turn in some_turns("alpine", 2, 8)]
    replies = [{turn for turn in prospects(view) if judge(view, turn).legal} for view in views]
    assert all(found <= set(thinkable_turns(view)) for view, found in zip(views, replies, strict=True))
    assert not all(found <= set(prospects(view, wide=True)) for view, found in zip(views, replies, strict=True))


class CountingClock:
    """Says stop after so many questions."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_it_stops_when_told_to() -> None:
    position = some_turns("fortress", 3)[0]
    for asked in (0, 1, 7):
        clock = CountingClock(asked)
        choice = choose(position, position.to_move_name, LEVELS["strong"], Random(1), clock)
        assert choice.iterations == asked
        assert clock.left == -1, "it is asked once before each iteration, and not again once it has said stop"
        assert judge(position, choice.turn).legal


def test_time_only_stops_it() -> None:
    """Stopped after so many iterations it says what it says with just so many to spend."""
    position = some_turns("alpine", 4)[0]
    who = position.to_move_name
    stopped = choose(position, who, Level("long", 1000), Random(1), CountingClock(9))
    assert stopped == choose(position, who, Level("nine", 9), Random(1))


def test_it_thinks_for_no_one_else() -> None:
    position = some_turns("rivers", 6)[0]
    other = next(name for name in position.board.factions if name != position.to_move_name)
    with pytest.raises(ValueError, match=f"not the turn of {other}"):
        choose(position, other, SHORT, Random(1))


def test_levels_think_of_more_the_higher_they_are() -> None:
    position = some_turns("rivers", 7)[0]
    counts = [len(_thought(position, level)) for level in (LEVELS["first"], LEVELS["strong"])]
    assert counts[0] < counts[1]


def test_five_levels_look_farther_and_overlook_less() -> None:
    levels = tuple(LEVELS.values())
    assert [level.name for level in levels] == ["first", "child", "even", "strong", "best"]
    for lower, higher in pairwise(levels):
        assert lower.iterations <= higher.iterations
        assert lower.overlooks >= higher.overlooks
        assert lower.misses >= higher.misses
        assert lower != replace(higher, name=lower.name)


def test_a_threat_is_overlooked_as_often_as_the_level_says() -> None:
    """It is overlooked for a whole turn or seen for a whole turn, as its chance has it."""
    position = last_turns("sengoku-rivers", ({"a3": 1}, {"e3": 3, "d4": 1, "c3": 1, "b3": 5}), (2, 2))
    position = replace(position, units=position.units[::-1], to_move=1, initiative=1)
    sees, misses, now_and_then = (
        [_best_chance(position, Level("x", 0, misses=share), seed) for seed in range(8)] for share in (0.0, 1.0, 0.5)
    )
    assert len(set(sees)) == len(set(misses)) == 1
    assert sees[0] < misses[0]
    assert set(now_and_then) == {sees[0], misses[0]}


def _best_chance(position: Position, level: Level, seed: int) -> float:
    return choose(position, position.to_move_name, level, Random(seed)).candidates[0].chance


@pytest.mark.parametrize("board", BOARDS)
def test_a_headquarters_that_can_be_taken_is_never_overlooked(board: str) -> None:
    """Of all turns it thinks of one that takes it at least as likely as the quick look at threats says."""
    for position in play.turn_starts(play.game(board, 2)):
        view = view_of(position, position.to_move)
        threat = threats_by(view, view.to_move).headquarters
        if threat:
            ways = [_taking(view, turn) for turn in thinkable_turns(view)]
            assert max(ways) >= threat - 1e-9
            assert winning_chance(view, view.to_move) >= threat


def _taking(view: Position, turn: Turn) -> float:
    ends = endings(view, turn)
    return sum(end.chance for end in ends if (end.position.winner, end.position.reason) == (view.to_move, "hq_lost"))


FALLING = last_turns("sengoku-rivers", ({"e3": 3, "d4": 1, "c3": 1, "b3": 5}, {"a3": 1}), (2, 2))
"""The first faction has all it needs to take the second one's headquarters."""


@pytest.mark.parametrize(("gain", "guards"), [(0.04, True), (0.06, False)])
def test_a_headquarters_is_left_to_fall_only_for_a_real_gain(gain: float, guards: bool) -> None:
    position = replace(FALLING, to_move=1, initiative=1)
    safe = replace(FALLING, units=(FALLING.units[1], FALLING.units[1]))
    leaves, guard = (
        Edge(Pass(), 1, [(1.0, Node(end, 0.4))]) for end in (replace(position, to_move=0), replace(safe, to_move=0))
    )
    leaves.value += gain
    assert falling_chance(leaves) > 0.9
    assert falling_chance(guard) == 0
    assert prefer_guard([leaves, guard], 0.0) is (guard if guards else leaves)
    assert prefer_guard([guard, leaves], 0.0) is guard


def _thought(position: Position, level: Level) -> tuple[object, ...]:
    choice: Choice = choose(position, position.to_move_name, replace(level, iterations=0), Random(2))
    return choice.candidates
