"""The camera tried without one: pictures of a practice table that is played by itself, as fast as its turns are taken.

The table, its art and its game are those of `gunbai demo --practice`. The eye that reads the pictures is the real one.
"""

from __future__ import annotations

from companion.core import storage
from companion.demo.hands import SimulatedHands, SimulatedWatch
from companion.demo.player import SimulatedEye, set_up
from companion.games.match import Match
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from engine.orders.board import load_board
from engine.orders.game import owed
from engine.orders.position import Position

BOARD = "sengoku-rivers"
SEED = 1
GLIMPSES = 6
"""For so many looks in a row a picture stays once the game has caught up with it."""


class TrialHands(SimulatedHands):
    """Hands that make no mistakes, and follow a game that goes another way than theirs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, mistake_every=0)
        self._before: Position | None = None

    def board_position(self, match: Match) -> Position:
        """Return what the board shows: the next turn until the game has it, or whatever was played instead."""
        position = match.position
        shown = super().board_position(match)
        if self.is_ahead and position is not self._before and owed(position) is None:
            self.put_right(match)
            return position
        return shown

    def do_turn(self, match: Match) -> None:
        """Do the next turn on the board alone."""
        self._before = match.position
        super().do_turn(match)


class TrialWatch(SimulatedWatch):
    """Shows the next turn once the last one was taken."""

    def __init__(self, seed: int = SEED, eye: SimulatedEye | None = None) -> None:
        super().__init__(seed, eye, TrialHands(seed))
        self._at_rest = 0

    def glimpse(self, match: Match) -> TableView:
        """Return the last reading, and lay the next turn after a while in which nothing more was to be done."""
        seen = super().glimpse(match)
        waits = seen.state == "settled" and not self.hands.is_ahead and owed(match.position) is None
        self._at_rest = self._at_rest + 1 if waits else 0
        if self._at_rest >= GLIMPSES:
            self._at_rest = 0
            self.hands.do_turn(match)
        return seen


def camera_trial() -> Demonstration:
    """Begin the game of the practice set, and the watch on its table; nobody plays it but the players."""
    board = load_board(BOARD)
    initiative, tokens = set_up(board, SEED)
    match = Match.start(storage.new_game_path("demo-camera"), BOARD, initiative, tokens)
    return Demonstration(match, None, TrialWatch().glimpse)
