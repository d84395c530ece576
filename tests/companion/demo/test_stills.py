"""The pictures for the docs are made from a game, and a turn of it that nobody told the app."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tests.companion.demo import stills
from tests.companion.demo.eyes import ClearEye


def test_a_turn_seen_and_the_reason_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stills, "TableSight", lambda table: None)
    stills.save_board_stills(tmp_path, ClearEye(1), (800, 480))
    pictures = {path.name: pygame.image.load(path).get_size() for path in tmp_path.iterdir()}
    names = ("table", "ruling", "score", "proposal", "diagnosis")
    assert pictures == {f"{name}.png": (800, 480) for name in names}
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == len(names)


@pytest.mark.long
def test_the_other_games_have_a_picture_each(tmp_path: Path) -> None:
    stills.save_other_stills(tmp_path, (800, 480))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle.png", "duel.png"]


@pytest.mark.long
def test_the_guide_to_photographs_has_its_pictures(tmp_path: Path) -> None:
    stills.save_photo_stills(tmp_path, (640, 480))
    what, how = (pygame.image.load(tmp_path / f"photos-{name}.jpg") for name in ("what", "how"))
    across, down = what.get_size()
    assert how.get_size() == (across, 2 * down), "three in a row"
