"""What is celebrated, and what is easily forgotten: the end of a game, and of a round."""

from __future__ import annotations

from dataclasses import replace

from companion.scenes.table.ending import EndScene
from companion.scenes.table.round_end import RoundEndScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scenes_after
from tests.companion.gallery.rooms.log import in_halves, of_table, table_of
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.sample_games import played
from tests.companion.touching import Hand


def ended(hand: Hand, system: str) -> Hand:
    """Put a whole game of a system on stage, at its end."""
    hand.app.scene = EndScene(laid(hand, system, WHOLE))
    return hand


def for_both(hand: Hand) -> None:
    """Divide the screen."""
    hand.app.stage.settings = replace(hand.app.stage.settings, layout="two")


# ---- the end of a round --------------------------------------------------------------------------------


def round_played(hand: Hand) -> Hand:
    """Play the recorded game up to the step that ends its third round."""
    steps, positions = played()
    last = next(n for n, position in enumerate(positions) if position.round == 4) - 1
    table = table_of(hand, last)
    following = table.offer(steps[last])
    assert isinstance(following, RoundEndScene)
    hand.app.scene, hand.app.table = following, table
    return hand


scenes_after(
    __name__,
    {
        # who has won, and the turn that decided it
        "end_of_a_game": (of_table(EndScene),),
        # the figures, and the way back
        "end_of_a_game_details": ("end_of_a_game", Intent("details")),
        # each from their own side
        "halves_end": (lambda hand: in_halves(hand, None), Intent("score", seat="red")),
        "end_of_a_battle": (lambda hand: ended(hand, "sonae"),),
        "end_of_a_duel": (lambda hand: ended(hand, "generals"),),
        # what each side has gained, who begins, and what hands do first
        "end_of_a_round": (round_played,),
        # one thing is done
        "end_of_a_round_ticked": (round_played, Intent("tick", "", 0)),
        "halves_end_of_a_battle": (lambda hand: for_both(ended(hand, "sonae")),),
        "halves_end_of_a_round": (lambda hand: for_both(round_played(hand)),),
        # a finger on the curve of the log
        "log_scrubbed": ("log_of_a_game", Intent("scrub", at=(0.6, 0.5))),
        # the moment where the finger left the curve
        "moment_scrubbed": ("log_scrubbed", Intent("scrub", "", 2, at=(0.6, 0.5))),
    },
)
