"""Owners' files of each test's own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder with the games and shelves."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return tmp_path
