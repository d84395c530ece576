"""Which of the dice that the camera sees are the roll that is owed: offered, never taken by itself.

Dice lie about between rolls, so only those count that came to lie where they are since the turn began or the last roll
was recorded. What was seen but could not be read is left out of the offer, to be touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist
from typing import TYPE_CHECKING

from companion.games.match import Match
from companion.perception.adapters import SURE
from companion.perception.sync_monitor import TableView
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Reroll, Roll

if TYPE_CHECKING:
    from vision.dice.reader import DiceReading

Point = tuple[float, float]

STILL_MM = 4.0  # a die seen within this distance of where one lay is the same die
FORGOTTEN_AFTER = 10  # looks in which a die was not seen
FIRST = 1
"""What lies there at the first look was rolled by nobody."""


@dataclass(frozen=True, slots=True)
class DiceOffer:
    """The roll as seen: the faces that could be read, from left to right; the other dice are left to be touched."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Lying:
    """A die: where (board mm), what it shows (None: not to be read), since which look, in which look last."""

    at_mm: Point
    pips: int | None
    since: int
    last: int

    def same(self, at_mm: Point, pips: int | None) -> bool:
        """Whether a die seen now may be this one, untouched."""
        alike = pips is None or self.pips is None or pips == self.pips
        return alike and dist(self.at_mm, at_mm) <= STILL_MM


class DiceWatch:
    """The dice of a match as its settled looks at the table showed them, in order."""

    def __init__(self) -> None:
        self._looks = 0
        self._old = FIRST
        self._known: tuple[_Lying, ...] = ()

    def see(self, reading: DiceReading) -> None:
        """Take in a settled look; one in which the board was not found tells nothing."""
        if not reading.seen:
            return
        self._looks += 1
        places = [(die.at_mm, die.pips if die.confidence >= SURE else None) for die in reading.dice]
        places += [(at, None) for at in reading.unreadable]
        left = [die for die in self._known if die.last >= self._looks - FORGOTTEN_AFTER]
        now = []
        for at_mm, pips in places:
            die = self._die_at(left, at_mm, pips)
            now.append(die)
            left = [other for other in left if dist(other.at_mm, die.at_mm) > STILL_MM]
        self._known = (*now, *left)

    def _die_at(self, known: list[_Lying], at_mm: Point, pips: int | None) -> _Lying:
        """The die at a place: one that lay there before, or a new one."""
        for die in known:
            if die.same(at_mm, pips):
                return replace(die, pips=die.pips if pips is None else pips, last=self._looks)
        return _Lying(at_mm, pips, self._looks, self._looks)

    def turn_begins(self) -> None:
        """What lies there now is of the turns before."""
        self._old = max(self._looks, FIRST)

    def roll_taken(self) -> None:
        """A roll or a reroll was recorded: what lies there now is no longer owed."""
        self.turn_begins()

    def offer(self, dice: int) -> DiceOffer | None:
        """The roll of so many dice; None unless exactly as many came to lie there, or did so last."""
        fresh = sorted(
            (die for die in self._known if die.last == self._looks and die.since > self._old),
            key=lambda die: -die.since,
        )
        thrown = fresh[:dice]
        if dice < 1 or len(thrown) < dice or any(die.since == thrown[-1].since for die in fresh[dice:]):
            return None
        faces = [die.pips for die in sorted(thrown, key=lambda die: die.at_mm) if die.pips is not None]
        return DiceOffer(tuple(faces))


class DiceFollower:
    """Takes the watch's glimpses in order; `offer` is what may be put in for the roll that is owed, or None."""

    def __init__(self) -> None:
        self.offer: DiceOffer | None = None
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
            self._take_step(match)
        if glimpse is not None and glimpse.dice is not None and glimpse.dice is not self._reading:
            self._reading = glimpse.dice
            self._watch.see(glimpse.dice)
        owed = game.owed(match.position)
        self.offer = self._watch.offer(owed.dice) if owed is not None and owed.wants == "roll" else None
        return self.offer != before

    def _take_step(self, match: Match) -> None:
        """After a step, or one taken back: a roll that was recorded, or a turn that is over, makes the dice old."""
        self._position = match.position
        if match.steps and isinstance(match.steps[-1], Roll | Reroll):
            self._watch.roll_taken()
        elif game.owed(match.position) is None:
            self._watch.turn_begins()
