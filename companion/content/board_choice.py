"""Which board new games start from: the one that was played last at this table, or the one that Gunbai began with."""

from __future__ import annotations

from companion.settings.layers import Settings
from engine.orders.board import Board, board_names, load_board

PRACTICE = "practice"


def board_of(settings: Settings) -> Board:
    """Return the board named in the settings, or the default board if there is none of that name any more."""
    return load_board(settings.board if settings.board in board_names() else Settings().board)


def boards() -> tuple[Board, ...]:
    """Load and return all boards, grouped by rulebook, the default board first."""
    found = [load_board(name) for name in board_names()]
    first = board_of(Settings())
    other_book = {board.name: board.mode.rulebook != first.mode.rulebook for board in found}
    return tuple(
        sorted(found, key=lambda board: (other_book[board.name], board is not first, board.mode.name, board.name))
    )


def factions() -> tuple[str, ...]:
    """Return the names of the factions of all boards, each once."""
    return tuple(dict.fromkeys(faction for board in boards() for faction in board.factions))


def switchable_readings() -> frozenset[str]:
    """Return the names of all boards' open questions that can be switched to another answer."""
    return frozenset(name for board in boards() for name, reading in board.mode.readings.items() if reading.other)
