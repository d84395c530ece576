"""Scenes of the operation cards, all of them and a hand with made-up notes."""

from __future__ import annotations

from companion.scenes.cards import CardsScene
from companion.scenes.screen import Intent
from engine.orders.steps import Deploy, Pass
from tests.companion.gallery import scene
from tests.companion.touching import Hand


def drawn(hand: Hand) -> None:
    """Both have drawn, and Red has spent a card."""
    hand.start()
    match = hand.app.scene.match  # type: ignore[attr-defined]
    for step in (Deploy("plan:2", draw=2), Deploy("plan:1", draw=1), Pass()):
        assert match.offer(step).legal, match.offer(step)


@scene
def cards(hand: Hand) -> None:
    drawn(hand)
    table = hand.app.scene
    hand.app.scene = CardsScene(hand.app.stage, table.match, table)  # type: ignore[attr-defined]


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
