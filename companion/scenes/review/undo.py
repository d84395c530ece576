"""Taking back and doing again: the last steps by name, and both players' word where chance is taken back."""

from __future__ import annotations

from itertools import islice
from typing import Any

from companion.core.errors import MatchError
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.tale import Tale, ToldTable, again_told, asks_both, last_visible, told_as, told_in_all
from companion.text.catalogue import _, plural
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Columns, Intent, Option, Options, Screen, Text

MOST = 4  # of each list: what lies further back is found in the log


def take_back(table: ToldTable, to: int, back: Scene) -> Scene | None:
    """Take the match back to its first `to` steps: the scene that follows. Both are asked where chance had spoken.

    MatchError where the disk refuses.
    """
    if to >= len(table.match.steps):
        return back
    if not asks_both(table.tale, to):
        return _taken_back(table, to)
    asked = _("Take back dice or cards?"), _goes(table.tale, to)
    return ConsentScene(asked, table.people, lambda: _taken_back(table, to), back)


def _taken_back(table: ToldTable, to: int) -> Scene:
    """Shorten the match; the table then says what hands have to put back."""
    table.match.undo(len(table.match.steps) - to)
    table.refresh()
    return table


def _goes(tale: Tale[Any, Any], to: int) -> str:
    """What goes: the sentences of the steps, the newest first, as many as can be read at a glance."""
    texts = [_line(tale, n) for n in islice(last_visible(tale), 3) if n > to]
    gone = told_in_all(tale) - told_as(tale, to)
    if gone > 3:
        texts.append(plural("And {n} step before.", "And {n} steps before.", gone - 3))
    return " ".join(texts)


def _line(tale: Tale[Any, Any], number: int) -> str:
    """The step of that number, in a sentence."""
    return tale.line(tale.match.steps[number - 1], tale.match.positions[number - 1])


class UndoScene:
    """Two lists side by side: what can be taken back, and what can be done again. A touch goes that far."""

    def __init__(self, table: ToldTable, back: Scene) -> None:
        self.table = table
        self.back = back
        self.banner = ""

    def show(self) -> Screen:
        """The lists, what lies next at the top."""
        tale = self.table.tale
        steps = [Option(_line(tale, n), Intent("undo-to", "", n - 1)) for n in islice(last_visible(tale), MOST)]
        again = [Option(text, Intent("redo", "", n)) for n, text in again_told(tale)[:MOST]]
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
            from companion.scenes.review.log import LogScene

            return LogScene(self.table, self)
        return self.back if intent.verb == "back" else None


def _cards(options: list[Option], nothing: str) -> tuple[Block, ...]:
    """The options one under the other."""
    return tuple(Options("", (one,), 16.0) for one in options) or (Text(nothing, "quiet"),)
