"""The result set by hand: who has won, because one gave up or both counted otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.tables import AnyTable
from companion.ui.screen import Button, Buttons, Intent, Screen, Text, back_button


class DecideScene(BackScene):
    """Asks who has won; both have to agree.

    words: what deciding does, and what it ends, in a sentence each; step: what goes into the record, by the side's
    index.
    """

    def __init__(self, table: AnyTable, words: tuple[str, str], step: Callable[[int], Any], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.what, self.ends = words
        self.step = step

    def show(self) -> Screen:
        """Ask who has won."""
        people = self.table.people
        buttons = tuple(Button(people.name(seat), Intent("winner", seat)) for seat in people.factions)
        return Screen(
            title=_("Who won?"),
            blocks=(Text(self.what), Buttons(buttons, 2)),
            actions=(back_button(),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Ask both players about the winner that was touched, or go back."""
        people = self.table.people
        if intent.verb != "winner" or intent.what not in people.factions:
            return super().touch(intent)
        step = self.step(people.factions.index(intent.what))
        asked = _("Did {who} win?").format(who=people.name(intent.what)), self.ends
        return ConsentScene(asked, people, lambda: self._decide(step), self.back)

    def _decide(self, step: Any) -> Scene:
        self.table.match.offer(step)
        self.table.refresh()
        return self.table.score()
