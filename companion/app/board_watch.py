"""The camera's glimpses of the board, handed now and then to all that use them: what they mean, dice, evidence.

In come the watcher's glimpses; out goes whether the picture may have changed. No scene is changed here but for the
table's banner, which says once that board and game differ, or that the camera is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.match import Match
from companion.perception.sync.status import SyncStatus, TableView
from companion.scenes.base.ports import Watcher
from companion.scenes.base.stage import Stage
from companion.scenes.table.board_table import BoardTable
from companion.text.faults import lost_words
from engine.orders.game import owed
from engine.orders.position import Position
from engine.orders.steps import Step

if TYPE_CHECKING:
    from vision.reading.read import Reading

AGREED = ("sync", "unsure", "proposal", "off")
AS_IT_HAS_TO_BE = (*AGREED, "behind", "dice", "turn")
"""The signs of a board that has no more to be put right, or only what the table tells by itself."""
LOOK_EVERY_S = 0.25  # how often the watch is asked for what it has
OFFERED_S = 1.5
"""How long the same turn has to have been offered: longer than a hand rests, so that it was read before."""


class YesPresses:
    """The watch for a hand on the printed “Yes”, which confirms the turn that the table offers."""

    def __init__(self) -> None:
        self._counted: int | None = None
        self._offered: tuple[Step, ...] = ()
        self._since_s = 0.0

    def follow(self, view: TableView | None, sense: SyncStatus, now_s: float) -> bool:
        """Take what the camera sees and means at a monotonic time; return whether a hand just confirmed the turn."""
        offered = sense.explanations[0].steps if sense.sign == "proposal" else ()
        if offered != self._offered:
            self._offered, self._since_s = offered, now_s
        counted, self._counted = self._counted, None if view is None else view.yes
        pressed = view is not None and counted is not None and view.yes > counted
        return pressed and bool(offered) and now_s - self._since_s >= OFFERED_S


class BoardWatch:
    """The camera's watch over the game at the table. is_yes: whether the last look confirmed the proposal."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._yes = YesPresses()
        self.is_yes = False
        self._looked_s: float | None = None
        self._recorded: tuple[Reading | None, Position | None] = (None, None)
        self._out_was_said, self._out_banner, self._lost_banner = False, "", ""

    def leave(self) -> None:
        """Let the next table announce again that board and game differ."""
        self._out_was_said = False

    def look(self, table: BoardTable, watcher: Watcher | None, now_s: float) -> bool:
        """Take a look at the table if it is time; return whether anything to be shown has changed."""
        self.is_yes = False
        if self._looked_s is not None and now_s - self._looked_s < LOOK_EVERY_S:
            return False
        self._looked_s = now_s
        glimpse = self._refine(watcher(table.match) if watcher is not None else None)
        offered = self._stage.senses.dice.follow(table.match, glimpse.dice if glimpse else None)
        monitor = self._stage.senses.monitor
        meant = monitor.update(table.match, glimpse, now_s, self._stage.dice_seen)
        self._record(table.match, glimpse)
        today = self._stage.today
        is_moved = today is not None and today.see(table.match, glimpse, monitor.state.refined_reading, now_s)
        if meant:
            self._say_once(table)
        self.is_yes = self._yes.follow(glimpse, self._stage.sense, now_s)
        return meant or offered or is_moved

    def _refine(self, glimpse: TableView | None) -> TableView | None:
        """Return the glimpse with its reading corrected by what was learned of the table."""
        if glimpse is None or glimpse.reading is None:
            return glimpse
        learner = self._stage.learner
        return glimpse if learner is None else replace(glimpse, reading=learner.refine(glimpse.reading))

    def _record(self, match: Match, glimpse: TableView | None) -> None:
        """Keep each settled reading of the table between two turns as evidence, if that is wanted."""
        recorder = self._stage.senses.recorder
        if recorder is None or not self._stage.settings.evidence:
            return
        if glimpse is None or glimpse.reading is None or glimpse.state != "settled":
            return
        before, position = self._recorded
        if (before is not glimpse.reading or position is not match.position) and owed(match.position) is None:
            self._recorded = (glimpse.reading, match.position)
            recorder.see(match, glimpse.reading, glimpse.frame)

    def _say_once(self, table: BoardTable) -> None:
        """Announce a lost camera each time, out of sync once until table and game have agreed; clear old banners."""
        sign = self._stage.sense.sign
        if sign == "out" and not self._out_was_said:
            table.say_out_of_sync()
            self._out_banner = table.banner
        elif sign in AS_IT_HAS_TO_BE and self._out_banner:
            table.banner = "" if self._out_banner == table.banner else table.banner
            self._out_banner = ""
        if sign == "lost" and not self._lost_banner:
            table.banner = self._lost_banner = lost_words(self._stage.sense)
        elif sign != "lost":
            table.banner = "" if self._lost_banner == table.banner else table.banner
            self._lost_banner = ""
        self._out_was_said = sign == "out" or (self._out_was_said and sign not in AGREED)
