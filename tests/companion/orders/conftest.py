"""Tables in the middle of a game: of two people, watched by a camera, and of one person against the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.companion.orders.camera.desk import Desk
from tests.companion.orders.solo.playing import SoloHand
from tests.companion.touching import Hand


@pytest.fixture
def table(hand: Hand) -> Hand:
    """Return a hand at a new game."""
    return hand.start()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a hand at a table that is watched."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Desk(tmp_path / "game.jsonl")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SoloHand]:
    """Sits down against the app, which plays the side named."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return lambda side="black", **how: SoloHand(tmp_path / "game.jsonl", side, **how)
