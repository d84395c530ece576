"""Settled between the players, whatever the rules say: what was refused, or set by hand, or only a note in the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.story.argument import WHY
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text

if TYPE_CHECKING:
    from companion.scenes.story.presenter import BoardlessTable

MOST_NOTE = 80


class SettleScene:
    """What goes into the record, with a note; then both confirm. refused: the step that the rules objected to."""

    def __init__(self, table: BoardlessTable[Any, Any], refused: Any | None, back: Scene) -> None:
        self.table = table
        self.back = back
        self.start = table.position
        self.refused = refused
        self.note = "" if refused is None else table.telling.question(refused, self.start)[:MOST_NOTE]
        self.page = 0

    def step(self) -> Any | None:
        """What goes into the record: what was refused as far as hands do it, or the note alone; None for nothing."""
        settled, note = self.table.telling.settled, self.note
        done = settled(self.start, self.refused, note) if self.refused is not None else None
        step = done if done is not None else settled(self.start, None, note)
        return step if step is not None and self.table.match.system.judge(self.start, step).legal else None

    def show(self) -> Screen:
        """What would be recorded, beside the table as it would stand; the note, and the way to set it by hand."""
        step = self.step()
        after = self.start if step is None else self.table.match.system.apply(self.start, step)
        back = Button(_("Back"), Intent("back"), "quiet")
        agree = Button(_("We both agree"), Intent("agree"), "primary" if self._is_worth(step) else "off")
        return Screen(
            title=_("Settle it between you"),
            blocks=(*self._told(step), self._note(), *self._by_hand()),
            actions=(back, agree) if step is not None else (back,),
            page=self.page,
            board=self.table.telling.picture(after),
        )

    def show_to(self, seat: str) -> Screen:
        """In a half the words alone."""
        del seat
        return replace(self.show(), board=None)

    def _is_worth(self, step: Any | None) -> bool:
        """Whether there is anything to record: a change, or at least a note."""
        return step is not None and bool(self.note or self._changes(step))

    def _changes(self, step: Any) -> bool:
        return bool(self.table.match.system.apply(self.start, step) != self.start)

    def _told(self, step: Any | None) -> tuple[Block, ...]:
        if step is None or not self._changes(step):
            return (Text(_("Write down what you agreed. What stands otherwise then is set by hand."), "quiet"),)
        line = self.table.telling.line(step, self.start, self.table.people)
        return Text(_("This goes into the record:"), "quiet"), Text(line, "strong")

    def _note(self) -> Block:
        return Slip(self.note or _("Add a note"), "", "", Intent("note"))

    def _by_hand(self) -> tuple[Block, ...]:
        hand = Button(_("Set it by hand"), Intent("by-hand"), sign="pencil", note=_("how it stands at the table"))
        return (Buttons((hand,), 1),)

    def touch(self, intent: Intent) -> Scene | None:
        """The note, setting it by hand, both players' word, or back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note":
            ask = Ask(_("What did you agree on?"), self.note, _("a few words"), MOST_NOTE, empty=True)
            return TypingScene(ask, self._noted, self)
        elif intent.verb == "by-hand":
            return self.table.telling.by_hand(self.table, self)
        elif intent.verb == "agree":
            return self._agree()
        return self.back if intent.verb == "back" else None

    def _noted(self, note: str) -> Scene:
        self.note = note
        return self

    def _agree(self) -> Scene | None:
        step = self.step()
        if not self._is_worth(step):
            return None
        effect = _("It goes into the log as agreed by you both, and can be undone.")
        line = self.table.telling.line(step, self.start, self.table.people)
        return ConsentScene((_("Is this what you agreed?"), line, effect), self.table.people, self._record, self)

    def _record(self) -> Scene | None:
        """Write it down, unless the game went on meanwhile."""
        step = self.step()
        if self.table.position is not self.start or step is None:
            return SettleScene(self.table, None, self.back)
        self.table.match.offer(step)
        self.table.stage.services.clock.release(WHY)  # the argument is over
        self.table.refresh()
        return self.table
