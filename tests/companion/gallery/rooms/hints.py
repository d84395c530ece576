"""Hints: asked for, thought of, shown with their arrows, and filled in."""

from __future__ import annotations

from companion.scenes.orders.hints import HintPanel
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders.steps import Agreed, OtherCorrections
from tests.companion.gallery.gallery import scene
from tests.companion.gallery.rooms.turn import fought
from tests.companion.touching import Hand

LATE = {
    "b3": ("red", "troop", 4),
    "c3": ("red", "ship", 1),
    "d4": ("red", "ship", 2),
    "d5": ("red", "troop", 3),
    "e3": ("red", "troop", 3),
    "a3": ("black", "troop", 2),
    "a4": ("black", "ship", 2),
    "b5": ("black", "troop", 2),
    "c4": ("black", "troop", 2),
}


def allowed(hand: Hand) -> HintPanel:
    """Ask for a hint in a game in which both want hints; return the panel."""
    table = hand.app.scene
    assert isinstance(table, BoardTable)
    table.hints.allowed = True
    hand.intent(Intent("hint"))
    assert isinstance(table.panel, HintPanel)
    return table.panel


@scene
def hints_asked_for(hand: Hand) -> None:
    hand.start()
    hand.app.touch(Intent("menu"))
    hand.press("More", "Hints")


@scene
def hint_beside_the_turn(hand: Hand) -> None:
    fought(hand)
    hand.press("No card")
    allowed(hand)
    hand.press("Back")


@scene
def hint_thinking(hand: Hand) -> None:
    hand.start()
    allowed(hand)


@scene
def hint_shown(hand: Hand) -> None:
    fought(hand)
    hand.press("No card")
    allowed(hand).think()


@scene
def hint_at_the_start(hand: Hand) -> None:
    hand.start()
    allowed(hand).think()


@scene
def hint_with_odds(hand: Hand) -> None:
    """Late in a game, with a headquarters to be taken: good moves have dice in them."""
    hand.start()
    table = hand.app.scene
    assert isinstance(table, BoardTable)
    areas = tuple((area.name, (LATE[area.name],) if area.name in LATE else ()) for area in table.match.board.areas)
    besides = OtherCorrections(left=(("red", 2), ("black", 2)), round=4)
    assert table.match.offer(Agreed(areas=areas, to_move="red", other=besides)).legal
    table.refresh()
    allowed(hand).think()


@scene
def hint_filled_in(hand: Hand) -> None:
    hint_shown(hand)
    hand.app.touch(Intent("take", "", 0))


@scene
def hint_failed(hand: Hand) -> None:
    hand.start()
    allowed(hand).has_failed = True
