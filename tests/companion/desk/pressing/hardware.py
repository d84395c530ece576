"""A desk of buttons beside an app."""

from __future__ import annotations

from dataclasses import replace

from companion.scenes.base.stage import Scene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent, Screen
from companion.view.window.taps import plain
from tests.companion.desk.presses import Presses
from tests.companion.sample_games import BONUSES

TOKENS = tuple(f"{slot}/{token}" for slot, token in BONUSES.items())


def table(at: Presses) -> BoardTable:
    assert isinstance(at.app.table, BoardTable)
    return at.app.table


def ringed(at: Presses) -> Intent | None:
    spot = at.window.keyboard.at
    return plain(spot.target.intent) if spot else None


def said(at: Presses) -> str:
    return at.screens()[0].banner


class Dumb:
    """A scene that answers nothing."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def show(self) -> Screen:
        return self.screen

    def touch(self, _intent: Intent) -> Scene | None:
        return None


def show(at: Presses, screen: Screen) -> None:
    """Put a screen on stage that belongs to no game."""
    at.app.table, at.app.scene = None, Dumb(screen)
    at.app.version += 1
    at.window.refresh()


def two_sided(at: Presses) -> None:
    at.app.stage.apply(replace(at.app.stage.settings, layout="two"))
    at.app.version += 1
    at.window.refresh()
