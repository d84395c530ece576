"""A table of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.companion.orders.camera.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Desk(tmp_path / "game.jsonl")
