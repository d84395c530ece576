"""The way back: a scene that has none of its own gets the one to the table, in the same place as all others."""

from __future__ import annotations

from dataclasses import replace

from companion.scenes.base.stage import Scene, Table
from companion.scenes.base.unsaved import LeavingScene
from companion.ui.screen import Intent, Screen, back_button

TABLE = Intent("table")
BACK = frozenset({"back", "cancel", "decline"})


def with_way_back(screen: Screen, scene: Scene, table: Table | None) -> Screen:
    """Add the way back to the table to a screen of a game that has none of its own.

    A question asked over a page has its own answers and gets no button.
    """
    if table is None or scene in (table, table.home) or isinstance(scene, LeavingScene) or not screen.actions:
        return screen
    if any(button.spot == "leave" or button.intent.verb in BACK for button in screen.actions):
        return screen
    return replace(screen, actions=(back_button(verb=TABLE.verb), *screen.actions))
