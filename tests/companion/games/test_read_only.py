"""A disk that can only be read, from the start on: everything that can be shown is shown, and nothing crashes."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from companion.app.app import App
from companion.core import storage
from companion.core.errors import SettingsError
from companion.games.match import Match
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.settings.layers import Choices, chosen_file
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.sample_games import game_file
from tests.companion.touching import Hand

CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@pytest.fixture(params=[True, False], ids=["with games", "with nothing"])
def hand(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """At home, on a disk where nothing can be opened for writing, made or renamed."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    if request.param:
        (tmp_path / "data" / "games").mkdir(parents=True)
        game_file(tmp_path / "data" / "games", steps=6)
    real = os.open

    def opened(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & CHANGES and Path(path).is_relative_to(tmp_path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, flags, *rest, **named)

    def refuse(path: Any, *_rest: Any, **_named: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(os, "open", opened)
    for name in ("mkdir", "rename", "replace", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, refuse)
    app = App()
    equip(app.stage, choices=Choices(chosen_file()))
    return Hand(app)


def test_a_new_game_is_played_in_memory(hand: Hand) -> None:
    hand.app.screen()
    hand.press("New game", "Quick start", "Pass", "Pass")
    assert hand.app.table is not None
    assert len(hand.app.table.match.steps) == 2
    hand.app.tick(0.0)
    assert hand.screen.banner.startswith("Not saved: the disk is read-only.")
    hand.app.touch(Intent("undo"))
    hand.app.touch(Intent("menu"))
    hand.press("Home", "Leave anyway")
    assert isinstance(hand.app.scene, HomeScene)


def test_a_game_begun_step_by_step_is_played_and_can_be_called_off(hand: Hand) -> None:
    hand.press("New game", "Next", "Red", "Barracks", "War Room", "Shipyard", "Next", "Back")
    assert hand.app.running
    hand.press("Next")
    assert hand.app.table is not None


def test_a_saved_game_is_gone_on_with(hand: Hand) -> None:
    there = any(button.label == "Continue last game" for button in hand.all_buttons())
    assert there == bool(list(storage.data_dir().glob("games/*")))
    if not there:
        return
    hand.press("Continue last game")
    assert isinstance(hand.app.scene, BoardTable)
    match: Match = hand.app.scene.match
    assert (match.is_saved, len(match.steps)) == (True, 6)


def test_every_way_from_home_leads_on_or_says_why_not(hand: Hand) -> None:
    for way in ("Rules", "Settings", "Saved games", "Statistics", "Learn by playing", "More"):
        if not any(button.label == way for button in hand.all_buttons()):
            continue
        hand.press(way)
        hand.app.tick(1.0)
        assert hand.app.faces().faces
        hand.app.scene = hand.app.home
        hand.app.fault = ""


def test_settings_hold_until_the_end_and_that_is_said(hand: Hand) -> None:
    app = hand.app
    app.touch(Intent("settings"))
    with pytest.raises(SettingsError, match="can't be written"):
        app.stage.change(theme="light")
    assert app.stage.settings.theme == "light"
