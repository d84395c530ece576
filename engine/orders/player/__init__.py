"""Plays General Orders: which turn to take, with what chance to win, for what reasons, at what risk.

In come a position and a seat; what the seat may not know is taken away first. Chance (`random.Random`) and when to stop
are up to the caller. `choose` takes a turn and tells the turns it weighed, and `consider` what it would take so far;
`answer` answers what is owed inside a turn; `chance_to_win` and `chance_after` say how a game stands; `player.review`
looks back on one. docs/player.md tells how it thinks.
"""

from engine.orders.player.choice import (
    Candidate,
    Chance,
    Choice,
    answer,
    chance_after,
    chance_to_win,
    choose,
    consider,
    never_stop,
)
from engine.orders.player.levels import LEVELS, Level, temperaments
from engine.orders.player.reasons import Reason
from engine.orders.player.unfolding import view_of

__all__ = [
    "LEVELS",
    "Candidate",
    "Chance",
    "Choice",
    "Level",
    "Reason",
    "answer",
    "chance_after",
    "chance_to_win",
    "choose",
    "consider",
    "never_stop",
    "temperaments",
    "view_of",
]
