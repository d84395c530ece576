"""The state of the game at the table, of any system, for clock, lamps and sounds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class Rounds(NamedTuple):
    """The current round or turn, how many there are (0: no fixed number), who has the initiative ("": nobody)."""

    n: int = 1
    most: int = 0
    initiative: str = ""


START = Rounds()


class Aloud(NamedTuple):
    """The sentences that may be said aloud at one moment; "" where there is nothing to say.

    acting: the side whose turn it is; turn: a sentence on that; dice: who rolls how many now; round_over: that a round
    has just ended; secret: titles of cards that may be in a hand and must not be spoken.
    """

    acting: str = ""
    turn: str = ""
    dice: str = ""
    round_over: str = ""
    secret: frozenset[str] = frozenset()


SILENT = Aloud()


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The state of the game at the table. Its sides are the colours of the screen's halves.

    game: its file; position: the current one, only compared by identity; asked_side: the side that has to answer first;
    waits_for: all sides that may answer; winner: None while the game goes on.
    """

    game: Path
    position: object
    steps: int
    sides: tuple[str, ...]
    asked_side: str
    waits_for: frozenset[str]
    winner: str | None = None
    rounds: Rounds = START

    @property
    def runs_for(self) -> str | None:
        """The side whose clock runs; None once the game is over."""
        return None if self.winner is not None else self.asked_side
