"""The log: every step in a sentence, by chapters and turns; a touch on a turn shows the table of that moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.core.errors import MatchError
from companion.core.language import _
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
)
from companion.scenes.story.presenter import with_picture
from companion.systems.game_system import Slot
from companion.text.faults import fault_words
from companion.ui.screen import (
    Block,
    Button,
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
"""Makes the scene that looks back on the game at a system's own table, with the scene to go back to."""


def review_button(table: LoggedTable, look: Look) -> tuple[Button, ...]:
    """Return the button that opens the review of a finished game; nothing if its system has none."""
    over = table.winner is not None and REVIEWS.is_filled(table.match.system.name)
    return (Button(_("Review"), Intent("review"), look, "scales"),) if over else ()


def review_of(table: LoggedTable, back: Scene) -> Scene:
    """Open the review of a game whose system has one."""
    return REVIEWS.of(table.match.system.name)(table, back)


LIFTED = 2  # an intent's number once the finger has left what it drags


class LogScene(BackScene):
    """The turns of a chapter, the newest first; the other chapters are one touch away."""

    def __init__(self, table: LoggedTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.round = 0  # the chapter that was chosen; 0 is the one that is played
        self.course = Course(table.game_log)
        self.looked_at = -1  # the number of steps at the finger on the curve; none is there
        self._cached_turns: tuple[object, int, tuple[TurnEntry, ...]] = (None, 0, ())

    def _turns(self, chapter: Chapter, number: int) -> tuple[TurnEntry, ...]:
        """Return a chapter in words, put together anew only when the match has moved."""
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
        """Show the words alone, as there is half the room and the table stands between the players."""
        return replace(self.show(), map=None, board=None)

    def _titles(self, found: Sequence[Chapter], chosen: int) -> tuple[Block, ...]:
        """Return buttons for the chosen chapter and its neighbours; half the screen has room for three."""
        first = max(1, min(chosen - 1, len(found) - 2))
        shown = range(first, min(first + 2, len(found)) + 1)
        looks: dict[int, Look] = {chosen: "chosen"}
        buttons = (Button(found[n - 1].title, Intent("round", "", n), looks.get(n, "plain")) for n in shown)
        return (Choice("", tuple(buttons)),) if len(found) > 1 else ()

    def _start(self, chosen: int) -> tuple[Block, ...]:
        """Return how the game began, for below the turns of its first chapter."""
        if chosen > 1:
            return ()
        start = Text(self.table.game_log.start(), "quiet" if chosen else "plain")
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
                return review_of(self.table, self)
        return super().touch(intent)

    def _scrub(self, intent: Intent) -> Scene | None:
        """Follow a finger along the curve; lifting it opens that moment."""
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
    """Two lists side by side: what can be taken back, and what can be done again. A touch goes that far."""

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
