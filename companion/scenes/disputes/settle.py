"""Settled between the players, whatever the rules say: what was refused, or set by hand, or only a note in the log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.disputes.dispute import WHY
from companion.scenes.story.presenter import RulesQuestion, with_picture
from companion.scenes.story.tables import AnyTable
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, back_button, confirm_button

MOST_NOTE = 80


class SettleScene(BackScene):
    """What goes into the record, with a note; then both confirm. question: what the rules said no to."""

    def __init__(self, table: AnyTable, question: RulesQuestion[Any, Any] | None, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.start = table.match.position
        self.refused = None if question is None else question.step
        self.note = "" if question is None or question.step is None else question.question[:MOST_NOTE]

    def step(self) -> Any | None:
        """Return the step to record; None if nothing can be recorded.

        It does by hand what the refused step would have done; where that isn't possible, it is the note alone.
        """
        settled, note = self.table.presenter.settling_step, self.note
        done = settled(self.start, self.refused, note) if self.refused is not None else None
        step = done if done is not None else settled(self.start, None, note)
        return step if step is not None and self.table.match.system.judge(self.start, step).legal else None

    def is_worth(self, step: Any | None) -> bool:
        """Return whether there is anything to record: a change, or at least a note."""
        return step is not None and bool(self.note or self._changes(step))

    def _changes(self, step: Any) -> bool:
        return bool(self.table.match.system.apply(self.start, step) != self.start)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show what would be recorded, with the note and a way to set the table by hand, beside the resulting table."""
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
        """Show the words alone, as there is half the room and the table stands between the players."""
        return replace(self.show(), board=None)

    def _summary(self, step: Any | None) -> tuple[Block, ...]:
        if step is None or not self._changes(step):
            return (Text(_("Write down what you agreed. Then set what's different by hand."), "quiet"),)
        return Text(_("This will be logged:"), "quiet"), Text(self.terms(step), "strong")

    def note_slip(self) -> Block:
        """Return the note's slip, or the way to add one."""
        return Slip(self.note or _("Add a note"), "", "", Intent("note"))

    def actions(self, step: Any | None) -> tuple[Button, ...]:
        """Return the buttons to go back and to agree."""
        agree = confirm_button(_("We both agree"), "primary" if self.is_worth(step) else "off", Intent("agree"))
        return back_button(), agree

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch: the note, setting the table by hand, both players' agreement, or Back."""
        if intent.verb == "note":
            ask = Ask(_("What did you agree on?"), self.note, _("a few words"), MOST_NOTE, empty=True)
            return TypingScene(ask, self._set_note, self)
        if intent.verb == "by-hand":
            return self.table.straight(self)
        if intent.verb == "agree":
            return self._agree()
        return super().touch(intent)

    def _set_note(self, note: str) -> Scene:
        self.note = note
        return self

    def _agree(self) -> Scene | None:
        step = self.step()
        if not self.is_worth(step):
            return None
        asked = _("Is this what you agreed?"), self.terms(step), self.effect()
        return ConsentScene(asked, self.table.people, lambda: self._record(step), self)

    def terms(self, step: Any) -> str:
        """Return everything that goes into the log."""
        return self.table.presenter.line(step, self.start, self.table.people)

    def effect(self) -> str:
        """Return what else follows from the agreement."""
        return _("Logged as agreed; you can undo it.")

    def _record(self, step: Any) -> Scene | None:
        """Record the step, unless the game has gone on meanwhile."""
        if self.table.match.position is not self.start:
            return type(self)(self.table, None, self.back)
        self.table.match.offer(step)
        return self.after_recording()

    def after_recording(self) -> Scene:
        """Return to the table, as the argument is over."""
        self.table.stage.services.clock.release(WHY)
        self.table.refresh()
        return self.table
