"""The screen lock: touches do nothing, whatever sleeve or die brushes the screen, until somebody holds the ring."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage, Table
from companion.ui.screen import Hold, Intent, Screen, Text

HOLD_S = 1.5
STEPS = 15  # pictures of the ring while it fills


class LockScene:
    """The locked screen: the table to look at, and a ring to hold, which leads back to where it was locked."""

    shared = True  # in the two-sided layout both halves are locked

    def __init__(self, stage: Stage, table: Table, back: Scene | None = None) -> None:
        self.stage = stage
        self.table = table
        self.back: Scene = back or table
        self._held = False
        self._since_s: float | None = None
        self._part = 0.0

    def show(self) -> Screen:
        """Show the table with the unlocking ring in place of the buttons, in either half of the screen."""
        ring = Hold(_("Hold to unlock"), Intent("unlock"), self._part)
        quiet = Text(_("The screen is locked. Your game is saved."), "quiet")
        return replace(self.table.show(), blocks=(ring, quiet), actions=(), banner="", page=0)

    def touch(self, intent: Intent) -> Scene | None:
        """Notice whether a finger holds the ring; ignore all other touches."""
        if intent.verb == "unlock":
            held = intent.n != 2
            if held != self._held:
                self._held, self._since_s, self._part = held, None, 0.0
        return None

    def tick(self, now_s: float) -> Scene | None:
        """Fill the ring while it is held, and return the scene behind the lock once it is full."""
        if not self._held:
            return None
        if self._since_s is None:
            self._since_s = now_s
        passed = (now_s - self._since_s) / HOLD_S
        if passed >= 1:
            return self.back
        shown, self._part = self._part, int(passed * STEPS) / STEPS if self.stage.settings.motion else 0.5
        return self if self._part != shown else None
