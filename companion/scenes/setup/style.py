"""How the app's side plays, besides its level: as whom, how long it thinks, and what it gives you at the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.core.language import _
from companion.games.opponent import HEAD_STARTS, LEVELS, LOOKING, PACES
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.setup.state import SetUp
from companion.text.opponent import (
    commander_name,
    commander_note,
    head_start_name,
    head_start_note,
    head_start_worth,
    pace_name,
    pace_note,
)
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, back_button
from engine.orders.player.head_starts import measured

ENOUGH = 20
"""Of so many games at least a share is told."""


class StyleScene(SubScene):
    """A row of buttons for each thing that may be chosen."""

    def __init__(self, setup: SetUp, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup

    def show(self) -> Screen:
        """Show what may be chosen, with what it is like."""
        blocks = (*self._commanders(), *self._paces(), *self._head_starts())
        return Screen(title=_("How Gunbai plays"), blocks=blocks, actions=(back_button("primary"),), page=self.page)

    def _commanders(self) -> tuple[Block, ...]:
        if not self.setup.commanders:
            return ()
        offered = ("", *self.setup.commanders)
        return Text(_("Temperament"), "strong"), _row(
            "commander", offered, self.setup.commander, commander_name, commander_note
        )

    def _paces(self) -> tuple[Block, ...]:
        """Offer more time to think, to a level that makes something of it."""
        if self.setup.level not in LOOKING:
            return (Text(_("At this level it doesn't think ahead, so more time wouldn't help it."), "quiet"),)
        return Text(_("Time to think"), "strong"), _row("pace", PACES, self.setup.pace, pace_name, pace_note)

    def _head_starts(self) -> tuple[Block, ...]:
        chosen = self.setup.head_start
        row = _row("head-start", HEAD_STARTS, chosen, head_start_name, head_start_note)
        return Text(_("Your head start"), "strong"), row, *self._worth()

    def _worth(self) -> tuple[Block, ...]:
        """Say what the head start was worth in games of the level below against this one, if enough were played."""
        stronger = self.setup.level
        weaker = LEVELS[max(0, LEVELS.index(stronger) - 1)]
        known = {given: worth for given, worth in measured(weaker, stronger).items() if worth.games >= ENOUGH}
        if self.setup.head_start == "none" or not known.keys() >= {"none", self.setup.head_start}:
            return ()
        worth = {str(given): counted for given, counted in known.items()}
        told = head_start_worth(weaker, stronger, worth["none"], worth[self.setup.head_start])
        return (Text(told, "quiet"),)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, or go back."""
        if intent.verb == "pace":
            self.setup.pace = intent.what
        elif intent.verb == "commander":
            self.setup.commander = intent.what
        elif intent.verb == "head-start":
            self.setup.head_start = intent.what
        return super().touch(intent)


def _row(
    verb: str, offered: Iterable[str], chosen: str, name: Callable[[str], str], note: Callable[[str], str]
) -> Buttons:
    """Return a button for each thing that may be chosen."""
    buttons = tuple(
        Button(name(what), Intent(verb, what), "chosen" if what == chosen else "plain", note=note(what))
        for what in offered
    )
    return Buttons(buttons, len(buttons))


def style_summary(setup: SetUp) -> str:
    """Say in a few words what was chosen."""
    pace = setup.pace if setup.level in LOOKING else PACES[0]
    told = [
        *([pace_name(pace)] if pace != PACES[0] else []),
        *([head_start_name(setup.head_start)] if setup.head_start != HEAD_STARTS[0] else []),
    ]
    return " · ".join(told) or pace_name(PACES[0])
