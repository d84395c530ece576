"""What the camera sees differently from the record: notices, a turn taken back, an area to count by hand."""

from __future__ import annotations

from companion.core.language import _
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Answer, Close, Face, Refuse, Reply
from companion.scenes.orders.forms import Counts, key_of, key_text
from companion.text.orders import area_name, join_words, problem, sentence, turn_lines, unit_name, what_stands
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Prompt,
    Stepper,
    Steppers,
    Text,
    cancel_button,
    confirm_button,
)
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Step

MOST_LINES = 2


def notice(sense: SyncStatus, board: Board) -> tuple[Block, ...]:
    """Return a warning that the board is not as recorded, with buttons to put it right; empty if it is.

    Two sides seen in one area are taken for a conflict whose dice are still to be rolled.
    """
    if sense.clashing:
        form = _("Both sides seem to be in {areas}. Roll the dice, then remove the losses.")
        told = Text(form.format(areas=join_words(map(area_name, sense.clashing))), "strong")
        return (told, Buttons((_count_button(sense.clashing[0]),), 1))
    lines = tuple(
        Text(_("But: {problem}").format(problem=problem(item, board)), "bad") for item in sense.disputed[:MOST_LINES]
    )
    count = tuple(_count_button(item.place) for item in sense.disputed[:1])
    note = "" if count else _("the board and the game differ")
    fix = (Button(_("Fix it"), Intent("repair"), "danger", note=note),) if lines or sense.sign == "out" else ()
    return (*lines, Buttons((*count, *fix), len(count) + 1)) if fix else ()


def _count_button(area: str) -> Button:
    return Button(_("Count {area}").format(area=area_name(area)), Intent("recount", area))


class TakenBackPanel:
    """Asks whether to undo the last turn, as the board looks as it did before it.

    position: the current one; steps, before: the last turn's steps and the position before it.
    """

    def __init__(self, position: Position, steps: tuple[Step, ...], before: Position) -> None:
        self.position = position
        self._before = before
        self._steps = steps

    def show(self) -> Face:
        """Show the last turn, and ask whether to undo it."""
        turn = " ".join(map(sentence, turn_lines(self._steps, self._before)))
        asked = Prompt(self._before.to_move_name, _("The last turn was undone on the board. Undo it here?"), turn)
        stays = Button(_("No, it counts"), Intent("none"), "quiet")
        undo = confirm_button(_("Yes, undo it"), intent=Intent("undo-turn"))
        return Face((asked, Text(_("Seen on the board. Is that right?"), "strong")), (stays, undo))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Reply that the turn counts, if that is touched; the table itself undoes it."""
        return Refuse() if intent.verb == "none" else None


class CountPanel:
    """Asks for a count of the units in an area."""

    def __init__(self, position: Position, area: str) -> None:
        self.position = position
        self.area = position.board.area(area)
        self.counts = Counts()
        mode, here = position.board.mode, position.units_in(area)
        self._most = 2 * mode.caps[self.area.kind]
        units = [mode.units[kind].name for kind in mode.kinds_on[self.area.kind]]
        self.counts.of = {
            (who, unit): here.get(who, {}).get(unit, 0) for who in position.board.factions for unit in units
        }

    def show(self) -> Face:
        """Show a stepper for each side's units of a kind."""
        steppers = tuple(
            Stepper(unit_name(*key), n, self._most, "count", key_text(key)) for key, n in self.counts.of.items()
        )
        title = Text(what_stands(self.area.name), "title")
        actions = (cancel_button(), confirm_button(_("That's right")))
        return Face((title, Steppers(steppers)), actions, Marks({self.area.name: "target"}))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Change a count, answer with the counts, or close the panel."""
        if intent.verb == "count" and key_of(intent.what) in self.counts.of:
            self.counts.change(intent.what, intent.n, self._most)
        if intent.verb == "confirm":
            return Answer(
                self.area.name, tuple(sorted((who, unit, n) for (who, unit), n in self.counts.of.items() if n))
            )
        return Close() if intent.verb == "cancel" else None
