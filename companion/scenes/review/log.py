"""The log: every step in a sentence, by chapters and turns; a touch on a turn shows the table of that moment."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import MatchError
from companion.games.match import AnyMatch
from companion.scenes.base.stage import Scene
from companion.scenes.base.tale import Chapter, ToldTable, TurnEntry, told_as, told_in_all
from companion.scenes.review.undo import UndoScene, take_back
from companion.text.catalogue import _, plural
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, LogLine, LogTurn, Look, Screen, Text


class LogScene:
    """The turns of a chapter, the newest first; the other chapters are one touch away."""

    def __init__(self, table: ToldTable, back: Scene) -> None:
        self.table = table
        self.back = back
        self.page = 0
        self.round = 0  # the chapter that was chosen; 0 is the one that is played
        self._told: tuple[object, int, tuple[TurnEntry, ...]] = (None, 0, ())

    def _turns(self, chapter: Chapter, number: int) -> tuple[TurnEntry, ...]:
        """A chapter in words, told anew only when the match has moved."""
        position = self.table.match.position
        if self._told[0] is not position or self._told[1] != number:
            self._told = position, number, chapter.turns
        return self._told[2]

    def show(self) -> Screen:
        """A chapter's turns, under the buttons of the chapters."""
        found = self.table.tale.chapters()
        chosen = min(self.round, len(found)) or len(found)
        back = Button(_("Back"), Intent("back"), "primary")
        undo = Button(_("Take back, do again"), Intent("undo-list"))
        turns = self._turns(found[chosen - 1], chosen) if found else ()
        return Screen(
            title=found[0].title if len(found) == 1 else "",
            blocks=(*self._titles(found, chosen), *map(_card, reversed(turns)), *self._start(chosen)),
            actions=(undo, back),
            page=self.page,
        )

    def _titles(self, found: Sequence[Chapter], chosen: int) -> tuple[Block, ...]:
        """A button for the chosen chapter and for those beside it: three have room in a half of the screen."""
        first = max(1, min(chosen - 1, len(found) - 2))
        shown = range(first, min(first + 2, len(found)) + 1)
        buttons = (Button(found[n - 1].title, Intent("round", "", n), _look(n == chosen)) for n in shown)
        return (Choice("", tuple(buttons)),) if len(found) > 1 else ()

    def _start(self, chosen: int) -> tuple[Block, ...]:
        """How the game began, under the turns of its first chapter."""
        if chosen > 1:
            return ()
        start = Text(self.table.tale.start(), "quiet")
        return (start,) if chosen else (Text(_("Nothing has happened yet."), "quiet"), start)

    def touch(self, intent: Intent) -> Scene | None:
        """A turn's moment, another chapter or page, the list of what to take back, or back."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "round":
            self.round, self.page = intent.n, 0
        if intent.verb == "moment":
            return self.table.moment(intent.n, self)
        if intent.verb == "undo-list":
            return UndoScene(self.table, self)
        return self.back if intent.verb == "back" else None


def _look(chosen: bool) -> Look:
    return "chosen" if chosen else "plain"


def _card(turn: TurnEntry) -> LogTurn:
    lines = tuple(LogLine(one.text, one.marks) for one in turn.entries)
    return LogTurn(turn.faction, turn.number, lines, Intent("moment", "", turn.last))


class LookingBack:
    """The table after a step, to look at: a step earlier or later, back to now, or to go on from there."""

    shared = True  # both look back, on the picture between them

    def __init__(self, table: ToldTable, number: int, back: Scene) -> None:
        self._table = table
        self.number = number  # of the step that the table has just seen; 0 is the start
        self.back = back
        self.banner = ""
        self.page = 0

    # ---- what a system says of it -------------------------------------------------------------------

    def where(self) -> str:
        """Which moment it is."""
        raise NotImplementedError

    def facts(self) -> tuple[Block, ...]:
        """How it stood."""
        return ()

    def besides(self) -> tuple[Block, ...]:
        """More of how it stood, where there is room below the ways on."""
        return ()

    def of_step(self) -> tuple[Button, ...]:
        """What may be asked about the step, or done with it."""
        raise NotImplementedError

    def elsewhere(self, intent: Intent) -> Scene | None:
        """The scene that one of its own buttons leads to."""
        raise NotImplementedError

    # ---- what it shows ------------------------------------------------------------------------------

    @property
    def _match(self) -> AnyMatch:
        """The match as it is now; it may have got shorter since this was opened."""
        self.number = min(self.number, len(self._table.match.steps))
        return self._table.match

    def show(self) -> Screen:
        """The step that led to the moment, and the ways on."""
        self.number = min(self.number, len(self._match.steps))
        return Screen(
            title=_("Looking back"),
            blocks=(Text(self.where(), "quiet"), *self._told(), *self.facts(), *self._ways(), *self.besides()),
            actions=(Button(_("The log"), Intent("back"), "quiet"), Button(_("Back to now"), Intent("now"), "primary")),
            banner=self.banner,
            page=self.page,
        )

    def _told(self) -> tuple[Block, ...]:
        """The step in words, with its own marks."""
        tale = self._table.tale
        if not self.number:
            return Text(_("The start of the game."), "strong"), Text(tale.start())
        step, (before, after) = self._match.steps[self.number - 1], self._match.positions[self.number - 1 :][:2]
        text = tale.whole(step, before, after) or self.untold()
        return Text(text, "strong"), *(Text(mark, "warn") for mark in tale.marks(step))

    def untold(self) -> str:
        """What is said of a step that goes without saying."""
        return _("Nothing that would be worth a sentence.")

    def _ways(self) -> tuple[Block, ...]:
        """Earlier and later; then to go on from here, and what there is to do with the step."""
        earlier: Look = "plain" if self.number else "off"
        later: Look = "plain" if self.number < len(self._match.steps) else "off"
        leaf = (
            Button(_("Earlier"), Intent("step", "", -1), earlier, repeats=True),
            Button(_("Later"), Intent("step", "", 1), later, repeats=True),
        )
        others = (*self._go_on_button(), *self.of_step())
        rest = (Buttons(others, 2 if len(others) < 5 else 3),) if others else ()
        return Buttons(leaf, 2), *rest

    def _go_on_button(self) -> tuple[Button, ...]:
        gone = told_in_all(self._table.tale) - told_as(self._table.tale, self.number)
        note = plural("takes back {n} step", "takes back {n} steps", gone)
        return (Button(_("Go on from here"), Intent("go-on"), note=note),) if gone else ()

    def touch(self, intent: Intent) -> Scene | None:
        """Look elsewhere, or act on it."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "step":
            self.number, self.page = self._next(intent.n), 0
        elif intent.verb == "now":
            return self._table
        elif intent.verb == "go-on":
            return self._go_on()
        return self.back if intent.verb == "back" else self.elsewhere(intent)

    def _next(self, way: int) -> int:
        """The next moment that way that is worth a sentence, the start or the end."""
        steps, silent = self._match.steps, self._table.tale.is_silent
        ends, last = (0, len(steps)), self.number
        beyond = range(last + 1, len(steps) + 1) if way > 0 else range(last - 1, -1, -1)
        return next((n for n in beyond if n in ends or not silent(steps[n - 1])), last)

    def _go_on(self) -> Scene | None:
        try:
            return take_back(self._table, self.number, self)
        except MatchError as error:
            self.banner = fault_words(error)
            return None
