"""The demo's hands and eyes: it takes the steps of both players, and sees the simulated table through the real eye."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.errors import MatchError
from companion.demo.autoplayer import Autoplayer
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.perception.adapters import Difference, compare
from engine.orders.board import Board, load_board
from engine.orders.game import owed
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from vision.dice.reader import DiceReader, DiceReading
from vision.errors import UnknownPieces
from vision.geometry import Picture
from vision.reading.read import Reading, read
from vision.table import Table


def set_up(board: Board, seed: int) -> tuple[str, Mapping[str, str]]:
    """Draw at random who gets the initiative, and which bonus token lies in each slot."""
    rng = random.Random(f"set-up {seed}")
    tokens = rng.sample(sorted(board.mode.tokens), len(board.slots))
    return rng.choice(board.factions), dict(zip(board.slots, tokens, strict=True))


class DemoPlayer:
    """Plays both sides of a match step by step, `pause_s` apart, for `turns` turns or to its end."""

    system = "orders"
    pause_s = 1.4

    def __init__(self, seed: int, turns: int | None = None) -> None:
        self._autoplayer = Autoplayer(seed)
        self._turns = turns

    def act(self, match: Match) -> bool:
        """Take one step in the match; return False if nothing is left to do. MatchError if it is refused."""
        position = match.position
        enough = self._turns is not None and turns_of(match) >= self._turns
        if position.winner_name is not None or (owed(position) is None and enough):
            return False
        step = self._autoplayer.step(position)
        ruling = match.offer(step)
        if not ruling.legal:
            raise MatchError(f"{match.path}: the demo chose {step}, which is refused: {ruling.objections[0].message}")
        return True


def turns_of(match: Match) -> int:
    """Return how many turns have begun in a match."""
    return sum(isinstance(step, Deploy | Pass) for step in match.steps)


@dataclass(frozen=True, slots=True, eq=False)
class TableLook:
    """One look at the table: the picture (H, W, 3) BGR, its reading, how that compares with the game, the dice.

    reading: None if nobody read the picture, so that there is nothing to compare.
    """

    picture: Picture
    reading: Reading | None
    differences: tuple[Difference, ...] = ()
    dice: DiceReading | None = None


class BlindEye:
    """A camera over a simulated table whose pieces the eye has not learnt: pictures are drawn, but not read."""

    def __init__(self, seed: int, board: Board, fault: str) -> None:
        self._table = SimulatedTable(board, seed)
        self.fault = fault

    def look(self, position: Position) -> TableLook:
        """Lay the position and photograph the table."""
        self._table.lay(position)
        return TableLook(self._table.photo(), None)


class SimulatedEye:
    """The real eye over a simulated table whose pieces follow the game; it is made ready at the first look.

    throws: when a roll is owed, dice are thrown beside the board and read.
    """

    def __init__(self, seed: int, throws: bool = False) -> None:
        self._seed, self._throws = seed, throws
        self._dice: DiceReader | None = None
        self._ready: tuple[SimulatedTable, Table] | None = None
        self._last: tuple[Position, TableLook] | None = None
        self._unknown: dict[str, UnknownPieces] = {}

    def table_for(self, board: Board) -> tuple[SimulatedTable, Table]:
        """Return a board's simulated table and the eye's table for it; UnknownPieces if its pieces can't be read."""
        if board.name in self._unknown:
            raise self._unknown[board.name]
        try:
            return self._calibrate(board)
        except UnknownPieces as error:
            self._unknown[board.name] = error
            raise

    def _calibrate(self, board: Board) -> tuple[SimulatedTable, Table]:
        """Return the table in use, made and calibrated anew for another board; UnknownPieces if they can't be read."""
        if self._ready is None or self._ready[0].board is not board:
            simulated = SimulatedTable(board, self._seed)
            self._ready = (simulated, simulated.calibrated())
            self._dice = DiceReader(self._ready[1]) if self._throws else None
        return self._ready

    def ready_for(self, board: Board) -> SimulatedEye | BlindEye:
        """Calibrate for a board and return this eye, or a blind one that says why if the pieces are unknown."""
        try:
            self.table_for(board)
        except UnknownPieces as error:
            return BlindEye(self._seed, board, str(error))
        return self

    def use(self, table: Table) -> None:
        """Read with this table from now on; it must have been calibrated on the same simulated set-up."""
        simulated, _ = self.table_for(load_board(table.plan.board))
        self._ready, self._last = (simulated, table), None
        self._dice = DiceReader(table) if self._throws else None

    def look(self, position: Position) -> TableLook:
        """Lay the position, photograph the table, read and compare it; the same look again if nothing has changed."""
        if self._last is not None and self._last[0] == position:
            return self._last[1]
        simulated, table = self.table_for(position.board)
        simulated.lay(position)
        due = owed(position)
        if self._throws and due is not None and due.wants == "roll":
            simulated.dice.roll(position.board.mode.die, due.dice)
        picture = simulated.photo()
        reading = read(table, picture)
        dice = self._dice.read(picture, reading.registration) if self._dice else None
        look = TableLook(picture, reading, compare(position, reading), dice)
        self._last = (position, look)
        return look
