"""Tables of one person against the app, in the middle of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.companion.orders.solo.playing import SoloHand


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SoloHand]:
    """Sits down against the app, which plays the side named."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return lambda side="black", **how: SoloHand(tmp_path / "game.jsonl", side, **how)
