"""An argument: the clock stands still, the last steps are looked at, questions put, and the players settle it."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from companion.core.language import _
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.story.game_log import chosen_lines
from companion.scenes.story.presenter import Ways, with_picture
from companion.scenes.story.tables import AnyTable
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, back_button

WHY = "dispute"
LATEST = 2  # steps that the first page has room for


class DisputeScene:
    """What helps to settle an argument, beside the table as it stands.

    The clock stands still until the players go back to the table.
    """

    def __init__(self, stage: Stage, table: AnyTable, seat: str = "") -> None:
        self.stage = stage
        self.table = self.back = table
        self.seat = seat
        self.page = 0
        stage.services.clock.hold(WHY)

    def _ways(self) -> Ways:
        """Return the ways on: the system's questions, the likeliest first; the rules; a settlement by agreement."""
        table = self.table
        asks = (
            (
                Button(
                    question.label, Intent("ask", str(n)), "plain" if n else "primary", question.sign, question.note
                ),
                question.lead,
            )
            for n, question in enumerate(table.questions(self, self.seat))
        )
        return (
            *asks,
            (Button(_("Look up a rule"), Intent("rules"), sign="book"), lambda: RulesScene(table.library(), self)),
            (Button(_("Unclear rules"), Intent("readings"), sign="points"), lambda: table.readings(self)),
            (Button(_("We agreed on something"), Intent("settle"), sign="tick"), lambda: table.settle(None, self)),
        )

    def show(self) -> Screen:
        """Show the last steps and what can be asked, beside the table."""
        words = Screen(
            title=_("Ask the referee"),
            blocks=(Buttons(tuple(button for button, _lead in self._ways()), 3), *self._last()),
            actions=(back_button(),),
            frame=_("Paused – the game waits for you"),
            page=self.page,
        )
        return with_picture(words, self.table.presenter.picture(self.table.match.position))

    def show_to(self, _seat: str) -> Screen:
        """Show the words alone, as there is half the room and the table stands between the players."""
        return replace(self.show(), map=None, board=None)

    def _last(self) -> tuple[Block, ...]:
        """Return the last steps that people chose themselves, the newest first."""
        found = tuple(islice(chosen_lines(self.table.game_log), LATEST))
        if not found:
            return (Text(_("Nothing has happened yet."), "quiet"),)
        cite = _("Why was that allowed?")
        return tuple(Slip(line, "", cite, Intent("step", "", number)) for number, line in found)

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched; back at the table the clock goes on."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "step" and 0 < intent.n <= len(self.table.match.steps):
            return self.table.step_scene(intent.n, self)
        if intent.verb == "back":
            self.stage.services.clock.release(WHY)
            self.table.refresh()
            return self.table
        plain = Intent(intent.verb, intent.what)
        lead = next((lead for button, lead in self._ways() if button.intent == plain), None)
        return lead() if lead is not None else None
