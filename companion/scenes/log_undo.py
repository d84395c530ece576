"""Taking back and doing again: the last steps by name, and both players' word where dice or cards are taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import MatchError
from companion.fault_words import fault_words
from companion.language import _, plural
from companion.match import Match
from companion.scenes.consent import ConsentScene
from companion.scenes.log_entries import asks_both, people_of, visible
from companion.scenes.log_words import told
from companion.scenes.screen import Block, Button, Columns, Intent, Option, Options, Screen, Text
from companion.scenes.stage import Scene
from engine.orders import game
from engine.orders.position import Position

if TYPE_CHECKING:
    from companion.scenes.table import TableScene

MOST = 4  # of each list: what lies further back is found in the log


def take_back(table: TableScene, to: int, back: Scene) -> Scene | None:
    """Take the match back to its first `to` steps: the scene that follows. Both are asked where chance had spoken.

    MatchError where the disk refuses.
    """
    match = table.match
    gone = list(zip(match.steps, match.positions[:-1], strict=True))[to:]
    if not gone:
        return back
    if not asks_both(gone):
        return _taken_back(table, to)
    asked = _("Take back dice or cards?"), _goes(match, to)
    return ConsentScene(asked, people_of(match), lambda: _taken_back(table, to), back)


def _taken_back(table: TableScene, to: int) -> Scene:
    """Shorten the match; the table then says what hands have to put back."""
    table.match.undo(len(table.match.steps) - to)
    table.refresh()
    return table


def _goes(match: Match, to: int) -> str:
    """What goes: the sentences of the steps, the newest first, as many as can be read at a glance."""
    numbers = [n for n in visible(match) if n > to]
    texts = [told(match.steps[n - 1], match.positions[n - 1], people_of(match)) for n in numbers[:3]]
    if len(numbers) > 3:
        texts.append(plural("And {n} step before.", "And {n} steps before.", len(numbers) - 3))
    return " ".join(texts)


def last_told(match: Match) -> int:
    """How many steps are left when the last one that is worth a sentence is taken back."""
    return next(iter(visible(match)), 1) - 1


def again_told(match: Match) -> list[tuple[int, str]]:
    """What can be done again, the next one first: (how many steps that takes, the sentence)."""
    found: list[tuple[int, str]] = []
    position: Position = match.position
    for n, step in enumerate(match.again, 1):
        if not game.judge(position, step).legal:
            break
        text = told(step, position, people_of(match))
        position = game.apply(position, step)
        if text:
            found.append((n, text))
        elif found:  # a silent step goes with the one before it
            found[-1] = (n, found[-1][1])
    return found


class UndoScene:
    """Two lists side by side: what can be taken back, and what can be done again. A touch goes that far."""

    def __init__(self, table: TableScene, back: Scene) -> None:
        self.table = table
        self.back = back
        self.banner = ""

    def show(self) -> Screen:
        """The lists, what lies next at the top."""
        match = self.table.match
        steps = [self._back_option(n) for n in visible(match)[:MOST]]
        again = [Option(text, Intent("redo", "", n)) for n, text in again_told(match)[:MOST]]
        return Screen(
            title=_("Take back, do again"),
            blocks=(
                Text(_("A touch goes as far as that step, with all above it."), "quiet"),
                Columns(
                    (Text(_("Take back"), "strong"), *_cards(steps, _("There is nothing to take back."))),
                    (Text(_("Do again"), "strong"), *_cards(again, _("Nothing was taken back."))),
                ),
            ),
            actions=(Button(_("All steps"), Intent("log"), "quiet"), Button(_("Done"), Intent("back"), "primary")),
            banner=self.banner,
        )

    def _back_option(self, number: int) -> Option:
        match = self.table.match
        text = told(match.steps[number - 1], match.positions[number - 1], people_of(match))
        return Option(text, Intent("undo-to", "", number - 1))

    def touch(self, intent: Intent) -> Scene | None:
        """Take back or do again as far as the touched step."""
        self.banner = ""
        try:
            return self._touched(intent)
        except MatchError as error:
            self.banner = fault_words(error)
            return None

    def _touched(self, intent: Intent) -> Scene | None:
        if intent.verb == "undo-to":
            following = take_back(self.table, intent.n, self)
            return self if following is self.table else following
        if intent.verb == "redo":
            self.table.match.redo(intent.n)
            self.table.refresh()
        elif intent.verb == "log":
            from companion.scenes.log import LogScene

            return LogScene(self.table, self)
        return self.back if intent.verb == "back" else None


def _cards(options: list[Option], nothing: str) -> tuple[Block, ...]:
    """The options one under the other."""
    return tuple(Options("", (one,), 16.0) for one in options) or (Text(nothing, "quiet"),)
