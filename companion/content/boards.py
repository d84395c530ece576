"""The shelf of owners' boards of General Orders, as `gunbai trace` writes them (form: docs/boards.md)."""

from __future__ import annotations

from companion.content.own_files import OwnFiles
from engine.orders.board import add_board, own_board_names, read_board, remove_board

# a board is called as its text says, whatever its file is called
BOARDS = OwnFiles(
    "boards", lambda _name, text, where: read_board(where, text), add_board, remove_board, own_board_names
)
