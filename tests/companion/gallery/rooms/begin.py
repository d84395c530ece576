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
from companion.games.saved.shelf import call
from companion.perception.calibration import Calibration
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from companion.scenes.home.start import WelcomeScene
from companion.ui.screen import Intent
from companion.view.page.canvas import draw
from engine.orders.board import load_board
from engine.orders.steps import Deploy, Pass
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene
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


def shelf() -> None:
    """Fill the shelf with some games: one with a name, one that is over, one that is broken."""
    put("a", {"red": "Ana", "black": "Takeshi"}, passes=40)
    call(put("bb", {"red": "Maria Fernanda", "black": "Ana"}), "The long evening")
    put("ccc", {})
    torn = storage.games_dir() / "2026-05-01.jsonl"
    torn.write_text('{"do": "ne')
    os.utime(torn, (AT_S, AT_S))


@scene
def home_with_a_game(hand: Hand) -> None:
    put("evening", {"red": "Ana", "black": "Takeshi"})
    hand.app.touch(Intent("hush"))


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
def help_pages_listed(hand: Hand) -> None:
    hand.press("Help")


@scene
def help_headings(hand: Hand) -> None:
    hand.press("Help")
    hand.app.touch(Intent("open", "troubleshooting"))


@scene
def help_faults(hand: Hand) -> None:
    help_headings(hand)
    hand.app.touch(Intent("open", n=2))


@scene
def help_step(hand: Hand) -> None:
    hand.press("Help")
    hand.app.touch(Intent("open", "first-evening"))
    hand.app.touch(Intent("open", n=4))


@scene
def help_on_a_phone(hand: Hand) -> None:
    help_faults(hand)
    hand.press("On your phone")


@scene
def about_gunbai(hand: Hand) -> None:
    hand.press("More", "About Gunbai")


@scene
def saved_none(hand: Hand) -> None:
    hand.press("Saved games")


@scene
def saved_list(hand: Hand) -> None:
    shelf()
    hand.press("Saved games")
    read_all(hand)


def read_all(hand: Hand) -> None:
    """Draw the list once, so that its games are asked for, and wait until the last of them has been read."""
    draw(hand.screen, (800, 480))
    for _game in range(12):
        hand.app.tick(0.0)


def many() -> None:
    """Fill the shelf with an evening each day for weeks."""
    for n in range(40):
        put(f"2026-{n:02}", {"red": ("Ana", "Maria Fernanda")[n % 2], "black": ("Takeshi", "Zoé")[n % 2]}, passes=n % 3)


@scene
def saved_many(hand: Hand) -> None:
    many()
    hand.press("Saved games")
    read_all(hand)


@scene
def saved_still_reading(hand: Hand) -> None:
    """Show a game that takes long to read."""
    shelf()
    path = put("long", {"red": "Ana", "black": "Takeshi"})
    path.write_bytes(path.read_bytes() + b"\n" * 100_000)
    hand.press("Saved games")


@scene
def saved_searching(hand: Hand) -> None:
    many()
    hand.press("Saved games", "Search")
    for letter in "2026":
        hand.app.touch(Intent("type", letter))


@scene
def saved_found(hand: Hand) -> None:
    saved_searching(hand)
    hand.app.touch(Intent("done"))


@scene
def saved_game(hand: Hand) -> None:
    saved_list(hand)
    hand.app.touch(Intent("game", "bb.jsonl"))


@scene
def saved_broken(hand: Hand) -> None:
    saved_list(hand)
    hand.app.touch(Intent("game", "2026-05-01.jsonl"))


@scene
def saved_throw_away(hand: Hand) -> None:
    saved_game(hand)
    hand.press("Delete")


@scene
def saved_trash(hand: Hand) -> None:
    saved_throw_away(hand)
    hand.press("Back", "Saved games")
    hand.app.touch(Intent("trash"))


@scene
def saved_name(hand: Hand) -> None:
    saved_game(hand)
    hand.press("Rename")


@scene
def typing_accents(hand: Hand) -> None:
    hand.press("New game")
    hand.app.touch(Intent("type-name", "red"))
    hand.app.touch(Intent("keys", "accents"))


@scene
def setup_newcomers(hand: Hand) -> None:
    hand.press("New game")


@scene
def setup_remembered(hand: Hand) -> None:
    shelf()
    hand.press("New game")


@scene
def setup_all_names(hand: Hand) -> None:
    for n, name in enumerate(("Bia", "Caio", "Duda", "Maria Fernanda", "Takeshi", "Zoé")):
        put(f"evening-{n}", {"red": "Ana", "black": name})
    hand.press("New game").intent(Intent("type-name", "black"))


@scene
def setup_house_rules(hand: Hand) -> None:
    hand.press("New game", "House rules")
    hand.app.touch(Intent("answer", "empty-deck/other"))


@scene
def home_readings(hand: Hand) -> None:
    hand.press("More", "Unclear rules")


@scene
def setup_two_sides(hand: Hand) -> None:
    shelf()
    hand.app.stage.change(layout="two")
    hand.press("New game")


@scene
def setup_chance(hand: Hand) -> None:
    setup_remembered(hand)
    hand.press("Next").intent(Intent("initiative", "red")).press("Barracks")


@scene
def setup_by_the_app(hand: Hand) -> None:
    equip(hand.app.stage, chance=Thrown(1))
    hand.press("New game", "Next", "Flip for me", "Draw at random")


@scene
def setup_lay_units(hand: Hand) -> None:
    setup_by_the_app(hand)
    hand.press("Next").area("e4")


@scene
def setup_lay_tokens(hand: Hand) -> None:
    setup_lay_units(hand)
    hand.press("Done", "Done")


@scene
def setup_lay_beside(hand: Hand) -> None:
    setup_lay_tokens(hand)
    hand.press("Done")


def trial() -> Demonstration:
    """Begin a game whose board lies as it has it."""
    match = Match.start(storage.new_game_path("demo-camera"), "sengoku-rivers", "red", TOKENS)
    return Demonstration(match, None, lambda match: TableView("settled", reading_of(match.position)))


@scene
def first_start(hand: Hand) -> None:
    equip(hand.app.stage, trial=trial)
    hand.app.scene = WelcomeScene(hand.app.stage, hand.app.home)


@scene
def camera_trial(hand: Hand) -> None:
    equip(hand.app.stage, trial=trial)
    hand.press("Learn by playing").app.touch(Intent("try-camera"))


@scene
def camera_trial_begins(hand: Hand) -> None:
    """Pictures are watched, and are said to be pictures."""
    equip(hand.app.stage, trial=trial)
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
