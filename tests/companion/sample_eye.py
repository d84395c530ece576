"""The real eye over a simulated table, calibrated once for all tests that only need one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.demo.player import SimulatedEye
from engine.orders.board import load_board
from tests.companion.sample_games import BOARD


@cache
def sample_eye() -> SimulatedEye:
    """Return the eye over the table of one seed; whoever looks moves its pieces."""
    return SimulatedEye(seed=3)


def save_sample_table(path: Path) -> Path:
    """Write the calibrated table to a file; return the file."""
    sample_eye().table_for(load_board(BOARD))[1].save(path)
    return path
