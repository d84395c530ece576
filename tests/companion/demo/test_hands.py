"""The simulated table's hands and dice, and the watch over it: turns done without a word, the camera on trial."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from companion.app.app import App, SavedGames
from companion.demo.autoplayer import Autoplayer
from companion.demo.hands import (
    GLIMPSES,
    TRIAL_BOARD,
    TRIAL_SEED,
    SimulatedHands,
    SimulatedWatch,
    TrialHands,
    TrialWatch,
    camera_trial,
    shows_the_same,
)
from companion.demo.player import SimulatedEye, TableLook, set_up, turns_of
from companion.demo.table import IN_THE_BOX, SimulatedDice
from companion.games.match import Match
from companion.perception.dice import DiceWatch
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.turn_inference import weigh_turns
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.scenes.home.home import HomeScene
from companion.scenes.home.start import WelcomeScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import apply, legal, new_game, owed
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests.companion.demo.eyes import ClearEye
from tests.companion.perception.seeing import reading_of
from tests.companion.touching import Hand
from tests.patience import until
from tests.vision.tables import four_areas
from vision.errors import CameraError
from vision.simulation.table import Scene, Studio


@pytest.mark.parametrize("seed", range(4))
def test_a_turn_done_on_the_board_can_be_seen_and_stays_until_the_game_has_it(match: Match, seed: int) -> None:
    hands = SimulatedHands(seed)
    assert hands.board_position(match) is match.position, "left alone the board follows the game"
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
        for explanation in weigh_turns(InferenceRequest(match.position, reading_of(laid))).explanations
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


NOTE = "Pictures of a practice table, not your board"


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    begun = Match.start(tmp_path / "game.jsonl", TRIAL_BOARD, "red", {})
    yield begun
    begun.close()


def play_a_turn(match: Match, seed: int) -> None:
    player = Autoplayer(seed)
    match.offer(player.step(match.position))
    while owed(match.position) is not None:
        match.offer(player.step(match.position))


def test_a_turn_is_laid_after_a_while_and_stays_until_the_game_has_it(match: Match) -> None:
    eye = QuickEye()
    watch = TrialWatch(TRIAL_SEED, eye)
    eye.may_look.release()
    waited(watch, match, "settled")
    states = [watch.glimpse(match).state for _look in range(GLIMPSES)]
    assert "moving" not in states[:-1]
    assert watch.hands.is_ahead
    assert not shows_the_same(watch.hands.board_position(match), match.position)
    eye.may_look.release()
    for _look in range(3 * GLIMPSES):
        watch.glimpse(match)
    assert turns_of(match) == 0, "the players take the turn, nobody else"
    eye.may_look.release(2)
    watch.close()
    watch.join()


def test_a_game_that_goes_another_way_is_followed(match: Match) -> None:
    hands = TrialHands(TRIAL_SEED)
    hands.do_turn(match)
    assert hands.board_position(match) is not match.position
    play_a_turn(match, TRIAL_SEED + 1)
    assert hands.board_position(match) is match.position
    assert not hands.is_ahead


def test_it_begins_at_the_first_start_and_is_said_to_be_pictures(match: Match) -> None:
    def trial() -> Demonstration:
        return Demonstration(match, None, lambda _match: TableView("waiting"))

    app = App(Stage(Services(SavedGames(), trial=trial)))
    app.scene = WelcomeScene(app.stage, app.home)
    hand = Hand(app)
    hand.press("Try the camera")
    assert "You need no camera and no board" in str(hand.screen.blocks)
    hand.press("Start")
    assert isinstance(app.scene, BoardTable)
    assert app.screen().banner == NOTE
    app.tick(0.0)
    app.tick(9.0)
    assert match.steps == ()
    app.touch(Intent("hush"))
    assert app.screen().banner == ""
    app.touch(Intent("menu"))
    hand.press("Home")
    assert isinstance(app.scene, HomeScene)
    assert not app.stage.says_pictures
    assert app.screen().banner != NOTE


def test_learn_leads_to_it_where_this_machine_has_it(match: Match) -> None:
    app = App(Stage(Services(SavedGames(), trial=lambda: Demonstration(match, None))))
    hand = Hand(app)
    hand.press("Learn by playing")
    app.touch(Intent("try-camera"))
    assert hand.screen.title == "Try the camera"
    hand.press("Back")
    assert hand.screen.title == "Learn by playing"
    bare = App(Stage(Services(SavedGames())))
    Hand(bare).press("Learn by playing")
    assert "try-camera" not in str(bare.screen())
    bare.scene = WelcomeScene(bare.stage, bare.home)
    assert "try-camera" not in str(bare.screen())


@pytest.mark.long
def test_what_is_seen_is_offered_and_taken() -> None:
    app = App(Stage(Services(SavedGames(), trial=camera_trial)))
    app.stage.change(propose_turns=False)  # of the own table: here there is nothing else to try
    app.scene = WelcomeScene(app.stage, app.home)
    Hand(app).press("Try the camera", "Start")
    table = app.scene
    assert isinstance(table, BoardTable)

    def is_offered() -> bool:
        app.tick(monotonic())
        return app.stage.sense.sign == "proposal"

    assert until(is_offered), app.stage.sense
    assert app.screen().banner == NOTE, "and while it is drawn, the offer is opened"
    app.touch(Intent("take"))
    assert turns_of(table.match) == 1
    assert table.match.path.name == "demo-camera.jsonl"


def dice(seed: int = 3) -> SimulatedDice:
    return SimulatedDice(Studio(four_areas(), Scene(clutter_seed=None)), seed)


def test_thrown_dice_show_what_was_rolled_and_the_others_stay() -> None:
    table = dice()
    table.throw((1, 0, 2))
    assert [die.faces[0] for die in table.lying] == [1, 0, 2]
    kept = table.lying[1:]
    table.throw((1,))
    assert table.lying[:2] == kept
    assert table.lying[2].faces == (1, *table.lying[2].faces[1:])
    assert sorted(table.lying[2].faces) == [0, 1, 1, 1, 1, 2]


def test_dice_lie_beside_the_board_and_not_on_each_other() -> None:
    table = dice()
    table.roll((0, 1, 1, 1, 1, 2), 4)
    width, height = four_areas().size_mm
    for die in table.lying:
        x, y, _ = die.middle_mm
        assert not (0 < x < width and 0 < y < height)
        others = [other for other in table.lying if other is not die]
        assert all((x - o.middle_mm[0]) ** 2 + (y - o.middle_mm[1]) ** 2 > 20**2 for o in others)
    assert len(table.roll((0, 1, 1, 1, 1, 2), 9)) == len(table.lying) == IN_THE_BOX, "there are no more in the box"


@pytest.mark.long
def test_the_eye_reads_the_roll_that_is_owed() -> None:
    board = load_board("sengoku-rivers")
    eye = SimulatedEye(2, throws=True)
    first = new_game(board.name, *set_up(board, 2))
    owing = apply(first, _shot(first))
    due = owed(owing)
    assert due is not None
    assert due.wants == "roll"
    watch = DiceWatch()
    for position in (first, owing):
        seen = eye.look(position).dice
        assert seen is not None
        watch = watch.see(seen)
        if position is first:
            watch = watch.begin_turn()
    thrown = sorted(die.faces[0] for die in eye.table_for(board)[0].dice.lying)
    offer = watch.offer(due.dice)
    assert offer is not None
    assert len(offer.faces) <= due.dice == len(thrown)
    assert not Counter(offer.faces) - Counter(thrown)


def _shot(position: Position) -> Deploy:
    """Any shot that the faction to move may begin with; it owes a roll."""
    offers = legal(position).spaces
    space, offer = next((space, offer) for space, offer in offers.items() if offer.targets)
    return Deploy(space, target=offer.targets[0])
