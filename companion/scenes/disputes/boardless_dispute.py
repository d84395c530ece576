"""Who is right? The last steps of a game and why each was allowed, what its system may be asked, and settling it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.scenes.base.stage import Scene, Stage
from companion.scenes.disputes.boardless_settle import SettleScene
from companion.scenes.disputes.narration import step_ruling
from companion.scenes.story.argument import Argument
from companion.scenes.story.menu import Ways
from companion.ui.screen import Button, Intent, Screen

if TYPE_CHECKING:
    from companion.scenes.story.presenter import BoardlessTable


class DisputeScene(Argument):
    """What helps to settle an argument, beside the table as it stands."""

    def __init__(self, stage: Stage, table: BoardlessTable[Any, Any], seat: str = "") -> None:
        super().__init__(stage, table, seat)
        self.table = table

    def show(self) -> Screen:
        """The last steps and what can be asked, beside the picture."""
        return replace(super().show(), board=self.table.telling.picture(self.table.position))

    def show_to(self, seat: str) -> Screen:
        """In a half the words alone: the table stands between the players."""
        del seat
        return super().show()

    def asks(self) -> Ways:
        """What the system may be asked, the first of it the nearest."""
        asked = self.table.telling.questions(self.table, self, self.seat)
        return tuple(
            (Button(one.label, Intent("ask", str(n)), "plain" if n else "primary", one.sign, one.note), one.lead)
            for n, one in enumerate(asked)
        )

    def settle(self) -> Scene:
        """What both agree on."""
        return SettleScene(self.table, None, self)

    def step(self, number: int) -> Scene:
        """Why it was allowed."""
        return step_ruling(self.table, number, self)
