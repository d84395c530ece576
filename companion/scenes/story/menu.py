"""What a table's menu asks of it: further ways that a system of rules has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.games.rules_search import Library
from companion.scenes.base.stage import Scene
from companion.scenes.story.game_log import LoggedTable
from companion.ui.screen import Button

Ways = tuple[tuple[Button, Callable[[], Scene | None]], ...]
"""Buttons, and where each leads."""


class MenuTable(LoggedTable, Protocol):
    """A table whose game has a menu."""

    def library(self) -> Library:
        """The rules to look things up in."""

    def readings(self, back: Scene) -> Scene:
        """What the rules leave open."""

    def straight(self, back: Scene) -> Scene:
        """Where the record is put right by hand."""

    def ways(self, back: Scene) -> Ways:
        """What else can be done with a game of this system."""
