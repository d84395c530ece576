"""What tests of saved games begin with: a data folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core import sticks
from companion.games.journal import AnyJournal, read_game
from companion.games.saved import shelf


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty folder of games, beside which no stick is plugged in."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr(sticks, "PLACES", (tmp_path / "media",))
    (tmp_path / "games").mkdir(exist_ok=True)
    return tmp_path / "games"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the names of the games that the shelf reads."""
    names: list[str] = []

    def reading(path: Path) -> AnyJournal:
        names.append(path.stem)
        return read_game(path)

    monkeypatch.setattr(shelf, "read_game", reading)
    return names
