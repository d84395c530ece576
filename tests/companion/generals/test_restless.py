"""Restless fingers on whatever is there: every touch leads somewhere sensible, and the game stays one by the rules."""

from __future__ import annotations

import random

import pytest

from companion.app.app import App
from companion.ui.screen import Intent, Slip, Switch
from companion.ui.table_pictures import DuelPicture
from engine.generals import game
from tests.companion.generals.conftest import Begin
from tests.companion.touching import Hand, steppers

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


@pytest.mark.long
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
