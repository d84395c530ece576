"""What is celebrated, and what is easily forgotten: the end of a game, and of a round."""

from __future__ import annotations

from dataclasses import replace

from companion.scenes.table.ending import EndScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene
from tests.companion.gallery.log import in_halves, table_of
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.touching import Hand


@scene
def end_of_a_game(hand: Hand) -> None:
    """Who has won, and the turn that decided it."""
    hand.app.scene = EndScene(table_of(hand))


@scene
def end_of_a_game_details(hand: Hand) -> None:
    """The figures, and the way back."""
    end_of_a_game(hand)
    hand.app.touch(Intent("details"))


@scene
def halves_end(hand: Hand) -> None:
    """Each from their own side."""
    in_halves(hand, None)
    hand.app.touch(Intent("score", seat="red"))


def ended(hand: Hand, system: str) -> None:
    """A whole game of a system, at its end."""
    hand.app.scene = EndScene(laid(hand, system, WHOLE))


@scene
def end_of_a_battle(hand: Hand) -> None:
    ended(hand, "sonae")


@scene
def end_of_a_duel(hand: Hand) -> None:
    ended(hand, "generals")


@scene
def halves_end_of_a_battle(hand: Hand) -> None:
    ended(hand, "sonae")
    hand.app.stage.settings = replace(hand.app.stage.settings, layout="two")
