"""An argument for tests: a game with two steps in which somebody asks, and what fingers do there."""

from __future__ import annotations

from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.table.table import TableScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Deploy, Pass, Step
from tests.companion.touching import Hand


def begun(hand: Hand) -> Hand:
    """A game in which red passed and black drew a card."""
    table = hand.start().app.scene
    assert isinstance(table, TableScene)
    table.match.offer(Pass())
    table.match.offer(Deploy("plan:1", draw=1))
    table.refresh()
    return hand


def argued(hand: Hand) -> Hand:
    """Somebody touched Ask."""
    hand.app.touch(Intent("dispute"))
    assert isinstance(hand.app.scene, DisputeScene)
    return hand


def match_of(hand: Hand) -> Match:
    scene = hand.app.table
    assert isinstance(scene, TableScene)
    return scene.match


def slips(hand: Hand) -> list[scr.Slip]:
    return [block for block in hand.screen.blocks if isinstance(block, scr.Slip)]


def touch_slip(hand: Hand, begins: str) -> Hand:
    found = next(one for one in slips(hand) if one.title.startswith(begins) or one.text.startswith(begins))
    assert found.intent is not None
    hand.app.touch(found.intent)
    return hand


def agree(hand: Hand) -> Hand:
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "red"))
    hand.app.touch(Intent("agree", "black"))
    return hand


def ruled(hand: Hand, step: Step) -> RulingScene:
    position = match_of(hand).position
    scene = RulingScene(game.examine(position, step), (position, step), hand.app.scene, match_of(hand))
    hand.app.scene = scene
    return scene
