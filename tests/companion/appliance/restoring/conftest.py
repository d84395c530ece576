"""A household with games."""

from pathlib import Path

import pytest


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty place for games and choices."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    return tmp_path / "data"
