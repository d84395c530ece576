"""What the app adds to a game's screens: both sides' clocks, and the way back to the table where a scene has none."""

from __future__ import annotations

from dataclasses import replace

from companion.games.clock import GameClock
from companion.scenes.base.stage import Scene, Table
from companion.scenes.base.unsaved import LeavingScene
from companion.ui.screen import Intent, Screen, back_button

TABLE = Intent("table")
BACK = frozenset({"back", "cancel", "decline"})


def with_way_back(screen: Screen, scene: Scene, table: Table | None) -> Screen:
    """Add a button back to the table to a screen of a game, if the screen has no way back of its own.

    A question asked over a page has its own answers and gets no button.
    """
    if table is None or scene in (table, table.home) or isinstance(scene, LeavingScene) or not screen.actions:
        return screen
    if any(button.spot == "leave" or button.intent.verb in BACK for button in screen.actions):
        return screen
    return replace(screen, actions=(back_button(verb=TABLE.verb), *screen.actions))


def with_clock(screen: Screen, clock: GameClock) -> Screen:
    """Add both sides' clocks to the screen's status line, if it has one and the game has a clock."""
    face = clock.face()
    if screen.status is None or not face:
        return screen
    sides = []
    for side in screen.status.sides:
        left, low, runs = face.get(side.faction, ("", False, False))
        sides.append(replace(side, clock=left, clock_low=low, clock_runs=runs))
    state = "paused" if clock.paused or clock.is_held else "runs"
    return replace(screen, status=replace(screen.status, sides=tuple(sides), clock=state))
