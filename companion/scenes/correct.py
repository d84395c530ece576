"""A step that was recorded wrongly: what was wrong, what follows from putting it right, and both players' word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion import sums
from companion.journal import object_of
from companion.language import _, plural
from companion.match import Match
from companion.scenes.consent import ConsentScene
from companion.scenes.log_entries import people_of
from companion.scenes.log_words import told, told_whole
from companion.scenes.picture import Marks, map_picture
from companion.scenes.screen import Block, Button, Buttons, FindingLine, Findings, Intent, Screen, Text
from companion.scenes.stage import Scene
from companion.scenes.words import sentence
from companion.undone import CORRECT
from engine.errors import EngineError
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.wire import step_from_json
from engine.ruling import Ruling

if TYPE_CHECKING:
    from companion.scenes.match_table import MatchTable

MOST_MARKED = 8  # areas on the map


@dataclass(frozen=True, slots=True)
class Recast:
    """A game with other steps from a point on.

    after: how many steps stay as they are; steps: what follows them, as far as the rules go along; dropped: how many
    of the recorded steps do not follow any more; failed: the ruling against the first of these, None without;
    restored: whether the steps are what stood there before a correction.
    """

    after: int
    steps: tuple[Step, ...]
    position: Position
    dropped: int
    failed: Ruling | None
    restored: bool = False


def recast(match: Match, number: int, replaced: Sequence[Step]) -> Recast:
    """The game with these legal steps in place of step `number` (from 1), and all that came after as far as it can."""
    rest = match.steps[number:]
    start = game.fold(match.positions[number - 1], replaced)
    done = game.replay(start, rest)
    steps = (*replaced, *rest[: done.done])
    return Recast(number - 1, steps, done.position, len(rest) - done.done, done.failed)


def restored(match: Match, number: int) -> Recast | None:
    """The game as it was before step `number` was corrected last; None where it was not."""
    found = [one for one in match.taken_back if one.why == CORRECT and one.after == number - 1]
    if not found:
        return None
    try:
        steps = tuple(step_from_json(sums.plain(object_of(line))) for line in found[-1].lines)
        position = game.fold(match.positions[number - 1], steps)
    except (ValueError, EngineError):
        return None
    return None if steps == match.steps[number - 1 :] else Recast(number - 1, steps, position, 0, None, restored=True)


class CorrectScene:
    """Asks what was wrong with a step."""

    shared = True  # it concerns both players

    def __init__(self, table: MatchTable, number: int, back: Scene) -> None:
        self.table = table
        self.number = number
        self.back = back

    def show(self) -> Screen:
        """The step as it is recorded, and the three things that may be wrong with it."""
        match = self.table.match
        before = match.positions[self.number - 1]
        recorded = told_whole(match.steps[self.number - 1], before, people_of(match)) or _("No card was played.")
        choices = (
            Button(_("It was different"), Intent("replace"), note=_("say what really happened")),
            Button(_("It never happened"), Intent("remove"), note=_("take out this one step")),
            Button(_("The board is different now"), Intent("straight"), note=_("put the present right, keep the past")),
        )
        return Screen(
            title=_("What was wrong?"),
            blocks=(
                Text(_("Recorded as step {n}:").format(n=self.number), "quiet"),
                Text(recorded, "strong"),
                Buttons(choices, 1),
            ),
            actions=(Button(_("Back"), Intent("back"), "quiet"),),
            map=map_picture(before, Marks(), None),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        if intent.verb == "replace":
            from companion.scenes.correct_step import ReplaceScene

            return ReplaceScene(self.table, self.number, self)
        if intent.verb == "remove":
            return ReviewScene(self.table, recast(self.table.match, self.number, ()), self)
        if intent.verb == "straight":
            from companion.scenes.correct_now import StraightScene

            return StraightScene(self.table, self)
        return self.back if intent.verb == "back" else None


class ReviewScene(ConsentScene):
    """What the game becomes with the correction; both players say yes to it beside the board that it leads to."""

    def __init__(self, table: MatchTable, found: Recast, back: Scene) -> None:
        asked = _("Correct the record?"), _("The log keeps a mark, with what stood there before.")
        super().__init__(asked, people_of(table.match), self._record, back)
        self.table = table
        self.found = found

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        """Before and after in sentences, how far the rest still holds, and the board it leads to."""
        asked = super()._screen(factions)
        shown = map_picture(self.found.position, Marks(dict.fromkeys(self._changed(), "chosen")), None)
        return replace(asked, blocks=(*self._change(), *self._rest(), *asked.blocks[1:]), map=shown, page=self.page)

    def _change(self) -> tuple[Block, ...]:
        match, found = self.table.match, self.found
        before = match.positions[found.after]
        old = told(match.steps[found.after], before, people_of(match)) or _("No card was played.")
        was = Text(_("Recorded: {step}").format(step=old))
        if self._only_removed():
            return was, Text(_("Now: this step is taken out."), "strong")
        new = told(found.steps[0], before, people_of(match)) or _("No card was played.")
        return was, Text(_("Now: {step}").format(step=new), "strong")

    def _only_removed(self) -> bool:
        """Whether a step went and none came in its place."""
        if self.found.restored:
            return False
        kept = len(self.table.match.steps) - self.found.after - 1 - self.found.dropped
        return len(self.found.steps) == kept

    def _rest(self) -> tuple[Block, ...]:
        """How many of the later steps still hold; and the first that does not, with its ruling."""
        match, found = self.table.match, self.found
        if found.restored:
            return (Text(_("The game goes back to how it stood before the correction."), "warn"),)
        later = len(match.steps) - found.after - 1
        if not later:
            return ()
        if not found.dropped:
            return (
                Text(plural("The {n} step after it still holds.", "All {n} steps after it still hold.", later), "good"),
            )
        first = len(match.steps) - found.dropped
        step = told(match.steps[first], match.positions[first], people_of(match)) or _("No card was played.")
        kept = later - found.dropped
        holds = plural("{n} step after it still holds. ", "{n} steps after it still hold. ", kept) if kept else ""
        stops = _("Then this can't have been: {step}").format(step=step)
        goes = plural(
            "It is taken out, and is to be told anew.",
            "It and all after it ({n} steps) are taken out, and are to be told anew.",
            found.dropped,
        )
        return Text(f"{holds}{stops}", "warn"), *_ruling(found.failed), Text(goes)

    def _changed(self) -> list[str]:
        """Where the board now is another; nothing where it is another game altogether."""
        now, then = self.table.match.position, self.found.position
        names = [area.name for area in now.board.areas if now.units_in(area.name) != then.units_in(area.name)]
        return names if len(names) <= MOST_MARKED else []

    def _record(self) -> Scene:
        self.table.match.recast(self.found.after, self.found.steps)
        self.table.refresh()
        return self.table


def _ruling(ruling: Ruling | None) -> tuple[Block, ...]:
    if ruling is None:
        return ()
    first = ruling.objections[0]
    return (Findings((FindingLine(False, sentence(first.message), str(first.citation), first.rule, first.reading),)),)
