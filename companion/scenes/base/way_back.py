"""The way back to the table, one touch from everywhere: where a scene was opened from another one, it has a button."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene, Table
from companion.scenes.base.unsaved import LeavingScene
from companion.ui.screen import Button, Intent, Screen

TABLE = Intent("table")
BACK = frozenset({"back", "cancel", "decline"})


def with_way_back(screen: Screen, scene: Scene, table: Table | None) -> Screen:
    """Add the "Table" button to a screen whose own way back leads elsewhere or that has none.

    A question asked over a page has its own answers and gets no button.
    """
    if table is None or scene in (table, table.home) or isinstance(scene, LeavingScene) or not screen.actions:
        return screen
    if _leads_back(screen, scene, table):
        return screen
    return replace(screen, actions=(Button(_("Table"), TABLE, "quiet"), *screen.actions))


def _leads_back(screen: Screen, scene: Scene, table: Table) -> bool:
    """Return whether one of the scene's own buttons leads to the table."""
    return getattr(scene, "back", None) is table and any(one.intent.verb in BACK for one in screen.actions)
