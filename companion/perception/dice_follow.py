"""Follows the dice through a match: which steps make those that lie there old, what is offered for the roll owed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.match import Match
from companion.perception.dice_offer import DiceWatch, Offer
from companion.perception.sync_monitor import TableView
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Reroll, Roll

if TYPE_CHECKING:
    from vision.dice.reader import DiceReading


class DiceFollower:
    """Takes the watch's glimpses in order; `offer` is what may be put in for the roll that is owed, or None."""

    def __init__(self) -> None:
        self.offer: Offer | None = None
        self._watch = DiceWatch()
        self._match: Match | None = None
        self._position: Position | None = None
        self._reading: DiceReading | None = None

    def follow(self, match: Match, glimpse: TableView | None) -> bool:
        """Take in the game and a glimpse; whether the offer is another now."""
        before = self.offer
        if match is not self._match:
            self._match, self._position, self._watch = match, None, DiceWatch()
        if match.position is not self._position:
            self._stepped(match)
        if glimpse is not None and glimpse.dice is not None and glimpse.dice is not self._reading:
            self._reading = glimpse.dice
            self._watch.see(glimpse.dice)
        owed = game.owed(match.position)
        self.offer = self._watch.offer(owed.dice) if owed is not None and owed.wants == "roll" else None
        return self.offer != before

    def _stepped(self, match: Match) -> None:
        """After a step, or one taken back: a roll that was recorded, or a turn that is over, makes the dice old."""
        self._position = match.position
        if match.steps and isinstance(match.steps[-1], Roll | Reroll):
            self._watch.roll_taken()
        elif game.owed(match.position) is None:
            self._watch.turn_begins()
