"""How the app's side plays, besides its level."""

from __future__ import annotations

from companion.core.language import _
from companion.games.opponent import LOOKING, PACES
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.setup.state import SetUp
from companion.text.opponent import pace_name, pace_note
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, Text, back_button


class StyleScene(SubScene):
    """A row of buttons for each thing that may be chosen."""

    def __init__(self, setup: SetUp, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup

    def show(self) -> Screen:
        """Show what may be chosen, with what it is like."""
        done = back_button("primary")
        return Screen(title=_("How Gunbai plays"), blocks=tuple(self._pace()), actions=(done,), page=self.page)

    def _pace(self) -> tuple[Block, ...]:
        """Offer more time to think, to a level that makes something of it."""
        if self.setup.level not in LOOKING:
            return (Text(_("At this level it doesn't think ahead, so more time wouldn't help it."), "quiet"),)
        paces = (
            Button(pace_name(pace), Intent("pace", pace), _look(pace == self.setup.pace), note=pace_note(pace))
            for pace in PACES
        )
        return Text(_("Time to think"), "strong"), Buttons(tuple(paces), 2)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, or go back."""
        if intent.verb == "pace":
            self.setup.pace = intent.what
        return super().touch(intent)


def _look(chosen: bool) -> Look:
    return "chosen" if chosen else "plain"


def style_summary(setup: SetUp) -> str:
    """Say in a few words what was chosen."""
    return pace_name(setup.pace if setup.level in LOOKING else PACES[0])
