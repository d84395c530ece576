"""The shelf of owners' boards of General Orders, as `gunbai trace` writes them (form: docs/boards.md)."""

from __future__ import annotations

from companion.content.own_files import OwnFiles
from engine.orders.board import Board, add_board, own_board_names, read_board, remove_board


def _read(_name: str, text: str, where: str) -> Board:
    """Read a board, which is called as its text says, whatever its file is called."""
    return read_board(where, text)


BOARDS = OwnFiles("boards", _read, add_board, remove_board, own_board_names)
