"""What the player of General Orders is asked off the screen: which turn it takes, and what it answers inside one."""

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
    """A seat's turn at a level, with the seed of its chance, thought through for at most so many seconds.

    times: how many times as far as usual for its level it looks; commander: with whose temperament, "" for none.
    """

    position: Position
    seat: str
    level: str
    seed: int
    seconds: float
    times: int = 1
    commander: str = ""

    def at_level(self) -> Level:
        """Return the level it is thought through at."""
        level = LEVELS[self.level]
        temperament = temperaments(self.position.board.mode.rulebook).get(self.commander)
        return replace(level, iterations=self.times * level.iterations, temperament=temperament)


def choice(wanted: TurnWanted, clock: Callable[[], float] = monotonic) -> Iterator[Choice]:
    """Yield the turn that a seat takes; clock: in seconds."""
    end_s, chance = clock() + wanted.seconds, Random(wanted.seed)
    yield choose(wanted.position, wanted.seat, wanted.at_level(), chance, lambda: clock() >= end_s)


def choices(wanted: TurnWanted, clock: Callable[[], float] = monotonic) -> Iterator[Choice]:
    """Yield the turn that a seat would take so far, ever better; the last is the one that `choice` yields."""
    end_s, chance = clock() + wanted.seconds, Random(wanted.seed)
    yield from consider(wanted.position, wanted.seat, wanted.at_level(), chance, lambda: clock() >= end_s)


def comparison(position: Position, turn: Turn) -> Iterator[Comparison]:
    """Yield a legal turn beside the best one, as a review judges it."""
    yield compare(position, turn, REVIEWER)
