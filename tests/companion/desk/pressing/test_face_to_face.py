"""Presses where each side has a half of the screen, and where the camera proposes."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.app.app import App, SavedGames
from companion.core.storage import games_dir
from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.ui.screen import Intent
from companion.view.window.keyboard import ring_order
from companion.view.window.taps import plain
from engine.orders import game
from engine.orders.steps import Deploy
from hardware.events import Press
from tests.companion.desk.presses import Presses
from tests.companion.desk.pressing.hardware import TOKENS, ringed, said, table, two_sided
from tests.companion.perception.seeing import Exact, Eye
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import Hand


def test_each_half_is_its_own_side_s(at: Presses) -> None:
    two_sided(at)
    at.turn(1)
    assert ringed(at) == Intent("space", "reinforce:1")
    at.button("confirm-two")
    assert said(at) == "" or "waits" in at.app.faces().faces[1].screen.banner
    at.button("pass-one", "long")
    assert len(table(at).match.steps) == 1
    spot = at.window.keyboard.at
    assert spot is not None
    assert at.window.shown[spot.pane].pane.seat == "black", "the ring goes over to the other half"
    at.button("confirm-two")
    assert ringed(at) == Intent("confirm")
    at.button("undo-two")
    at.button("undo-one", "long")
    assert "red" in at.app.seats.own
    assert at.window.shown[at.window.desk_presses.first()].pane.seat == "red", (
        "the knob goes where something was opened"
    )
    at.turn(1)
    spot = at.window.keyboard.at
    assert spot is not None
    assert at.window.shown[spot.pane].pane.seat == "red"
    at.button("undo-one")
    assert at.app.seats.own == {}
    assert at.window.shown[at.window.desk_presses.first()].pane.seat == "black"


def test_the_other_side_is_not_kept_waiting_by_a_button_struck_twice(at: Presses) -> None:
    at.send(Press("pass-one", "long", 1.0))
    at.send(Press("pass-one", "long", 1.1))
    at.send(Press("pass-two", "long", 1.2))
    assert len(table(at).match.steps) == 2


def test_on_the_whole_glass_every_button_counts(at: Presses) -> None:
    two_sided(at)
    at.chord("undo-one", "undo-two")
    at.seat = ""
    at.tap("settings")
    assert len(at.window.shown) == 1
    at.button("confirm-two")
    assert len(at.window.shown) > 1, "its bright button is everybody's"


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("control", "taken", "left"),
    [("confirm-one", True, TurnPanel), ("pass-one", False, TurnPanel), ("pass-two", False, ProposalPanel)],
)
def test_a_turn_that_was_seen_is_taken_by_confirm_and_refused_by_pass(
    control: str, taken: bool, left: type[object]
) -> None:
    eye, match = Eye(), Match.start(games_dir() / "seen.jsonl", BOARD, "red", BONUSES)
    watched = App(Stage(Services(SavedGames()), Senses(SyncMonitor(Exact()))), watcher=eye.glimpse, match=match)
    turn = Deploy("advance:c4", moves=(("d5", "troop", 2),))
    watched.tick(1.0)
    eye.lay(game.apply(match.position, turn))
    for now_s in (2.0, 3.0, 63.0):
        watched.tick(now_s)
    pygame.display.init()
    at = Presses(watched, (800, 480), looks=False)
    assert isinstance(table(at).panel, ProposalPanel)
    at.button(control)
    assert match.steps == ((turn,) if taken else ())
    assert isinstance(table(at).panel, left)
    pygame.display.quit()


def test_on_a_large_screen_the_spaces_themselves_are_led_through(app: App) -> None:
    Hand(app).start("red", TOKENS)
    app.stage.apply(replace(app.stage.settings, diagonal_inches=15.6))
    pygame.display.init()
    at = Presses(app, (1280, 720), looks=False)
    at.turn(1)
    order = [plain(spot.target.intent) for spot in ring_order(at.window.shown, at.window.keyboard.spots(), 0)]
    asked = [intent.what for intent in order[: order.index(Intent("round"))]]
    on_map = [name for name in asked if name[-1].isdigit() and ":" in name and table(at).match.board.space(name).area]
    assert on_map
    assert asked[-len(on_map) :] == on_map, "no area stands among them"
    pygame.display.quit()
