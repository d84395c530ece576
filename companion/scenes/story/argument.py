"""An argument: the clock stands still, the last steps are looked at, questions put, and the players settle it."""

from __future__ import annotations

from itertools import islice

from companion.core.language import _
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.story.game_log import last_deeds
from companion.scenes.story.menu import MenuTable, Ways
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text

WHY = "dispute"
LATEST = 2  # steps that the first page has room for


class Argument:
    """What helps to settle an argument. The clock stands still until the players go back to the table."""

    def __init__(self, stage: Stage, table: MenuTable, seat: str = "") -> None:
        self.stage = stage
        self._table = table
        self.seat = seat
        self.page = 0
        stage.services.clock.hold(WHY)

    # ---- what a system has more ---------------------------------------------------------------------

    def asks(self) -> Ways:
        """What may be asked."""
        raise NotImplementedError

    def settle(self) -> Scene:
        """What the players settled between them."""
        raise NotImplementedError

    def step(self, number: int) -> Scene:
        """A step, and why it was allowed."""
        raise NotImplementedError

    # ---- what it shows ------------------------------------------------------------------------------

    def _ways(self) -> Ways:
        table = self._table
        return (
            *self.asks(),
            (Button(_("Look up a rule"), Intent("rules"), sign="log"), lambda: RulesScene(table.library(), self)),
            (Button(_("Open questions"), Intent("readings"), sign="points"), lambda: table.readings(self)),
            (Button(_("We settled it"), Intent("settle"), sign="tick"), self.settle),
        )

    def show(self) -> Screen:
        """The last steps and what can be asked."""
        return Screen(
            title=_("Let us see"),
            blocks=(Buttons(tuple(button for button, _lead in self._ways()), 3), *self._last()),
            actions=(Button(_("Back to the table"), Intent("back")),),
            frame=_("Paused: the game waits while you look"),
            page=self.page,
        )

    def _last(self) -> tuple[Block, ...]:
        """The last steps of people's own will, the newest first."""
        found = tuple(islice(last_deeds(self._table.tale), LATEST))
        if not found:
            return (Text(_("Nothing has happened yet."), "quiet"),)
        cite = _("Why was that allowed?")
        return tuple(Slip(line, "", cite, Intent("step", "", number)) for number, line in found)

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on; back at the table the clock goes on."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "step" and 0 < intent.n <= len(self._table.match.steps):
            return self.step(intent.n)
        if intent.verb == "back":
            return self._leave()
        plain = Intent(intent.verb, intent.what)
        lead = next((lead for button, lead in self._ways() if button.intent == plain), None)
        return lead() if lead is not None else None

    def _leave(self) -> Scene:
        self.stage.services.clock.release(WHY)
        self._table.refresh()
        return self._table
