"""An argument: the clock stands still while players ask about steps and rules, and settle the matter.

They may agree on a step that was refused, a position, a mere note in the log, or who has won.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.story.game_log import chosen_lines
from companion.scenes.story.presenter import RulesQuestion, Ways, with_picture
from companion.scenes.story.tables import AnyTable
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, back_button, confirm_button

WHY = "dispute"
LATEST = 2  # steps that the first page has room for
MOST_NOTE = 80


class DisputeScene:
    """The scene of an argument, beside the table; the clock stands still until players go back to the table."""

    def __init__(self, stage: Stage, table: AnyTable, seat: str = "") -> None:
        self.stage = stage
        self.table = self.back = table
        self.seat = seat
        self.page = 0
        stage.services.clock.hold(WHY)

    def _ways(self) -> Ways:
        """Return buttons, each with what opens its scene: the system's questions, the rules, an agreement."""
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
        """Show the last decisions and what can be asked, beside the table."""
        words = Screen(
            title=_("Ask the referee"),
            blocks=(Buttons(tuple(button for button, _lead in self._ways()), 3), *self._last()),
            actions=(back_button(),),
            frame=_("Paused – the game waits for you"),
            page=self.page,
        )
        return with_picture(words, self.table.presenter.picture(self.table.match.position))

    def show_to(self, _seat: str) -> Screen:
        """Show the same without a picture of the table, as half the screen has no room for both."""
        return replace(self.show(), map=None, board=None)

    def _last(self) -> tuple[Block, ...]:
        """Return slips for the last steps that a player decided on, newest first; if there are none, a line on that."""
        found = tuple(islice(chosen_lines(self.table.game_log), LATEST))
        if not found:
            return (Text(_("Nothing has happened yet."), "quiet"),)
        cite = _("Why was that allowed?")
        return tuple(Slip(line, "", cite, Intent("step", "", number)) for number, line in found)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the touched button's or step's scene, turn the page, or go back to the table and restart the clock."""
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


# ---- settled between the players, whatever the rules say -----------------------------------------


class SettleScene(BackScene):
    """Asks what the players agree on, then both to confirm it. question: the one whose "no" they overrule, if any."""

    def __init__(self, table: AnyTable, question: RulesQuestion[Any, Any] | None, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.start = table.match.position
        self.refused = None if question is None else question.step
        self.note = "" if question is None or question.step is None else question.question[:MOST_NOTE]

    def step(self) -> Any | None:
        """Return the agreed step to record; None if none is legal.

        It does what the refused step would have done; if that isn't possible, it holds the note alone.
        """
        settled, note = self.table.presenter.settling_step, self.note
        done = settled(self.start, self.refused, note) if self.refused is not None else None
        step = done if done is not None else settled(self.start, None, note)
        return step if step is not None and self.table.match.system.judge(self.start, step).legal else None

    def is_worth(self, step: Any | None) -> bool:
        """Return whether the step is worth recording: it changes something, or at least has a note."""
        return step is not None and bool(self.note or self._changes(step))

    def _changes(self, step: Any) -> bool:
        return bool(self.table.match.system.apply(self.start, step) != self.start)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show what would be recorded, the note, and a button to set the table by hand, beside the resulting table."""
        step = self.step()
        after = self.start if step is None else self.table.match.system.apply(self.start, step)
        hand = Button(_("Set it by hand"), Intent("by-hand"), sign="pencil", note=_("as it is on the table"))
        words = Screen(
            title=_("Settle it yourselves"),
            blocks=(*self._summary(step), self.note_slip(), Buttons((hand,), 1)),
            actions=self.actions(step) if step is not None else self.actions(step)[:1],
            page=self.page,
        )
        return with_picture(words, self.table.presenter.picture(after))

    def show_to(self, _seat: str) -> Screen:
        """Show the same without a picture in the `board` field, as half the screen has no room for it."""
        return replace(self.show(), board=None)

    def _summary(self, step: Any | None) -> tuple[Block, ...]:
        if step is None or not self._changes(step):
            return (Text(_("Write down what you agreed. Then set what's different by hand."), "quiet"),)
        return Text(_("This will be logged:"), "quiet"), Text(self.terms(step), "strong")

    def note_slip(self) -> Block:
        """Return the slip with the note, which opens the keyboard."""
        return Slip(self.note or _("Add a note"), "", "", Intent("note"))

    def actions(self, step: Any | None) -> tuple[Button, ...]:
        """Return the buttons to go back and to agree."""
        agree = confirm_button(_("We both agree"), "primary" if self.is_worth(step) else "off", Intent("agree"))
        return back_button(), agree

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Edit the note, open the correction by hand, ask both to agree, or go back."""
        if intent.verb == "note":
            ask = Ask(_("What did you agree on?"), self.note, _("a few words"), MOST_NOTE, empty=True)

            def keep(note: str) -> Scene:
                self.note = note
                return self

            return TypingScene(ask, keep, self)
        if intent.verb == "by-hand":
            return self.table.straight(self)
        if intent.verb == "agree":
            return self._agree()
        return super().touch(intent)

    def _agree(self) -> Scene | None:
        step = self.step()
        if not self.is_worth(step):
            return None
        asked = _("Is this what you agreed?"), self.terms(step), self.effect()
        return ConsentScene(asked, self.table.people, lambda: self._record(step), self)

    def terms(self, step: Any) -> str:
        """Return the step in words, as the log will have it."""
        return self.table.presenter.line(step, self.start, self.table.people)

    def effect(self) -> str:
        """Return a sentence on what else agreeing does."""
        return _("Logged as agreed; you can undo it.")

    def _record(self, step: Any) -> Scene | None:
        """Record the step; if the game has gone on meanwhile, start this scene afresh instead."""
        if self.table.match.position is not self.start:
            return type(self)(self.table, None, self.back)
        self.table.match.offer(step)
        return self.after_recording()

    def after_recording(self) -> Scene:
        """Restart the clock, and return the table, as the argument is over."""
        self.table.stage.services.clock.release(WHY)
        self.table.refresh()
        return self.table


class DecideScene(BackScene):
    """Asks who has won; both have to agree.

    words: what deciding does, and the warning before it, a sentence each; step: returns the step to record for the
    side with this index.
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

        def decide() -> Scene:
            self.table.match.offer(step)
            self.table.refresh()
            return self.table.score()

        return ConsentScene(asked, people, decide, self.back)
