"""An app that traces, with a shelf of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.orders.board import own_board_names, remove_board


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    yield tmp_path
    for name in own_board_names():
        remove_board(name)
