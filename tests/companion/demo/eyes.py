"""An eye for the demo's tests: it sees what is so, at once, and a picture of nothing."""

from __future__ import annotations

import numpy as np

from companion.demo.player import SimulatedEye, TableLook
from companion.perception.adapters import compare
from engine.orders.board import Board
from engine.orders.position import Position
from tests.companion.perception.seeing import reading_of


class ClearEye(SimulatedEye):
    """Sees what is so, at once."""

    def look(self, position: Position) -> TableLook:
        reading = reading_of(position)
        return TableLook(np.zeros((2, 2, 3), np.uint8), reading, compare(position, reading))

    def table_for(self, board: Board) -> tuple[str, str]:  # type: ignore[override]
        """No table is needed to see what is so."""
        return "", board.name
