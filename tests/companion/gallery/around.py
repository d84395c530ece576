"""What is around a table, at the tables of the systems without a board: the clock, the lock, what is not saved."""

from __future__ import annotations

from companion.app.app import App
from companion.core import storage
from companion.scenes.systems import table_of
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene
from tests.companion.other_games import begun
from tests.companion.touching import Hand


def at(hand: Hand, system: str) -> App:
    """A game of the system on stage, its clock running."""
    app = hand.app
    app.stage.change(clock_minutes=10)
    match = begun(storage.games_dir() / "game.jsonl", system, steps=2)
    app.show_scene("", table_of(app.stage, match, app.home))
    app.tick(0.0)
    app.touch(Intent("clock"))
    app.tick(1.0)
    app.tick(76.0)
    return app


@scene
def around_battle_clock(hand: Hand) -> None:
    at(hand, "sonae")


@scene
def around_duel_clock(hand: Hand) -> None:
    at(hand, "generals")


@scene
def around_battle_locked(hand: Hand) -> None:
    at(hand, "sonae").touch(Intent("lock"))


@scene
def around_duel_locked(hand: Hand) -> None:
    at(hand, "generals").touch(Intent("lock"))
