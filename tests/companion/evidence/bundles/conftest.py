"""A table to make bundles of."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.orders.board import load_board
from tests.companion.evidence.bundles.packed import eye
from tests.companion.sample_games import BOARD


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eye") / "demo.table"
    eye().table_for(load_board(BOARD))[1].save(path)
    return path
