"""The camera tried on pictures: the next turn comes once the last one was taken, and a game's own way is followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from companion.app.app import App, SavedGames
from companion.demo.autoplayer import Autoplayer
from companion.demo.hands import GLIMPSES, TRIAL_BOARD, TRIAL_SEED, TrialHands, TrialWatch, camera_trial, shows_the_same
from companion.demo.player import turns_of
from companion.games.match import Match
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.scenes.home.home import HomeScene
from companion.scenes.home.start import WelcomeScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders.game import owed
from tests.companion.demo.test_hands import QuickEye, waited
from tests.companion.touching import Hand
from tests.patience import until

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
