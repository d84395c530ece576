"""A moment of General Orders, looked back at: the map with what its turn left behind, and what can be put right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.language import _, plural
from companion.games.match import Match
from companion.scenes.base.map_picture import Marks, Overlay, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.traces import last_turn
from companion.scenes.disputes.dispute import StepScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.review.correct import CorrectScene, restored
from companion.scenes.review.recast import ReviewScene
from companion.scenes.story.game_log import told_as, told_in_all
from companion.scenes.story.looking_back import LookingBack
from companion.ui.screen import Block, Button, Intent, Screen, Text, Trace
from engine.orders.score import score

if TYPE_CHECKING:
    from companion.scenes.story.entries import OrdersTable


class MomentScene(LookingBack):
    """The board after a step, to look at: a step earlier or later, back to now, or to go on from there."""

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(table, number, back)
        self.table = table

    @property
    def match(self) -> Match:
        """The match as it is now; it may have got shorter since this was opened."""
        self.number = min(self.number, len(self.table.match.steps))
        return self.table.match

    def show(self) -> Screen:
        """The map of the moment, the step that led to it, and the ways on."""
        position = self.match.positions[self.number]
        return replace(super().show(), map=map_picture(position, Marks(), None, Overlay(traces=self._traces())))

    def where(self) -> str:
        """The round, and the number of the step."""
        tale, position = self.table.tale, self.match.positions[self.number]
        return _("Round {n}, after step {step} of {all}. Nothing changes while you look.").format(
            n=position.round, step=told_as(tale, self.number), all=told_in_all(tale)
        )

    def untold(self) -> str:
        """Only passing cards by goes without saying."""
        return _("No card was played.")

    def facts(self) -> tuple[Block, ...]:
        """Both sides' points."""
        position = self.match.positions[self.number]
        people, points = self.table.people, score(position).vp
        told = (
            _("{who}: {points}").format(who=people.name(one), points=plural("{n} point", "{n} points", points[one]))
            for one in position.board.factions
        )
        return (Text(" · ".join(told)),)

    def _traces(self) -> tuple[Trace, ...]:
        """What the turn did that the step belongs to, as far as it had come."""
        match = self.match
        return last_turn(match.positions[: self.number + 1], match.steps[: self.number])

    def of_step(self) -> tuple[Button, ...]:
        """To say what was wrong with it, to ask about it, to try from here, and to undo what corrected it."""
        what_if = Button(_("What if?"), Intent("what-if"), note=_("try from here"))
        if not self.number:
            return (what_if,)
        why = Button(_("Why?"), Intent("why"), note=_("the rules behind it"))
        return Button(_("This was wrong"), Intent("wrong"), note=_("correct it")), why, what_if, *self._uncorrect()

    def _uncorrect(self) -> tuple[Button, ...]:
        """The way back from a correction of this step."""
        if restored(self.match, self.number) is None:
            return ()
        return (Button(_("Undo the correction"), Intent("uncorrect")),)

    def elsewhere(self, intent: Intent) -> Scene | None:
        """The step with its rules, what might be from here, a correction, or the way back from one."""
        if intent.verb == "what-if":
            return WhatIfScene(self.match.positions[self.number], self.match.players, self)
        if not self.number:
            return None
        if intent.verb == "why":
            return StepScene(self.match, self.number, self)
        if intent.verb == "wrong":
            return CorrectScene(self.table, self.number, self)
        if intent.verb == "uncorrect" and (found := restored(self.match, self.number)):
            return ReviewScene(self.table, found, self)
        return None
