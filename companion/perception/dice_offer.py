"""Which of the dice that the camera sees are the roll that is owed: offered, never taken by itself.

Dice lie about between rolls, so only those count that came to lie where they are since the turn began or the last roll
was recorded. What was seen but could not be read is left out of the offer, to be touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist
from typing import TYPE_CHECKING

from companion.perception.adapters import SURE

if TYPE_CHECKING:
    from vision.dice.reader import DiceReading

Point = tuple[float, float]

STILL_MM = 4.0
FORGOTTEN_AFTER = 10
FIRST = 1
"""What lies there at the first look was rolled by nobody."""


@dataclass(frozen=True, slots=True)
class Offer:
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
            die = self._met(left, at_mm, pips)
            now.append(die)
            left = [other for other in left if dist(other.at_mm, die.at_mm) > STILL_MM]
        self._known = (*now, *left)

    def _met(self, known: list[_Lying], at_mm: Point, pips: int | None) -> _Lying:
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

    def offer(self, dice: int) -> Offer | None:
        """The roll of so many dice; None unless exactly as many came to lie there, or did so last."""
        fresh = sorted(
            (die for die in self._known if die.last == self._looks and die.since > self._old),
            key=lambda die: -die.since,
        )
        thrown = fresh[:dice]
        if dice < 1 or len(thrown) < dice or any(die.since == thrown[-1].since for die in fresh[dice:]):
            return None
        faces = [die.pips for die in sorted(thrown, key=lambda die: die.at_mm) if die.pips is not None]
        return Offer(tuple(faces))
