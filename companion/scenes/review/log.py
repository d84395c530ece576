"""The log: every step in a sentence, by chapters and turns; a touch on a turn shows the table of that moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.games.match import AnyMatch
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.course import Course
from companion.scenes.story.game_log import (
    Chapter,
    LoggedTable,
    TurnEntry,
    last_visible,
    line_of,
    redo_lines,
    take_back,
    visible_count,
    visible_number,
)
from companion.scenes.story.presenter import with_picture
from companion.scenes.story.tables import AnyTable
from companion.systems.game_system import Slot
from companion.text.faults import fault_words
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Columns,
    Intent,
    LogLine,
    LogTurn,
    Look,
    Option,
    Options,
    Screen,
    Text,
    back_button,
)

REVIEWS = Slot[Callable[[Any, Scene], Scene]]("review")
"""Opens the review of the game at a system's own table; the second argument is the scene to go back to."""


def review_button(table: LoggedTable, look: Look) -> tuple[Button, ...]:
    """Return the button that opens the review; empty while the game isn't over, or if its system has no reviews."""
    over = table.winner is not None and REVIEWS.is_filled(table.match.system.name)
    return (Button(_("Review"), Intent("review"), look, "scales"),) if over else ()


def review_scene(table: LoggedTable, back: Scene) -> Scene:
    """Open the review of a game whose system has one."""
    return REVIEWS.of(table.match.system.name)(table, back)


LIFTED = 2  # an intent's number once the finger has left what it drags


class LogScene(BackScene):
    """The log: a chapter's turns, newest first, with buttons for the other chapters."""

    def __init__(self, table: LoggedTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.round = 0  # the chapter that was chosen; 0 is the one that is played
        self.course = Course(table.game_log)
        self.looked_at = -1  # the number of steps at the finger on the curve; none is there
        self._cached_turns: tuple[object, int, tuple[TurnEntry, ...]] = (None, 0, ())

    def _turns(self, chapter: Chapter, number: int) -> tuple[TurnEntry, ...]:
        """Return a chapter's turns in words, cached until the match moves."""
        position = self.table.match.position
        if self._cached_turns[0] is not position or self._cached_turns[1] != number:
            self._cached_turns = position, number, chapter.turns
        return self._cached_turns[2]

    def show(self) -> Screen:
        """Show a chapter's turns, below the buttons of the chapters."""
        found = self.table.game_log.chapters()
        chosen = min(self.round, len(found)) or len(found)
        back = back_button("primary")
        undo = Button(_("Undo and redo"), Intent("undo-list"))
        turns = self._turns(found[chosen - 1], chosen) if found else ()
        review = review_button(self.table, "plain")
        screen = Screen(
            title=found[0].title if len(found) == 1 else _("Game log") if not found else "",
            blocks=(
                *self._titles(found, chosen),
                *self.course.scrubber(len(self.table.match.steps) if self.looked_at < 0 else self.looked_at),
                *map(_card, reversed(turns)),
                *self._start(chosen),
            ),
            actions=(undo, *review, back),
            page=self.page,
        )
        return (
            screen if found else with_picture(screen, self.table.game_log.presenter.picture(self.table.match.position))
        )

    def show_to(self, _seat: str) -> Screen:
        """Show the log without a picture of the table, as half the screen has no room for both."""
        return replace(self.show(), map=None, board=None)

    def _titles(self, found: Sequence[Chapter], chosen: int) -> tuple[Block, ...]:
        """Return buttons for the chosen chapter and its neighbours; half the screen has room for three."""
        first = max(1, min(chosen - 1, len(found) - 2))
        shown = range(first, min(first + 2, len(found)) + 1)
        looks: dict[int, Look] = {chosen: "chosen"}
        buttons = (Button(found[n - 1].title, Intent("round", "", n), looks.get(n, "plain")) for n in shown)
        return (Choice("", tuple(buttons)),) if len(found) > 1 else ()

    def _start(self, chosen: int) -> tuple[Block, ...]:
        """Return how the game began, to stand below the first chapter's turns; empty for a later chapter."""
        if chosen > 1:
            return ()
        start = Text(self.table.game_log.start_words(), "quiet" if chosen else "plain")
        return (start,) if chosen else (Text(_("Nothing has happened yet.")), start)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a turn, another chapter or page, the curve, undo and redo, the review, or Back."""
        if intent.verb == "round":
            self.round, self.page = intent.n, 0
        match intent.verb:
            case "scrub":
                return self._scrub(intent)
            case "moment":
                return self.table.moment(intent.n, self)
            case "undo-list":
                return UndoScene(self.table, self)
            case "review":
                return review_scene(self.table, self)
        return super().touch(intent)

    def _scrub(self, intent: Intent) -> Scene | None:
        """Mark the place of a finger on the curve; once it lifts, open that moment."""
        self.looked_at = self.course.step_at(intent.at[0])
        if intent.n < LIFTED:
            return None
        number, self.looked_at = self.looked_at, -1
        return self.table.moment(number, self)


def _card(turn: TurnEntry) -> LogTurn:
    lines = tuple(LogLine(entry.text, entry.marks) for entry in turn.entries)
    return LogTurn(turn.faction, turn.number, lines, Intent("moment", "", turn.last))


MOST = 4  # of each list: what lies further back is found in the log


class UndoScene(BackScene):
    """Two lists side by side, the steps to undo and those to redo; touching one undoes or redoes up to it."""

    def __init__(self, table: LoggedTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.banner = ""

    def show(self) -> Screen:
        """Show what can be undone and what can be redone, the nearest step at the top of each list."""
        log = self.table.game_log
        steps = [Option(line_of(log, n), Intent("undo-to", "", n - 1)) for n in islice(last_visible(log), MOST)]
        again = [Option(text, Intent("redo", "", n)) for n, text in redo_lines(log)[:MOST]]
        return Screen(
            title=_("Undo and redo"),
            blocks=(
                Text(_("Touch a step to undo (or redo) back to it."), "quiet"),
                Columns(
                    (Text(_("Undo"), "strong"), *_cards(steps, _("Nothing to undo."))),
                    (Text(_("Redo"), "strong"), *_cards(again, _("Nothing to redo."))),
                ),
            ),
            actions=(Button(_("All steps"), Intent("log"), "quiet"), back_button("primary")),
            banner=self.banner,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Undo or redo up to the touched step."""
        self.banner = ""
        try:
            return self._go(intent)
        except MatchError as error:
            self.banner = fault_words(error)
            return None

    def _go(self, intent: Intent) -> Scene | None:
        if intent.verb == "undo-to":
            following = take_back(self.table, intent.n, self)
            return self if following is self.table else following
        if intent.verb == "redo":
            self.table.match.redo(intent.n)
            self.table.refresh()
        elif intent.verb == "log":
            return LogScene(self.table, self)
        return super().touch(intent)


def _cards(options: list[Option], nothing: str) -> tuple[Block, ...]:
    """Return the options one below the other, or the text for when there are none."""
    return tuple(Options("", (option,), 16.0) for option in options) or (Text(nothing, "quiet"),)


# ---- a moment of the game, looked back at ---------------------------------------------------------


class MomentScene(BackScene):
    """The table as it was after a step, with buttons for other moments and to resume the game from this one."""

    shared = True  # both look back, on the picture between them

    def __init__(self, table: AnyTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.number = number  # of the step that the table has just seen; 0 is the start
        self.banner = ""
        self.course = Course(table.game_log)

    # ---- what a system may have otherwise -----------------------------------------------------------

    def facts(self) -> tuple[Block, ...]:
        """Return blocks on how the game stood, shown if there is no curve."""
        return ()

    def more_blocks(self) -> tuple[Block, ...]:
        """Return blocks on how the game stood, to put below the buttons."""
        facts = self.table.presenter.facts(self.match.positions[self.number], self.table.people)
        return (Text(facts, "quiet"),) if facts else ()

    def step_buttons(self) -> tuple[Button, ...]:
        """Return the buttons about the step shown; none at the start of the game."""
        why = Button(_("Why was that allowed?"), Intent("why"), note=_("the rules behind it"))
        return (why,) if self.number else ()

    def follow_button(self, intent: Intent) -> Scene | None:
        """Open the scene behind one of this moment's own buttons."""
        return self.table.step_scene(self.number, self) if intent.verb == "why" and self.number else None

    # ---- what it shows ------------------------------------------------------------------------------

    @property
    def match(self) -> AnyMatch:
        """The match as it is now; it may have got shorter since this was opened."""
        self.number = min(self.number, len(self.table.match.steps))
        return self.table.match

    def show(self) -> Screen:
        """Show the step that led to this moment, the curve, and the buttons, beside the table as it stood."""
        match, log = self.match, self.table.game_log
        where = self.table.presenter.moment_words(
            match.positions[self.number], visible_number(log, self.number), visible_count(log)
        )
        words = Screen(
            title=_("Replay"),
            blocks=(
                Text(where, "quiet"),
                *self._step_blocks(),
                *(self.course.scrubber(self.number) or self.facts()),
                *self._ways(),
                *self.more_blocks(),
            ),
            actions=(back_button("primary"),),
            banner=self.banner,
            page=self.page,
        )
        return with_picture(words, self.table.presenter.moment_picture(match, self.number))

    def _step_blocks(self) -> tuple[Block, ...]:
        """Return the step shown in words, with its marks."""
        log = self.table.game_log
        if not self.number:
            return Text(_("The start of the game."), "strong"), Text(log.start_words())
        step = self.match.steps[self.number - 1]
        text = log.recorded_line(self.number) or self.table.presenter.silent_words()
        return Text(text, "strong"), *(Text(mark, "warn") for mark in log.marks(step))

    def _ways(self) -> tuple[Block, ...]:
        """Return the buttons to leaf through, to resume from here, and about the step."""
        gone = visible_count(self.table.game_log) - visible_number(self.table.game_log, self.number)
        note = plural("undoes {n} step", "undoes {n} steps", gone)
        go_on = (Button(_("Resume here"), Intent("go-on"), note=note),) if gone else ()
        others = (*go_on, *self.step_buttons())
        rest = (Buttons(others, 2 if len(others) < 5 else 3),) if others else ()
        return leaf_buttons(self.number, len(self.match.steps)), *rest

    def touch(self, intent: Intent) -> Scene | None:
        """Show another moment, resume the game from this one, or follow one of its buttons."""
        self.banner = ""
        if intent.verb == "step":
            self.number, self.page = self._next(intent.n), 0
        elif intent.verb == "scrub":
            self.number, self.page = self.course.step_at(intent.at[0]), 0
        elif intent.verb == "go-on":
            return self._go_on()
        return super().touch(intent) or self.follow_button(intent)

    def _next(self, way: int) -> int:
        """Return the next moment in a direction (1 or -1), skipping silent steps but not the start or the end."""
        steps, silent = self.match.steps, self.table.game_log.is_silent
        ends, last = (0, len(steps)), self.number
        beyond = range(last + 1, len(steps) + 1) if way > 0 else range(last - 1, -1, -1)
        return next((n for n in beyond if n in ends or not silent(steps[n - 1])), last)

    def _go_on(self) -> Scene | None:
        try:
            return take_back(self.table, self.number, self)
        except MatchError as error:
            self.banner = fault_words(error)
            return None


def leaf_buttons(number: int, last: int) -> Buttons:
    """Return the buttons "Earlier" and "Later", each off at its end. number: the step shown; last: the last step."""
    ways = ((_("Earlier"), -1, number > 0), (_("Later"), 1, number < last))
    return Buttons(
        tuple(Button(label, Intent("step", "", n), "plain" if on else "off", repeats=True) for label, n, on in ways), 2
    )
