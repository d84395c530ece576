"""Hints: asked for, thought of, shown with their arrows, and filled in."""

from __future__ import annotations

from companion.scenes.orders.hints import HintPanel
from companion.ui.screen import Intent
from engine.orders.steps import Agreed, OtherCorrections
from tests.companion.gallery.gallery import scene, scenes_after
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
    table = hand.board_table
    table.hints.allowed = True
    hand.intent(Intent("hint"))
    assert isinstance(table.panel, HintPanel)
    return table.panel


def before_a_turn(hand: Hand) -> HintPanel:
    """Ask for a hint after a fight; return the panel."""
    return allowed(fought(hand).press("No card"))


@scene
def hint_failed(hand: Hand) -> None:
    allowed(hand.start()).has_failed = True


@scene
def hint_with_odds(hand: Hand) -> None:
    """Late in a game, with a headquarters to be taken: good moves have dice in them."""
    table = hand.start().board_table
    areas = tuple((area.name, (LATE[area.name],) if area.name in LATE else ()) for area in table.match.board.areas)
    besides = OtherCorrections(left=(("red", 2), ("black", 2)), round=4)
    assert table.match.offer(Agreed(areas=areas, to_move="red", other=besides)).legal
    table.refresh()
    allowed(hand).think()


scenes_after(
    __name__,
    {
        "hint_thinking": (lambda hand: allowed(hand.start()),),
        "hint_at_the_start": (lambda hand: allowed(hand.start()).think(),),
        "hint_beside_the_turn": (before_a_turn, "Back"),
        "hint_shown": (lambda hand: before_a_turn(hand).think(),),
        "hints_asked_for": (Hand.start, Intent("menu"), "More", "Hints"),
        "hint_filled_in": ("hint_shown", Intent("take", "", 0)),
    },
)
