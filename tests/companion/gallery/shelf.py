"""Scenes around games of all three systems: home, the choice of the game, the shelf."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

import engine
from companion.core import storage
from companion.demo.game_demo import demo_of
from companion.scenes.home.game_choice import GamesScene
from companion.scenes.home.statistics import StatisticsScene
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene
from tests.companion.other_games import begun, file_of
from tests.companion.touching import Hand

AT_S = datetime(2026, 5, 3, 20, 15).timestamp()


def put(system: str, *, over: bool = False) -> None:
    """A game on the shelf, an evening in May."""
    games = storage.games_dir()
    path = file_of(games, system, over=True, name=f"{system}-over") if over else _running(system)
    os.utime(path, (AT_S + over, AT_S + over))


def _running(system: str) -> os.PathLike[str]:
    sides = {"sonae": ("maru", "shikaku"), "generals": ("red", "black")}[system]
    match = begun(storage.games_dir() / f"{system}.jsonl", system, dict(zip(sides, ("Ana", "Takeshi"), strict=True)))
    match.close()
    return match.path


def own_battle() -> None:
    """A battle of one's own on the shelf: the one that comes with Gunbai, said to be an owner's."""
    text = (Path(engine.__file__).parent / "data" / "sonae" / "maru-shikaku.toml").read_text(encoding="utf-8")
    folder = storage.data_dir() / "scenarios"
    folder.mkdir(parents=True)
    told = re.sub("^note = .*$", "", text.replace('known = "practice"', 'known = "owner"'), flags=re.MULTILINE)
    (folder / "ford.toml").write_text(told, encoding="utf-8")


@scene
def home_newcomer(hand: Hand) -> None:
    hand.app.touch(Intent("hush"))


@scene
def home_with_a_battle(hand: Hand) -> None:
    put("sonae")
    hand.app.touch(Intent("hush"))


@scene
def home_with_a_duel(hand: Hand) -> None:
    put("generals")
    hand.app.touch(Intent("hush"))


@scene
def home_after_a_battle(hand: Hand) -> None:
    """Nothing to go on with: a new battle is what a table of miniatures wants."""
    put("sonae", over=True)
    hand.app.touch(Intent("hush"))


@scene
def games_to_choose(hand: Hand) -> None:
    stage = hand.app.stage
    hand.app.scene = GamesScene(stage, hand.app.home, hand.app.home)


@scene
def saved_of_all_systems(hand: Hand) -> None:
    for system in ("sonae", "generals"):
        put(system)
        put(system, over=True)
    hand.press("Saved games")


@scene
def saved_battle(hand: Hand) -> None:
    put("sonae")
    hand.press("Saved games").intent(Intent("game", "sonae.jsonl"))


@scene
def saved_duel(hand: Hand) -> None:
    put("generals")
    hand.press("Saved games").intent(Intent("game", "generals.jsonl"))


@scene
def own_battles(hand: Hand) -> None:
    own_battle()
    hand.press("More", "Your own battles")


@scene
def own_battle_alone(hand: Hand) -> None:
    own_battle()
    hand.press("More", "Your own battles").intent(Intent("battle", "ford"))


@scene
def own_battles_none(hand: Hand) -> None:
    hand.press("More", "Your own battles")


@scene
def demonstrations_to_choose(hand: Hand) -> None:
    stage = hand.app.stage
    equip(stage, demonstration=lambda system: demo_of(system).demonstration(1, stage.board))
    hand.press("More", "Watch a demonstration")


@scene
def statistics_of_all_systems(hand: Hand) -> None:
    for system in ("sonae", "generals"):
        put(system)
        put(system, over=True)
    hand.press("Statistics")
    scene = hand.app.scene
    assert isinstance(scene, StatisticsScene)
    scene.wait()
    hand.intent(Intent("tab", "games"))
