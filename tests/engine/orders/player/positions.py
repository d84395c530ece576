"""Positions made for tests of the player: units by area, whose turn it is, and how many turns are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.areas import mask_of
from engine.orders.board import Board, load_board
from engine.orders.position import Position

Held = Mapping[str, int]


def last_turns(board_name: str, held: tuple[Held, Held], left: tuple[int, int], taken: Sequence[str] = ()) -> Position:
    """Return a position in the last round, with the first faction to move and holding the initiative.

    held: {area: units} of each faction, of the common kind there; left: commanders; taken: spaces with a commander, of
    their own colour or the second faction's.
    """
    board = load_board(board_name)
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for faction, areas in enumerate(held):
        for name, units in areas.items():
            area = board.area(name)
            rows[faction][mode.kinds_on[area.kind][0]][area.index] = units
    return Position(
        board=board,
        round=mode.rounds,
        initiative=0,
        to_move=0,
        bonuses=("",) * len(board.slots),
        units=tuple(tuple(map(tuple, side)) for side in rows),
        commanders=(_spaces(board, taken, 0), _spaces(board, taken, 1)),
        commanders_left=left,
        standby=(mode.standby, mode.standby),
        hands=((), ()),
    )


def _spaces(board: Board, names: Sequence[str], faction: int) -> int:
    """Those of the spaces whose commander is a faction's, as a set."""
    owners = {name: board.space(name).faction or board.factions[1] for name in names}
    return mask_of(board.space_index[name] for name in names if owners[name] == board.factions[faction])
