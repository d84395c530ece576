"""An argument for tests: a game with two steps in which somebody asks, and what fingers do there."""

from __future__ import annotations

from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass, Step
from tests.companion.touching import Hand


def begun(hand: Hand) -> Hand:
    """Play a game in which red passed and black drew a card."""
    table = hand.start().app.scene
    assert isinstance(table, BoardTable)
    table.match.offer(Pass())
    table.match.offer(Deploy("plan:1", draw=1))
    table.refresh()
    return hand


def argued(hand: Hand) -> Hand:
    """Somebody touched Ask."""
    hand.app.touch(Intent("dispute"))
    assert isinstance(hand.app.scene, DisputeScene)
    return hand


def table_of(hand: Hand) -> BoardTable:
    table = hand.app.table
    assert isinstance(table, BoardTable)
    return table


def match_of(hand: Hand) -> Match:
    return table_of(hand).match


def touch_slip(hand: Hand, begins: str) -> Hand:
    found = next(
        slip for slip in hand.blocks(scr.Slip) if slip.title.startswith(begins) or slip.text.startswith(begins)
    )
    assert found.intent is not None
    hand.app.touch(found.intent)
    return hand


def agree(hand: Hand) -> Hand:
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "red"))
    hand.app.touch(Intent("agree", "black"))
    return hand


def ruled(hand: Hand, step: Step) -> RulingScene:
    table = table_of(hand)
    question = question_of(table, table.match.position, step)
    hand.app.scene = scene = RulingScene(ORDERS, question, hand.app.scene, table)
    return scene
