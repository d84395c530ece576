"""What tests of the app begin with: an app whose games lie in a folder of their own, and a hand that touches it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.app import App
from tests.companion.owned import forget
from tests.companion.touching import Hand


@pytest.fixture(autouse=True)
def shelves() -> Iterator[None]:
    """What a test puts on owners' shelves goes with it."""
    yield
    forget()


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """At home, on a day called "game"."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr("companion.app.app.today", lambda: "game")
    return App()


@pytest.fixture
def hand(app: App) -> Hand:
    """A hand at this app."""
    return Hand(app)
