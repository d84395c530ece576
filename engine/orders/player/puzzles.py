"""Puzzles: positions in which one turn is far better than every other use of a space, made by self-play.

They are data (`engine/data/puzzles`, a table for each board), made by `benchmarks.puzzles`. A position is written as
what players would agree on to get there from the start, a turn as they would type it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args
from zlib import crc32

from engine.orders.board import load_board
from engine.orders.game import apply, new_game
from engine.orders.notation import parse_step
from engine.orders.player.prospects import Turn
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass
from engine.tables import Within, read_table, table_names

Theme = Literal["headquarters", "supply", "hold", "shot", "initiative", "card", "ground"]
"""What a puzzle teaches: to take the headquarters, cut or restore supply, guard what one has, shoot first, take the
initiative, play a card at the right time, take ground."""
THEMES: tuple[Theme, ...] = get_args(Theme)
LEVELS_FINDING = ("child", "even", "strong", "best")
"""The levels that grade a puzzle: it is as hard as the lowest that finds the turn."""
_PUZZLE = {
    "at": str,
    "turn": str,
    "theme": THEMES,
    "found_by": LEVELS_FINDING,
    "chance": Within(float, 0.0, 1.0),
    "other": Within(float, 0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one turn that is far better than the others.

    agreed: what leads there from the start; turn: the best one; chance, other: how likely it wins, and the best that
    uses another space; found_by: the lowest level that finds it.
    """

    board: str
    agreed: Agreed
    turn: Turn
    theme: Theme
    found_by: str
    chance: float
    other: float
    key: str

    def start(self) -> Position:
        """Return the position in which the best turn is to be found."""
        return apply(opening(self.board), self.agreed)


def opening(board: str) -> Position:
    """Return the start from which a board's puzzles are set up: no tokens, the first faction begins."""
    return new_game(board, load_board(board).factions[0], {})


@cache
def puzzles(board: str) -> tuple[Puzzle, ...]:
    """Return the puzzles on a board, the easiest first; none if there is no table for it."""
    if board not in table_names("puzzles"):
        return ()
    found = [_puzzle(board, told) for told in read_table("puzzles", board, {"puzzles": [_PUZZLE]})["puzzles"]]
    return tuple(sorted(found, key=lambda puzzle: LEVELS_FINDING.index(puzzle.found_by)))


def _puzzle(board: str, told: Mapping[str, Any]) -> Puzzle:
    agreed, turn = parse_step(told["at"]), parse_step(told["turn"])
    assert isinstance(agreed, Agreed)
    assert isinstance(turn, Deploy | Pass)
    return Puzzle(
        board,
        agreed,
        turn,
        theme=told["theme"],
        found_by=told["found_by"],
        chance=told["chance"],
        other=told["other"],
        key=f"puzzle:{board}:{crc32(told['at'].encode()):08x}",
    )
