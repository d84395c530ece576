"""From the set-up of one game to that of another."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.text.saved_games import system_title
from companion.ui.screen import Button, Intent

GameChoice = Callable[[str, Scene], Scene]
"""Where the button of another game leads: to a system's set-up, or with "" to the list of them, and back from there."""


def game_button(system: str, note: str = "") -> Button:
    """Make the button at the top of a set-up that leads to the other games."""
    return Button(system_title(system), Intent("games"), sign="castle", note=note or _("touch to change"))
