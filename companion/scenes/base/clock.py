"""The clock on the screen: beside each side its time, and a button that pauses it."""

from __future__ import annotations

from dataclasses import replace

from companion.games.clock import GameClock
from companion.ui.screen import Screen


def with_clock(screen: Screen, clock: GameClock) -> Screen:
    """Add both sides' clocks to the screen's status line.

    Return the same screen if the game has no clock or the screen no status.
    """
    face = clock.face()
    if screen.status is None or not face:
        return screen
    sides = []
    for side in screen.status.sides:
        left, low, runs = face.get(side.faction, ("", False, False))
        sides.append(replace(side, clock=left, clock_low=low, clock_runs=runs))
    state = "paused" if clock.paused or clock.is_held else "runs"
    return replace(screen, status=replace(screen.status, sides=tuple(sides), clock=state))
