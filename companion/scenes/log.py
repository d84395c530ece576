"""The log: every step in a sentence, by rounds and turns; a touch on a turn shows the board of that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import MatchError
from companion.fault_words import fault_words
from companion.language import _, plural
from companion.match import Match
from companion.scenes.correct import CorrectScene, ReviewScene, restored
from companion.scenes.dispute import StepScene
from companion.scenes.log_entries import TurnEntry, own_marks, people_of, turns, visible
from companion.scenes.log_undo import UndoScene, take_back
from companion.scenes.log_words import told_start, told_whole
from companion.scenes.picture import Marks, Overlay, map_picture
from companion.scenes.screen import Block, Button, Buttons, Choice, Intent, LogLine, LogTurn, Look, Screen, Text, Trace
from companion.scenes.stage import Scene
from companion.scenes.traces import last_turn
from companion.scenes.whatif import WhatIfScene
from engine.orders.position import Position
from engine.orders.score import score

if TYPE_CHECKING:
    from companion.scenes.table import TableScene


class LogScene:
    """The turns of a round, the newest first; the other rounds are one touch away."""

    def __init__(self, table: TableScene, back: Scene) -> None:
        self.table = table
        self.back = back
        self.page = 0
        self.round = 0  # the one that was chosen; 0 is the one that is played
        self._told: tuple[Position, list[TurnEntry]] | None = None

    def _turns(self) -> list[TurnEntry]:
        """All turns, told anew only when the match has moved."""
        match = self.table.match
        if self._told is None or self._told[0] is not match.position:
            self._told = match.position, turns(match)
        return self._told[1]

    def show(self) -> Screen:
        """A round's turns, under the buttons of the rounds."""
        found = self._turns()
        last = found[-1].round if found else 1
        chosen = min(self.round, last) or last
        back = Button(_("Back"), Intent("back"), "primary")
        undo = Button(_("Take back, do again"), Intent("undo-list"))
        cards = tuple(_card(turn) for turn in reversed(found) if turn.round == chosen)
        return Screen(
            blocks=(self._rounds(chosen, last), *cards, *self._start(chosen, bool(found))),
            actions=(undo, back),
            page=self.page,
        )

    def _rounds(self, chosen: int, last: int) -> Choice:
        """A button for the chosen round and for those beside it: three have room in a half of the screen."""
        first = max(1, min(chosen - 1, last - 2))
        shown = range(first, min(first + 2, last) + 1)
        return Choice("", tuple(self._round(n, n == chosen) for n in shown))

    def _round(self, n: int, chosen: bool) -> Button:
        return Button(_("Round {n}").format(n=n), Intent("round", "", n), "chosen" if chosen else "plain")

    def _start(self, chosen: int, begun: bool) -> tuple[Block, ...]:
        """How the game began, under the turns of its first round."""
        if chosen > 1:
            return ()
        match = self.table.match
        start = Text(told_start(match.positions[0], match.chance, people_of(match)), "quiet")
        return (start,) if begun else (Text(_("Nothing has happened yet."), "quiet"), start)

    def touch(self, intent: Intent) -> Scene | None:
        """A turn's moment, another round or page, the list of what to take back, or back."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "round":
            self.round, self.page = intent.n, 0
        if intent.verb == "moment":
            return MomentScene(self.table, intent.n, self)
        if intent.verb == "undo-list":
            return UndoScene(self.table, self)
        return self.back if intent.verb == "back" else None


def _card(turn: TurnEntry) -> LogTurn:
    lines = tuple(LogLine(one.text, one.marks) for one in turn.entries)
    return LogTurn(turn.faction, turn.number, lines, Intent("moment", "", turn.last))


class MomentScene:
    """The board after a step, to look at: a step earlier or later, back to now, or to go on from there."""

    shared = True  # both look back, on the map between them

    def __init__(self, table: TableScene, number: int, back: Scene) -> None:
        self.table = table
        self.number = number  # of the step that the board has just seen; 0 is the start
        self.back = back
        self.banner = ""

    @property
    def match(self) -> Match:
        """The match as it is now; it may have got shorter since this was opened."""
        self.number = min(self.number, len(self.table.match.steps))
        return self.table.match

    def show(self) -> Screen:
        """The map of the moment, the step that led to it, and the ways on."""
        match = self.match
        position = match.positions[self.number]
        return Screen(
            title=_("Looking back"),
            blocks=(Text(self._where(position), "quiet"), *self._told(), Text(self._points(position)), *self._ways()),
            actions=(Button(_("The log"), Intent("back"), "quiet"), Button(_("Back to now"), Intent("now"), "primary")),
            banner=self.banner,
            map=map_picture(position, Marks(), None, Overlay(traces=self._traces())),
        )

    def _where(self, position: Position) -> str:
        return _("Round {n}, after step {step} of {all}. Nothing changes while you look.").format(
            n=position.round, step=self.number, all=len(self.match.steps)
        )

    def _told(self) -> tuple[Block, ...]:
        """The step in words, with its own marks."""
        if not self.number:
            start = told_start(self.match.positions[0], self.match.chance, people_of(self.match))
            return Text(_("The start of the game."), "strong"), Text(start)
        step, before = self.match.steps[self.number - 1], self.match.positions[self.number - 1]
        text = told_whole(step, before, people_of(self.match)) or _("No card was played.")
        return Text(text, "strong"), *(Text(mark, "warn") for mark in own_marks(step))

    def _points(self, position: Position) -> str:
        people, points = people_of(self.match), score(position).vp
        return " · ".join(
            _("{who}: {points}").format(who=people.name(one), points=plural("{n} point", "{n} points", points[one]))
            for one in position.board.factions
        )

    def _traces(self) -> tuple[Trace, ...]:
        """What the turn did that the step belongs to, as far as it had come."""
        match = self.match
        return last_turn(match.positions[: self.number + 1], match.steps[: self.number])

    def _ways(self) -> tuple[Block, ...]:
        """Earlier and later; then to go on from here, to ask about the step, and to say what was wrong with it."""
        earlier: Look = "plain" if self.number else "off"
        later: Look = "plain" if self.number < len(self.match.steps) else "off"
        leaf = (
            Button(_("Earlier"), Intent("step", "", -1), earlier),
            Button(_("Later"), Intent("step", "", 1), later),
        )
        what_if = Button(_("What if?"), Intent("what-if"), note=_("try from here"))
        others = (*self._go_on_button(), *self._of_step(), what_if, *self._uncorrect())
        return Buttons(leaf, 2), Buttons(others, 2 if len(others) < 5 else 3)

    def _of_step(self) -> tuple[Button, ...]:
        if not self.number:
            return ()
        why = Button(_("Why?"), Intent("why"), note=_("the rules behind it"))
        return Button(_("This was wrong"), Intent("wrong"), note=_("correct it")), why

    def _go_on_button(self) -> tuple[Button, ...]:
        gone = sum(n > self.number for n in visible(self.match))
        note = plural("takes back {n} step", "takes back {n} steps", gone)
        return (Button(_("Go on from here"), Intent("go-on"), note=note),) if gone else ()

    def _uncorrect(self) -> tuple[Button, ...]:
        """The way back from a correction of this step."""
        if not self.number or restored(self.match, self.number) is None:
            return ()
        return (Button(_("Undo the correction"), Intent("uncorrect")),)

    def touch(self, intent: Intent) -> Scene | None:
        """Look elsewhere, or act on it."""
        self.banner = ""
        if intent.verb == "step":
            self.number = self._next(intent.n)
        elif intent.verb == "now":
            return self.table
        elif intent.verb == "go-on":
            return self._go_on()
        elif intent.verb == "why" and self.number:
            return StepScene(self.match, self.number, self)
        elif intent.verb == "what-if":
            match = self.match
            return WhatIfScene(match.positions[self.number], match.players, self)
        elif intent.verb == "wrong":
            return CorrectScene(self.table, self.number, self)
        elif intent.verb == "uncorrect" and (found := restored(self.match, self.number)):
            return ReviewScene(self.table, found, self)
        return self.back if intent.verb == "back" else None

    def _next(self, way: int) -> int:
        """The next moment that way that is worth a sentence, the start or the end."""
        told = sorted({0, len(self.match.steps), *visible(self.match)})
        if way > 0:
            return next((n for n in told if n > self.number), self.number)
        return next((n for n in reversed(told) if n < self.number), self.number)

    def _go_on(self) -> Scene | None:
        try:
            return take_back(self.table, self.number, self)
        except MatchError as error:
            self.banner = fault_words(error)
            return None
