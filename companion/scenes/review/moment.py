"""A moment of General Orders, looked back at: with both sides' points, and what can be put right."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.moment import MomentScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.review.correct import CorrectScene, restored
from companion.scenes.review.recast import ReviewScene
from companion.scenes.story.presenter import OrdersTable
from companion.ui.screen import Block, Button, Intent, Text


class MapMomentScene(MomentScene):
    """The board after a step: besides looking, to correct the step, or to try others from there."""

    table: OrdersTable

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(table, number, back)

    def facts(self) -> tuple[Block, ...]:
        """Both sides' points."""
        return (Text(self.table.presenter.facts(self.match.positions[self.number], self.table.people)),)

    def besides(self) -> tuple[Block, ...]:
        """Nothing more."""
        return ()

    def of_step(self) -> tuple[Button, ...]:
        """To say what was wrong with it, to ask about it, to try from here, and to undo what corrected it."""
        what_if = Button(_("What if?"), Intent("what-if"), note=_("try from here"))
        if not self.number:
            return (what_if,)
        why = Button(_("Why?"), Intent("why"), note=_("the rules behind it"))
        return Button(_("This was wrong"), Intent("wrong"), note=_("correct it")), why, what_if, *self._uncorrect()

    def _uncorrect(self) -> tuple[Button, ...]:
        """The way back from a correction of this step."""
        if restored(self.table.match, self.number) is None:
            return ()
        return (Button(_("Undo the correction"), Intent("uncorrect")),)

    def elsewhere(self, intent: Intent) -> Scene | None:
        """The step with its rules, what might be from here, a correction, or the way back from one."""
        match = self.table.match
        if intent.verb == "what-if":
            return WhatIfScene(self.table.presenter, match.positions[self.number], match.players, self)
        if intent.verb == "wrong" and self.number:
            return CorrectScene(self.table, self.number, self)
        if intent.verb == "uncorrect" and self.number and (found := restored(match, self.number)):
            return ReviewScene(self.table, found, self)
        return super().elsewhere(intent)
