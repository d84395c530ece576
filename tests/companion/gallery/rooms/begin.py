"""Scenes before a game begins: home, saved games, the set-up guide, typing."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from companion.core import storage
from companion.demo.game_demo import DEMOS
from companion.demo.table import DemoCameras
from companion.games.chance import Thrown
from companion.games.match import Match
from companion.games.saved.shelf import set_label
from companion.perception.calibration import Calibration
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from companion.scenes.home.start import WelcomeScene
from companion.ui.screen import Intent
from companion.view.page.canvas import lay_out
from engine.orders.board import load_board
from engine.orders.steps import Deploy, Pass
from tests.companion.equip import equip
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.perception.seeing import reading_of
from tests.companion.touching import Hand

TOKENS = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
AT_S = datetime(2026, 5, 3, 20, 15).timestamp()


def put(name: str, players: dict[str, str], passes: int = 0) -> Path:
    """Put a game on the shelf, played on an evening in May."""
    path = storage.games_dir() / f"{name}.jsonl"
    match = Match.start(path, "sengoku-rivers", "red", TOKENS, players)
    for _ in range(passes):
        match.offer(Pass())
    if not passes:
        match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    match.close()
    os.utime(path, (AT_S + len(name), AT_S + len(name)))
    return path


def shelf(hand: Hand) -> Hand:
    """Fill the shelf with some games: one with a name, one that is over, one that is broken."""
    put("a", {"red": "Ana", "black": "Takeshi"}, passes=40)
    set_label(put("bb", {"red": "Maria Fernanda", "black": "Ana"}), "The long evening")
    put("ccc", {})
    torn = storage.games_dir() / "2026-05-01.jsonl"
    torn.write_text('{"do": "ne')
    os.utime(torn, (AT_S, AT_S))
    return hand


def full_shelf(hand: Hand) -> Hand:
    """Fill the shelf with an evening each day for weeks."""
    for n in range(40):
        put(f"2026-{n:02}", {"red": ("Ana", "Maria Fernanda")[n % 2], "black": ("Takeshi", "Zoé")[n % 2]}, passes=n % 3)
    return hand


def read_all(hand: Hand) -> None:
    """Open the saved games and draw them once, so that each is asked for, and wait until all have been read."""
    lay_out(hand.press("Saved games").screen, (800, 480))
    for _game in range(12):
        hand.app.tick(0.0)


@scene
def home_more(hand: Hand) -> None:
    """All that a machine with a camera may have."""
    stage = hand.app.stage
    cameras = DemoCameras(load_board("sengoku-rivers"), 1, storage.data_dir() / "demo.npz", lambda table: None)
    equip(
        stage,
        doctor=lambda: (),
        cameras=cameras,
        demonstration=lambda system: DEMOS.of(system).demonstration(1, stage.board),
    )
    hand.press("More")


@scene
def saved_still_reading(hand: Hand) -> None:
    """Show a game that takes long to read."""
    path = put("long", {"red": "Ana", "black": "Takeshi"})
    path.write_bytes(path.read_bytes() + b"\n" * 100_000)
    shelf(hand).press("Saved games")


@scene
def setup_all_names(hand: Hand) -> None:
    for n, name in enumerate(("Bia", "Caio", "Duda", "Maria Fernanda", "Takeshi", "Zoé")):
        put(f"evening-{n}", {"red": "Ana", "black": name})
    hand.press("New game").intent(Intent("type-name", "black"))


@scene
def setup_two_sides(hand: Hand) -> None:
    hand.app.stage.change(layout="two")
    shelf(hand).press("New game")


def trial() -> Demonstration:
    """Begin a game whose board lies as it has it."""
    match = Match.start(storage.new_game_path("demo-camera"), "sengoku-rivers", "red", TOKENS)
    return Demonstration(match, None, lambda match: TableView("settled", reading_of(match.position)))


@scene
def first_start(hand: Hand) -> None:
    equip(hand.app.stage, trial=trial)
    hand.app.scene = WelcomeScene(hand.app.stage, hand.app.home)


@scene
def saved_searching(hand: Hand) -> None:
    full_shelf(hand).press("Saved games", "Search")
    for letter in "2026":
        hand.app.touch(Intent("type", letter))


def thrown(hand: Hand) -> None:
    """Have the app flip and draw as it does in one game."""
    equip(hand.app.stage, chance=Thrown(1))


def with_trial(hand: Hand) -> None:
    """Make a machine on which one can try out the camera's part."""
    equip(hand.app.stage, trial=trial)


@scene
def camera_trial_begins(hand: Hand) -> None:
    """Pictures are watched, and are said to be pictures."""
    with_trial(hand)
    hand.press("Learn by playing").app.touch(Intent("try-camera"))
    hand.press("Start")
    hand.app.tick(0.0)


class NoCameras:
    """A machine without a camera."""

    ready = False

    def names(self) -> dict[str, str]:
        return {}

    def begin(self, camera: str) -> Calibration:
        raise AssertionError(camera)


@scene
def no_camera(hand: Hand) -> None:
    equip(hand.app.stage, trial=trial, cameras=NoCameras())
    hand.press("More", "Set up the camera")


scenes_after(
    __name__,
    {
        "home_with_a_game": (lambda hand: put("evening", {"red": "Ana", "black": "Takeshi"}), Intent("hush")),
        "help_pages_listed": (at_home, "Help"),
        "help_headings": (at_home, "Help", Intent("open", "troubleshooting")),
        "help_faults": ("help_headings", Intent("open", n=2)),
        "help_step": (at_home, "Help", Intent("open", "first-evening"), Intent("open", n=4)),
        "help_on_a_phone": ("help_faults", "On your phone"),
        "about_gunbai": (at_home, "More", "About Gunbai"),
        "saved_none": (at_home, "Saved games"),
        "saved_list": (lambda hand: read_all(shelf(hand)),),
        "saved_many": (lambda hand: read_all(full_shelf(hand)),),
        "saved_found": ("saved_searching", Intent("done")),
        "saved_game": ("saved_list", Intent("game", "bb.jsonl")),
        "saved_broken": ("saved_list", Intent("game", "2026-05-01.jsonl")),
        "saved_throw_away": ("saved_game", "Delete"),
        "saved_trash": ("saved_throw_away", "Back", "Saved games", Intent("trash")),
        "saved_name": ("saved_game", "Rename"),
        "typing_accents": (at_home, "New game", Intent("type-name", "red"), Intent("keys", "accents")),
        "setup_newcomers": (at_home, "New game"),
        "setup_house_rules": (at_home, "New game", "House rules", Intent("answer", "empty-deck/other")),
        "home_readings": (at_home, "More", "Unclear rules"),
        "setup_remembered": (shelf, "New game"),
        "setup_chance": ("setup_remembered", "Next", Intent("initiative", "red"), "Barracks"),
        "setup_by_the_app": (thrown, "New game", "Next", "Flip for me", "Draw at random"),
        "setup_lay_units": ("setup_by_the_app", "Next", Intent("area", "e4")),
        "setup_lay_tokens": ("setup_lay_units", "Done", "Done"),
        "setup_lay_beside": ("setup_lay_tokens", "Done"),
        "camera_trial": (with_trial, "Learn by playing", Intent("try-camera")),
    },
)
