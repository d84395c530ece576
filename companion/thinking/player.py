"""Work for the computer player of General Orders: to choose a turn, and to compare a turn with the best one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from time import monotonic

from engine.orders.player import LEVELS, Choice, Level, choose, consider, temperaments
from engine.orders.player.choice import Comparison, compare
from engine.orders.player.prospects import Turn
from engine.orders.player.review import REVIEWER
from engine.orders.position import Position


@dataclass(frozen=True, slots=True)
class TurnWanted:
    """A request for the computer's turn for a seat at a level, from a random seed, in at most so many seconds.

    times: multiplies the level's number of iterations; commander: whose temperament it plays with, "" for none.
    """

    position: Position
    seat: str
    level: str
    seed: int
    seconds: float
    times: int = 1
    commander: str = ""

    def at_level(self) -> Level:
        """Return the level to play at, adapted to `times` and the commander."""
        level = LEVELS[self.level]
        temperament = temperaments(self.position.board.mode.rulebook).get(self.commander)
        return replace(level, iterations=self.times * level.iterations, temperament=temperament)


def choice(wanted: TurnWanted, clock: Callable[[], float] = monotonic) -> Iterator[Choice]:
    """Yield one item, the turn that the computer chooses for a seat. clock: in seconds."""
    end_s, chance = clock() + wanted.seconds, Random(wanted.seed)
    yield choose(wanted.position, wanted.seat, wanted.at_level(), chance, lambda: clock() >= end_s)


def choices(wanted: TurnWanted, clock: Callable[[], float] = monotonic) -> Iterator[Choice]:
    """Yield the turn that the computer would choose so far, again and again; the last is the one `choice` yields."""
    end_s, chance = clock() + wanted.seconds, Random(wanted.seed)
    yield from consider(wanted.position, wanted.seat, wanted.at_level(), chance, lambda: clock() >= end_s)


def comparison(position: Position, turn: Turn) -> Iterator[Comparison]:
    """Yield one item, the comparison of a legal turn with the best one, as in a review."""
    yield compare(position, turn, REVIEWER)
