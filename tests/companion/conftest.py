"""What tests of the app begin with: an app whose games lie in a folder of their own, and a hand that touches it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.games.match import Match
from tests.companion.desk.desk import DeskOf, desk_at
from tests.companion.fingers import own_place
from tests.companion.owned import forget
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import Hand


@pytest.fixture(autouse=True)
def shelves(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what a test does to owners' shelves, language and sound; the machine's language is English."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    yield
    forget()
    use_language("en")
    pygame.mixer.quit()


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """At home, on a day called "game"."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr("companion.app.app.today", lambda: "game")
    return App()


@pytest.fixture
def hand(app: App) -> Hand:
    """Return a hand at this app."""
    return Hand(app)


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    """Yield a new game of General Orders in a file."""
    made = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    yield made
    made.close()


@pytest.fixture
def desk_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DeskOf:
    """Return what puts the recorded game on the table."""
    return lambda steps: desk_at(tmp_path, monkeypatch, steps)


@pytest.fixture
def display() -> Iterator[pygame.Surface]:
    """Yield the glass of the smallest panel."""
    pygame.display.init()
    yield pygame.display.set_mode((800, 480))
    pygame.display.quit()


@pytest.fixture
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and settings that this process keeps in a folder of the test's own, and forgets with it."""
    for name in ("GUNBAI_DATA", "XDG_CONFIG_HOME", "GUNBAI_SETTINGS"):
        monkeypatch.setenv(name, "")
    own_place(tmp_path)
