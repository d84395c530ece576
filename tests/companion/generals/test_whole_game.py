"""Whole card games by touches alone, every screen looked over; and restless fingers on whatever is there."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.games.journal import read_game
from companion.ui.screen import Intent, Slip, Switch
from companion.ui.table_pictures import DuelPicture
from engine.generals import game
from tests.companion.driver import Setting
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from tests.companion.generals.conftest import Begin
from tests.companion.generals.fingers import DuelDriver
from tests.companion.touching import Hand, steppers

pytestmark = pytest.mark.long

TABLES = (
    (Setting((800, 480), "one", 0, "en"), 1000),
    (Setting((800, 480), "two", 0, "pt_BR"), 1000),
    (Setting((720, 1280), "one", 0, "pt_BR"), 20),
    (Setting((720, 1280), "two", 0, "en"), 20),
)
"""Tables, and how many steps are played at most."""


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("seed", "table"), list(enumerate(TABLES)), ids=str)
def test_a_whole_game_is_played_by_touches(seed: int, table: tuple[Setting, int]) -> None:
    setting, most = table
    use_language(setting.language)
    app = App()
    app.stage.apply(replace(app.stage.settings, layout=setting.layout, language=setting.language))
    try:
        with unpainted():
            driver = DuelDriver(Fingers(app, setting.size_px), seed)
            driver.begin()
            match = driver.match
            driver.play(most)
    finally:
        use_language("en")
    match.close()
    assert match.position.winner is not None or len(driver.told) == most
    assert match.position == game.fold(match.positions[0], driver.told)
    assert list(read_game(match.path).steps) == driver.told
    assert driver.fingers.faults == []


AWAY = {"home", "quit", "power", "lock", "settings", "export", "demo", "copy-game", "new", "winner"}
"""What leads out of the game."""

BACK, DOES = 0.5, 0.25
"""How often somebody has enough of a scene beside the table; how often the button that stands out is touched."""


def touches(hand: Hand) -> list[Intent]:
    """All that a finger may touch now."""
    screen = hand.screen
    found = [button.intent for button in hand.all_buttons()]
    found += [Intent(stepper.verb, stepper.what, n) for stepper in steppers(screen.blocks) for n in (-1, 1)]
    found += [block.intent for block in screen.blocks if isinstance(block, Slip) and block.intent is not None]
    found += [block.intent for block in screen.blocks if isinstance(block, Switch)]
    found += [Intent("agree", who) for who in ("red", "black")]
    if isinstance(screen.board, DuelPicture):
        zones = screen.board.zones
        found += [Intent("general", f"{card.seat}/{card.label}") for zone in zones for card in zone.cards]
        found += [Intent("zone", zone.name) for zone in zones]
        found += [Intent("pile", "red"), Intent("side", "black"), Intent("round"), Intent("menu")]
    return [intent for intent in found if intent.verb not in AWAY]


@pytest.mark.parametrize("seed", range(2))
def test_nothing_a_finger_does_breaks_the_game(app: App, hand: Hand, begin: Begin, foxes: str, seed: int) -> None:
    decks = {"red": foxes, "black": foxes} if seed % 2 else {"red": "practice-wolves", "black": "practice-cranes"}
    table, rng = begin(decks=decks), random.Random(seed)
    match = table.match
    most = 0
    for _touch in range(600):
        if hand.app.scene is not table and rng.random() < BACK:
            app.scene = table
        doing = [
            button.intent
            for button in hand.all_buttons()
            if button.look == "primary" and button.intent.verb not in AWAY
        ]
        app.touch(rng.choice(doing if doing and rng.random() < DOES else touches(hand)))
        assert app.fault == ""
        most = max(most, len(match.steps))
    assert most > 8
    assert game.fold(match.positions[0], match.steps) == match.position
