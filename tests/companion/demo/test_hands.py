"""The simulated table's hands and the watch over it: turns done without a word, mistakes, and the board put right."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from companion.demo.hands import SimulatedHands, SimulatedWatch, shows_the_same
from companion.demo.player import SimulatedEye, TableLook
from companion.games.match import Match
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.turn_inference import explain
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests.companion.demo.eyes import ClearEye
from tests.companion.perception.seeing import reading_of
from tests.patience import until
from vision.errors import CameraError


def test_left_alone_the_board_follows_the_game(match: Match) -> None:
    hands = SimulatedHands(1)
    assert hands.board_position(match) is match.position
    match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    assert hands.board_position(match) is match.position


@pytest.mark.parametrize("seed", range(4))
def test_a_turn_done_on_the_board_can_be_seen_and_stays_until_the_game_has_it(match: Match, seed: int) -> None:
    hands = SimulatedHands(seed)
    hands.do_turn(match)
    laid = hands.board_position(match)
    assert not shows_the_same(laid, match.position)
    assert laid.turn is None
    assert hands.board_position(match) is laid, "nobody has told the app"
    match.offer(Pass())
    assert hands.board_position(match) is laid, "something else was told"
    match.undo()
    found = [
        explanation
        for explanation in explain(InferenceRequest(match.position, reading_of(laid))).explanations
        if explanation.steps
    ]
    assert found, "hands play by the rules"
    for step in found[0].steps:
        match.offer(step)
    assert shows_the_same(hands.board_position(match), match.position)
    match.offer(Pass())
    assert hands.board_position(match) is match.position, "and the board follows again"


@pytest.mark.parametrize("seed", range(3))
def test_now_and_then_a_piece_too_many_is_laid_and_put_right(match: Match, seed: int) -> None:
    def pieces(mistake_every: int) -> list[int]:
        hands = SimulatedHands(seed, mistake_every)
        counted = []
        for _ in range(3):
            hands.put_right(match)
            assert hands.board_position(match) is match.position
            hands.do_turn(match)
            counted.append(sum(sum(row) for side in hands.board_position(match).units for row in side))
        return counted

    first, second, third = pieces(0)
    assert pieces(3) == [first, second, third + 1]


def test_inside_a_turn_and_after_the_end_hands_rest(match: Match) -> None:
    hands = SimulatedHands(1)
    match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    match.offer(Pass())
    match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    hands.do_turn(match)
    assert hands.board_position(match) is match.position
    while game.owed(match.position) is not None:
        match.undo()
    while match.position.winner is None:
        match.offer(Pass())
    hands.do_turn(match)
    assert hands.board_position(match) is match.position


class NoEye(SimulatedEye):
    """Sees nothing."""

    def look(self, position: Position) -> TableLook:
        raise CameraError("no picture")


class QuickEye(ClearEye):
    """Sees at once what is so, when the test lets it; or nothing."""

    def __init__(self) -> None:
        super().__init__(1)
        self.may_look = threading.Semaphore(0)
        self.dark = False

    def look(self, position: Position) -> TableLook:
        self.may_look.acquire()
        if self.dark:
            raise CameraError("it is dark")
        return super().look(position)


def waited(watch: SimulatedWatch, match: Match, state: str) -> TableView:
    found = [watch.glimpse(match)]

    def there() -> bool:
        found.append(watch.glimpse(match))
        return found[-1].state == state

    assert until(there), f"never {state}: {found[-1].state}"
    return found[-1]


def test_the_watch_gives_a_reading_and_says_while_pieces_move(match: Match) -> None:
    eye = QuickEye()
    watch = SimulatedWatch(1, eye)
    assert watch.glimpse(match).state == "waiting"
    eye.may_look.release()
    first = waited(watch, match, "settled").reading
    assert watch.glimpse(match).reading is first, "nothing moved: the same reading"
    watch.hands.do_turn(match)
    moving = watch.glimpse(match)
    assert moving.state == "moving"
    assert moving.reading is first
    eye.may_look.release()
    assert waited(watch, match, "settled").reading is not first
    eye.dark = True
    watch.hands.put_right(match)
    watch.glimpse(match)
    eye.may_look.release()
    assert waited(watch, match, "lost").fault == "it is dark"
    watch.close()
    watch.join()


def test_a_watch_that_nobody_has_any_more_ends(match: Match) -> None:
    """Its thread does not hold it: a demonstration that was left takes its table and its eye along."""
    watch = SimulatedWatch(1, NoEye(1))
    eye, thread = weakref.ref(watch.eye), watch._thread
    watch.glimpse(match)
    del watch
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()
    gc.collect()
    assert eye() is None
