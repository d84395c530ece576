"""Scenes of the operation cards, all of them and a hand with made-up notes."""

from __future__ import annotations

from companion.scenes.orders.cards import CardsScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass
from tests.companion.gallery.gallery import scene
from tests.companion.touching import Hand


def at_table(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.scene, BoardTable)
    return hand.app.scene


def drawn(hand: Hand) -> None:
    """Both have drawn, and Red has spent a card."""
    hand.start()
    match = at_table(hand).match
    for step in (Deploy("plan:2", draw=2), Deploy("plan:1", draw=1), Pass()):
        assert match.offer(step).legal, match.offer(step)


@scene
def cards(hand: Hand) -> None:
    drawn(hand)
    table = at_table(hand)
    hand.app.scene = CardsScene(hand.app.stage, table.match, table)


@scene
def card(hand: Hand) -> None:
    cards(hand)
    hand.app.touch(Intent("card", "ambush"))


@scene
def covered_hand(hand: Hand) -> None:
    cards(hand)
    hand.app.touch(Intent("hand", "red"))


@scene
def own_hand(hand: Hand) -> None:
    covered_hand(hand)
    hand.press("Show")
    hand.app.touch(Intent("note", "ambush"))
