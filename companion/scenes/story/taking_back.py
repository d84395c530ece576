"""Steps taken back; both players are asked where chance had spoken."""

from __future__ import annotations

from itertools import islice
from typing import Any

from companion.core.language import _, plural
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.story.game_log import GameLog, LoggedTable, asks_both, last_visible, visible_count, visible_number


def take_back(table: LoggedTable, to: int, back: Scene) -> Scene | None:
    """Take the match back to its first `to` steps: the scene that follows. Both are asked where chance had spoken.

    MatchError where the disk refuses.
    """
    if to >= len(table.match.steps):
        return back
    if not asks_both(table.game_log, to):
        return _taken_back(table, to)
    asked = _("Take back dice or cards?"), _goes(table.game_log, to)
    return ConsentScene(asked, table.people, lambda: _taken_back(table, to), back)


def _taken_back(table: LoggedTable, to: int) -> Scene:
    """Shorten the match; the table then says what hands have to put back."""
    table.match.undo(len(table.match.steps) - to)
    table.refresh()
    return table


def _goes(log: GameLog[Any, Any], to: int) -> str:
    """What goes: the sentences of the steps, the newest first, as many as can be read at a glance."""
    texts = [line_of(log, n) for n in islice(last_visible(log), 3) if n > to]
    gone = visible_count(log) - visible_number(log, to)
    if gone > 3:
        texts.append(plural("And {n} step before.", "And {n} steps before.", gone - 3))
    return " ".join(texts)


def line_of(log: GameLog[Any, Any], number: int) -> str:
    """The step of that number, in a sentence."""
    return log.line(log.match.steps[number - 1], log.match.positions[number - 1])
